//! Appends to the log: one write and one `fdatasync` per entry, under a lock, so that all processes extend one chain.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use ring::signature::{Ed25519KeyPair, KeyPair};

use super::act::{Act, What};
use super::chain::{End, Entry};
use super::head::{self, Head};
use super::segments::{Files, last_line};
use mindfile_disk::Error;
use mindfile_disk::absent::if_there;
use mindfile_disk::durable;
use mindfile_disk::lock::{self, PATIENCE};
use mindfile_disk::secret_key::{hex, make_key, read_key};

/// A file that is longer is full: the next entry begins another one.
const FULL: u64 = 4 << 20;

/// The audit log of one agent.
#[derive(Debug, Clone)]
pub struct Log {
    pub(super) files: Files,
    full: u64,
}

impl Log {
    pub fn new(state_dir: &Path, agent: &str) -> Self {
        Self { files: Files::new(&state_dir.join("memory"), agent), full: FULL }
    }

    /// The same with other files than of 4 MiB.
    #[must_use]
    pub fn rotating_at(mut self, bytes: u64) -> Self {
        self.full = bytes;
        self
    }

    /// Adds an entry; number and chain are put in. When this returns, it is on the disk.
    pub fn append(&self, entry: Entry) -> Result<(), Error> {
        self.try_append(entry).map_err(|source| self.error(source))
    }

    fn try_append(&self, entry: Entry) -> io::Result<()> {
        let first = read_key(&self.files.key())?.is_none();
        if first {
            make_key(&self.files.key())?;
        }
        let key = self.key()?;
        let turn = self.turn()?;
        let (mut end, mark) = self.end(&key, first)?;
        for next in mark.map(|act| marked(&entry, act)).into_iter().chain([entry]) {
            end = self.add(next, end, &key)?;
        }
        head::write(&self.files.head(), &end, &key)?;
        self.rotate(&end)?;
        drop(turn);
        Ok(())
    }

    /// What keeps entries from being added, as far as that is seen by looking.
    pub fn obstacle(&self) -> Option<Error> {
        let refused = |path: &PathBuf| if_there(OpenOptions::new().append(true).open(path)).err();
        let mut files =
            [self.files.current(), self.files.head(), self.files.lock(), self.files.key()].into_iter();
        files.find_map(|path| refused(&path).map(|source| Error { path, source }))
    }

    fn turn(&self) -> io::Result<File> {
        lock::hold(&self.files.lock(), PATIENCE)
    }

    pub(super) fn key(&self) -> io::Result<Ed25519KeyPair> {
        let seed = read_key(&self.files.key())?.ok_or(io::ErrorKind::NotFound)?;
        Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|rejected| io::Error::other(rejected.to_string()))
    }

    /// The public half of the key, by which others can check the log; none before the first entry.
    pub fn public_key(&self) -> Result<Option<String>, Error> {
        let key = if_there(self.key()).map_err(|source| self.error(source))?;
        Ok(key.map(|key| hex(key.public_key().as_ref())))
    }

    /// What the next entry follows, and what must be said before it. Where lines are missing that the head knows of, the
    /// chain goes on from the head, so that the gap stays to be seen.
    fn end(&self, key: &Ed25519KeyPair, first: bool) -> io::Result<(End, Option<Act>)> {
        let (mut last, whole) = last_line(&self.files.current())?;
        self.cut(whole)?;
        if last.is_none() && whole == 0 {
            last = self.files.all()?.iter().rev().find_map(|path| last_line(path).ok()?.0);
        }
        Ok(match (last, head::read(&self.files.head(), key.public_key().as_ref())?) {
            (None, Head::Missing) if first => (End::BEFORE_ALL, None),
            (None, Head::Missing | Head::Spoilt) => (End::BEFORE_ALL, Some(Act::Restart)),
            // The process died between its first entry and the head.
            (Some(last), Head::Missing) if last.seq == 1 => (last, None),
            (Some(last), Head::Missing | Head::Spoilt) => (last, Some(Act::Lost)),
            (Some(last), Head::At(head)) if head.seq < last.seq || head == last => (last, None),
            (_, Head::At(head)) => (head, None),
        })
    }

    /// Takes away what a write that was cut off has left.
    fn cut(&self, whole: u64) -> io::Result<()> {
        let found = if_there(std::fs::metadata(self.files.current()))?;
        if found.is_some_and(|found| found.len() > whole) {
            let file = OpenOptions::new().write(true).open(self.files.current())?;
            file.set_len(whole)?;
            file.sync_all()?;
        }
        Ok(())
    }

    fn add(&self, entry: Entry, before: End, key: &Ed25519KeyPair) -> io::Result<End> {
        let entry = Entry { seq: before.seq + 1, prev: hex(&before.hash), ..entry };
        let line = entry.written(key)?;
        let path = self.files.current();
        let created = !path.exists();
        let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_data()?;
        if created {
            durable::sync_folder(File::open(path.parent().unwrap_or(Path::new(".")))?)?;
        }
        Ok(End::of(entry.seq, line.as_bytes()))
    }

    fn rotate(&self, end: &End) -> io::Result<()> {
        let current = self.files.current();
        if std::fs::metadata(&current)?.len() < self.full {
            return Ok(());
        }
        std::fs::rename(&current, self.files.full(end.seq))
    }

    pub(super) fn error(&self, source: io::Error) -> Error {
        Error { path: self.files.current(), source }
    }
}

/// An entry about the log itself, through the same door at the same time.
fn marked(like: &Entry, act: Act) -> Entry {
    let act = act.as_str().to_owned();
    let what = What::Log.as_str().to_owned();
    Entry { act, what, id: None, digest: None, ..like.clone() }
}
