//! The files around an index: their sizes, and leftovers of interrupted work.
//!
//! Only names and sizes are read: opening a database file that this process has open would drop its locks.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::Error;
use mindfile::store;
use mindfile_disk::Error as Disk;
use mindfile_disk::absent::if_there;

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
    let begin = named(path, "aside-");
    let is_beside = |name: &str| name.ends_with("-wal") || name.ends_with("-shm");
    let aside = listed(folder_of(path), |name| name.starts_with(&begin) && !is_beside(name))?;
    aside.into_iter().map(database).collect()
}

/// Whether a file that nothing uses was an index of ours, as far as its first bytes can still tell: a file that
/// somebody named as the index by mistake was set aside like a damaged one.
pub(crate) fn was_index(path: &Path) -> Result<bool, Error> {
    const OWNER: std::ops::Range<usize> = 68..72;
    let io = Disk::at(path);
    let mut head = Vec::new();
    File::open(path).map_err(&io)?.take(100).read_to_end(&mut head).map_err(io)?;
    Ok(head.starts_with(b"SQLite format 3\0") || head.get(OWNER) == Some(b"mind"))
}

pub(crate) fn rebuild(path: &Path) -> Result<Option<Rebuild>, Error> {
    let file = path.with_file_name(named(path, "rebuild"));
    if !siblings(path)?.contains(&file) {
        return Ok(None);
    }
    let found = database(file)?;
    Ok(Some(Rebuild { path: found.path, bytes: found.bytes, running: lock(path)?.is_none() }))
}

/// The lock of whoever rebuilds, if it is free; a file that a dead process left behind is.
pub(crate) fn lock(path: &Path) -> Result<Option<Lock>, Error> {
    let path = path.with_file_name(named(path, "lock"));
    let io = Disk::at(&path);
    let Some(file) = if_there(File::open(&path)).map_err(&io)? else { return Ok(Some(Lock(None))) };
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(Some(file)))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(io(source).into()),
    }
}

/// Held until it is dropped.
pub(crate) struct Lock(#[expect(dead_code, reason = "its descriptor is the lock")] Option<File>);

/// The files in the folder of the index whose names begin with its own.
pub(crate) fn siblings(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let own = named(path, "");
    listed(folder_of(path), |name| name.starts_with(own.trim_end_matches('.')))
}

/// The plain files of a folder with such names, in order; none of a folder that cannot be seen.
pub(crate) fn listed(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>, Error> {
    let io = Disk::at(folder);
    let mut found = Vec::new();
    for entry in if_in_sight(fs::read_dir(folder)).map_err(&io)?.into_iter().flatten() {
        let entry = entry.map_err(&io)?;
        if is_wanted(&entry.file_name().to_string_lossy()) && entry.file_type().map_err(&io)?.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
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

/// Nothing for what is not there, or behind something that may not be entered: then the index is unusable, and that is
/// what is told.
pub(crate) fn if_in_sight<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind as Kind;
    match result {
        Err(error) if matches!(error.kind(), Kind::PermissionDenied | Kind::NotADirectory) => Ok(None),
        other => if_there(other),
    }
}

/// No file, no bytes.
fn bytes(path: &Path) -> Result<u64, Error> {
    let found = if_in_sight(fs::metadata(path)).map_err(Disk::at(path))?;
    Ok(found.map_or(0, |found| found.len()))
}
