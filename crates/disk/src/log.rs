//! A journal: a file of lines that processes append to and now and then compact.
//!
//! Appending processes share the file's lock; a compacting one holds it exclusively, writes aside and renames, so that a
//! kill leaves the old file or the new one. The first line holds the length of the rest after the last compaction:
//! `{"NAME":1,"base":BYTES}`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::Error;
use crate::absent::if_there;
use crate::durable;
use crate::lock::{self, Lock, PATIENCE};

/// How much may be appended before the next compaction is due.
const SLACK: u64 = 256 << 10;

/// A log: its file, and the name in its first line.
pub struct Log {
    path: PathBuf,
    name: &'static str,
}

/// How far a log was read. The open file keeps its inode from being given to another.
pub struct Tail {
    file: File,
    read: u64,
}

/// The lines of a log that were not read yet.
pub struct NewLines {
    pub bytes: Vec<u8>,
    /// The log was compacted: discard what was read before.
    pub afresh: bool,
}

/// Whether a line must be on the disk before the call returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    Yes,
    No,
}

/// Whether a log has grown so long that it should be compacted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CompactionDue {
    Yes,
    No,
}

impl Log {
    pub fn new(path: &Path, name: &'static str) -> Self {
        Self { path: path.to_owned(), name }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn error(&self) -> impl Fn(io::Error) -> Error {
        Error::at(&self.path)
    }

    /// Adds lines in one write.
    pub fn append(&self, lines: &[u8], sync: Sync) -> Result<CompactionDue, Error> {
        self.try_append(lines, sync).map_err(self.error())
    }

    fn try_append(&self, lines: &[u8], sync: Sync) -> io::Result<CompactionDue> {
        let file = self.locked(Lock::Shared)?;
        let size = file.metadata()?.len();
        let mut block = Vec::new();
        if size == 0 {
            block.extend(self.head(0));
        } else if byte_at(&file, size - 1)? != Some(b'\n') {
            block.push(b'\n');
        }
        block.extend_from_slice(lines);
        (&file).write_all(&block)?;
        if sync == Sync::Yes {
            file.sync_data()?;
        }
        if size == 0 {
            durable::sync_folder(File::open(self.path.parent().unwrap_or(Path::new(".")))?)?;
        }
        let size = size + block.len() as u64;
        Ok(if size > 2 * base(&file)? + SLACK { CompactionDue::Yes } else { CompactionDue::No })
    }

    /// Syncs everything that was added.
    pub fn settle(&self) -> Result<(), Error> {
        File::open(&self.path).and_then(|file| file.sync_data()).map_err(self.error())
    }

    /// The lines added since `tail`, or all lines without one. Empty if the file does not exist.
    pub fn read_new(&self, tail: &mut Option<Tail>) -> Result<NewLines, Error> {
        self.try_read_new(tail).map_err(self.error())
    }

    fn try_read_new(&self, tail: &mut Option<Tail>) -> io::Result<NewLines> {
        let Some(now) = if_there(std::fs::metadata(&self.path))? else {
            let afresh = tail.take().is_some();
            return Ok(NewLines { bytes: Vec::new(), afresh });
        };
        let same = |old: &Tail| Ok::<bool, io::Error>(is_same(&old.file, &now)? && old.read <= now.len());
        let kept = match tail.take() {
            Some(old) if same(&old)? => Some(old),
            Some(_) | None => None,
        };
        let afresh = kept.is_none();
        let current = tail.insert(match kept {
            Some(old) => old,
            None => Tail { file: File::open(&self.path)?, read: 0 },
        });
        let mut bytes = vec![0; usize::try_from(now.len().saturating_sub(current.read)).unwrap_or(0)];
        let read = current.file.read_at(&mut bytes, current.read)?;
        bytes.truncate(read);
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(whole);
        current.read += whole as u64;
        Ok(NewLines { bytes, afresh })
    }

    /// Replaces all lines with the result of `change`.
    pub fn rewrite<T>(
        &self,
        change: impl FnOnce(&[u8]) -> io::Result<(Vec<u8>, T)>,
    ) -> Result<Option<T>, Error> {
        self.try_rewrite(change).map_err(self.error())
    }

    fn try_rewrite<T>(
        &self,
        change: impl FnOnce(&[u8]) -> io::Result<(Vec<u8>, T)>,
    ) -> io::Result<Option<T>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let file = self.locked(Lock::Alone)?;
        let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).unwrap_or(0)];
        file.read_exact_at(&mut bytes, 0)?;
        let (body, came) = change(&bytes)?;
        let mut all = self.head(body.len() as u64);
        all.extend(body);
        durable::replace(&self.path, &all)?;
        Ok(Some(came))
    }

    fn head(&self, base: u64) -> Vec<u8> {
        format!("{}\n", json!({ self.name: 1, "base": base })).into_bytes()
    }

    /// Opens and locks the file, and makes sure that the path still names it.
    fn locked(&self, lock: Lock) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            durable::make_folders(folder)?;
        }
        loop {
            let options = OpenOptions::new().read(true).append(true).create(true).mode(0o600).clone();
            let file = options.open(&self.path)?;
            lock::wait(&file, lock, PATIENCE)?;
            if let Some(now) = if_there(std::fs::metadata(&self.path))?
                && is_same(&file, &now)?
            {
                return Ok(file);
            }
        }
    }
}

fn is_same(file: &File, now: &std::fs::Metadata) -> io::Result<bool> {
    let own = file.metadata()?;
    Ok((own.dev(), own.ino()) == (now.dev(), now.ino()))
}

fn byte_at(file: &File, at: u64) -> io::Result<Option<u8>> {
    let mut byte = [0];
    Ok((file.read_at(&mut byte, at)? == 1).then_some(byte[0]))
}

/// What the head says of the last rewriting.
fn base(file: &File) -> io::Result<u64> {
    let mut start = [0; 64];
    let read = file.read_at(&mut start, 0)?;
    let first = start[..read].split(|byte| *byte == b'\n').next().unwrap_or(&[]);
    let head: Value = serde_json::from_slice(first).unwrap_or(Value::Null);
    Ok(head["base"].as_u64().unwrap_or(0))
}
