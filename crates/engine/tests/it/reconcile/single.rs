//! After a write, only the note that was written is looked at.

use expect_test::expect;
use mindfile::ingest::{self, Budget, Scope};
use mindfile::workspace::NotePath;

use super::told;
use crate::world::World;

fn look(world: &World, path: &str) -> String {
    let memory = world.memory();
    let path: NotePath = memory.workspace().unwrap().is_memory_path(path).unwrap();
    told(&ingest::run(&memory, Scope::Notes(&[path]), Budget::Unlimited).unwrap())
}

#[test]
fn one_note_is_brought_up_to_date_without_the_others() {
    let world = World::new(&[("memory/a.md", "tea\n"), ("memory/b.md", "milk\n")]);
    world.sync();
    world.save("memory/a.md", b"tea\ncoffee\n");
    world.save("memory/b.md", b"water\n");
    expect!["1 notes: 0 added, 1 changed, 0 renamed, 0 removed, 1 chunks"]
        .assert_eq(&look(&world, "memory/a.md"));
    assert_eq!(world.texts(), [r#"memory/a.md#L1-L2 "tea\ncoffee""#, r#"memory/b.md#L1-L1 "milk""#]);
    world.sync();
    assert_eq!(world.texts(), [r#"memory/a.md#L1-L2 "tea\ncoffee""#, r#"memory/b.md#L1-L1 "water""#]);
}

#[test]
fn a_new_note_is_added_and_a_deleted_one_leaves() {
    let world = World::new(&[("memory/a.md", "tea\n")]);
    world.sync();
    world.save("memory/c.md", b"juice\n");
    expect!["1 notes: 1 added, 0 changed, 0 renamed, 0 removed, 1 chunks"]
        .assert_eq(&look(&world, "memory/c.md"));
    std::fs::remove_file(world.note("memory/a.md")).unwrap();
    look(&world, "memory/a.md");
    assert_eq!(world.texts(), [r#"memory/c.md#L1-L1 "juice""#]);
}

#[test]
fn without_an_index_all_notes_are_taken() {
    let world = World::new(&[("memory/a.md", "tea\n"), ("memory/b.md", "milk\n")]);
    look(&world, "memory/a.md");
    assert_eq!(world.texts().len(), 2);
}
