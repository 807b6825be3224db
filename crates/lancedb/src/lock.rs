//! One writer at a time. In a folder this is a file lock, which ends with the process. In a bucket it is an object that the
//! first writer creates; whoever sees the same one for too long takes it over. If its owner still writes after that, its
//! commit is refused (`head`): the lock spares work, and nothing depends on it.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use mindfile_index::Error;

use crate::store::Store;

/// How long a lock in a bucket may stay unchanged.
const WRITING: Duration = Duration::from_secs(30);
/// The same for a rebuild, which renews its lock with each batch.
const MAKING: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(100);

/// What is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LockKind {
    /// The tables, for a batch.
    Writing,
    /// Tables being made, for a whole rebuild.
    Making,
    /// Old versions, for whoever reads them.
    Reading,
}

impl LockKind {
    pub(crate) const ALL: [Self; 3] = [Self::Writing, Self::Making, Self::Reading];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Writing => "write.lock",
            Self::Making => "rebuild.lock",
            Self::Reading => "read.lock",
        }
    }

    const fn patience(self) -> Duration {
        match self {
            Self::Writing | Self::Reading => WRITING,
            Self::Making => MAKING,
        }
    }
}

/// A lock that is released when it is dropped.
pub(crate) enum Lock {
    /// The open file is the lock.
    File {
        _open: File,
    },
    Object(Owned),
}

pub(crate) struct Owned {
    store: Arc<Store>,
    what: LockKind,
    key: String,
}

/// Waits for the lock, forever if `until` is `None`. `None` if it was not free in time.
pub(crate) fn take(
    store: &Arc<Store>,
    what: LockKind,
    until: Option<Instant>,
) -> Result<Option<Lock>, Error> {
    match &store.target.folder {
        Some(folder) => take_file(folder, what, until),
        None => take_object(store, what, until),
    }
}

/// Keeps others from removing what this process reads. A bucket has no such lock.
pub(crate) fn share(folder: Option<&Path>) -> Result<Option<File>, Error> {
    let Some(folder) = folder else { return Ok(None) };
    let path = folder.join(LockKind::Reading.name());
    let file = open(&path)?;
    file.lock_shared().map_err(|source| Error::Io { path, source })?;
    Ok(Some(file))
}

fn open(path: &Path) -> Result<File, Error> {
    let made = File::options().create(true).truncate(false).write(true).open(path);
    made.map_err(|source| match (source.kind(), path.parent()) {
        (ErrorKind::NotFound, Some(folder)) => Error::Moved { path: folder.to_owned() },
        (_, _) => Error::Io { path: path.to_owned(), source },
    })
}

fn take_file(folder: &Path, what: LockKind, until: Option<Instant>) -> Result<Option<Lock>, Error> {
    let path = folder.join(what.name());
    let file = open(&path)?;
    let io = |source| Error::Io { path: path.clone(), source };
    let Some(until) = until else {
        file.lock().map_err(io)?;
        return Ok(Some(Lock::File { _open: file }));
    };
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(Lock::File { _open: file })),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => return Ok(None),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE / 10),
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
    }
}

fn take_object(store: &Arc<Store>, what: LockKind, until: Option<Instant>) -> Result<Option<Lock>, Error> {
    let key = store.key()?;
    let mut seen: Option<(Vec<u8>, Instant)> = None;
    loop {
        if store.create(what.name(), key.clone().into_bytes())? {
            return Ok(Some(Lock::Object(Owned { store: Arc::clone(store), what, key })));
        }
        let now = store.read(what.name())?;
        match (&seen, now) {
            (_, None) => seen = None,
            (Some((before, since)), Some(now)) if *before == now => {
                if since.elapsed() > what.patience() {
                    store.delete(what.name())?;
                }
            }
            (_, Some(now)) => seen = Some((now, Instant::now())),
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Ok(None);
        }
        thread::sleep(PAUSE);
    }
}

impl Lock {
    /// Renews the lock: others start waiting anew.
    pub(crate) fn keep(&self) -> Result<(), Error> {
        match self {
            Self::File { .. } => Ok(()),
            Self::Object(owned) => owned.keep(),
        }
    }
}

impl Owned {
    fn is_ours(&self) -> Result<bool, Error> {
        let now = self.store.read(self.what.name())?.unwrap_or_default();
        Ok(now.starts_with(self.key.as_bytes()))
    }

    /// Another content with the same owner.
    fn keep(&self) -> Result<(), Error> {
        if self.is_ours()? {
            let content = format!("{} {}", self.key, self.store.key()?);
            self.store.delete(self.what.name())?;
            self.store.create(self.what.name(), content.into_bytes())?;
        }
        Ok(())
    }
}

impl Drop for Owned {
    /// A lock that cannot be released is taken over by the next writer.
    fn drop(&mut self) {
        if matches!(self.is_ours(), Ok(true)) {
            drop(self.store.delete(self.what.name()));
        }
    }
}
