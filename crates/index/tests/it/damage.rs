//! A file that is not as it was written is noticed, whichever table it happened to. Each case changes what SQLite itself
//! finds nothing wrong with.

use std::path::Path;

use mindfile_index::{
    Backend, Batch, CacheKey, Change, Doc, EntityQuery, Error, FactQuery, Filter, Index, NoteQuery,
    QueryTerm, Shelf, SqliteIndex, VectorEngine,
};
use mindfile_note::hash::Digest;

use mindfile_index::conformance::notes::{put, vector};

const NOTES: usize = 60;

fn open(path: &Path) -> SqliteIndex {
    SqliteIndex::open(path, VectorEngine::Scan).unwrap()
}

/// Fills an index, changes it by `sql`, and asks it.
fn after<T>(sql: &str, ask: impl Fn(&SqliteIndex) -> Result<T, Error>) -> Result<T, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    let notes = (0..NOTES).map(|n| put(&format!("memory/{n}.md"), &["coffee deadline", "walk the dog"]));
    open(&path).apply(&Batch { changes: notes.collect(), ..Batch::default() }).unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    ask(&open(&path))
}

fn is_damage<T: std::fmt::Debug>(sql: &str, ask: impl Fn(&SqliteIndex) -> Result<T, Error>) {
    assert!(after("", &ask).is_ok(), "without {sql}");
    let found = after(sql, &ask);
    assert!(matches!(found, Err(Error::Damaged { .. })), "{sql}: {found:?}");
}

fn change(index: &SqliteIndex, change: Change) -> Result<u64, Error> {
    index.apply(&Batch { changes: vec![change], ..Batch::default() })
}

fn words(index: &SqliteIndex) -> Result<usize, Error> {
    Ok(index
        .snapshot()?
        .lexical(Shelf::Chunks, &QueryTerm::as_asked(&["dog".to_owned()]), &Filter::default(), 5)?
        .hits
        .len())
}

fn meaning(index: &SqliteIndex) -> Result<usize, Error> {
    Ok(index.snapshot()?.nearest(Shelf::Chunks, &vector("coffee"), &Filter::default(), 5, &[])?.len())
}

fn notes(index: &SqliteIndex) -> Result<usize, Error> {
    Ok(index.snapshot()?.notes(NoteQuery::All)?.len())
}

#[test]
fn a_chunk_that_its_note_does_not_lead_to_is_not_left_behind() {
    let sql = "UPDATE chunks SET path = 'elsewhere' WHERE doc = 7";
    let path = "memory/3.md";
    is_damage(sql, |index| change(index, put(path, &["tea"])));
    is_damage(sql, |index| change(index, Change::Remove { path: path.to_owned() }));
}

#[test]
fn a_note_that_vanished_from_the_table_is_missed() {
    is_damage("DELETE FROM files WHERE path = 'memory/3.md'", notes);
    is_damage("UPDATE files SET path = 'memory/x.md' WHERE path = 'memory/3.md'", notes);
    is_damage(
        "UPDATE files SET hash = (SELECT hash FROM files WHERE path = 'memory/4.md'), mtime = 1",
        notes,
    );
    is_damage("DELETE FROM files WHERE path = 'memory/3.md'", |index| {
        change(index, put("memory/3.md", &["tea"]))
    });
}

#[test]
fn a_chunk_under_the_number_of_another_is_not_taken_for_it() {
    let sql = "DELETE FROM chunks WHERE doc = 8; UPDATE chunks SET doc = 8 WHERE doc = 7";
    is_damage(sql, |index| Ok(index.snapshot()?.chunks(&[Doc::new(Shelf::Chunks, 8)])?.len()));
}

#[test]
fn a_block_under_the_number_of_another_is_not_taken_for_it() {
    for table in ["chunks_columns", "chunks_vec"] {
        let sql =
            format!("DELETE FROM {table} WHERE block = 0; UPDATE {table} SET block = 0 WHERE block = 1");
        is_damage(&sql, meaning);
    }
}

#[test]
fn a_block_that_vanished_is_missed() {
    is_damage("DELETE FROM chunks_columns WHERE block = 1", words);
    is_damage("DELETE FROM chunks_vec WHERE block = 1", meaning);
}

