//! Whether lines that were added to a note are still there. An editor that had read the note before may put its own copy
//! in the note's place, with these lines or without them, at any moment.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;

use mindfile_note::{fact, text};
use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use super::{Error, NOTE_LIMIT, NotePath, Stat, confine, path, read};

pub(super) enum Landed {
    Whole(Stat),
    /// The lines that are not there, in their order, and the state of the note, where there is one.
    Missing {
        lines: Vec<u8>,
        seen: Option<Stat>,
    },
}

/// The state of the note if its name still means `file`, and what was written at `at` stands there.
pub(super) fn untouched(
    dir: &OwnedFd,
    path: &NotePath,
    file: &File,
    at: u64,
    block: &[u8],
) -> Result<Option<Stat>, Error> {
    let same = has(file, path, at, block)?;
    // Looked at after the bytes: whoever gives its file our name later comes after the answer.
    let stat = match statat(dir.as_fd(), path::name_of(path.as_str()), AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Ok(None),
        stat => Stat::of(&stat.map_err(|errno| Error::io("examine", path, errno))?),
    };
    Ok((same && stat.inode == read::state(file, path)?.inode).then_some(stat))
}

fn has(file: &File, path: &NotePath, at: u64, block: &[u8]) -> Result<bool, Error> {
    let mut found = vec![0; block.len()];
    match file.read_exact_at(&mut found, at) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| found == block).map_err(|source| Error::io("read", path, source)),
    }
}

fn open(dir: &OwnedFd, path: &NotePath) -> Result<Option<File>, Error> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match openat(dir, path::name_of(path.as_str()), flags, Mode::empty()) {
        Err(Errno::NOENT) => Ok(None),
        opened => confine::regular(opened.map_err(|errno| confine::refused(path, errno))?, path).map(Some),
    }
}

/// Looks for the lines of `text` in the note as it is now: a fact by its id, any other line as it was written.
pub(super) fn look(dir: &OwnedFd, path: &NotePath, text: &[u8]) -> Result<Landed, Error> {
    let Some(file) = open(dir, path)? else {
        return Ok(Landed::Missing { lines: text.to_owned(), seen: None });
    };
    // Of a note that is too long to be read whole, the end: there lines are added.
    let start = read::state(&file, path)?.size.saturating_sub(NOTE_LIMIT);
    (&file).seek(SeekFrom::Start(start)).map_err(|source| Error::io("read", path, source))?;
    let found = read::read_once(&file, path, NOTE_LIMIT)?;
    let note = text::decode(&found.bytes);
    let (mut lines, mut ids) = (HashSet::new(), HashSet::new());
    for line in text::lines(&note) {
        lines.insert(line.trim());
        ids.extend(id(line));
    }
    let wanted = text::decode(text);
    let is_missing = |line: &&str| {
        let known = id(line).map_or_else(|| lines.contains(line.trim()), |id| ids.contains(&id));
        !known && !line.trim().is_empty()
    };
    let missing: String = text::lines(&wanted).filter(is_missing).flat_map(|line| [line, "\n"]).collect();
    let lines = missing.into_bytes();
    let seen = Some(found.stat);
    Ok(if lines.is_empty() { Landed::Whole(found.stat) } else { Landed::Missing { lines, seen } })
}

fn id(line: &str) -> Option<String> {
    fact::read(line)?.id().map(str::to_owned)
}
