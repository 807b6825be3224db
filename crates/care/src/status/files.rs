//! The files around an index: how large they are, and which of them are left from something that did not end.
//!
//! Only names and sizes are asked for: opening a database file that the same process has open would drop its locks.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::Error;
use mindfile::store;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    pub index: u64,
    pub wal: u64,
    /// Free space inside the index.
    pub reusable: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSize {
    pub path: PathBuf,
    pub bytes: u64,
}

/// An index that is being made again beside the one in use, or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebuild {
    pub path: PathBuf,
    pub bytes: u64,
    /// Somebody is at it now. Otherwise it was interrupted; the next rebuild goes on with it.
    pub running: bool,
}

pub(crate) fn sizes(path: &Path, reusable: u64) -> Result<Sizes, Error> {
    let [index, wal, _] = store::database_files(path);
    Ok(Sizes { index: bytes(&index)?, wal: bytes(&wal)?, reusable })
}

/// Indexes that were set aside, the oldest first.
pub(crate) fn aside(path: &Path) -> Result<Vec<FileSize>, Error> {
    let names = siblings(path)?.into_iter().filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm"));
    let mut aside: Vec<String> = names.filter(|name| name.starts_with(&named(path, "aside-"))).collect();
    aside.sort();
    let sized = aside.into_iter().map(|name| database(path.with_file_name(name)));
    sized.collect()
}

/// Whether a file that nothing uses was an index of ours, as far as its first bytes can still tell: a file that
/// somebody named as the index by mistake was set aside like a damaged one.
pub(crate) fn was_index(path: &Path) -> Result<bool, Error> {
    const OWNER: std::ops::Range<usize> = 68..72;
    let io = |source| Error::Io { path: path.to_owned(), source };
    let mut head = Vec::new();
    File::open(path).map_err(io)?.take(100).read_to_end(&mut head).map_err(io)?;
    Ok(head.starts_with(b"SQLite format 3\0") || head.get(OWNER) == Some(b"mind"))
}

pub(crate) fn rebuild(path: &Path) -> Result<Option<Rebuild>, Error> {
    let file = path.with_file_name(named(path, "rebuild"));
    if !siblings(path)?.iter().any(|name| path.with_file_name(name) == file) {
        return Ok(None);
    }
    let found = database(file)?;
    Ok(Some(Rebuild { path: found.path, bytes: found.bytes, running: lock(path)?.is_none() }))
}

/// The lock of whoever rebuilds, if it is free; a file that a dead process left behind is.
pub(crate) fn lock(path: &Path) -> Result<Option<Lock>, Error> {
    let path = path.with_file_name(named(path, "lock"));
    let io = |source| Error::Io { path: path.clone(), source };
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(Lock(None))),
        opened => opened.map_err(io)?,
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(Some(file)))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Held until it is dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "its descriptor is the lock")] Option<File>);

/// Names in the folder of the index that begin with the index's own.
pub(crate) fn siblings(path: &Path) -> Result<Vec<String>, Error> {
    let Some(folder) = path.parent() else { return Ok(Vec::new()) };
    let io = |source| Error::Io { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Err(error) if is_out_of_sight(&error) => return Ok(Vec::new()),
        listed => listed.map_err(io)?,
    };
    let own = named(path, "");
    let own = own.trim_end_matches('.');
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(io)?.file_name();
        names.extend(name.to_str().filter(|name| name.starts_with(own)).map(str::to_owned));
    }
    Ok(names)
}

/// The index's own name, a dot and a suffix.
fn named(path: &Path, suffix: &str) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    format!("{name}.{suffix}")
}

fn database(path: PathBuf) -> Result<FileSize, Error> {
    let bytes = store::database_files(&path).iter().map(|file| bytes(file)).sum::<Result<u64, _>>()?;
    Ok(FileSize { path, bytes })
}

/// Not there, or behind something that may not be entered: then the index is unusable, and that is what is told.
pub(crate) fn is_out_of_sight(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::NotFound | Kind::PermissionDenied | Kind::NotADirectory)
}

/// No file, no bytes.
fn bytes(path: &Path) -> Result<u64, Error> {
    match fs::metadata(path) {
        Ok(found) => Ok(found.len()),
        Err(error) if is_out_of_sight(&error) => Ok(0),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
    }
}