#[test]
fn postings_that_are_not_those_of_the_texts_are_noticed() {
    is_damage("UPDATE terms SET sum = sum + 1 WHERE term = 'dog'", words);
    is_damage("UPDATE terms SET chunks = chunks - 1 WHERE term = 'dog'", words);
    is_damage("DELETE FROM terms WHERE term = 'dog'", words);
    is_damage("DELETE FROM chunks_fts WHERE rowid = 2", words);
}

#[test]
fn a_schema_that_is_not_ours_is_damage() {
    is_damage("ALTER TABLE chunks RENAME COLUMN context TO contexx", |index| {
        Ok(index.snapshot()?.chunks(&[Doc::new(Shelf::Chunks, 1)])?.len())
    });
    is_damage("DROP TABLE terms", words);
    is_damage("UPDATE files SET racy = 'x' WHERE path = 'memory/3.md'", notes);
}

#[test]
fn a_damaged_vector_of_the_cache_is_not_used() {
    let key = CacheKey {
        provider: "p".to_owned(),
        model: "m".to_owned(),
        provider_key: "k".to_owned(),
        hash: Digest::of(b"text"),
    };
    let ask = |index: &SqliteIndex| -> Result<Option<Vec<f32>>, Error> {
        let known = index.snapshot()?.cached(std::slice::from_ref(&key))?.remove(0);
        if known.is_none() {
            change(index, Change::Cache { key: key.clone(), vector: vector("text"), now_ms: 1 })?;
        }
        Ok(known)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("main.sqlite");
    assert_eq!(ask(&open(&path)).unwrap(), None);
    assert_eq!(ask(&open(&path)).unwrap(), Some(vector("text")));
    let sql = "UPDATE embedding_cache SET embedding = zeroblob(length(embedding))";
    rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    assert_eq!(ask(&open(&path)).unwrap(), None);
}

fn facts(index: &SqliteIndex) -> Result<usize, Error> {
    let snapshot = index.snapshot()?;
    let all = snapshot.find_facts(FactQuery::All, &Filter::default(), usize::MAX)?;
    Ok(snapshot.facts(&all.concat())?.len())
}

/// Every fact of every entity.
fn associations(index: &SqliteIndex) -> Result<usize, Error> {
    let snapshot = index.snapshot()?;
    let every = Filter::default();
    let entities = snapshot.entities(EntityQuery::All, &every)?;
    let names: Vec<&str> = entities.iter().map(|entity| entity.name.as_str()).collect();
    Ok(snapshot.find_facts(FactQuery::Naming(&names), &every, usize::MAX)?.concat().len())
}

#[test]
fn a_changed_fact_is_not_shown() {
    for sql in [
        "UPDATE facts SET content = 'tea' WHERE id % 7 = 0",
        "UPDATE facts SET salience = 0.1 WHERE id % 7 = 0",
        "UPDATE facts SET line = '- W: other' WHERE id % 7 = 0",
        "UPDATE facts SET entities = '@someone' WHERE id % 7 = 0",
        "UPDATE facts SET fact_id = 'x' WHERE id % 7 = 0",
    ] {
        is_damage(sql, facts);
        is_damage(sql, SqliteIndex::verify);
    }
}

#[test]
fn a_connection_that_vanished_or_changed_is_missed() {
    for sql in [
        "DELETE FROM fact_entities WHERE fact_id % 7 = 0",
        "UPDATE fact_entities SET fact_id = fact_id + 100000 WHERE fact_id % 7 = 0",
        "UPDATE entities SET fact_count = fact_count + 1",
    ] {
        is_damage(sql, associations);
        is_damage(sql, SqliteIndex::verify);
    }
    is_damage("UPDATE entities SET name = name || 'x'", SqliteIndex::verify);
}

#[test]
fn a_fact_that_its_note_does_not_lead_to_is_not_left_behind() {
    let sql = "UPDATE facts SET path = 'elsewhere' WHERE id % 7 = 0";
    is_damage(sql, |index| {
        let all = (0..NOTES).map(|n| put(&format!("memory/{n}.md"), &["tea"])).collect();
        index.apply(&Batch { changes: all, ..Batch::default() })
    });
    is_damage("DELETE FROM facts WHERE id % 7 = 0", SqliteIndex::verify);
}
