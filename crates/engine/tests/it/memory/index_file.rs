//! The file itself: absent, shared, deleted, damaged, of another program.

use std::fs;

use expect_test::{Expect, expect};
use mindfile::Error;
use mindfile::config::{Maker, SwitchedOff};
use mindfile::search::{Mode, Request};
use mindfile_index::Backend;

use super::{ask, first, sync};
use crate::world::{APPLICATION_ID, FORMAT, NOTES, World, put};

fn delete_index(world: &World) {
    for suffix in ["", "-wal", "-shm"] {
        let path = format!("{}{suffix}", world.index().display());
        if fs::exists(&path).unwrap() {
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn an_index_at_rest_has_no_log_and_answers_again() {
    let world = World::new(NOTES);
    let memory = world.memory();
    assert_eq!(first(&memory, "heron").as_deref(), Some("MEMORY.md"));
    let log = world.index().with_extension("sqlite-wal");
    assert!(fs::metadata(&log).unwrap().len() > 0);
    memory.rest();
    assert!(!fs::exists(&log).unwrap());
    assert_eq!(first(&memory, "heron").as_deref(), Some("MEMORY.md"));
}

#[test]
fn a_note_saved_a_moment_ago_is_found_without_an_index() {
    let world = World::new(NOTES);
    let memory = world.memory();
    assert_eq!(first(&memory, "heron").as_deref(), Some("MEMORY.md"));
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    assert_eq!(first(&memory, "ferry").as_deref(), Some("memory/ferry.md"));
    world.save("memory/ferry.md", b"The ferry is in dry dock.\n");
    assert!(ask(&memory, "ferry").answer.hits[0].snippet.contains("dry dock"));
}

#[test]
fn without_a_look_before_each_search_the_index_answers_as_it_is() {
    let mut world = World::new(NOTES);
    world.sync();
    world.settings.sync.on_search = false;
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    let memory = world.memory();
    assert_ne!(first(&memory, "ferry").as_deref(), Some("memory/ferry.md"));
    sync(&memory);
    assert_eq!(first(&memory, "ferry").as_deref(), Some("memory/ferry.md"));
}

#[test]
fn two_memories_on_one_index_see_each_others_writes() {
    let mut world = World::new(NOTES);
    world.settings.sync.on_search = false;
    let (one, other) = (world.memory(), world.memory());
    sync(&one);
    assert_eq!(first(&other, "heron").as_deref(), Some("MEMORY.md"));
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    sync(&other);
    assert_eq!(first(&one, "ferry").as_deref(), Some("memory/ferry.md"));
    world.save("memory/garden.md", b"# Garden\n\nThe pumpkins are ripe.\n");
    sync(&one);
    assert_eq!(first(&other, "pumpkins").as_deref(), Some("memory/garden.md"));
    assert!(sync(&other).is_unchanged());
}

#[test]
fn an_index_deleted_while_open_is_made_anew() {
    let world = World::new(NOTES);
    let memory = world.memory();
    assert_eq!(first(&memory, "heron").as_deref(), Some("MEMORY.md"));
    delete_index(&world);
    assert_eq!(first(&memory, "heron").as_deref(), Some("MEMORY.md"));
    assert_eq!(world.chunks().len(), 3);
    assert_eq!(memory.notices(), Vec::<String>::new());
}

#[test]
fn a_folder_of_the_index_deleted_while_open_is_made_anew() {
    let world = World::new(NOTES);
    let memory = world.memory();
    sync(&memory);
    fs::remove_dir_all(world.at("memory")).unwrap();
    assert_eq!(sync(&memory).added, 3);
    assert_eq!(first(&memory, "heron").as_deref(), Some("MEMORY.md"));
}

/// The index after the damage: it answers, says what happened, and keeps the old file for a look.
fn check_mended(world: &World, expected: Expect) {
    let memory = world.memory();
    let response = ask(&memory, "tomatoes");
    assert_eq!(response.answer.hits[0].path, "memory/garden.md");
    let notice = world.tidy(&response.notices.join("\n"));
    let (what, then) = notice.split_once("; ").unwrap();
    expected.assert_eq(what);
    assert_eq!(
        then,
        "it was set aside as ~/memory/main.sqlite.aside-2541412800000 and made again from the notes"
    );
    assert!(world.at("memory/main.sqlite.aside-2541412800000").exists());
    world.open_index().verify().unwrap();
    assert_eq!(world.chunks().len(), 3);
    assert_eq!(ask(&world.memory(), "tomatoes").notices, Vec::<String>::new());
}

#[test]
fn an_index_with_a_damaged_header_is_set_aside_and_made_again() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[16..60].fill(b'x'));
    check_mended(&world, expect!["the index ~/memory/main.sqlite is damaged: file is not a database"]);
}

#[test]
fn an_index_with_damaged_pages_is_set_aside_and_made_again() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[1000..].fill(b'x'));
    check_mended(
        &world,
        expect!["the index ~/memory/main.sqlite is damaged: database disk image is malformed"],
    );
}

