//! Serialises writers of one folder: appending processes share the folder's lock, a replacing one holds it exclusively.
//! The lock is the folder's own `flock`, so no lock file is left behind. Editors ignore it; the writes themselves guard
//! against editors.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use super::{Error, NotePath};
use mindfile_disk::lock::{Lock, PATIENCE, wait};

pub(super) fn shared(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    lock(dir, Lock::Shared, path)
}

pub(super) fn alone(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    lock(dir, Lock::Alone, path)
}

fn lock(dir: &OwnedFd, lock: Lock, path: &NotePath) -> Result<(), Error> {
    // The lock is that of the open folder: it stays when this second handle of it is closed.
    let handle = dir.try_clone().map_err(|error| Error::io("lock the folder of", path, error))?;
    match wait(&File::from(handle), lock, PATIENCE) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Error::Busy { path: path.clone() }),
        came => came.map_err(|error| Error::io("lock the folder of", path, error)),
    }
}
