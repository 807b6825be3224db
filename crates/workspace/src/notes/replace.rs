//! Rewrites a note without losing what a person writes to it at the same moment.
//!
//! The new text is written aside and exchanged with the old file in one step, so that the old file can still be
//! inspected. If the caller had read another text, the exchange is undone and reported as a conflict. If someone still
//! has the old file open for writing, it keeps a hidden name until [`super::Workspace::settle`] sees that they are done.
//! File systems without exchange use a second hard link instead.

use std::os::fd::OwnedFd;

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, Stat as RawStat, fstat, linkat, renameat, renameat_with,
};
use rustix::fs::{statat, unlinkat};
use rustix::io::Errno;

use super::settle::{Leftover, Settlement, settle_here};
use super::{Error, NotePath, Place, Stat, Writer, confine, is_private, lock, path, preimage, read};
use mindfile_disk::durable::{self, sync_folder, write_part};

/// What the caller believes to be there. There is no "anything": that would lose what nobody has seen.
#[derive(Clone, Copy, Debug)]
pub enum Expect<'a> {
    Absent,
    Bytes(&'a [u8]),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub stat: Stat,
    pub created: bool,
    /// The old file, kept because someone still has it open.
    pub pending: Option<Leftover>,
}

impl Writer {
    /// Makes `new` the whole text of the note, durably, if it is still what the caller expects.
    pub fn replace(&self, path: &NotePath, new: &[u8], expect: Expect<'_>) -> Result<Replacement, Error> {
        self.admit_change(path, new, expect)?;
        if is_private(path.as_str()) {
            return self.replace_private(path, new, expect);
        }
        let place = self.place(path)?;
        match expect {
            Expect::Absent => create(&place, path, new),
            Expect::Bytes(old) => Swap::begin(&place, path, old, new)?.run(),
        }
    }
}

pub(super) fn create(place: &Place, path: &NotePath, new: &[u8]) -> Result<Replacement, Error> {
    let dir = confine::make_parent(place, path)?;
    lock::alone(&dir, path)?;
    let name = path::name_of(&place.rel);
    let part = write_part(&dir, new, None).map_err(|source| Error::io("write", path, source))?;
    let moved = move_aside(&dir, &part, name).inspect_err(|_| durable::remove(&dir, &part));
    match moved {
        Ok(()) => {}
        Err(Errno::EXIST) => return Err(Error::Conflict { path: path.clone(), kept: None }),
        Err(other) => return Err(Error::io("create", path, other)),
    }
    sync(&dir, path)?;
    Ok(Replacement { stat: state_of(&dir, name, path)?, created: true, pending: None })
}

/// Renames, but never over another file.
pub(super) fn move_aside(dir: &OwnedFd, from: &str, to: &str) -> Result<(), Errno> {
    match renameat_with(dir, from, dir, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            linkat(dir, from, dir, to, AtFlags::empty())?;
            unlinkat(dir, from, AtFlags::empty())
        }
        done => done,
    }
}

pub(super) fn sync(dir: &OwnedFd, path: &NotePath) -> Result<(), Error> {
    sync_folder(dir).map_err(|errno| Error::NotDurable { path: path.to_string(), source: errno.into() })
}

fn state_of(dir: &OwnedFd, name: &str, path: &NotePath) -> Result<Stat, Error> {
    let stat =
        statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).map_err(|errno| Error::io("examine", path, errno))?;
    Ok(Stat::of(&stat))
}

/// The exchange of one file, with the folder locked.
pub(super) struct Swap<'a> {
    dir: OwnedFd,
    path: &'a NotePath,
    name: &'a str,
    old: &'a [u8],
    /// The hidden name: of the new file before the exchange, of the old one after it.
    aside: Leftover,
}

impl<'a> Swap<'a> {
    pub(super) fn begin(
        place: &'a Place,
        path: &'a NotePath,
        old: &'a [u8],
        new: &'a [u8],
    ) -> Result<Self, Error> {
        let dir = confine::open_parent(place, path)?;
        lock::alone(&dir, path)?;
        let name = path::name_of(&place.rel);
        let aside = Leftover::displaced(path, name, old, new);
        let swap = Self { dir, path, name, old, aside };
        let like = swap.expected()?;
        let part =
            write_part(&swap.dir, new, Some(&like)).map_err(|source| Error::io("write", path, source))?;
        let named = renameat(&swap.dir, &part, &swap.dir, swap.aside.name());
        named.map_err(|errno| {
            durable::remove(&swap.dir, &part);
            Error::io("write", path, errno)
        })?;
        Ok(swap)
    }

