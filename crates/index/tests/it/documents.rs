//! The list that hosts of QMD read: what they ask of it, asked the way they do.

use std::collections::BTreeSet;

use mindfile_index::documents::{Document, Documents};
use rusqlite::Connection;

fn documents(all: &[(&str, &str)]) -> BTreeSet<Document> {
    let one = |(collection, path): &(&str, &str)| Document {
        collection: (*collection).to_owned(),
        path: (*path).to_owned(),
    };
    all.iter().map(one).collect()
}

#[test]
fn a_document_is_found_by_the_beginning_of_its_id() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("index.sqlite");
    let wanted = documents(&[("notes", "a.md"), ("notes", "b/c.md"), ("more", "a.md")]);
    Documents::open(&file).unwrap().unwrap().replace(&wanted).unwrap();
    let db = Connection::open(&file).unwrap();
    for document in &wanted {
        let sql = "SELECT collection, path FROM documents WHERE hash LIKE ? AND active = 1";
        let like = format!("{}%", &document.id().to_string()[..12]);
        let found: (String, String) =
            db.query_row(sql, [like], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(found, (document.collection.clone(), document.path.clone()));
    }
}

#[test]
fn the_list_becomes_what_is_asked_for_and_tables_of_others_stay() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("index.sqlite");
    let host = Connection::open(&file).unwrap();
    host.execute_batch("CREATE TABLE of_the_host (x); INSERT INTO of_the_host VALUES (7)").unwrap();
    let mut list = Documents::open(&file).unwrap().unwrap();
    list.replace(&documents(&[("notes", "a.md"), ("notes", "b.md")])).unwrap();
    list.add(&documents(&[("notes", "b.md"), ("notes", "c.md")])).unwrap();
    assert_eq!(list.list().unwrap(), documents(&[("notes", "a.md"), ("notes", "b.md"), ("notes", "c.md")]));
    list.replace(&documents(&[("notes", "c.md")])).unwrap();
    assert_eq!(list.list().unwrap(), documents(&[("notes", "c.md")]));
    let kept: i64 = host.query_row("SELECT x FROM of_the_host", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 7);
}

#[test]
fn a_database_that_qmd_filled_is_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("index.sqlite");
    let sql =
        "CREATE TABLE documents (id INTEGER PRIMARY KEY, collection TEXT, path TEXT, title TEXT NOT NULL,
               hash TEXT, active INTEGER)";
    Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    let before = std::fs::read(&file).unwrap();
    assert!(Documents::open(&file).unwrap().is_none());
    assert_eq!(std::fs::read(&file).unwrap(), before);
}
