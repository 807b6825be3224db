//! Writers of one folder take turns: appending processes share the folder's lock, one that replaces a file has it
//! alone. The lock is the folder's own `flock`, so that no lock file is left. Editors do not know it; against them the
//! writes defend themselves.

use std::io;
use std::os::fd::OwnedFd;

use super::{Error, NotePath};
use crate::lock::{Lock, PATIENCE, wait};

pub(super) fn shared(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    lock(dir, Lock::Shared, path)
}

pub(super) fn alone(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    lock(dir, Lock::Alone, path)
}

fn lock(dir: &OwnedFd, lock: Lock, path: &NotePath) -> Result<(), Error> {
    match wait(dir, lock, PATIENCE) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Error::Busy { path: path.clone() }),
        came => came.map_err(|error| Error::io("lock the folder of", path, error)),
    }
}
