//! Rebuilds the index in a file beside it.

use std::cell::OnceCell;
use std::fs::{File, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{SqliteIndex, VectorEngine};
use crate::{Error, Index, Rebuild};

/// The file being made, and the lock on making it.
pub(super) struct RebuildFile<'a> {
    index: &'a SqliteIndex,
    path: PathBuf,
    /// Opened on demand: a rebuild that is only discarded never opens it.
    made: OnceCell<SqliteIndex>,
    _lock: File,
}

impl<'a> RebuildFile<'a> {
    pub(super) fn of(index: &'a SqliteIndex, wait: bool) -> Result<Option<Self>, Error> {
        let path = beside(&index.path, "rebuild");
        let lock = lock(&beside(&index.path, "lock"), wait)?;
        Ok(lock.map(|lock| Self { index, path, made: OnceCell::new(), _lock: lock }))
    }

    /// Continues with the file from before if it can be opened.
    fn open(&self) -> Result<SqliteIndex, Error> {
        if let Ok(made) = SqliteIndex::open(&self.path, VectorEngine::Scan) {
            return Ok(made);
        }
        delete_database(&self.path)?;
        SqliteIndex::open(&self.path, VectorEngine::Scan)
    }

    fn made(&self) -> Result<&SqliteIndex, Error> {
        match self.made.get() {
            Some(made) => Ok(made),
            None => {
                let made = self.open()?;
                Ok(self.made.get_or_init(|| made))
            }
        }
    }
}

impl Rebuild for RebuildFile<'_> {
    fn index(&self) -> Result<&dyn Index, Error> {
        Ok(self.made()?)
    }

    fn restart(&mut self) -> Result<(), Error> {
        drop(self.made.take());
        delete_database(&self.path)
    }

    fn is_mended_by_restart(&self, error: &Error) -> bool {
        error.is_damage_of(&self.path)
    }

    fn carry_cache(&self) -> Result<(), Error> {
        self.made()?.carry_cache(&self.index.path)
    }

    fn replace(mut self: Box<Self>) -> Result<(), Error> {
        self.index.replace_with(&self.path)?;
        self.restart()
    }

    fn discard(mut self: Box<Self>) -> Result<(), Error> {
        self.restart()
    }
}

/// `None` if another process holds the lock and `wait` is false.
fn lock(path: &Path, wait: bool) -> Result<Option<File>, Error> {
    let io = |source| Error::Io { path: path.to_owned(), source };
    let file = File::options().create(true).truncate(false).write(true).mode(0o600).open(path).map_err(io)?;
    if wait {
        file.lock().map_err(io)?;
        return Ok(Some(file));
    }
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// A file beside an index: `rebuild` is one being made, `lock` is locked by whoever makes it.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
}

/// An SQLite database is three files.
pub fn database_files(path: &Path) -> [PathBuf; 3] {
    ["", "-wal", "-shm"].map(|suffix| {
        let mut name = path.as_os_str().to_os_string();
        name.push(suffix);
        PathBuf::from(name)
    })
}

pub fn delete_database(path: &Path) -> Result<(), Error> {
    for file in database_files(path) {
        match std::fs::remove_file(&file) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::Io { path: file, source }),
        }
    }
    Ok(())
}
