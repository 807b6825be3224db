//! Adding lines to a note: one `write` in append mode, so that processes that append at the same time lose nothing,
//! and `fdatasync` before the call returns.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock, fstat, ftruncate, openat};
use rustix::io::Errno;

use super::landed::{self, Landed};
use super::replace::sync;
use super::{Error, NotePath, Stat, Writer, confine, is_private, lock, path, read};
use mindfile_disk::durable::NEW_FILE;
use mindfile_disk::join_scoped;

/// How often lines are written that somebody else takes away again with an older copy of the note.
const ATTEMPTS: usize = 5;
/// What an editor needs to finish saving, many times over.
const SAVING: Duration = Duration::from_millis(5);
/// How often it is looked whether somebody has finished.
const LOOKS: u32 = 20;
const TAIL: u64 = 8 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppendOutcome {
    pub stat: Stat,
    pub created: bool,
    /// Where the text begins, where nobody else wrote at the same moment.
    pub at: Option<u64>,
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Lf,
    CrLf,
}

impl Writer {
    /// Adds `text` to the end of the note as lines of its own, in the line ending of the file; makes the file and its
    /// folders where they are missing. When this returns, the text is on the disk.
    pub fn append(&self, path: &NotePath, text: &[u8]) -> Result<AppendOutcome, Error> {
        self.admit(path, text)?;
        if is_private(path.as_str()) {
            return self.append_private(path, text);
        }
        let dir = confine::make_parent(&self.place(path)?, path)?;
        lock::shared(&dir, path)?;
        append_here(&dir, path, text)
    }

    /// The same; `meanwhile` runs after the text is in the file, while the disk is waited for. Where somebody else
    /// changes the note at the same moment, it runs once more.
    pub fn append_meanwhile(
        &self,
        path: &NotePath,
        text: &[u8],
        meanwhile: &mut dyn FnMut(),
    ) -> Result<AppendOutcome, Error> {
        self.admit(path, text)?;
        if is_private(path.as_str()) {
            return self.append_private(path, text).inspect(|_| meanwhile());
        }
        let dir = confine::make_parent(&self.place(path)?, path)?;
        lock::shared(&dir, path)?;
        append_synced(&dir, path, text, meanwhile)
    }
}

/// As [`Writer::append`], in a folder that is open and locked.
pub(super) fn append_here(dir: &OwnedFd, path: &NotePath, text: &[u8]) -> Result<AppendOutcome, Error> {
    append_synced(dir, path, text, &mut || {})
}

/// Somebody else may put another text in the note's place between the write and the answer: after the disk has it, it is
/// looked at again, and what is not there is written again.
fn append_synced(
    dir: &OwnedFd,
    path: &NotePath,
    text: &[u8],
    meanwhile: &mut dyn FnMut(),
) -> Result<AppendOutcome, Error> {
    let (mut wanted, mut made) = (text.to_owned(), false);
    for _ in 0..ATTEMPTS {
        let (file, created) = open(dir, path)?;
        made |= created;
        let (at, block) = write_to(dir, &file, path, &wanted)?;
        let synced = join_scoped(|| file.sync_data(), &mut *meanwhile).0;
        synced.map_err(|source| Error::NotDurable { path: path.to_string(), source })?;
        if created {
            sync(dir, path)?;
        }
        if let Some(stat) = landed::untouched(dir, path, &file, at, &block)? {
            let at = at + block.len().saturating_sub(text.len()) as u64;
            return Ok(AppendOutcome { stat, created: made, at: Some(at) });
        }
        match settled(dir, path, text)? {
            Landed::Whole(stat) => {
                meanwhile();
                return Ok(AppendOutcome { stat, created: made, at: None });
            }
            Landed::Missing { lines, .. } => wanted = lines,
        }
    }
    Err(Error::Overwritten { path: path.clone() })
}

/// Looks again once nobody is saving: while somebody is, what is missing now may come with the rest of the save, and would
/// stand there twice. A note without a byte is one that is about to be written.
fn settled(dir: &OwnedFd, path: &NotePath, text: &[u8]) -> Result<Landed, Error> {
    let mut known = None;
    for _ in 1..LOOKS {
        std::thread::sleep(SAVING);
        match landed::look(dir, path, text)? {
            Landed::Missing { seen, .. } if is_empty(seen) || known != Some(seen) => known = Some(seen),
            landed @ (Landed::Whole(_) | Landed::Missing { .. }) => return Ok(landed),
        }
    }
    landed::look(dir, path, text)
}

