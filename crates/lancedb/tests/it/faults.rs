//! Two who write at once, one who dies while writing, and tables that are not as they were written.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mindfile_index::{Backend, Doc, Error, Index, Shelf};
use mindfile_index::{FactQuery, NoteQuery, conformance::notes::put, single};
use mindfile_lancedb::{LanceIndex, Options};

use crate::place::{apply, folder, local, part};

const PLACE: &str = "MINDFILE_TEST_PLACE";
const NAME: &str = "MINDFILE_TEST_NAME";
const COUNT: &str = "MINDFILE_TEST_COUNT";

/// This program again, as another process that puts notes into the index, one batch each.
pub(crate) fn writer(options: &Options, name: &str, count: usize) -> Child {
    let pairs: Vec<(&String, &String)> = options.storage_options.iter().collect();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "faults::another_process_that_writes", "--ignored", "--nocapture"])
        .env(PLACE, &options.uri)
        .env(
            "MINDFILE_TEST_OPTIONS",
            pairs.iter().map(|(key, value)| format!("{key}={value}\n")).collect::<String>(),
        )
        .env(NAME, name)
        .env(COUNT, count.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "other tests start it"]
fn another_process_that_writes() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let mut options = crate::place::options(&variable(PLACE));
    let pairs = variable("MINDFILE_TEST_OPTIONS");
    options.storage_options = pairs
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(k, v)| (k.to_owned(), v.to_owned()))
        .collect();
    let index = LanceIndex::open(&options).unwrap();
    for number in 0..variable(COUNT).parse::<usize>().unwrap() {
        apply(
            &index,
            put(&format!("memory/{}-{number}.md", variable(NAME)), &["coffee deadline", "walk dog"]),
        );
    }
}

/// Every batch brought one note with two chunks and two facts.
pub(crate) fn check(index: &LanceIndex) -> usize {
    index.verify().unwrap();
    let snapshot = index.snapshot().unwrap();
    let notes = snapshot.notes(NoteQuery::All).unwrap().len();
    assert_eq!(snapshot.generation(), notes as u64);
    assert_eq!(Shelf::ALL.map(|shelf| snapshot.size(shelf).unwrap()), [2 * notes as u64; 2]);
    notes
}

#[test]
fn two_processes_that_write_at_once_lose_nothing_and_duplicate_nothing() {
    let folder = folder();
    let mut writers = ["one", "two"].map(|name| writer(&local(&folder), name, 8));
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert_eq!(check(&LanceIndex::open(&local(&folder)).unwrap()), 16);
}

#[test]
fn a_process_that_is_killed_while_it_writes_leaves_whole_batches() {
    let folder = folder();
    let mut before = 0;
    for round in 0..6_u64 {
        let mut killed = writer(&local(&folder), &format!("round{round}"), 1_000);
        std::thread::sleep(Duration::from_millis(900 + 137 * round));
        killed.kill().unwrap();
        killed.wait().unwrap();
        let index = LanceIndex::open(&local(&folder)).unwrap();
        let now = check(&index);
        assert!(now >= before);
        apply(&index, put(&format!("memory/after{round}.md"), &["coffee deadline", "walk dog"]));
        before = check(&index);
        assert_eq!(before, now + 1);
    }
    assert!(before > 6, "somebody wrote something");
}

