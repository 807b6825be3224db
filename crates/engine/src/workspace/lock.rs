//! Writers of one folder take turns: appending processes share the folder's lock, one that replaces a file has it
//! alone. The lock is the folder's own `flock`, so the kernel frees it when a process dies, and no lock file is left.
//! Editors do not know it; against them the writes defend themselves.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::{Error, NotePath};

/// Longer than any write takes, shorter than a person waits: a stopped process must not stop the others for ever.
const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

pub(super) fn shared(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    lock(dir, FlockOperation::NonBlockingLockShared, path)
}

pub(super) fn alone(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    lock(dir, FlockOperation::NonBlockingLockExclusive, path)
}

fn lock(dir: &OwnedFd, how: FlockOperation, path: &NotePath) -> Result<(), Error> {
    let began = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match flock(dir, how) {
            Err(Errno::WOULDBLOCK) if began.elapsed() < PATIENCE => std::thread::sleep(pause),
            Err(Errno::WOULDBLOCK) => return Err(Error::Busy { path: path.clone() }),
            Err(Errno::INTR) => {}
            // File systems without locks: the checks around each write remain.
            Err(Errno::NOSYS | Errno::NOTSUP | Errno::NOLCK | Errno::INVAL) | Ok(()) => return Ok(()),
            Err(other) => return Err(Error::io("lock the folder of", path, other)),
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
