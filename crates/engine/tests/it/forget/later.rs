//! What is under way, what cannot be finished, and what was interrupted.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use mindfile::forget::{Erasure, What};
use mindfile::origin::Door;
use mindfile::session::{About, Message, Role};
use mindfile::{Source, retain, search};
use mindfile_care::status;
use mindfile_index::{Batch, Change, Index, NoteQuery, single};

use super::{forget, holding, owner};
use crate::world::{Meanwhile, Provider, World, put, remote};

const TEXT: &str = "The amber key of lampkeeper0001x lies under the seventh stone";
const TOKEN: &str = "lampkeeper0001x";

#[test]
fn a_reader_that_holds_the_log_makes_it_pending_and_the_next_sync_finishes_it() {
    let world = World::new(&[]);
    let memory = owner(&world);
    let id = memory.retain(&retain::Request::new(TEXT)).unwrap().fact.id;
    let index = world.open_index();
    let reader = index.snapshot().unwrap();
    reader.notes(NoteQuery::All).unwrap();
    let done = forget(&memory, What::Fact(id));
    assert_eq!(done.pending.len(), 1, "{done:?}");
    assert!(done.pending[0].starts_with("a reader holds the log of "), "{:?}", done.pending);
    assert_eq!(memory.forgetting(), done.pending);
    let stale = status::of(&memory, false).unwrap().notices;
    assert!(stale.iter().any(|notice| notice.contains("not forgotten everywhere yet")), "{stale:?}");
    drop(reader);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(memory.forgetting(), Vec::<String>::new());
    assert_eq!(holding(&world, TOKEN), Vec::<String>::new());
}

/// A batch of vectors or chunks that was made before, and arrives after.
#[test]
fn what_was_under_way_cannot_bring_it_back() {
    let world = World::new(&[("memory/a.md", TEXT)]);
    let memory = owner(&world);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    let index = world.open_index();
    let snapshot = index.snapshot().unwrap();
    let note = single::note(&*snapshot, "memory/a.md").unwrap().unwrap();
    drop(snapshot);
    forget(&memory, What::Query(TOKEN.to_owned()));
    let late = Batch { changes: vec![Change::Touch(note)], read_at: Some(0), ..Batch::default() };
    assert!(index.apply(&late).is_err());
    assert_eq!(holding(&world, TOKEN), Vec::<String>::new());
}

/// A provider that is asked for vectors, and forgets the note before it answers.
#[test]
fn an_answer_of_a_provider_that_comes_after_the_forgetting_is_not_stored() {
    let world = World::new(&[("memory/a.md", TEXT), ("memory/b.md", "Something else altogether")]);
    let settings = world.settings.clone();
    let meanwhile: Arc<Mutex<bool>> = Arc::default();
    let done = Arc::clone(&meanwhile);
    let memory = world.memory_of(Meanwhile::new(move || {
        let mut done = done.lock().unwrap();
        if !std::mem::replace(&mut *done, true) {
            let other = remote(settings.clone(), Provider::default()).through(Door::Terminal);
            other.forget(&Erasure { what: What::Query(TOKEN.to_owned()), dry_run: false }).unwrap();
        }
    }));
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(*meanwhile.lock().unwrap());
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(memory.forgetting(), Vec::<String>::new());
    assert_eq!(holding(&world, TOKEN), Vec::<String>::new());
}

/// A process that died after the ledger was written and before anything else was.
#[test]
fn a_forgetting_that_was_interrupted_is_finished_by_the_next_sync() {
    let world = World::new(&[]);
    let memory = owner(&world);
    let id = memory.retain(&retain::Request::new(TEXT)).unwrap().fact.id;
    memory
        .say("s1", &[Message::new(Role::User, format!("Hi. {TEXT}. Bye.")).entry()], &About::default())
        .unwrap();
    let note = world.note(&memory.inspect(&id, None).unwrap().fact.path);
    let transcript = memory.sessions().path("s1");
    let before = [&note, &transcript].map(|path| std::fs::read(path).unwrap());
    let memory_folder = world.at("memory");
    let marker = memory_folder.join("main.forgetting");
    forget(&memory, What::Fact(id));
    put(&note, &before[0]);
    put(&transcript, &before[1]);
    put(&marker, b"{\"at\":0,\"pending\":[]}");
    drop(memory);
    let memory = owner(&world);
    assert_eq!(memory.forgetting(), ["it was interrupted"]);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(holding(&world, TOKEN), Vec::<String>::new());
    assert!(!marker.exists());
}

/// A transcript of another program, put there again.
#[test]
fn a_transcript_that_is_fed_again_is_not_searched_for_it() {
    let mut world = World::new(&[]);
    world.settings.sessions.enabled = true;
    world.settings.sources = vec![Source::Memory, Source::Sessions];
    let memory = owner(&world);
    memory
        .say("s1", &[Message::new(Role::User, format!("Hello pier. {TEXT}.")).entry()], &About::default())
        .unwrap();
    let path = memory.sessions().path("s1");
    let before = std::fs::read(&path).unwrap();
    forget(&memory, What::Query(TOKEN.to_owned()));
    put(&path.with_file_name("s2.jsonl"), &before);
    let memory = owner(&world);
    let weak = search::Request::new("pier amber key lampkeeper0001x");
    let hits = memory.search(&search::Request { min_score: Some(0.0), ..weak }, None).unwrap().answer.hits;
    assert!(hits.iter().any(|hit| hit.snippet.contains("Hello pier.")), "{hits:?}");
    assert!(hits.iter().all(|hit| !hit.snippet.contains(TOKEN)), "{hits:?}");
    let elsewhere: Vec<String> =
        holding(&world, TOKEN).into_iter().filter(|file| !file.ends_with("s2.jsonl")).collect();
    assert_eq!(elsewhere, Vec::<String>::new());
}

#[test]
fn vectors_of_what_was_forgotten_leave_the_cache() {
    let world = World::new(&[("memory/a.md", TEXT), ("memory/b.md", "Something else altogether")]);
    let memory = world.memory_of(Provider::default()).through(Door::Terminal);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    let entries = || world.open_index().snapshot().unwrap().stats().unwrap().cache_entries;
    assert_eq!(entries(), 2);
    forget(&memory, What::Query(TOKEN.to_owned()));
    assert_eq!(entries(), 1);
}
