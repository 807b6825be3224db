//! A later batch changes what an index keeps in memory, whoever applied it, and nothing else is read again. What is not read
//! again is seen from damage that is not noticed.

use std::path::Path;

use mindfile_index::{
    Batch, Change, Error, Filter, Index, QueryTerm, Shelf, Snapshot, SqliteIndex, VectorEngine, beside,
};

use mindfile_index::conformance::notes::{put, vector};

/// Rows for several blocks of each table.
const NOTES: usize = 100;
const DAMAGE: &str = "UPDATE chunks_columns SET bytes = zeroblob(length(bytes)) WHERE block = 0;
    UPDATE chunks_vec SET bytes = zeroblob(length(bytes)) WHERE block = 0;
    UPDATE terms SET sum = sum + 1 WHERE term = 'dog';";

fn open(path: &Path) -> SqliteIndex {
    SqliteIndex::open(path, VectorEngine::Scan).unwrap()
}

fn change(index: &SqliteIndex, change: Change) {
    index.apply(&Batch { changes: vec![change], ..Batch::default() }).unwrap();
}

/// How many chunks have the word, and which are nearest to a text.
fn ask(index: &SqliteIndex, word: &str) -> Result<(usize, Vec<String>), Error> {
    let snapshot = index.snapshot()?;
    let terms = QueryTerm::as_asked(&[word.to_owned()]);
    let found = snapshot.lexical(Shelf::Chunks, &terms, &Filter::default(), 1000)?.hits.len();
    let near = nearest(&*snapshot, "tea walk")?;
    Ok((found, near))
}

fn nearest(snapshot: &dyn Snapshot, text: &str) -> Result<Vec<String>, Error> {
    let near = snapshot.nearest(Shelf::Chunks, &vector(text), &Filter::default(), 1, &[])?;
    let docs: Vec<_> = near.into_iter().map(|(doc, _)| doc).collect();
    Ok(snapshot.chunks(&docs)?.iter().map(|chunk| chunk.path.clone()).collect())
}

/// An index that was asked twice: all that it can keep is in memory.
fn kept(path: &Path) -> SqliteIndex {
    let index = open(path);
    let notes = (0..NOTES).map(|n| put(&format!("memory/{n}.md"), &["coffee deadline", "walk the dog"]));
    index.apply(&Batch { changes: notes.collect(), ..Batch::default() }).unwrap();
    for _ in 0..2 {
        assert_eq!(ask(&index, "dog").unwrap().0, NOTES);
    }
    index
}

fn damage(path: &Path) {
    rusqlite::Connection::open(path).unwrap().execute_batch(DAMAGE).unwrap();
}

#[test]
fn what_a_batch_changed_is_read_again_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    let index = kept(&path);
    damage(&path);
    change(&index, put("memory/new.md", &["tea walk", "a dog"]));
    assert_eq!(ask(&index, "dog").unwrap(), (NOTES + 1, vec!["memory/new.md".to_owned()]));
    change(&index, put("memory/new.md", &["tea walk", "a cat"]));
    assert_eq!(ask(&index, "dog").unwrap().0, NOTES);
    assert!(ask(&open(&path), "dog").is_err());
}

#[test]
fn what_another_process_changed_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    let index = kept(&path);
    let other = open(&path);
    damage(&path);
    change(&other, put("memory/new.md", &["tea walk", "a dog"]));
    assert_eq!(ask(&index, "dog").unwrap(), (NOTES + 1, vec!["memory/new.md".to_owned()]));
}

#[test]
fn a_snapshot_of_before_answers_as_it_did_and_takes_nothing_from_later_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    let index = kept(&path);
    let before = index.snapshot().unwrap();
    change(&index, Change::Remove { path: "memory/99.md".to_owned() });
    change(&index, put("memory/new.md", &["tea walk"]));
    damage(&path);
    assert_eq!(ask(&index, "dog").unwrap(), (NOTES - 1, vec!["memory/new.md".to_owned()]));
    assert_ne!(nearest(&*before, "tea walk").unwrap(), ["memory/new.md"]);
    assert_eq!(ask(&index, "dog").unwrap().0, NOTES - 1);
}

#[test]
fn an_index_that_was_made_again_is_not_followed_as_if_it_were_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    let index = kept(&path);
    let aside = beside(&path, "rebuild");
    let made = open(&aside);
    for n in 0..9 {
        change(&made, put(&format!("memory/{n}.md"), &["the dog"]));
    }
    drop(made);
    index.replace_with(&aside).unwrap();
    assert_eq!(ask(&index, "dog").unwrap().0, 9);
}
