//! The file that a replacement displaced. An editor may hold it open and write to it after the exchange, where nobody
//! would look: it may only be removed when no such writer is left.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;

use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;
use sha2::{Digest, Sha256};

/// Who may still write to a file that only has a hidden name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writers {
    Nobody,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux tells"))]
    Somebody,
    /// The platform, the file system or the file's owner does not allow to ask.
    Unknown,
}

/// What stands at a hidden name.
pub(super) struct DisplacedFile {
    pub(super) writers: Writers,
    /// `None` where it is not a regular file.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) ctime_ns: i64,
    /// Open, because the lease lasts as long.
    _lease: Option<File>,
}

/// At most `limit` bytes of it. Looks for writers first and at the bytes second: once nobody can write, what is read
/// is final.
pub(super) fn look(dir: impl AsFd, name: &str, limit: usize) -> io::Result<DisplacedFile> {
    let Some(file) = open(dir, name)? else {
        return Ok(DisplacedFile {
            writers: Writers::Unknown,
            bytes: None,
            ctime_ns: i64::MAX,
            _lease: None,
        });
    };
    let stat = fstat(&file)?;
    // A file with a second name loses nothing when this one is removed.
    let writers = if stat.st_nlink > 1 { Writers::Nobody } else { writers(&file) };
    let bytes = Some(read(&file, limit)?);
    Ok(DisplacedFile { writers, bytes, ctime_ns: super::Stat::of(&stat).ctime_ns, _lease: Some(file) })
}

/// Whether it is a file with exactly these bytes now.
pub(super) fn is_now(dir: impl AsFd, name: &str, expected: &[u8]) -> io::Result<bool> {
    match open(dir, name)? {
        Some(file) => Ok(read(&file, expected.len() + 1)? == expected),
        None => Ok(false),
    }
}

fn open(dir: impl AsFd, name: &str) -> io::Result<Option<File>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(dir, name, flags, Mode::empty()) {
        Err(Errno::LOOP | Errno::NXIO) => return Ok(None),
        opened => File::from(opened?),
    };
    let regular = FileType::from_raw_mode(fstat(&file)?.st_mode) == FileType::RegularFile;
    Ok(regular.then_some(file))
}

fn read(file: &File, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A read lease is granted only while no descriptor and no mapping of the file is open for writing, in any process, and
/// it is broken when one is opened.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe wrapper offers leases; the calls take and return integers only")]
fn writers(file: &File) -> Writers {
    use std::os::fd::AsRawFd;
    use std::time::Duration;
    /// An `open` that had found the file before it was displaced may not have taken effect yet; this is many times longer
    /// than that takes.
    const LINGER: Duration = Duration::from_millis(10);
    /// From the kernel's generic `fcntl.h`; the `libc` crate does not name it.
    const F_SETSIG: libc::c_int = 10;
    let fd = file.as_raw_fd();
    // SAFETY: `fd` is open, and no command touches memory of this process. The signal of a lease that is broken is set
    // to one that is ignored by default.
    let call = |command, value: libc::c_int| unsafe { libc::fcntl(fd, command, value) };
    if call(F_SETSIG, libc::SIGURG) == 0 && call(libc::F_SETLEASE, libc::F_RDLCK) == 0 {
        std::thread::sleep(LINGER);
        let whole = call(libc::F_GETLEASE, 0) == libc::F_RDLCK;
        return if whole { Writers::Nobody } else { Writers::Somebody };
    }
    match io::Error::last_os_error().raw_os_error() {
        Some(libc::EAGAIN) => Writers::Somebody,
        Some(_) | None => Writers::Unknown,
    }
}

#[cfg(not(target_os = "linux"))]
fn writers(_: &File) -> Writers {
    Writers::Unknown
}

/// Enough of a SHA-256 to tell whether a file is the one that was displaced or the one that displaced it.
pub(super) fn digest(bytes: &[u8]) -> u64 {
    let hash = Sha256::digest(bytes);
    hash.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
}