fn is_empty(seen: Option<Stat>) -> bool {
    seen.is_some_and(|stat| stat.size == 0)
}

fn open(dir: &OwnedFd, path: &NotePath) -> Result<(File, bool), Error> {
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::NOCTTY
        | OFlags::CLOEXEC;
    let name = path::name_of(path.as_str());
    loop {
        match openat(dir, name, flags, NEW_FILE) {
            Err(Errno::NOENT) => {}
            opened => {
                return Ok((
                    confine::regular(opened.map_err(|errno| confine::refused(path, errno))?, path)?,
                    false,
                ));
            }
        }
        match openat(dir, name, flags | OFlags::CREATE | OFlags::EXCL, NEW_FILE) {
            Err(Errno::EXIST) => {}
            made => return Ok((File::from(made.map_err(|errno| confine::refused(path, errno))?), true)),
        }
    }
}

/// Where what was written begins, and what that is.
fn write_to(dir: &OwnedFd, file: &File, path: &NotePath, text: &[u8]) -> Result<(u64, Vec<u8>), Error> {
    let size = read::state(file, path)?.size;
    let tail = tail(file, size).map_err(|source| Error::io("read", path, source))?;
    if is_utf16(file).map_err(|source| Error::io("read", path, source))? {
        return Err(Error::Utf16 { path: path.clone() });
    }
    let block = block(&tail, text);
    let wrote = write_once(file, &block).map_err(|source| Error::io("append to", path, source))?;
    let end = (&*file).stream_position().map_err(|source| Error::io("append to", path, source))?;
    if wrote < block.len() {
        let repaired = take_back(dir, file, end, wrote);
        return Err(Error::ShortWrite { path: path.clone(), wrote, wanted: block.len(), repaired });
    }
    Ok((end - block.len() as u64, block))
}

fn write_once(mut file: &File, block: &[u8]) -> io::Result<usize> {
    loop {
        match file.write(block) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Takes a partial write back, if no other process of ours is writing and it is the end of the file; whether it did.
fn take_back(dir: &OwnedFd, file: &File, end: u64, wrote: usize) -> bool {
    let is_last = || fstat(file).is_ok_and(|stat| u64::try_from(stat.st_size) == Ok(end));
    let alone = flock(dir, FlockOperation::NonBlockingLockExclusive).is_ok();
    alone && is_last() && ftruncate(file, end - wrote as u64).is_ok()
}

fn tail(file: &File, size: u64) -> io::Result<Vec<u8>> {
    let start = size.saturating_sub(TAIL);
    let mut bytes = vec![0; usize::try_from(size - start).unwrap_or(0)];
    let read = file.read_at(&mut bytes, start)?;
    bytes.truncate(read);
    Ok(bytes)
}

fn is_utf16(file: &File) -> io::Result<bool> {
    let mut mark = [0; 2];
    Ok(file.read_at(&mut mark, 0)? == 2 && matches!(mark, [0xff, 0xfe] | [0xfe, 0xff]))
}

impl Ending {
    /// As the last line of `text` that ends; a text of one line ends as on Unix.
    pub fn of(text: &[u8]) -> Self {
        let last = text.iter().rposition(|byte| *byte == b'\n');
        if last.is_some_and(|at| text[..at].ends_with(b"\r")) { Self::CrLf } else { Self::Lf }
    }

    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }

    /// `text` with this ending: lone `\n` become `\r\n` where the file has those, everything else stays.
    pub fn apply(self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + 16);
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(words) if self == Self::CrLf && !words.ends_with(b"\r") => {
                    out.extend_from_slice(words);
                    out.extend_from_slice(self.as_bytes());
                }
                Some(_) | None => out.extend_from_slice(line),
            }
        }
        out
    }
}

/// What is written after a file that ends in `tail`, in one piece.
pub(super) fn block(tail: &[u8], text: &[u8]) -> Vec<u8> {
    let ending = Ending::of(tail);
    let mut block = lead(tail).to_vec();
    block.extend(ending.apply(text));
    if !block.ends_with(b"\n") {
        block.extend_from_slice(ending.as_bytes());
    }
    block
}

/// The line end that is missing at the end of the file.
pub(super) fn lead(tail: &[u8]) -> &'static [u8] {
    if tail.is_empty() || tail.ends_with(b"\n") { b"" } else { Ending::of(tail).as_bytes() }
}
