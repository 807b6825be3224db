//! Opening files beneath a directory without following links. A path is never first checked and then opened: between
//! the two it can be changed. The kernel resolves it in one step, or it is walked component by component.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, mkdirat, openat};
use rustix::io::Errno;

use super::{Error, NotePath, Place, Special};
use mindfile_disk::durable::{NEW_FOLDER, sync_folder};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens the workspace itself; links on the way to it are the user's own choice and are followed.
pub(super) fn open_root(root: &Path) -> Result<OwnedFd, Error> {
    open_path(root).map_err(|errno| {
        let root = root.to_owned();
        match errno {
            Errno::NOENT => Error::RootMissing { root },
            Errno::NOTDIR => Error::RootNotDirectory { root },
            other => Error::RootUnreadable { root, source: other.into() },
        }
    })
}

pub(super) fn open_path(folder: &Path) -> Result<OwnedFd, Errno> {
    openat(CWD, folder, FOLDER, Mode::empty())
}

pub(super) fn open_folder(base: impl AsFd, rel: &str) -> Result<OwnedFd, Errno> {
    beneath(base.as_fd(), rel, FOLDER, Mode::empty())
}

/// A directory entry by its raw name: one component, so that nothing but the entry itself can be a link.
pub(super) fn open_entry_folder(dir: impl AsFd, name: &CStr) -> Result<OwnedFd, Errno> {
    openat(dir, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())
}

/// Opens for reading; a FIFO does not block, and whatever is not a regular file is refused on the descriptor itself.
pub(super) fn open_file(place: &Place, path: &NotePath) -> Result<File, Error> {
    let base = open_base(place)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let fd = beneath(base.as_fd(), &place.rel, flags, Mode::empty()).map_err(|errno| refused(path, errno))?;
    regular(fd, path)
}

pub(super) fn open_base(place: &Place) -> Result<OwnedFd, Error> {
    open_root(&place.base)
}

/// The folder that holds the note at `rel`.
pub(super) fn open_parent(place: &Place, path: &NotePath) -> Result<OwnedFd, Error> {
    let base = open_base(place)?;
    open_folder(base, super::path::folder_of(&place.rel)).map_err(|errno| refused(path, errno))
}

/// As [`open_parent`], but makes the folders that are missing, each of them durably.
pub(super) fn make_parent(place: &Place, path: &NotePath) -> Result<OwnedFd, Error> {
    let mut dir = open_base(place)?;
    for part in super::path::folder_of(&place.rel).split('/').filter(|part| !part.is_empty()) {
        dir = enter(dir.as_fd(), part).map_err(|errno| refused(path, errno))?;
    }
    Ok(dir)
}

fn enter(dir: BorrowedFd<'_>, part: &str) -> Result<OwnedFd, Errno> {
    match openat(dir, part, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
        Err(Errno::NOENT) => {}
        done => return done,
    }
    match mkdirat(dir, part, NEW_FOLDER) {
        Ok(()) => sync_folder(dir)?,
        Err(Errno::EXIST) => {}
        Err(other) => return Err(other),
    }
    openat(dir, part, FOLDER | OFlags::NOFOLLOW, Mode::empty())
}

/// The descriptor as a file, if it is a regular one.
pub(super) fn regular(fd: OwnedFd, path: &NotePath) -> Result<File, Error> {
    let stat = fstat(&fd).map_err(|errno| Error::io("examine", path, errno))?;
    match Special::of(FileType::from_raw_mode(stat.st_mode)) {
        None => Ok(File::from(fd)),
        Some(what) => Err(Error::NotRegular { path: path.clone(), what }),
    }
}

/// What a refusal by the kernel means for the note at `path`.
pub(super) fn refused(path: &NotePath, errno: Errno) -> Error {
    match errno {
        Errno::NOENT => Error::Missing { path: path.clone() },
        Errno::LOOP | Errno::XDEV | Errno::MLINK => Error::Link { path: path.clone() },
        Errno::NXIO => Error::NotRegular { path: path.clone(), what: Special::Socket },
        Errno::ISDIR => Error::NotRegular { path: path.clone(), what: Special::Folder },
        other => Error::Io { doing: "open", path: path.to_string(), source: io::Error::from(other) },
    }
}

pub(super) fn beneath(base: BorrowedFd<'_>, rel: &str, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    let rel = if rel.is_empty() { "." } else { rel };
    match in_one_step(base, rel, flags, mode) {
        Err(Errno::NOSYS | Errno::PERM) => step_by_step(base, rel, flags, mode),
        done => done,
    }
}

#[cfg(target_os = "linux")]
fn in_one_step(base: BorrowedFd<'_>, rel: &str, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    use rustix::fs::{ResolveFlags, openat2};
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(base, rel, flags, mode, resolve)
}

#[cfg(not(target_os = "linux"))]
fn in_one_step(_: BorrowedFd<'_>, _: &str, _: OFlags, _: Mode) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}

fn step_by_step(base: BorrowedFd<'_>, rel: &str, flags: OFlags, mode: Mode) -> Result<OwnedFd, Errno> {
    let mut dir = None;
    let mut parts = rel.split('/').peekable();
    while let Some(part) = parts.next() {
        if part == ".." {
            return Err(Errno::XDEV);
        }
        let at = dir.as_ref().map_or(base, OwnedFd::as_fd);
        if parts.peek().is_none() {
            return spelled(openat(at, part, flags | OFlags::NOFOLLOW, mode)?, part);
        }
        dir = Some(spelled(openat(at, part, FOLDER | OFlags::NOFOLLOW, Mode::empty())?, part)?);
    }
    Err(Errno::NOENT)
}

/// A file is found under the name that it has, and no other: what is private, and what a group may see, goes by names, and
/// where `memory/Private` opens `memory/private` nothing would stand between the two.
#[cfg(target_vendor = "apple")]
fn spelled(opened: OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    let path = rustix::fs::getpath(&opened)?;
    let is_it = name == "." || path.to_bytes().rsplit(|byte| *byte == b'/').next() == Some(name.as_bytes());
    if is_it { Ok(opened) } else { Err(Errno::NOENT) }
}

#[cfg(not(target_vendor = "apple"))]
#[expect(clippy::unnecessary_wraps, reason = "names are exact here")]
fn spelled(opened: OwnedFd, _: &str) -> Result<OwnedFd, Errno> {
    Ok(opened)
}