    /// The state of the current file, if its text is the expected one.
    fn expected(&self) -> Result<RawStat, Error> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.dir, self.name, flags, Mode::empty());
        let file = confine::regular(fd.map_err(|errno| confine::refused(self.path, errno))?, self.path)?;
        let current = read::read_once(&file, self.path, self.old.len() as u64 + 1)?;
        if current.bytes != self.old {
            return Err(self.conflict(None));
        }
        fstat(&file).map_err(|errno| Error::io("examine", self.path, errno))
    }

    pub(super) fn run(self) -> Result<Replacement, Error> {
        let pending = match self.exchange() {
            Ok(()) => self.after_exchange()?,
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => self.by_second_name()?,
            Err(errno) => return Err(self.give_up(errno)),
        };
        sync(&self.dir, self.path)?;
        Ok(Replacement { stat: state_of(&self.dir, self.name, self.path)?, created: false, pending })
    }

    fn exchange(&self) -> Result<(), Errno> {
        renameat_with(&self.dir, self.aside.name(), &self.dir, self.name, RenameFlags::EXCHANGE)
    }

    /// Before anything was exchanged: the hidden file is ours.
    fn give_up(&self, errno: Errno) -> Error {
        durable::remove(&self.dir, self.aside.name());
        match errno {
            Errno::NOENT => self.conflict(None),
            other => Error::io("replace", self.path, other),
        }
    }

    fn after_exchange(&self) -> Result<Option<Leftover>, Error> {
        let same = preimage::is_now(&self.dir, self.aside.name(), self.old);
        match same.map_err(|source| Error::io("check the old text of", self.path, source))? {
            true => self.release(),
            false => Err(self.take_back()),
        }
    }

    /// Removes the old file if nobody writes to it any more, and takes over what was written late. What cannot be done
    /// now is left for a later [`super::Workspace::settle`].
    fn release(&self) -> Result<Option<Leftover>, Error> {
        match settle_here(&self.dir, &self.aside, i64::MIN) {
            Ok(Settlement::Dropped | Settlement::Restored(_)) => Ok(None),
            Ok(Settlement::KeptAs(kept)) => Err(self.conflict(Some(kept))),
            Err(error @ Error::NotDurable { .. }) => Err(error),
            Ok(Settlement::Pending) | Err(_) => Ok(Some(self.aside.clone())),
        }
    }

    /// The other writer's file gets its name back. What then stands aside is our text, unless they wrote to that too.
    fn take_back(&self) -> Error {
        let settled = match self.exchange() {
            Ok(()) => settle_here(&self.dir, &self.aside, i64::MIN),
            Err(_vanished) => self.keep_visible().map(Settlement::KeptAs),
        };
        match settled.and_then(|settled| sync(&self.dir, self.path).map(|()| settled)) {
            Ok(Settlement::KeptAs(kept)) => self.conflict(Some(kept)),
            Ok(Settlement::Dropped | Settlement::Restored(_) | Settlement::Pending) => self.conflict(None),
            Err(error) => error,
        }
    }

    /// For file systems that cannot exchange: the old file gets the hidden name as a second one, and loses its first
    /// to the new file.
    fn by_second_name(&self) -> Result<Option<Leftover>, Error> {
        let part = format!("{}{}", durable::PART, durable::nonce());
        renameat(&self.dir, self.aside.name(), &self.dir, &part).map_err(|errno| self.give_up(errno))?;
        let moved = self.hold_old().and_then(|held| self.rename_over(&part).map(|()| held));
        let held = moved.inspect_err(|_| {
            durable::remove(&self.dir, &part);
            durable::remove(&self.dir, self.aside.name());
        })?;
        if held { self.release() } else { Ok(None) }
    }

    /// Whether the old file now has the hidden name. Where the file system has no second names, the text is compared
    /// once more instead, and the moment until the rename stays open.
    fn hold_old(&self) -> Result<bool, Error> {
        match linkat(&self.dir, self.name, &self.dir, self.aside.name(), AtFlags::empty()) {
            Ok(()) => Ok(true),
            Err(Errno::PERM | Errno::NOTSUP | Errno::NOSYS) => self.expected().map(|_same| false),
            Err(errno) => Err(confine::refused(self.path, errno)),
        }
    }

    fn rename_over(&self, part: &str) -> Result<(), Error> {
        renameat(&self.dir, part, &self.dir, self.name).map_err(Error::from_errno("replace", self.path))
    }

    fn keep_visible(&self) -> Result<NotePath, Error> {
        keep_visible(&self.dir, self.aside.name(), self.path)
    }

    fn conflict(&self, kept: Option<NotePath>) -> Error {
        Error::Conflict { path: self.path.clone(), kept }
    }
}

/// Gives a hidden file a name that people and scans see, beside the note it belongs to.
pub(super) fn keep_visible(dir: &OwnedFd, hidden: &str, note: &NotePath) -> Result<NotePath, Error> {
    let folder = path::folder_of(note.as_str());
    let stem = path::name_of(note.as_str()).trim_end_matches(".md");
    let stem = &stem[..stem.floor_char_boundary(200)];
    loop {
        let name = format!("{stem}.conflict-{}.md", durable::nonce());
        match move_aside(dir, hidden, &name) {
            Ok(()) => return Ok(NotePath::new(path::join(folder, &name))),
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(Error::io("keep the other text of", note, errno)),
        }
    }
}

#[cfg(test)]
mod tests;
