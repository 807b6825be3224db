//! What a file's times and size do not tell is found all the same.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;

use jiff::Timestamp;
use mindfile_index::{Batch, Change, FileStat, Index, NoteQuery, StoredNote};

use crate::world::World;

const OLD: &[u8] = b"The key is under the mat.\n";
const NEW: &[u8] = b"The key is under the pot.\n";
const NOTE: &str = "memory/key.md";

fn world() -> World {
    let world = World::new(&[("MEMORY.md", "# Memory\n\nNothing yet.\n")]);
    world.save(NOTE, OLD);
    world
}

fn is_new(world: &World) -> bool {
    world.chunks().iter().any(|chunk| chunk.text.as_bytes() == NEW.trim_ascii_end())
}

fn stat(world: &World) -> FileStat {
    let found = fs::metadata(world.note(NOTE)).unwrap();
    FileStat {
        mtime_ns: found.mtime() * 1_000_000_000 + found.mtime_nsec(),
        ctime_ns: found.ctime() * 1_000_000_000 + found.ctime_nsec(),
        size: found.size(),
        inode: found.ino(),
    }
}

fn stored(world: &World) -> StoredNote {
    let notes = world.open_index().snapshot().unwrap().notes(NoteQuery::All).unwrap();
    notes.into_iter().find(|note| note.path == NOTE).unwrap()
}

/// Puts the new text in the place of the old one, with the same size and the same time of change.
fn rewrite(world: &World, write: impl FnOnce()) {
    let before = stat(world);
    let modified = fs::metadata(world.note(NOTE)).unwrap().modified().unwrap();
    write();
    fs::File::options().write(true).open(world.note(NOTE)).unwrap().set_modified(modified).unwrap();
    let after = stat(world);
    assert_eq!((after.mtime_ns, after.size), (before.mtime_ns, before.size));
}

#[test]
fn a_rewritten_note_whose_time_was_set_back_is_found() {
    let world = world();
    world.sync();
    rewrite(&world, || world.save(NOTE, NEW));
    assert_eq!(world.sync().changed, 1);
    assert!(is_new(&world));
}

#[test]
fn a_note_replaced_by_another_file_of_the_same_time_is_found() {
    let world = world();
    world.sync();
    rewrite(&world, || {
        world.save("memory/key.tmp", NEW);
        fs::rename(world.note("memory/key.tmp"), world.note(NOTE)).unwrap();
    });
    assert_eq!(world.sync().changed, 1);
    assert!(is_new(&world));
}

#[test]
fn a_note_that_was_just_saved_is_looked_at_again() {
    let world = world();
    let saved = Timestamp::from_nanosecond(i128::from(stat(&world).ctime_ns)).unwrap();
    let sync_at = |seconds: i64| {
        let memory = world.memory_at(saved + jiff::SignedDuration::from_secs(seconds));
        let mut looked_at = 0;
        let report = memory.sync(&mut |progress| {
            looked_at = progress.of_notes;
            ControlFlow::Continue(())
        });
        assert_eq!(report.unwrap().changed, 0);
        looked_at
    };
    sync_at(1);
    assert!(stored(&world).racy);
    assert_eq!([sync_at(1), sync_at(60), sync_at(60)], [2, 2, 0]);
    assert!(!stored(&world).racy);
}

/// As if the new text had been saved within the clock's step after the old one was read.
fn with_equal_stat(racy: bool) -> World {
    let world = world();
    world.sync();
    world.save(NOTE, NEW);
    let known = StoredNote { stat: stat(&world), racy, ..stored(&world) };
    let batch = Batch { changes: vec![Change::Touch(known)], ..Batch::default() };
    world.open_index().apply(&batch).unwrap();
    world
}

#[test]
fn a_note_changed_within_the_clocks_step_is_found() {
    let world = with_equal_stat(true);
    assert_eq!(world.sync().changed, 1);
    assert!(is_new(&world));
}

#[test]
fn a_note_whose_whole_state_is_known_is_not_read() {
    let world = with_equal_stat(false);
    assert_eq!(world.sync().changed, 0);
    assert!(!is_new(&world));
}
