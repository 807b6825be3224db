//! What a replacement left under a hidden name: the old file that an editor still had open, or the files of a process
//! that died in the middle. A person's bytes may be in it, so nothing is dropped that is not known.

use std::fmt;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, unlinkat};

use super::preimage::{self, DisplacedFile, Writers, digest};
use super::replace::{keep_visible, sync};
use super::walk::entries;
use super::{Error, NotePath, Workspace, append, confine, lock, path};
use mindfile_disk::durable;

/// A hidden file of ours. Its name tells which note it belongs to and which contents are safe to drop:
/// `.mindfile-was-<note's name>-<old text>.<length>-<new text>.<length>-<nonce>`, hashes and numbers in hexadecimal. A
/// file that was still being written is called `.mindfile-part-<nonce>` and holds nothing that was acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leftover {
    folder: String,
    name: String,
    was: Option<DisplacedText>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DisplacedText {
    note: u64,
    old: Text,
    new: Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    digest: u64,
    len: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// Nothing in it that is not elsewhere; removed.
    Dropped,
    /// Someone had added lines to it; they now stand at the end of the note.
    Restored(NotePath),
    /// Someone had written something else; it is now a file of its own.
    KeptAs(NotePath),
    /// Someone may still write to it.
    Pending,
}

const WAS: &str = ".mindfile-was-";
/// More than a note has; a longer one is kept as it is.
const LONGEST: usize = 64 << 20;

impl Leftover {
    /// Path of the hidden file, as a note's path would be.
    pub fn path(&self) -> String {
        path::join(&self.folder, &self.name)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn displaced(path: &NotePath, name: &str, old: &[u8], new: &[u8]) -> Self {
        let was = DisplacedText { note: digest(name.as_bytes()), old: Text::of(old), new: Text::of(new) };
        let name = format!("{WAS}{:x}-{}-{}-{}", was.note, was.old, was.new, durable::nonce());
        Self { folder: path::folder_of(path.as_str()).to_owned(), name, was: Some(was) }
    }

    /// The leftover that a directory entry is, if it is one.
    pub(super) fn named(folder: &str, name: &str) -> Option<Self> {
        let was = name.strip_prefix(WAS).map(DisplacedText::parse);
        let ours = was.flatten().is_some() || name.starts_with(durable::PART);
        ours.then(|| Self { folder: folder.to_owned(), name: name.to_owned(), was: was.flatten() })
    }
}

/// Whether a hidden file is what an interrupted write leaves behind.
pub fn is_leftover_name(name: &str) -> bool {
    Leftover::named("", name).is_some()
}

impl DisplacedText {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(4, '-');
        let note = hex(parts.next()?)?;
        let old = Text::parse(parts.next()?)?;
        let new = Text::parse(parts.next()?)?;
        parts.next().map(|_nonce| Self { note, old, new })
    }

    fn knows(self, bytes: &[u8]) -> bool {
        [self.old, self.new].contains(&Text::of(bytes))
    }

    /// What stands after the old or the new text, if nothing else changed and all of it was read.
    fn added(self, bytes: &[u8]) -> Option<&[u8]> {
        [self.old, self.new].iter().find_map(|text| text.added(bytes)).filter(|_| bytes.len() < LONGEST)
    }
}

impl Text {
    fn of(bytes: &[u8]) -> Self {
        Self { digest: digest(bytes), len: bytes.len() }
    }

    fn parse(text: &str) -> Option<Self> {
        let (digest, len) = text.split_once('.')?;
        Some(Self { digest: hex(digest)?, len: usize::from_str_radix(len, 16).ok()? })
    }

    fn added(self, bytes: &[u8]) -> Option<&[u8]> {
        let (text, added) = bytes.split_at_checked(self.len)?;
        (digest(text) == self.digest).then_some(added)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}.{:x}", self.digest, self.len)
    }
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text, 16).ok()
}

impl Workspace {
    /// Deals with what [`super::Scan::leftovers`] found. Where the system cannot tell whether someone still has a file
    /// open, one that was displaced before `before_ns` counts as abandoned.
    pub fn settle(&self, leftover: &Leftover, before_ns: i64) -> Result<Settlement, Error> {
        let shown = NotePath::new(leftover.path());
        let place = self.folder_place(&leftover.folder, &shown)?;
        let dir = confine::open_folder(confine::open_base(&place)?, &place.rel);
        let dir = dir.map_err(|errno| confine::refused(&shown, errno))?;
        lock::alone(&dir, &shown)?;
        settle_here(&dir, leftover, before_ns)
    }
}

/// As [`Workspace::settle`], in a folder that is open and locked.
pub(super) fn settle_here(dir: &OwnedFd, leftover: &Leftover, before_ns: i64) -> Result<Settlement, Error> {
    let shown = NotePath::new(leftover.path());
    let found = match preimage::look(dir, &leftover.name, LONGEST) {
        // Somebody was still writing it, and has given it its name since.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Settlement::Dropped),
        found => found.map_err(|source| Error::io("look at", &shown, source))?,
    };
    if is_pending(&found, before_ns) {
        return Ok(Settlement::Pending);
    }
    let Some(was) = leftover.was else { return drop_it(dir, leftover, &shown) };
    match &found.bytes {
        Some(bytes) if was.knows(bytes) => drop_it(dir, leftover, &shown),
        other => sort_out(dir, leftover, was, other.as_deref()),
    }
}

/// Bytes that nobody has seen: added lines go to the end of the note, anything else becomes a file of its own.
fn sort_out(
    dir: &OwnedFd,
    file: &Leftover,
    was: DisplacedText,
    bytes: Option<&[u8]>,
) -> Result<Settlement, Error> {
    let shown = NotePath::new(file.path());
    let note = note_named(dir, was.note, &shown)?.map(|name| NotePath::new(path::join(&file.folder, &name)));
    let added = bytes.and_then(|bytes| was.added(bytes));
    if let (Some(note), Some(added)) = (&note, added) {
        append::append_here(dir, note, added)?;
        drop_it(dir, file, &shown)?;
        return Ok(Settlement::Restored(note.clone()));
    }
    let beside = note.unwrap_or_else(|| NotePath::new(path::join(&file.folder, "note.md")));
    let kept = keep_visible(dir, &file.name, &beside)?;
    sync(dir, &kept)?;
    Ok(Settlement::KeptAs(kept))
}

fn is_pending(found: &DisplacedFile, before_ns: i64) -> bool {
    match found.writers {
        Writers::Nobody => false,
        Writers::Somebody => true,
        Writers::Unknown => found.ctime_ns >= before_ns,
    }
}

fn drop_it(dir: &OwnedFd, file: &Leftover, shown: &NotePath) -> Result<Settlement, Error> {
    unlinkat(dir, &file.name, AtFlags::empty()).map_err(Error::from_errno("remove", shown))?;
    sync(dir, shown)?;
    Ok(Settlement::Dropped)
}

fn note_named(dir: &OwnedFd, wanted: u64, shown: &NotePath) -> Result<Option<String>, Error> {
    let mut found = None;
    entries::each(dir, &mut entries::buffer(), |name, _| {
        if digest(name.to_bytes()) == wanted {
            found = name.to_str().ok().map(str::to_owned);
        }
    })
    .map_err(Error::from_errno("list the folder of", shown))?;
    Ok(found)
}
