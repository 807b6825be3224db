//! Places for an index that nobody else uses.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mindfile_index::{Batch, Change, Index};
use mindfile_lancedb::{LanceIndex, Options};

static MADE: AtomicU32 = AtomicU32::new(0);

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn options(uri: &str) -> Options {
    Options {
        uri: uri.to_owned(),
        agent: "main".to_owned(),
        storage_options: HashMap::new(),
        timeout: Duration::from_secs(10),
    }
}

pub(crate) fn local(folder: &tempfile::TempDir) -> Options {
    options(folder.path().to_str().unwrap())
}

/// A place in the object store; none, and said so, where there is no store.
pub(crate) fn bucket() -> Option<Options> {
    let Ok(endpoint) = std::env::var("MINDFILE_TEST_S3") else {
        eprintln!("SKIPPED: no object store; crates/lancedb/test starts one");
        return None;
    };
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let mut options = options(&format!("s3://notes/{}-{number}", std::process::id()));
    options.storage_options = HashMap::from([
        ("endpoint".to_owned(), endpoint),
        ("region".to_owned(), "us-east-1".to_owned()),
        ("access_key_id".to_owned(), "nobody".to_owned()),
        ("secret_access_key".to_owned(), "nothing".to_owned()),
    ]);
    Some(options)
}

pub(crate) fn apply(index: &LanceIndex, change: Change) -> u64 {
    index.apply(&Batch { changes: vec![change], now_ms: 1, ..Batch::default() }).unwrap()
}

/// The only set of tables that is there.
pub(crate) fn part(folder: &tempfile::TempDir) -> String {
    let names = std::fs::read_dir(folder.path().join("main")).unwrap();
    let mut parts =
        names.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir() && !path.ends_with("head"));
    let part = parts.next().unwrap();
    assert_eq!(parts.next(), None);
    part.to_str().unwrap().to_owned()
}
