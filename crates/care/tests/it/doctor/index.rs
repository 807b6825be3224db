//! The index: what is wrong with it, and that it is right afterwards.

use mindfile_care::doctor;
use mindfile_care::status;
use std::fs;

use expect_test::expect;
use mindfile_index::{Batch, Change, Index, NoteQuery, StoredNote};
use mindfile_note::hash::Digest;

use super::{check_mended, chmod, told};
use crate::world::{APPLICATION_ID, FORMAT, Failing, NOTES, World, put};

#[test]
fn a_missing_index_is_made() {
    let world = World::private(NOTES);
    fs::remove_file(world.index()).unwrap();
    check_mended(
        &world,
        expect![[r#"
        Warning: there is no index yet at ~/memory/main.sqlite
          effect: the first search makes it, which takes longer
          safe fix: mindfile index
          done: Ok("the index is up to date: 3 added, 0 changed, 0 renamed, 0 removed")"#]],
    );
}

#[test]
fn an_index_behind_the_notes_is_brought_up_to_date() {
    let world = World::private(NOTES);
    world.save("memory/new.md", b"More.\n");
    world.save("memory/garden.md", b"# Garden\n\nTomatoes are over.\n");
    fs::remove_file(world.note("memory/2050-07-13.md")).unwrap();
    check_mended(
        &world,
        expect![[r#"
        Warning: the index is behind the notes: 1 new (memory/new.md), 1 changed (memory/garden.md), 1 gone from the disk (memory/2050-07-13.md)
          effect: the next search brings it up to date first
          safe fix: mindfile index
          done: Ok("the index is up to date: 1 added, 1 changed, 0 renamed, 1 removed")"#]],
    );
}

#[test]
fn a_note_that_was_only_touched_is_no_complaint() {
    let world = World::private(NOTES);
    world.save("memory/garden.md", NOTES[2].1.as_bytes());
    assert_eq!(world.bad(false), "");
}

#[test]
fn a_damaged_index_is_made_again_and_kept_for_a_look() {
    let world = World::private(NOTES);
    world.patch(|bytes| bytes[16..60].fill(b'x'));
    let notes = world.note("MEMORY.md");
    let before = fs::read(&notes).unwrap();
    expect![[r#"
        Problem: the index ~/memory/main.sqlite is damaged: file is not a database
          effect: the notes are not affected: the next search makes the index again, which takes longer
          safe fix: mindfile index --force
          done: Ok("the index was made again from 3 notes; the index ~/memory/main.sqlite is damaged: file is not a database; it was set aside as ~/memory/main.sqlite.aside-2541412800000 and made again from the notes")"#]].assert_eq(&world.bad(true));
    assert_eq!(world.finds("heron")[0], "MEMORY.md");
    assert_eq!(fs::read(&notes).unwrap(), before);
    expect![[r#"
        Warning: 1 index that could not be used was set aside SIZE: ~/memory/main.sqlite.aside-2541412800000
          effect: takes space and still holds text of the notes
          safe fix: rm ~/memory/main.sqlite.aside-2541412800000
          done: Ok("deleted")"#]]
    .assert_eq(&without_sizes(&world.bad(true)));
    assert_eq!(world.bad(false), "");
}

#[test]
fn a_changed_letter_inside_the_index_is_found_and_mended() {
    let world = World::private(NOTES);
    world.patch(|bytes| {
        let at = bytes.windows(8).position(|window| window == b"Tomatoes").unwrap();
        bytes[at] = b'P';
    });
    check_mended(
        &world,
        expect![[r#"
        Problem: the index ~/memory/main.sqlite is damaged: chunk 3 does not match its checksum
          effect: the notes are not affected: the next search makes the index again, which takes longer
          safe fix: mindfile index --force
          done: Ok("the index was made again from 3 notes")"#]],
    );
}

#[test]
fn another_text_under_the_same_times_is_found_by_reading() {
    let world = World::private(NOTES);
    let index = world.open_index();
    let notes = index.snapshot().unwrap().notes(NoteQuery::All).unwrap();
    let garden = notes.into_iter().find(|note| note.path == "memory/garden.md").unwrap();
    let other = StoredNote { hash: Digest::of(b"another text"), ..garden };
    let batch = Batch { changes: vec![Change::Touch(other)], ..Batch::default() };
    index.apply(&batch).unwrap();
    drop(index);
    check_mended(
        &world,
        expect![[r#"
        Problem: 1 note is in the index with another text than on the disk, though size and times are the same: memory/garden.md
          effect: searches show text that is not in the notes, and no sync notices
          safe fix: mindfile index --force
          done: Ok("the index was made again from 3 notes")"#]],
    );
}

#[test]
fn an_index_of_another_format_is_made_again() {
    let world = World::private(NOTES);
    world.patch(|bytes| bytes[FORMAT + 3] = 0);
    expect![[r#"
        Warning: the index ~/memory/main.sqlite was made by an older mindfile (format 0, this one knows 9)
          effect: the notes are not affected: the next search makes the index again, which takes longer
          safe fix: mindfile index --force
          done: Ok("the index was made again from 3 notes; the index ~/memory/main.sqlite has format 0, this program knows format 9; it was set aside as ~/memory/main.sqlite.aside-2541412800000 and made again from the notes")"#]].assert_eq(&world.bad(true));
}

#[test]
fn the_file_of_another_program_is_left_alone() {
    let world = World::private(NOTES);
    world.patch(|bytes| bytes[APPLICATION_ID..APPLICATION_ID + 4].fill(7));
    let foreign = fs::read(world.index()).unwrap();
    world.doctor(true);
    assert_eq!(fs::read(world.index()).unwrap(), foreign);
    let findings = world.doctor(false);
    let index = findings.iter().find(|finding| finding.what.contains("another program")).unwrap();
    expect!["Good: ~/memory/main.sqlite was made by another program and is left alone; the index is ~/memory/main.mindfile.sqlite"].assert_eq(&world.tidy(&told(index)));
    assert_eq!(world.bad(false), "");
}

#[test]
fn an_index_of_other_settings_is_made_again() {
    let mut world = World::private(NOTES);
    world.settings.chunking.tokens = 123;
    check_mended(
        &world,
        expect![[r#"
        Warning: the index was built with chunking.tokens 400, now 123
          effect: the next search makes the index again, which takes longer
          safe fix: mindfile index
          done: Ok("the index is up to date: 3 added, 0 changed, 0 renamed, 0 removed")"#]],
    );
}

#[test]
fn notes_that_vanished_at_once_need_a_person() {
    let names: Vec<String> = (0..12).map(|n| format!("memory/{n:02}.md")).collect();
    let notes: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), "Something to remember.\n")).collect();
    let world = World::private(&notes);
    names.iter().take(8).for_each(|name| fs::remove_file(world.note(name)).unwrap());
    expect![[r#"
        Warning: 8 notes vanished from the workspace at once and stayed in the index: memory/00.md, memory/01.md, memory/02.md, memory/03.md, memory/04.md and 3 more
          effect: searches still find them; if they were deleted on purpose, make the index again
          fix: mindfile index --force"#]].assert_eq(&world.bad(true));
    assert_eq!(world.sync().held, 8);
}

#[test]
fn an_interrupted_rebuild_is_deleted_unless_it_is_running() {
    let world = World::private(NOTES);
    world.interrupt_rebuild();
    let rebuild = world.at("memory/main.sqlite.rebuild");
    let lock = fs::File::open(world.at("memory/main.sqlite.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(world.bad(true), "");
    assert!(rebuild.exists());
    drop(lock);
    let told = world.bad(true);
    expect![[r#"
        Warning: a rebuild of the index was interrupted and left ~/memory/main.sqlite.rebuild SIZE
          effect: it takes space and holds text of the notes; the next rebuild would go on with it
          safe fix: rm ~/memory/main.sqlite.rebuild
          done: Ok("deleted")"#]]
    .assert_eq(&without_sizes(&told));
    assert!(!rebuild.exists());
    assert_eq!(world.bad(false), "");
}

/// `(102.4 kB)` depends on SQLite.
fn without_sizes(told: &str) -> String {
    let mut text = told.to_owned();
    for unit in [" kB)", " MB)"] {
        while let Some(end) = text.find(unit) {
            let start = text[..end].rfind('(').unwrap();
            text.replace_range(start..end + unit.len(), "SIZE");
        }
    }
    text
}

#[test]
fn chunks_without_vectors_get_theirs() {
    let world = World::private(NOTES);
    fs::remove_file(world.index()).unwrap();
    world.sync_with(Failing::Documents).unwrap_err();
    let findings = doctor::examine(&world.memory_with(Failing::Never), true, &[]).unwrap();
    let vectors = findings.iter().find(|finding| finding.what.contains("vector")).unwrap();
    expect![[r#"
        Warning: 3 chunks have no vector yet
          effect: found by their words, but not by their meaning
          safe fix: mindfile index
          done: Ok("the index is up to date: 0 added, 0 changed, 0 renamed, 0 removed")"#]]
    .assert_eq(&told(vectors));
    assert_eq!(status::of(&world.memory_with(Failing::Never), false).unwrap().counts.chunks.pending, 0);
}

#[test]
fn a_file_that_was_no_index_is_not_deleted() {
    let world = World::private(NOTES);
    let text = b"# A text that somebody named as the index by mistake.\n";
    put(&world.at("memory/main.sqlite.aside-2541412800000"), text);
    chmod(&world.at("memory/main.sqlite.aside-2541412800000"), 0o600);
    expect![[r#"
        Warning: ~/memory/main.sqlite.aside-2541412800000 stood where the index belongs, but does not look like an index
          effect: it was set aside and is deleted when two more are; keep it elsewhere if it is yours
          fix: file ~/memory/main.sqlite.aside-2541412800000"#]].assert_eq(&world.bad(true));
    assert!(world.at("memory/main.sqlite.aside-2541412800000").exists());
}