#[test]
fn an_index_cut_short_is_set_aside_and_made_again() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes.truncate(bytes.len() / 2));
    check_mended(
        &world,
        expect!["the index ~/memory/main.sqlite is damaged: database disk image is malformed"],
    );
}

#[test]
fn an_index_with_one_wrong_letter_is_set_aside_and_made_again() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| {
        let at = bytes.windows(8).position(|window| window == b"Tomatoes").unwrap();
        bytes[at] = b'P';
    });
    check_mended(
        &world,
        expect!["the index ~/memory/main.sqlite is damaged: chunk 3 does not match its checksum"],
    );
}

#[test]
fn an_index_of_another_format_is_set_aside_and_made_again() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[FORMAT + 3] = 99);
    check_mended(
        &world,
        expect!["the index ~/memory/main.sqlite has format 99, this program knows format 9"],
    );
}

#[test]
fn two_set_aside_indexes_are_kept_and_no_more() {
    let world = World::new(NOTES);
    world.sync();
    for second in 1..=4 {
        world.patch(|bytes| bytes[16..60].fill(b'x'));
        let time = jiff::Timestamp::from_second(2_541_412_800 + second).unwrap();
        assert_eq!(first(&world.memory_at(time), "heron").as_deref(), Some("MEMORY.md"));
    }
    let names = fs::read_dir(world.at("memory")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut aside: Vec<_> = names.filter(|name| name.to_str().unwrap().contains("aside")).collect();
    aside.sort();
    assert_eq!(aside, ["main.sqlite.aside-2541412803000", "main.sqlite.aside-2541412804000"]);
}

/// Whatever stands at the path stays byte for byte, and another file is used.
fn check_foreign(world: &World) {
    let foreign = fs::read(world.index()).unwrap();
    let memory = world.memory();
    let response = ask(&memory, "heron");
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    expect!["~/memory/main.sqlite was made by another program and is left alone; the index is ~/memory/main.mindfile.sqlite"].assert_eq(&world.tidy(&response.notices.join("\n")));
    memory.rebuild(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(first(&world.memory(), "heron").as_deref(), Some("MEMORY.md"));
    assert_eq!(fs::read(world.index()).unwrap(), foreign);
    assert!(world.at("memory/main.mindfile.sqlite").exists());
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let world = World::new(NOTES);
    world.sync();
    world.patch(|bytes| bytes[APPLICATION_ID..APPLICATION_ID + 4].fill(0));
    check_foreign(&world);
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let world = World::new(NOTES);
    put(&world.index(), b"somebody's diary, and more than a hundred bytes of it: ".repeat(9).as_slice());
    check_foreign(&world);
}

#[test]
fn without_a_provider_words_answer() {
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = Maker::None;
    let memory = world.memory();
    let response = ask(&memory, "heron");
    assert_eq!(
        (response.mode, response.provider.as_str(), response.model.as_str()),
        (Mode::Keyword, "none", "")
    );
    assert_eq!(response.answer.hits[0].path, "MEMORY.md");
    assert_eq!(response.degraded, Vec::<String>::new());
    assert!(world.chunks().iter().all(|chunk| chunk.embedding.is_pending()));
    let generation = world.generation();
    ask(&memory, "heron");
    assert_eq!(world.generation(), generation);
}

#[test]
fn without_a_provider_a_search_by_meaning_says_that_there_is_none() {
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = Maker::None;
    let request = Request { mode: Some(Mode::Vector), ..Request::new("heron") };
    let response = world.memory().search(&request, None).unwrap();
    assert_eq!(response.answer.hits, []);
    expect![[r#"["meaning: there is no embedding provider"]"#]]
        .assert_eq(&format!("{:?}", response.degraded));
}

#[test]
fn a_memory_that_is_switched_off_refuses_to_search() {
    let mut world = World::new(NOTES);
    let on = ("enabled", "true");
    world.settings.off = Some(SwitchedOff { on, why: "memorySearch.enabled is false".to_owned() });
    let error = world.memory().search(&Request::new("heron"), None).unwrap_err();
    assert!(matches!(error, Error::Disabled { .. }));
    expect![[r#"memory is switched off for agent "main": memorySearch.enabled is false"#]]
        .assert_eq(&error.to_string());
}
