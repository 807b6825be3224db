//! Notes that become private, and private notes that become ordinary ones.

use std::fs;
use std::path::PathBuf;

use mindfile::Error;
use mindfile::private::{self, KeyError};
use mindfile_care::heartbeat;

use super::{found, in_clear, owner};
use crate::world::World;

const TEXT: &str =
    "# Medical\r\n\r\nThe quartz syndrome is mild.\r\n\r\n- W(due=2050-07-01) @doctor: quartz check ^q1\r\n";

#[test]
fn a_note_becomes_private_and_nothing_of_it_stays_in_clear() {
    let world = World::new(&[("memory/medical.md", TEXT), ("memory/other.md", "Another note.\n")]);
    let memory = owner(&world);
    assert_eq!(found(&memory, "quartz syndrome"), ["memory/medical.md#L1-L5"]);
    assert!(!in_clear(&world, "quartz syndrome").is_empty());
    let moved = memory.encrypt_notes(&["memory/medical.md".to_owned()]).unwrap();
    assert_eq!(moved.notes, [("memory/medical.md".to_owned(), "memory/private/medical.md".to_owned())]);
    drop(memory);
    assert_eq!(in_clear(&world, "quartz"), Vec::<PathBuf>::new());
    assert_eq!(in_clear(&world, "syndrom"), Vec::<PathBuf>::new(), "not a stem in the index either");
    let memory = owner(&world);
    assert_eq!(found(&memory, "quartz syndrome"), ["memory/private/medical.md#L1-L5"]);
    assert_eq!(memory.get("memory/private/medical.md", 1, None).unwrap().bytes, TEXT.as_bytes());
    let back = memory.decrypt_note("memory/private/medical.md", None).unwrap();
    assert_eq!(back.notes, [("memory/private/medical.md".to_owned(), "memory/medical.md".to_owned())]);
    assert_eq!(fs::read(world.note("memory/medical.md")).unwrap(), TEXT.as_bytes());
    assert!(!world.note("memory/private/medical.md.age").exists());
    assert_eq!(found(&memory, "quartz syndrome"), ["memory/medical.md#L1-L5"]);
}

#[test]
fn a_note_in_the_private_folder_is_in_no_index_before_it_is_encrypted_either() {
    let world = World::new(&[("memory/other.md", "Another note.\n"), ("memory/private/diary.md", TEXT)]);
    let memory = owner(&world);
    assert_eq!(found(&memory, "quartz syndrome"), ["memory/private/diary.md#L1-L5"]);
    assert_eq!(in_clear(&world, "quartz"), [world.note("memory/private/diary.md")]);
    assert_eq!(private::clear_private_notes(&memory).unwrap(), ["memory/private/diary.md"]);
    memory.encrypt_notes(&private::clear_private_notes(&memory).unwrap()).unwrap();
    assert_eq!(in_clear(&world, "quartz"), Vec::<PathBuf>::new());
    assert_eq!(found(&memory, "quartz syndrome"), ["memory/private/diary.md#L1-L5"]);
    let beat = heartbeat::run(&memory, heartbeat::Request::default(), None).unwrap();
    assert_eq!(beat.overdue.iter().map(|fact| fact.id.as_str()).collect::<Vec<_>>(), ["q1"]);
    assert_eq!(in_clear(&world, "quartz"), Vec::<PathBuf>::new());
    let other = heartbeat::run(&world.memory(), heartbeat::Request::default(), None).unwrap();
    assert_eq!(other.overdue, [], "through another door there is no such reminder");
}

#[test]
fn two_texts_of_one_name_are_left_to_a_person() {
    let world = World::new(&[("memory/private/a.md", "one\n")]);
    let memory = owner(&world);
    memory.encrypt_notes(&["memory/private/a.md".to_owned()]).unwrap();
    world.save("memory/private/a.md", b"two\n");
    let error = memory.encrypt_notes(&["memory/private/a.md".to_owned()]).unwrap_err();
    assert!(matches!(error, Error::Workspace(mindfile::workspace::Error::TwoTexts { .. })), "{error}");
    assert_eq!(memory.get("memory/private/a.md", 1, None).unwrap().bytes, b"one\n");
    assert_eq!(fs::read(world.note("memory/private/a.md")).unwrap(), b"two\n");
    world.save("memory/private/a.md", b"one\n");
    memory.encrypt_notes(&["memory/private/a.md".to_owned()]).unwrap();
    assert!(!world.note("memory/private/a.md").exists());
}

#[test]
fn a_note_that_is_not_private_cannot_be_decrypted() {
    let world = World::new(&[("memory/a.md", "one\n")]);
    assert!(matches!(
        owner(&world).decrypt_note("memory/a.md", None),
        Err(Error::Key(KeyError::NotPrivate { .. }))
    ));
}

#[test]
fn an_encryption_that_died_while_it_overwrote_the_text_is_finished() {
    for path in ["memory/medical.md", "memory/private/medical.md"] {
        let world = World::new(&[(path, TEXT)]);
        let memory = owner(&world);
        memory.encrypt_notes(&[path.to_owned()]).unwrap();
        for left in [TEXT.len(), 9, 0] {
            let rest: Vec<u8> = [&vec![0; left][..], &TEXT.as_bytes()[left..]].concat();
            world.save(path, &rest);
            memory.encrypt_notes(&[path.to_owned()]).unwrap();
            assert!(!world.note(path).exists(), "{path}, {left}");
        }
        assert_eq!(memory.get("memory/private/medical.md", 1, None).unwrap().bytes, TEXT.as_bytes());
    }
}
