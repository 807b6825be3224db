//! Additions, edits, deletions, renames: what each changes in the index, and what it leaves.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use expect_test::expect;
use mindfile::Memory;

use super::told;
use crate::world::{Asked, NOTES, World};

const LONG: &str = "# Plan\n\n## Boats\n\nThe blue boat leaks below the water line.\n\n## Birds\n\nThe heron comes back every March.\n";

fn sync(memory: &Memory) -> String {
    told(&memory.sync(&mut |_| ControlFlow::Continue(())).unwrap())
}

/// A world with one note of two chunks, which a provider has embedded.
fn embedded() -> (World, Asked) {
    let mut world = World::new(&[("memory/plan.md", LONG), ("MEMORY.md", "# Memory\n\nKeep it short.\n")]);
    (world.settings.chunking.tokens, world.settings.chunking.overlap) = (16, 0);
    let asked = Asked::default();
    sync(&world.memory_asking(&asked));
    asked.take();
    (world, asked)
}

fn modified(world: &World, path: &str) -> SystemTime {
    fs::metadata(world.note(path)).unwrap().modified().unwrap()
}

#[test]
fn the_first_sync_indexes_every_note() {
    let world = World::new(NOTES);
    expect!["3 notes: 3 added, 0 changed, 0 renamed, 0 removed, 3 chunks"].assert_eq(&world.synced());
    expect![[r##"
        MEMORY.md#L1-L3 "# Memory\n\nThe production database is called heron."
        memory/2050-07-13.md#L1-L1 "Sarah moved the release to Friday."
        memory/garden.md#L1-L3 "# Garden\n\nTomatoes need water twice a day.""##]]
    .assert_eq(&world.texts().join("\n"));
}

#[test]
fn a_sync_of_what_is_known_does_nothing() {
    let world = World::new(NOTES);
    world.sync();
    let (generation, chunks) = (world.generation(), world.chunks());
    expect!["3 notes: 0 added, 0 changed, 0 renamed, 0 removed, 0 chunks (unchanged)"]
        .assert_eq(&world.synced());
    assert_eq!(world.generation(), generation);
    assert_eq!(world.chunks(), chunks);
}

#[test]
fn a_workspace_without_notes_is_an_empty_index() {
    let world = World::new(&[]);
    expect!["0 notes: 0 added, 0 changed, 0 renamed, 0 removed, 0 chunks (unchanged)"]
        .assert_eq(&world.synced());
    assert_eq!(world.finds("anything"), Vec::<String>::new());
}

#[test]
fn an_edit_replaces_what_was_there() {
    let world = World::new(NOTES);
    world.sync();
    world.save("memory/garden.md", b"# Garden\n\nThe pumpkins are ripe.\n");
    expect!["3 notes: 0 added, 1 changed, 0 renamed, 0 removed, 1 chunks"].assert_eq(&world.synced());
    assert_eq!(world.finds("pumpkins")[0], "memory/garden.md");
    assert!(world.texts().iter().all(|text| !text.contains("Tomatoes")));
}

#[test]
fn an_edit_asks_the_provider_for_what_is_new_alone() {
    let (world, asked) = embedded();
    world.save("memory/plan.md", LONG.replace("March", "April").as_bytes());
    expect!["2 notes: 0 added, 1 changed, 0 renamed, 0 removed, 2 chunks"]
        .assert_eq(&sync(&world.memory_asking(&asked)));
    expect![[r###"["Plan\n## Birds\n\nThe heron comes back every April."]"###]]
        .assert_eq(&format!("{:?}", asked.take()));
}

#[test]
fn an_addition_at_the_end_leaves_the_chunks_before_it() {
    let (world, asked) = embedded();
    let before = world.chunks();
    let mut file = fs::File::options().append(true).open(world.note("memory/plan.md")).unwrap();
    file.write_all(b"\n## Bells\n\nThe bell of the harbour rings at noon.\n").unwrap();
    sync(&world.memory_asking(&asked));
    expect![[r###"["Plan\n## Bells\n\nThe bell of the harbour rings at noon."]"###]]
        .assert_eq(&format!("{:?}", asked.take()));
    assert_eq!(world.chunks()[..before.len()], before);
}

#[test]
fn text_that_moved_within_a_note_is_not_embedded_again() {
    let (world, asked) = embedded();
    world.save("memory/plan.md", LONG.replace("## Birds", "\n\n## Birds").as_bytes());
    sync(&world.memory_asking(&asked));
    assert_eq!(asked.take(), Vec::<String>::new());
    assert_eq!(world.chunks().iter().map(|chunk| chunk.start_line).collect::<Vec<_>>(), [1, 1, 9]);
    assert!(world.chunks().iter().all(|chunk| chunk.embedding.vector().is_some()));
}

#[test]
fn a_deleted_note_is_found_no_more() {
    let world = World::new(NOTES);
    world.sync();
    fs::remove_file(world.note("memory/garden.md")).unwrap();
    expect!["2 notes: 0 added, 0 changed, 0 renamed, 1 removed, 0 chunks"].assert_eq(&world.synced());
    assert!(!world.finds("tomatoes").contains(&"memory/garden.md".to_owned()));
    assert_eq!(world.chunks().len(), 2);
}

#[test]
fn a_renamed_note_keeps_its_chunks_and_vectors() {
    let (world, asked) = embedded();
    let before = world.chunks();
    fs::rename(world.note("memory/plan.md"), world.note("memory/old-plan.md")).unwrap();
    expect!["2 notes: 0 added, 0 changed, 1 renamed, 0 removed, 0 chunks"]
        .assert_eq(&sync(&world.memory_asking(&asked)));
    assert_eq!(asked.take(), Vec::<String>::new());
    let mut expected = before;
    for (chunk, now) in expected.iter_mut().zip(world.chunks()) {
        assert_eq!(chunk.path == now.path, chunk.id == now.id, "a chunk is known by its path");
        chunk.path = chunk.path.replace("plan", "old-plan");
        chunk.id = now.id;
    }
    assert_eq!(world.chunks(), expected);
}

#[test]
fn a_rename_that_gives_a_note_another_name_or_day_makes_other_chunks() {
    let world = World::new(&[("memory/apples.md", "Sour ones.\n"), ("memory/day.md", "# Day\n\nRain.\n")]);
    world.sync();
    fs::rename(world.note("memory/apples.md"), world.note("memory/pears.md")).unwrap();
    fs::rename(world.note("memory/day.md"), world.note("memory/2050-07-01.md")).unwrap();
    expect!["2 notes: 2 added, 0 changed, 0 renamed, 2 removed, 2 chunks"].assert_eq(&world.synced());
    let context: Vec<String> = world.chunks().into_iter().map(|chunk| chunk.context).collect();
    assert_eq!(context, ["Day · 2050-07-01 1 July 2050 Friday", "pears"]);
}

#[test]
fn of_two_equal_notes_the_one_that_moved_is_renamed() {
    let same = "# Same\n\nTwice the same.\n";
    let world = World::new(&[("memory/a.md", same), ("memory/b.md", same)]);
    world.sync();
    fs::rename(world.note("memory/a.md"), world.note("memory/c.md")).unwrap();
    expect!["2 notes: 0 added, 0 changed, 1 renamed, 0 removed, 0 chunks"].assert_eq(&world.synced());
    assert_eq!(
        world.chunks().iter().map(|c| c.path.as_str()).collect::<Vec<_>>(),
        ["memory/b.md", "memory/c.md"]
    );
}

#[test]
fn notes_that_swap_their_names_swap_their_content() {
    let world = World::new(&[("memory/a.md", "# One\n\nFirst.\n"), ("memory/b.md", "# Two\n\nSecond.\n")]);
    world.sync();
    fs::rename(world.note("memory/a.md"), world.at("aside")).unwrap();
    fs::rename(world.note("memory/b.md"), world.note("memory/a.md")).unwrap();
    fs::rename(world.at("aside"), world.note("memory/b.md")).unwrap();
    expect!["2 notes: 0 added, 2 changed, 0 renamed, 0 removed, 2 chunks"].assert_eq(&world.synced());
    let texts: Vec<String> = world.chunks().into_iter().map(|chunk| chunk.text).collect();
    assert_eq!(texts, ["# Two\n\nSecond.", "# One\n\nFirst."]);
}

#[test]
fn a_touched_note_is_unchanged_and_not_embedded_again() {
    let (world, asked) = embedded();
    let before = world.chunks();
    let later = modified(&world, "memory/plan.md") + Duration::from_secs(60);
    fs::File::options().write(true).open(world.note("memory/plan.md")).unwrap().set_modified(later).unwrap();
    expect!["2 notes: 0 added, 0 changed, 0 renamed, 0 removed, 0 chunks (unchanged)"]
        .assert_eq(&sync(&world.memory_asking(&asked)));
    assert_eq!(asked.take(), Vec::<String>::new());
    assert_eq!(world.chunks(), before);
    let generation = world.generation();
    sync(&world.memory_asking(&asked));
    assert_eq!(world.generation(), generation, "its new time is known now");
}
