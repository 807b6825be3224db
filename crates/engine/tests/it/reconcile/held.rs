//! What looks like the end of a whole workspace is not taken for a deletion.

use std::fs;
use std::ops::ControlFlow;

use expect_test::expect;
use mindfile::Response;
use mindfile::search::Request;

use crate::world::{NOTES, World};

fn ask(world: &World, query: &str) -> Response {
    world.memory().search(&Request::new(query), None).unwrap()
}

fn many(count: usize) -> World {
    let names: Vec<(String, String)> = (0..count)
        .map(|n| (format!("memory/{n:02}.md"), format!("Parcel {n} went to the lighthouse.\n")))
        .collect();
    let notes: Vec<(&str, &str)> = names.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let world = World::new(&notes);
    world.sync();
    world
}

fn remove(world: &World, count: usize) {
    (0..count).for_each(|n| fs::remove_file(world.note(&format!("memory/{n:02}.md"))).unwrap());
}

#[test]
fn an_emptied_workspace_is_held_and_still_answers() {
    let world = World::new(NOTES);
    world.sync();
    fs::remove_file(world.note("MEMORY.md")).unwrap();
    fs::remove_dir_all(world.note("memory")).unwrap();
    expect!["0 notes: 0 added, 0 changed, 0 renamed, 0 removed, 0 chunks, 3 held (unchanged)"]
        .assert_eq(&world.synced());
    let response = ask(&world, "heron");
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    expect!["3 notes vanished from the workspace at once and are still answered from the index"]
        .assert_eq(&response.stale.unwrap());
    assert_eq!(world.chunks().len(), 3);
}

#[test]
fn what_was_held_is_as_before_when_the_workspace_is_back() {
    let world = World::new(NOTES);
    world.sync();
    let chunks = world.chunks();
    fs::rename(world.note("memory"), world.at("away")).unwrap();
    fs::rename(world.note("MEMORY.md"), world.at("away.md")).unwrap();
    assert_eq!(world.sync().held, 3);
    fs::rename(world.at("away"), world.note("memory")).unwrap();
    fs::rename(world.at("away.md"), world.note("MEMORY.md")).unwrap();
    assert!(world.sync().is_unchanged());
    assert_eq!((world.chunks(), ask(&world, "heron").stale), (chunks, None));
}

#[test]
fn a_missing_workspace_leaves_the_index_to_answer() {
    let world = World::new(NOTES);
    world.sync();
    fs::rename(world.at("workspace"), world.at("elsewhere")).unwrap();
    let error = world.memory().sync(&mut |_| ControlFlow::Continue(())).unwrap_err();
    expect!["the workspace ~/workspace does not exist"].assert_eq(&world.tidy(&error.to_string()));
    let response = ask(&world, "heron");
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    expect!["the workspace ~/workspace does not exist"].assert_eq(&world.tidy(&response.stale.unwrap()));
    assert!(!world.at("workspace").exists());
}

#[test]
fn a_missing_workspace_that_was_never_indexed_is_an_error() {
    let world = World::new(&[]);
    fs::remove_dir(world.at("workspace")).unwrap();
    let error = world.memory().search(&Request::new("heron"), None).unwrap_err();
    expect!["the workspace ~/workspace does not exist"].assert_eq(&world.tidy(&error.to_string()));
}

#[test]
fn the_index_of_another_workspace_does_not_answer_for_a_missing_one() {
    let mut world = World::new(NOTES);
    world.sync();
    world.settings.workspace = world.at("elsewhere");
    let error = world.memory().search(&Request::new("heron"), None).unwrap_err();
    expect!["the workspace ~/elsewhere does not exist"].assert_eq(&world.tidy(&error.to_string()));
    assert_eq!(world.chunks().len(), 3);
}

#[test]
fn more_than_half_of_many_notes_are_held() {
    let world = many(12);
    remove(&world, 7);
    expect!["5 notes: 0 added, 0 changed, 0 renamed, 0 removed, 0 chunks, 7 held (unchanged)"]
        .assert_eq(&world.synced());
    assert_eq!(world.chunks().len(), 12);
    assert_eq!(ask(&world, "parcel 0").answer.hits[0].path, "memory/00.md");
}

#[test]
fn what_is_held_does_not_keep_other_changes_out() {
    let world = many(12);
    remove(&world, 7);
    world.save("memory/new.md", b"The ferry runs on Sundays.\n");
    expect!["6 notes: 1 added, 0 changed, 0 renamed, 0 removed, 1 chunks, 7 held"].assert_eq(&world.synced());
    assert_eq!(ask(&world, "ferry").answer.hits[0].path, "memory/new.md");
}

#[test]
fn half_of_many_notes_may_be_deleted_and_most_of_a_few() {
    let (world, few) = (many(12), many(9));
    remove(&world, 6);
    remove(&few, 8);
    expect!["6 notes: 0 added, 0 changed, 0 renamed, 6 removed, 0 chunks"].assert_eq(&world.synced());
    expect!["1 notes: 0 added, 0 changed, 0 renamed, 8 removed, 0 chunks"].assert_eq(&few.synced());
}

#[test]
fn as_many_new_notes_as_vanished_are_a_reorganisation() {
    let world = many(12);
    remove(&world, 12);
    (0..12)
        .for_each(|n| world.save(&format!("memory/new/{n}.md"), format!("Ferry {n} leaves.\n").as_bytes()));
    expect!["12 notes: 12 added, 0 changed, 0 renamed, 12 removed, 12 chunks"].assert_eq(&world.synced());
}

#[test]
fn a_rebuild_purges_what_was_held() {
    let world = many(12);
    remove(&world, 7);
    assert_eq!(world.sync().held, 7);
    let report = world.memory().rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
    expect!["5 notes: 5 added, 0 changed, 0 renamed, 0 removed, 5 chunks"].assert_eq(&super::told(&report));
    assert_eq!(world.chunks().len(), 5);
    assert!(world.sync().is_unchanged());
    assert_eq!(ask(&world, "parcel 0").stale, None);
}
