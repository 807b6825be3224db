//! Removes notes that mindfile itself made.

use rustix::fs::{AtFlags, Mode, OFlags, openat, renameat, unlinkat};

use super::replace::{move_aside, sync};
use super::{Error, NotePath, Place, Writer, confine, is_private, lock, path, read};
use mindfile_disk::durable;

impl Writer {
    /// Removes the note, durably, if its text is still the expected one. It gets a hidden name first, so that what is
    /// looked at is what is removed.
    pub fn remove(&self, path: &NotePath, expected: &[u8]) -> Result<(), Error> {
        if is_private(path.as_str()) {
            return self.remove_private(path, expected);
        }
        remove_at(&self.place(path)?, path, expected)
    }
}

pub(super) fn remove_at(place: &Place, path: &NotePath, expected: &[u8]) -> Result<(), Error> {
    let dir = confine::open_parent(place, path)?;
    lock::alone(&dir, path)?;
    let name = path::name_of(&place.rel);
    let aside = format!("{}{}", durable::PART, durable::nonce());
    renameat(&dir, name, &dir, &aside).map_err(|errno| confine::refused(path, errno))?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(&dir, aside.as_str(), flags, Mode::empty());
    let file = file.map_err(|errno| confine::refused(path, errno)).and_then(|fd| confine::regular(fd, path));
    let found = file.and_then(|file| read::read_once(&file, path, expected.len() as u64 + 1));
    match found {
        Ok(found) if found.bytes == expected => {
            unlinkat(&dir, aside.as_str(), AtFlags::empty()).map_err(Error::from_errno("remove", path))?;
            sync(&dir, path)
        }
        other => {
            move_aside(&dir, &aside, name).map_err(Error::from_errno("put back", path))?;
            other.and(Err(Error::Conflict { path: path.clone(), kept: None }))
        }
    }
}