/// The lock spares work; what is committed does not depend on it.
#[test]
fn two_who_write_without_a_lock_lose_nothing_and_duplicate_nothing() {
    let folder = folder();
    drop(LanceIndex::open(&local(&folder)).unwrap());
    let mut writers = ["one", "two"].map(|name| writer(&local(&folder), name, 6));
    let lock = folder.path().join("main/write.lock");
    let mut left = writers.len();
    while left > 0 {
        // A file that is removed is another one for whoever opens it next.
        drop(std::fs::remove_file(&lock));
        left = writers
            .iter_mut()
            .filter_map(|writer| writer.try_wait().unwrap().is_none().then_some(()))
            .count();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert_eq!(check(&LanceIndex::open(&local(&folder)).unwrap()), 12);
}

/// What a writer leaves that dies after it changed a table and before it committed.
#[test]
fn what_was_not_committed_is_not_seen_and_undone_by_the_next_writer() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    apply(&index, put("memory/a.md", &["coffee deadline", "walk dog"]));
    let (runtime, part) =
        (tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap(), part(&folder));
    runtime.block_on(async {
        let tables = lancedb::connect(&part).execute().await.unwrap();
        for name in ["chunks", "facts", "notes", "words"] {
            let table = tables.open_table(name).execute().await.unwrap();
            table.delete("true").await.unwrap();
        }
    });
    assert_eq!(check(&LanceIndex::open(&local(&folder)).unwrap()), 1);
    apply(&index, put("memory/b.md", &["coffee deadline", "walk dog"]));
    assert_eq!(check(&LanceIndex::open(&local(&folder)).unwrap()), 2);
    index.purge().unwrap();
    assert_eq!(check(&LanceIndex::open(&local(&folder)).unwrap()), 2);
}

#[test]
fn files_that_are_gone_or_cut_are_damage_that_a_reset_mends() {
    for wrong in ["gone", "cut", "manifest", "garbage"] {
        let folder = folder();
        let index = LanceIndex::open(&local(&folder)).unwrap();
        apply(&index, put("memory/a.md", &["coffee deadline", "walk dog"]));
        let table = format!("{}/chunks.lance", part(&folder));
        let inside = if wrong == "manifest" { "_versions" } else { "data" };
        let end = if wrong == "manifest" { "manifest" } else { "lance" };
        let mut files =
            std::fs::read_dir(format!("{table}/{inside}")).unwrap().map(|entry| entry.unwrap().path());
        let file = files.find(|file| file.extension().is_some_and(|own| own == end)).unwrap();
        match wrong {
            "gone" => std::fs::remove_file(&file).unwrap(),
            "cut" => std::fs::File::options().write(true).open(&file).unwrap().set_len(100).unwrap(),
            "manifest" => std::fs::write(&file, b"").unwrap(),
            _ => std::fs::write(&file, vec![7_u8; 4_000]).unwrap(),
        }
        let again = LanceIndex::open(&local(&folder)).unwrap();
        let Err(error) = again.verify() else { panic!("{wrong} is not noticed") };
        assert!(matches!(error, Error::Damaged { .. }), "{wrong}: {error:?}");
        again.reset().unwrap();
        assert_eq!(again.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
        apply(&again, put("memory/a.md", &["coffee deadline", "walk dog"]));
        again.verify().unwrap();
    }
}

#[test]
fn a_head_that_cannot_be_read_is_replaced_when_the_index_is_opened() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    let generation = apply(&index, put("memory/a.md", &["coffee deadline", "walk dog"]));
    let heads = folder.path().join("main/head");
    let last = std::fs::read_dir(&heads).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    std::fs::write(last, b"").unwrap();
    assert!(matches!(index.snapshot().map(drop), Err(Error::Damaged { .. })));
    let again = LanceIndex::open(&local(&folder)).unwrap();
    assert_eq!(again.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
    assert!(apply(&again, put("memory/a.md", &["coffee deadline", "walk dog"])) > generation);
    again.verify().unwrap();
}

#[test]
fn an_index_whose_folder_was_removed_is_not_current_any_more() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    assert!(index.is_current());
    std::fs::remove_dir_all(folder.path().join("main")).unwrap();
    assert!(!index.is_current());
    assert!(matches!(index.snapshot().map(drop), Err(Error::Moved { .. })));
    assert!(LanceIndex::open(&local(&folder)).unwrap().is_current());
}

#[test]
fn a_row_that_is_not_there_is_damage() {
    let folder = folder();
    let index = LanceIndex::open(&local(&folder)).unwrap();
    apply(&index, put("memory/a.md", &["coffee deadline", "walk dog"]));
    let snapshot = index.snapshot().unwrap();
    let doc = single::list(&*snapshot, FactQuery::All).unwrap()[0];
    assert!(snapshot.facts(&[doc]).is_ok());
    assert!(matches!(snapshot.facts(&[Doc { row: doc.row + 77, ..doc }]), Err(Error::Damaged { .. })));
}
