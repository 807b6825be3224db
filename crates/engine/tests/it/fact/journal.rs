//! The use of facts outlives the index.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;

use mindfile::access::{Journal, Removal};
use mindfile::fact::Access;

use super::keep;
use crate::world::World;

fn journal(world: &World) -> Journal {
    Journal::new(&world.at("memory/main.access.jsonl"))
}

fn ids(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn use_of(journal: &Journal, id: &str) -> (u32, Option<i64>) {
    let access = journal.uses().unwrap().get(id).copied().unwrap_or_default();
    (access.count, access.last_ms)
}

#[test]
fn counts_and_times_survive_the_index() {
    let world = World::new(&[]);
    let id = keep(&world, "Tea at four", &["ann"]).fact.id;
    let memory = world.memory();
    let generation = world.generation();
    memory.touch(&ids(&[&id])).unwrap();
    memory.touch(&ids(&[&id, "gone"])).unwrap();
    assert_eq!(world.generation(), generation, "what is warm stays warm");
    let shown = || -> (String, i64, String) {
        let db = rusqlite_of(&world);
        db.query_row("SELECT content, access_count, last_accessed_at FROM facts", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap()
    };
    let expected = ("Tea at four".to_owned(), 2, "2050-07-14 12:00:00".to_owned());
    assert_eq!(shown(), expected);
    drop(memory);
    fs::remove_file(world.index()).unwrap();
    for beside in ["-wal", "-shm"] {
        let path = world.index().with_extension(format!("sqlite{beside}"));
        if path.exists() {
            fs::remove_file(path).unwrap();
        }
    }
    let found = world.memory().inspect(&id, None).unwrap();
    assert_eq!(found.fact.access, Access { count: 2, last_ms: Some(2_541_412_800_000) });
    assert_eq!(shown(), expected);
}

#[test]
fn the_journal_is_compacted_and_bounded() {
    let world = World::new(&[]);
    let journal = journal(&world);
    let many: Vec<String> = (0..50).map(|n| format!("fact-number-{n}")).collect();
    let (mut most, mut compacted) = (0, false);
    for n in 0..1000 {
        journal.append(&many, n).unwrap();
        let size = fs::metadata(journal.path()).unwrap().len();
        compacted |= size < most;
        most = most.max(size);
    }
    assert!(compacted && most < 300 << 10, "{most} bytes");
    assert_eq!(use_of(&journal, "fact-number-7"), (1000, Some(999)));
    assert_eq!(use_of(&Journal::new(journal.path()), "fact-number-7"), (1000, Some(999)));
}

#[test]
fn appends_and_compactions_at_once_lose_nothing() {
    let world = World::new(&[]);
    let one = journal(&world);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = one.path();
            scope.spawn(move || {
                let own = Journal::new(path);
                for n in 0..100 {
                    own.append(&ids(&["shared"]), n).unwrap();
                    if n % 10 == thread {
                        own.compact().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(use_of(&one, "shared"), (400, Some(99)));
}

#[test]
fn what_a_power_cut_left_of_a_line_harms_no_other() {
    let world = World::new(&[]);
    let one = journal(&world);
    one.append(&ids(&["a"]), 5).unwrap();
    fs::OpenOptions::new()
        .append(true)
        .open(one.path())
        .unwrap()
        .write_all(b"{\"at\":6,\"ids\":[\"a")
        .unwrap();
    one.append(&ids(&["a"]), 7).unwrap();
    assert_eq!(use_of(&one, "a"), (2, Some(7)));
    one.compact().unwrap();
    assert_eq!(use_of(&one, "a"), (2, Some(7)));
}

#[test]
fn what_is_forgotten_is_forgotten_here_too() {
    let world = World::new(&[]);
    let one = journal(&world);
    one.append(&ids(&["a", "b"]), 5).unwrap();
    let gone = BTreeSet::from(["a".to_owned(), "z".to_owned()]);
    assert_eq!(one.remove(&Removal { facts: Some(&gone), ..Removal::default() }).unwrap(), 1);
    assert_eq!((use_of(&one, "a"), use_of(&one, "b")), ((0, None), (1, Some(5))));
    assert!(!fs::read_to_string(one.path()).unwrap().contains("\"a\""));
}

fn rusqlite_of(world: &World) -> rusqlite::Connection {
    rusqlite::Connection::open(world.index()).unwrap()
}
