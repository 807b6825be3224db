//! Vectors from a provider, which may be slow or down: words answer all the same, and what is missing is said.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use expect_test::expect;
use mindfile::search::{Mode, Request};
use mindfile_index::Index;
use mindfile_model::{
    Embedder, Error as ModelError, Jobs, Role, Sink, Space, Spending, Vector, embed_all_at_once,
};

use super::{ask, first, sync};
use crate::world::{Asked, Failing, NOTES, Provider, World};

fn cached(world: &World) -> u64 {
    world.open_index().snapshot().unwrap().stats().unwrap().cache_entries
}

fn pending(world: &World) -> usize {
    world.chunks().iter().filter(|chunk| chunk.embedding.is_pending()).count()
}

#[test]
fn a_sync_embeds_what_has_no_vector() {
    let world = World::new(NOTES);
    world.sync_with(Failing::Documents).unwrap_err();
    assert_eq!(pending(&world), 3);
    let asked = Asked::default();
    assert!(sync(&world.memory_asking(&asked)).is_unchanged());
    expect![[r##"
        [
            "2050 07 13 · 2050-07-13 13 July 2050 Wednesday\nSarah moved the release to Friday.",
            "Garden\n# Garden\n\nTomatoes need water twice a day.",
            "Memory\n# Memory\n\nThe production database is called heron.",
        ]"##]]
    .assert_eq(&format!("{:#?}", asked.take()));
    assert_eq!(pending(&world), 0);
}

#[test]
fn a_search_embeds_what_has_no_vector() {
    let world = World::new(NOTES);
    let asked = Asked::default();
    let response = ask(&world.memory_asking(&asked), "heron");
    assert_eq!(
        (response.mode, response.provider.as_str(), response.model.as_str()),
        (Mode::Hybrid, "remote", "two-dims")
    );
    assert_eq!((asked.take().len(), pending(&world)), (3, 0));
    ask(&world.memory_asking(&asked), "heron");
    assert_eq!(asked.take(), Vec::<String>::new());
}

/// Words answer, new notes are found, and the failure is named once.
fn check_down(world: &World, failing: Failing) {
    let memory = world.memory_with(failing);
    let response = ask(&memory, "heron");
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    expect![[r#"["meaning: all 2 values of the vector are zero, so it has no direction"]"#]]
        .assert_eq(&format!("{:?}", response.degraded));
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    assert_eq!(first(&memory, "ferry").as_deref(), Some("memory/ferry.md"));
}

#[test]
fn a_provider_that_fails_for_documents_leaves_words_working() {
    check_down(&World::new(NOTES), Failing::Documents);
}

#[test]
fn a_provider_that_is_down_from_the_start_leaves_words_working() {
    let world = World::new(NOTES);
    check_down(&world, Failing::Always);
    assert_eq!(ask(&world.memory_with(Failing::Always), "heron").mode, Mode::Keyword);
    let asked = Asked::default();
    // Its words were found already; the vectors follow.
    assert_eq!(ask(&world.memory_asking(&asked), "heron").degraded.len(), 1);
    assert_eq!((asked.take().len(), pending(&world)), (4, 0));
    assert_eq!(ask(&world.memory_asking(&asked), "heron").degraded, Vec::<String>::new());
}

#[test]
fn a_provider_that_goes_down_later_leaves_words_and_vectors() {
    let world = World::new(NOTES);
    world.sync_with(Failing::Never).unwrap();
    check_down(&world, Failing::Always);
    assert_eq!(pending(&world), 1);
}

#[test]
fn a_provider_that_fails_for_questions_leaves_words_working() {
    let world = World::new(NOTES);
    let response = ask(&world.memory_with(Failing::Queries), "heron");
    assert_eq!((response.mode, response.answer.hits[0].path.as_str()), (Mode::Keyword, "MEMORY.md"));
    expect![[r#"["meaning: all 2 values of the vector are zero, so it has no direction"]"#]]
        .assert_eq(&format!("{:?}", response.degraded));
}

#[test]
fn a_search_by_words_does_not_ask_for_the_questions_vector() {
    let world = World::new(NOTES);
    let request = Request { mode: Some(Mode::Keyword), ..Request::new("heron") };
    let response = world.memory_with(Failing::Queries).search(&request, None).unwrap();
    assert_eq!(response.degraded, Vec::<String>::new());
}

#[test]
fn a_sync_that_cannot_embed_fails_after_the_words_are_in() {
    for failing in [Failing::Documents, Failing::Always] {
        let world = World::new(NOTES);
        let error = world.sync_with(failing).unwrap_err();
        expect!["all 2 values of the vector are zero, so it has no direction"].assert_eq(&error.to_string());
        assert_eq!(world.chunks().len(), 3);
    }
}

/// A provider that says when it was asked, and answers when it is told to.
struct Slow {
    inner: Provider,
    asked: Mutex<Sender<()>>,
    go: Mutex<Receiver<()>>,
}

impl Embedder for Slow {
    fn space(&self) -> &Space {
        self.inner.space()
    }

    fn embed(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
    ) -> Result<Vec<Option<Vector>>, ModelError> {
        if role == Role::Document && texts.len() > 1 {
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap();
            self.go.lock().unwrap_or_else(PoisonError::into_inner).recv().unwrap();
        }
        self.inner.embed(role, texts, until)
    }

    fn embed_each(
        &self,
        texts: &[&str],
        until: Option<Instant>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        embed_all_at_once(self, texts, until, sink)
    }

    fn estimate(&self, texts: &[&str]) -> Spending {
        Spending { requests: 1, texts: texts.len() as u64, tokens: texts.len() as u64 }
    }

    fn spent(&self) -> Spending {
        Spending::default()
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}

#[test]
fn while_a_slow_provider_embeds_others_find_the_notes_by_words() {
    let mut world = World::new(NOTES);
    world.settings.sync.on_search = false;
    let ((sender, asked), (go, receiver)) = (channel(), channel());
    let slow = Slow { inner: Provider::default(), asked: Mutex::new(sender), go: Mutex::new(receiver) };
    let (slow, other) = (world.memory_of(slow), world.memory_with(Failing::Never));
    std::thread::scope(|scope| {
        let syncing = scope.spawn(|| sync(&slow));
        asked.recv().unwrap();
        assert_eq!(first(&other, "heron").as_deref(), Some("MEMORY.md"));
        world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
        assert_eq!(sync(&other).added, 1);
        assert_eq!(first(&other, "ferry").as_deref(), Some("memory/ferry.md"));
        go.send(()).unwrap();
        assert_eq!(syncing.join().unwrap().added, 3);
    });
    assert_eq!(pending(&world), 0);
}

#[test]
fn a_note_that_comes_back_is_not_embedded_again() {
    let world = World::new(NOTES);
    let asked = Asked::default();
    let memory = world.memory_asking(&asked);
    sync(&memory);
    std::fs::remove_file(world.note("memory/garden.md")).unwrap();
    sync(&memory);
    world.save("memory/garden.md", NOTES[2].1.as_bytes());
    asked.take();
    assert_eq!(sync(&memory).added, 1);
    assert_eq!((asked.take(), pending(&world)), (Vec::new(), 0));
}

#[test]
fn equal_texts_are_kept_once() {
    let same = "# Same\n\nTwice the same.\n";
    let world = World::new(&[("memory/a.md", same), ("memory/b.md", same)]);
    let asked = Asked::default();
    sync(&world.memory_asking(&asked));
    assert_eq!((cached(&world), pending(&world)), (1, 0));
    world.save("memory/c.md", same.as_bytes());
    asked.take();
    sync(&world.memory_asking(&asked));
    assert_eq!(asked.take(), Vec::<String>::new());
}

#[test]
fn the_cache_keeps_no_more_than_it_may() {
    let mut world = World::new(NOTES);
    world.sync_with(Failing::Never).unwrap();
    assert_eq!(cached(&world), 3);
    world.settings.cache.max_entries = 2;
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    world.sync_with(Failing::Never).unwrap();
    assert_eq!((cached(&world), pending(&world)), (2, 0));
}

#[test]
fn a_cache_that_is_switched_off_keeps_nothing() {
    let mut world = World::new(NOTES);
    world.settings.cache.enabled = false;
    world.sync_with(Failing::Never).unwrap();
    assert_eq!((cached(&world), pending(&world)), (0, 0));
}

#[test]
fn vectors_of_another_endpoint_are_not_taken_from_the_cache() {
    let world = World::new(NOTES);
    world.sync_with(Failing::Never).unwrap();
    let asked = Asked::default();
    let mut other = Provider { asked: asked.clone(), ..Provider::default() };
    other.space.endpoint = "https://other.example".to_owned();
    sync(&world.memory_of(other));
    assert_eq!(asked.take().len(), 3);
}
