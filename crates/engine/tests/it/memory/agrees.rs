//! An index that followed the notes step by step answers as one made from them at once.

use std::fs;
use std::ops::ControlFlow;

use jiff::Timestamp;
use mindfile::config::Fusion;
use mindfile::ingest::{self, Budget, Scope};
use mindfile::search::{Answer, Mode, Request};
use mindfile_index::{Backend, Doc, Shelf, StoredChunk};
use proptest::prelude::*;

use crate::world::World;

const PATHS: [&str; 6] = [
    "memory/boats.md", "memory/birds.md", "memory/deep/bells.md", "memory/2024-05-01.md",
    "memory/2024-05-02-tides.md", "USER.md",
];

const TEXTS: [&str; 7] = [
    "# Boats\n\nThe blue boat leaks below the water line.\n",
    "# Birds\n\nThe heron comes back every March.\n\n## Owls\n\nThe owl sleeps in the old boat house.\n",
    "The bell of the harbour rings at noon.\n",
    "- W @boat: The blue boat belongs to Sarah\n- O @heron: Herons like quiet water\n",
    "# Boats\n\nThe blue boat leaks below the water line.\n",
    "\u{6f01}\u{6e2f}\u{306e}\u{9418}\u{306f}\u{6b63}\u{5348}\u{306b}\u{9cf4}\u{308b}\u{3002}\n",
    "",
];

const QUERIES: [&str; 6] = [
    "blue boat",
    "when does the heron come back",
    "bell -harbour",
    "\"boat house\"",
    "\u{6e2f}\u{306e}\u{9418}",
    "Sarah",
];

#[derive(Debug, Clone)]
enum Edit {
    Save(usize, usize),
    Append(usize, usize),
    /// Something is added, and the index looks at that note alone.
    Grow(usize, usize),
    Delete(usize),
    Rename(usize, usize),
    Touch(usize, i32),
    Sync,
}

fn edit() -> impl Strategy<Value = Edit> {
    let (path, text) = (0..PATHS.len(), 0..TEXTS.len());
    prop_oneof![
        4 => (path.clone(), text.clone()).prop_map(|(path, text)| Edit::Save(path, text)),
        2 => (path.clone(), text.clone()).prop_map(|(path, text)| Edit::Append(path, text)),
        4 => (path.clone(), text).prop_map(|(path, text)| Edit::Grow(path, text)),
        2 => path.clone().prop_map(Edit::Delete),
        2 => (path.clone(), path.clone()).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => (path, -400..0).prop_map(|(path, days)| Edit::Touch(path, days)),
        4 => Just(Edit::Sync),
    ]
}

fn apply(world: &World, edit: &Edit) {
    let exists = |path: &usize| world.note(PATHS[*path]).exists();
    match edit {
        Edit::Save(path, text) => world.save(PATHS[*path], TEXTS[*text].as_bytes()),
        Edit::Append(path, text) => append(world, *path, *text),
        Edit::Grow(path, text) => {
            append(world, *path, *text);
            let memory = world.memory_at(now(world));
            let path = memory.workspace().unwrap().is_memory_path(PATHS[*path]).unwrap();
            ingest::run(&memory, Scope::Notes(&[path]), Budget::Unlimited).unwrap();
        }
        Edit::Delete(path) if exists(path) => fs::remove_file(world.note(PATHS[*path])).unwrap(),
        Edit::Rename(from, to) if exists(from) => {
            fs::create_dir_all(world.note(PATHS[*to]).parent().unwrap()).unwrap();
            fs::rename(world.note(PATHS[*from]), world.note(PATHS[*to])).unwrap();
        }
        Edit::Touch(path, days) if exists(path) => {
            let time = now(world) + jiff::SignedDuration::from_hours(24 * i64::from(*days));
            let file = fs::File::options().write(true).open(world.note(PATHS[*path])).unwrap();
            file.set_modified(time.into()).unwrap();
        }
        Edit::Sync => sync(world),
        Edit::Delete(_) | Edit::Rename(..) | Edit::Touch(..) => {}
    }
}

fn append(world: &World, path: usize, text: usize) {
    let before = fs::read(world.note(PATHS[path])).unwrap_or_default();
    world.save(PATHS[path], &[before.as_slice(), TEXTS[text].as_bytes()].concat());
}

/// The time of the file system: what was just saved may have been saved twice within its step.
fn now(world: &World) -> Timestamp {
    world.save("probe", b"");
    fs::metadata(world.note("probe")).unwrap().modified().unwrap().try_into().unwrap()
}

fn sync(world: &World) {
    world.memory_at(now(world)).sync(&mut |_| ControlFlow::Continue(())).unwrap();
}

/// What does not depend on the order in which chunks came into the index.
fn chunks(world: &World) -> Vec<StoredChunk> {
    let mut chunks = world.chunks();
    chunks.iter_mut().for_each(|chunk| chunk.doc = Doc::new(Shelf::Chunks, 0));
    chunks
}

fn places(chunks: &[StoredChunk]) -> Vec<String> {
    chunks.iter().map(|c| format!("{}#L{}-L{} {:?}", c.path, c.start_line, c.end_line, c.text)).collect()
}

fn answers(world: &World) -> Vec<(Request, Answer)> {
    let memory = world.memory();
    let since = Some(jiff::civil::date(2024, 5, 2));
    let requests = QUERIES.iter().flat_map(|query| {
        let by = |mode| Request { mode: Some(mode), min_score: Some(0.0), ..Request::new(*query) };
        [by(Mode::Hybrid), by(Mode::Keyword), by(Mode::Vector), Request { since, ..by(Mode::Hybrid) }]
    });
    requests
        .map(|request| {
            let answer = memory.search(&request, None).unwrap().answer;
            (request, answer)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_index_that_followed_answers_as_one_made_at_once(
        edits in prop::collection::vec(edit(), 1..24),
        rrf in any::<bool>(),
    ) {
        let mut world = World::new(&[("MEMORY.md", "# Memory\n\nSarah keeps the log of the harbour.\n")]);
        world.settings.hybrid.fusion = if rrf { Fusion::Rrf } else { Fusion::Weighted };
        (world.settings.chunking.tokens, world.settings.chunking.overlap) = (24, 6);
        edits.iter().for_each(|edit| apply(&world, edit));
        sync(&world);
        world.open_index().verify().unwrap();
        let followed = (chunks(&world), answers(&world));
        world.settings.index_path = world.at("fresh.sqlite");
        sync(&world);
        let fresh = (chunks(&world), answers(&world));
        prop_assert_eq!(places(&followed.0), places(&fresh.0));
        prop_assert!(followed.0 == fresh.0, "vectors, tokens or contexts differ");
        for (followed, fresh) in followed.1.into_iter().zip(fresh.1) {
            prop_assert_eq!(followed, fresh);
        }
    }
}
