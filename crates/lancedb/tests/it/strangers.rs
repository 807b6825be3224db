//! What is wrong with the address, the rights or the tables is said before anything is written.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use mindfile_index::{Backend, Error, Index};
use mindfile_index::{NoteQuery, conformance::notes::put};
use mindfile_lancedb::{LanceIndex, Options};

use crate::place::{apply, folder, local, options, part};

fn refused(options: &Options) -> Error {
    LanceIndex::open(options).map(drop).unwrap_err()
}

fn hint(error: &Error) -> &str {
    let Error::Unusable { hint, .. } = error else { panic!("{error}") };
    hint
}

#[test]
fn an_address_that_is_none_is_refused() {
    for uri in ["", "s3://", "gs://bucket/notes", "postgresql://h/d"] {
        let error = refused(&options(uri));
        assert!(error.to_string().contains("memory.lancedb.uri"), "{uri}: {error}");
        assert!(hint(&error).contains("s3://BUCKET/PREFIX"));
    }
}

#[test]
fn an_object_store_that_is_not_there_is_unavailable_within_its_time() {
    let store = HashMap::from([
        ("endpoint".to_owned(), "http://127.0.0.1:9".to_owned()),
        ("region".to_owned(), "us-east-1".to_owned()),
        ("access_key_id".to_owned(), "nobody".to_owned()),
        ("secret_access_key".to_owned(), "nothing".to_owned()),
    ]);
    let away = Options { storage_options: store, timeout: Duration::from_secs(2), ..options("s3://notes") };
    let begun = Instant::now();
    let error = refused(&away);
    assert!(matches!(error, Error::Unavailable { .. }), "{error}");
    assert!(error.to_string().starts_with("lancedb at s3://notes/main cannot be reached: "), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(30), "it is waited for a bounded time");
}

#[test]
fn what_somebody_else_made_is_left_alone() {
    let folder = folder();
    let own = folder.path().join("main/theirs.lance");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("data"), b"theirs").unwrap();
    let error = refused(&local(&folder));
    assert!(
        error.to_string().ends_with("\"theirs.lance\" is there, and mindfile did not make it"),
        "{error}"
    );
    assert!(hint(&error).contains("memory.lancedb.uri"));
    assert_eq!(std::fs::read(own.join("data")).unwrap(), b"theirs");
}

#[test]
fn tables_of_others_beside_an_agents_folder_are_no_hindrance() {
    let folder = folder();
    std::fs::create_dir_all(folder.path().join("theirs.lance")).unwrap();
    LanceIndex::open(&local(&folder)).unwrap().verify().unwrap();
    assert!(folder.path().join("theirs.lance").is_dir());
}

fn set_version(folder: &tempfile::TempDir, version: u32) {
    let heads = folder.path().join("main/head");
    let mut all: Vec<_> = std::fs::read_dir(heads).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    let last = all.last().unwrap();
    let text = std::fs::read_to_string(last).unwrap();
    std::fs::write(last, text.replace("\"lancedb\":2", &format!("\"lancedb\":{version}"))).unwrap();
}

#[test]
fn tables_of_a_newer_program_are_left_alone_and_older_ones_are_made_again() {
    let folder = folder();
    apply(&LanceIndex::open(&local(&folder)).unwrap(), put("a.md", &["coffee"]));
    set_version(&folder, 99);
    let error = refused(&local(&folder));
    assert!(error.to_string().contains("made by a newer mindfile (version 99"), "{error}");
    assert!(hint(&error).starts_with("update mindfile"));
    let before = part(&folder);
    let text = "\"lancedb\":99";
    let heads = folder.path().join("main/head");
    for entry in std::fs::read_dir(&heads).unwrap() {
        let path = entry.unwrap().path();
        let old = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, old.replace(text, "\"lancedb\":0")).unwrap();
    }
    let error = LanceIndex::look(&local(&folder)).map(drop).unwrap_err();
    assert!(matches!(error, Error::Version { found: 0, .. }), "{error}");
    let index = LanceIndex::open(&local(&folder)).unwrap();
    assert_eq!(index.snapshot().unwrap().notes(NoteQuery::All).unwrap(), []);
    apply(&index, put("a.md", &["coffee"]));
    assert_ne!(part(&folder), before, "the old tables are gone");
}

#[test]
fn looking_makes_nothing() {
    let folder = folder();
    assert!(LanceIndex::look(&local(&folder)).unwrap().is_none());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_may_not_be_written_is_named() {
    let folder = folder();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o500)).unwrap();
    let made = LanceIndex::open(&local(&folder)).map(drop);
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    // The system's administrator may write everywhere.
    if let Err(error) = made {
        assert!(hint(&error).contains("who owns the folder"), "{error}");
    }
}
