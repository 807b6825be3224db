//! Making the index again: beside the one in use, in its place when done, from where it stopped.

use std::ops::ControlFlow;

use expect_test::expect;
use mindfile::fingerprint::Fingerprint;
use mindfile::search::Request;
use mindfile::{Error, Memory};

use super::{ask, first, sync};
use crate::world::{Asked, Failing, NOTES, World, put};

/// More chunks than a provider is given at once.
const MANY: usize = 150;

fn many() -> World {
    let world = World::new(&[]);
    for n in 0..MANY {
        world.save(&format!("memory/{n:03}.md"), format!("Parcel {n} went to the lighthouse.\n").as_bytes());
    }
    world
}

/// Work that asks now and then whether to go on.
type Work = fn(&Memory, &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Error>;

/// Stops at the given call of the progress function.
fn stop_at(memory: &Memory, call: usize, work: Work) {
    let mut calls = 0;
    let done = work(memory, &mut || {
        calls += 1;
        if calls == call { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(done, Err(Error::Interrupted)), "{done:?}");
}

fn syncing(memory: &Memory, stop: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Error> {
    memory.sync(&mut |_| stop()).map(drop)
}

fn rebuilding(memory: &Memory, stop: &mut dyn FnMut() -> ControlFlow<()>) -> Result<(), Error> {
    memory.rebuild(&mut |_| stop()).map(drop)
}

fn left_behind(world: &World) -> Vec<String> {
    let names = std::fs::read_dir(world.at("memory")).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("main.sqlite"));
    names.retain(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    names.sort();
    names
}

#[test]
fn other_chunks_are_made_beside_and_put_in_place() {
    let mut world = World::new(&[(
        "MEMORY.md",
        "# Memory\n\n## A\n\nThe first of two parts.\n\n## B\n\nThe second of them.\n",
    )]);
    let reader = world.memory();
    sync(&reader);
    assert_eq!(world.chunks().len(), 1);
    (world.settings.chunking.tokens, world.settings.chunking.overlap) = (16, 0);
    sync(&world.memory());
    assert_eq!(world.chunks().len(), 2);
    assert_eq!(left_behind(&world), ["main.sqlite", "main.sqlite.lock"]);
    assert!(sync(&world.memory()).is_unchanged());
}

#[test]
fn a_rebuild_raises_the_generation_for_those_who_have_the_index_open() {
    let mut world = World::new(NOTES);
    world.settings.sync.on_search = false;
    let reader = world.memory();
    sync(&reader);
    assert_eq!(first(&reader, "heron").as_deref(), Some("MEMORY.md"));
    let before = world.generation();
    world.save("MEMORY.md", b"# Memory\n\nThe production database is called egret.\n");
    world.memory().rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    assert!(world.generation() > before);
    assert_eq!(first(&reader, "egret").as_deref(), Some("MEMORY.md"));
}

#[test]
fn vectors_of_another_model_under_the_same_name_are_made_again() {
    let world = World::new(NOTES);
    sync(&world.memory());
    let own = world.fingerprint();
    let numbers: Vec<&str> = own.canary.rsplit(' ').collect();
    let foreign = Fingerprint { canary: numbers.join(" "), ..own.clone() };
    world.set_fingerprint(&foreign);
    assert!(!sync(&world.memory()).is_unchanged());
    assert_eq!(world.fingerprint(), own);
}

#[test]
fn a_rebuild_gives_the_same_answers() {
    let world = World::new(NOTES);
    sync(&world.memory());
    let before = ask(&world.memory(), "what is the database called").answer;
    world.memory().rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(ask(&world.memory(), "what is the database called").answer, before);
}

#[test]
fn another_workspace_makes_another_index() {
    let mut world = World::new(NOTES);
    world.sync();
    world.settings.workspace = world.at("other");
    put(&world.at("other/MEMORY.md"), b"# Memory\n\nThe ferry runs on Sundays.\n");
    let found = ask(&world.memory(), "heron");
    assert!(found.answer.hits.iter().all(|hit| hit.snippet.contains("ferry")), "{found:?}");
    assert_eq!(world.chunks().len(), 1);
}

#[test]
fn another_workspace_is_not_answered_for_while_the_model_is_down() {
    let mut world = World::new(NOTES);
    world.sync_with(Failing::Never).unwrap();
    world.settings.workspace = world.at("other");
    put(&world.at("other/MEMORY.md"), b"# Memory\n\nThe ferry runs on Sundays.\n");
    for failing in [Failing::Documents, Failing::Always] {
        let error = world.memory_with(failing).search(&Request::new("heron"), None).unwrap_err();
        assert!(matches!(error, Error::Model(_)), "{error}");
    }
    assert_eq!(world.chunks().len(), 3);
}

#[test]
fn an_interrupted_rebuild_leaves_the_old_index_serving() {
    let mut world = many();
    world.settings.sync.on_search = false;
    sync(&world.memory());
    let (before, answer) = (world.chunks(), ask(&world.memory(), "parcel 77").answer);
    let old = world.memory();
    world.settings.chunking.tokens = 99;
    stop_at(&world.memory(), 1, syncing);
    assert_eq!(left_behind(&world), ["main.sqlite", "main.sqlite.lock", "main.sqlite.rebuild"]);
    assert_eq!(world.chunks(), before);
    assert_eq!(ask(&old, "parcel 77").answer, answer);
    assert_eq!(ask(&world.memory(), "parcel 77").answer, answer);
}

#[test]
fn an_interrupted_rebuild_goes_on_and_embeds_nothing_twice() {
    let world = many();
    let asked = Asked::default();
    let memory = world.memory_asking(&asked);
    // The first call is for the notes, each further one for a batch of vectors.
    stop_at(&memory, 2, rebuilding);
    let before = asked.take();
    assert!(!before.is_empty() && before.len() < MANY, "{}", before.len());
    stop_at(&memory, 1, rebuilding);
    memory.rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    let mut all = [before, asked.take()].concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), MANY);
    assert_eq!(left_behind(&world), ["main.sqlite", "main.sqlite.lock"]);
    assert!(world.chunks().iter().all(|chunk| chunk.embedding.vector().is_some()));
}

#[test]
fn an_interrupted_first_sync_goes_on_and_embeds_nothing_twice() {
    let world = many();
    let asked = Asked::default();
    stop_at(&world.memory_asking(&asked), 2, syncing);
    let before = asked.take();
    sync(&world.memory_asking(&asked));
    let after = asked.take();
    assert_eq!(before.len() + after.len(), MANY);
    assert!(before.iter().all(|text| !after.contains(text)));
}

#[test]
fn an_interrupted_rebuild_for_other_settings_is_begun_anew() {
    let world = World::new(NOTES);
    world.sync();
    world.interrupt_rebuild();
    world.memory().rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(world.chunks().len(), 3);
    assert!(sync(&world.memory()).is_unchanged());
}

#[test]
fn a_rebuild_takes_known_vectors_from_the_index_it_replaces() {
    let mut world = World::new(NOTES);
    let asked = Asked::default();
    sync(&world.memory_asking(&asked));
    assert_eq!(asked.take().len(), 3);
    let before = world.chunks();
    world.memory_asking(&asked).rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((asked.take(), world.chunks()), (Vec::new(), before.clone()));
    // Other settings, the same chunks: the cache has come along.
    world.settings.chunking.tokens = 300;
    sync(&world.memory_asking(&asked));
    assert_eq!((asked.take(), world.chunks()), (Vec::new(), before));
}

#[test]
fn without_a_cache_a_rebuild_asks_again() {
    let mut world = World::new(NOTES);
    world.settings.cache.enabled = false;
    let asked = Asked::default();
    sync(&world.memory_asking(&asked));
    world.memory_asking(&asked).rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(asked.take().len(), 6);
}

#[test]
fn a_rebuild_that_cannot_embed_leaves_the_old_index_serving() {
    let mut world = World::new(NOTES);
    world.sync_with(Failing::Never).unwrap();
    world.settings.chunking.tokens = 99;
    world.settings.cache.enabled = false;
    let response = ask(&world.memory_with(Failing::Documents), "heron");
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    expect!["the index could not be made again for the settings in force"]
        .assert_eq(&response.stale.unwrap());
    expect![[r#"["meaning: all 2 values of the vector are zero, so it has no direction"]"#]]
        .assert_eq(&format!("{:?}", response.degraded));
}

#[test]
fn an_index_of_another_model_answers_by_words_until_it_is_made_again() {
    let mut world = World::new(NOTES);
    world.sync();
    world.settings.sync.on_search = false;
    let response = ask(&world.memory_with(Failing::Never), "heron");
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    expect![[r#"["meaning: the index has vectors of another model, embedded potion-base-8M"]"#]]
        .assert_eq(&format!("{:?}", response.degraded));
    assert_eq!(left_behind(&world), ["main.sqlite"]);
    assert_eq!(world.chunks().len(), 3);
}
