//! Taking turns by a file's `flock`. The kernel releases it when a process dies, but not when one is stopped, so waiting
//! has a limit.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use rustix::io::Errno;

use crate::durable;

/// Longer than any write takes, shorter than a person waits.
pub const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Shared with others.
    Shared,
    Alone,
}

/// Tries to take the lock without waiting, and returns whether it was taken. A file system without locks counts as taken:
/// the files written under a lock survive without it.
pub fn try_now(file: &File, lock: Lock) -> io::Result<bool> {
    let taken = match lock {
        Lock::Shared => file.try_lock_shared(),
        Lock::Alone => file.try_lock(),
    };
    match taken {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn has_no_locks(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    errno.is_some_and(|errno| [Errno::NOSYS, Errno::NOTSUP, Errno::NOLCK, Errno::INVAL].contains(&errno))
}

/// Waits for the lock, behind those who waited before. Fails with `WouldBlock` if another process held it all the time.
pub fn wait(file: &File, lock: Lock, patience: Duration) -> io::Result<()> {
    if try_now(file, lock)? {
        return Ok(());
    }
    let (sender, taken) = channel();
    let held = file.try_clone()?;
    // The system wakes who waits the moment the lock is free, but knows no limit: another thread waits.
    std::thread::Builder::new().name("lock".to_owned()).spawn(move || {
        let taken = match lock {
            Lock::Shared => held.lock_shared(),
            Lock::Alone => held.lock(),
        };
        // Nobody is there any more: it is another's turn.
        if sender.send(taken).is_err() {
            drop(held.unlock());
        }
    })?;
    taken.recv_timeout(patience).unwrap_or_else(|_| {
        let words = format!("another process has had it locked for {} seconds", patience.as_secs());
        Err(io::Error::new(io::ErrorKind::WouldBlock, words))
    })
}

/// Opens, and if necessary creates, a lock file and holds it exclusively until it is closed.
pub fn hold(path: &Path, patience: Duration) -> io::Result<File> {
    let file = open(path)?;
    wait(&file, Lock::Alone, patience)?;
    Ok(file)
}

/// The same without waiting; `None` if another process holds it.
pub fn try_hold(path: &Path) -> io::Result<Option<File>> {
    let file = open(path)?;
    Ok(try_now(&file, Lock::Alone)?.then_some(file))
}

/// Where nothing can be written, the folder is locked instead, or the next above it: there, nobody makes the file.
fn open(path: &Path) -> io::Result<File> {
    let open = || File::options().append(true).create(true).mode(0o600).open(path);
    let opened = match (open(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            durable::make_folders(folder).and_then(|()| open())
        }
        (opened, _) => opened,
    };
    let above = || path.ancestors().skip(1).find_map(|folder| File::open(folder).ok());
    opened.or_else(|error| above().filter(|_| durable::is_unwritable(&error)).ok_or(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_lock_alone_keeps_all_others_waiting_and_those_who_share_it_only_who_wants_it_alone() {
        let dir = tempfile::tempdir().unwrap();
        let open = || open(&dir.path().join("lock")).unwrap();
        let first = open();
        let second = open();
        for (held, asked, free) in [
            (Lock::Alone, Lock::Alone, false),
            (Lock::Alone, Lock::Shared, false),
            (Lock::Shared, Lock::Alone, false),
            (Lock::Shared, Lock::Shared, true),
        ] {
            assert!(try_now(&first, held).unwrap());
            assert_eq!(try_now(&second, asked).unwrap(), free, "{held:?}, then {asked:?}");
            first.unlock().unwrap();
            second.unlock().unwrap();
        }
    }

    #[test]
    fn waiting_ends_with_the_lock_or_with_patience() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("folder/lock");
        let first = hold(&path, PATIENCE).unwrap();
        assert!(try_hold(&path).unwrap().is_none());
        let late = hold(&path, Duration::from_millis(20)).unwrap_err();
        assert_eq!(late.kind(), io::ErrorKind::WouldBlock);
        drop(first);
        assert!(hold(&path, PATIENCE).is_ok());
        assert!(hold(&path, PATIENCE).is_ok(), "who gave up keeps nobody waiting");
    }

    #[test]
    fn the_one_who_waits_gets_the_lock_the_moment_it_is_free() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let first = hold(&path, PATIENCE).unwrap();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| hold(&path, PATIENCE).unwrap());
            std::thread::sleep(Duration::from_millis(20));
            assert!(!second.is_finished());
            drop(first);
            drop(second.join().unwrap());
        });
    }
}
