//! The access journal: which facts were recalled, and when. It cannot be made again from the notes, so it lives in a
//! text file of its own beside the index, and the index only mirrors it.
//!
//! One JSON object a line: `{"at":MILLISECONDS,"ids":["k3f9a2"]}` is one recall, `{"id":"k3f9a2","count":3,"at":…}` a
//! sum of many. Appending processes share the file's lock; one that rewrites it has it alone, writes aside and renames,
//! so that a kill leaves the old file or the new one.

use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::durable;
use crate::error::Error;
use crate::fact::{Access, Uses};

/// How much is appended to what a compaction left before the next one.
const SLACK: u64 = 256 << 10;
/// Sums that are kept; those used longest ago go first.
const MOST_FACTS: usize = 100_000;
const PATIENCE: Duration = Duration::from_secs(10);

pub struct Journal {
    path: PathBuf,
    known: Mutex<Option<Known>>,
}

/// What was read so far. The open file keeps its inode from being given to another.
struct Known {
    file: File,
    read: u64,
    uses: Arc<Uses>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    Recall {
        at: i64,
        ids: Vec<String>,
    },
    Sum {
        id: String,
        count: u32,
        at: Option<i64>,
    },
    /// The first line: how long the file was after the last compaction.
    Head {
        access: u32,
        base: u64,
    },
}

impl Journal {
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), known: Mutex::new(None) }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes that facts were recalled.
    pub fn append(&self, ids: &[String], now_ms: i64) -> Result<(), Error> {
        if ids.is_empty() {
            return Ok(());
        }
        let entry = Entry::Recall { at: now_ms, ids: ids.to_vec() };
        let size = self.try_append(&entry).map_err(|source| self.error(source))?;
        if size > 0 {
            self.compact()?;
        }
        Ok(())
    }

    /// Returns the size of the file if it is due for compaction, else 0.
    fn try_append(&self, entry: &Entry) -> io::Result<u64> {
        let file = self.locked(FlockOperation::NonBlockingLockShared)?;
        let size = file.metadata()?.len();
        let mut block = Vec::new();
        if size == 0 {
            block.extend(line(&Entry::Head { access: 1, base: 0 })?);
        } else if byte_at(&file, size - 1)? != Some(b'\n') {
            block.push(b'\n');
        }
        block.extend(line(entry)?);
        (&file).write_all(&block)?;
        let size = size + block.len() as u64;
        Ok(if size > 2 * base(&file)? + SLACK { size } else { 0 })
    }

    /// How often each fact was recalled, and when last.
    pub fn uses(&self) -> Result<Arc<Uses>, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        self.read_on(&mut known).map_err(|source| self.error(source))
    }

    /// The recalls that are still noted one by one: when, and how many facts.
    pub fn recalls(&self) -> Result<Vec<(Timestamp, usize)>, Error> {
        let text = match std::fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(|source| self.error(source))?,
        };
        let recall = |line: &str| match serde_json::from_str(line).ok()? {
            Entry::Recall { at, ids } => Some((Timestamp::from_millisecond(at).ok()?, ids.len())),
            Entry::Sum { .. } | Entry::Head { .. } => None,
        };
        Ok(text.lines().filter_map(recall).collect())
    }

    fn read_on(&self, known: &mut Option<Known>) -> io::Result<Arc<Uses>> {
        let now = match std::fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                *known = None;
                return Ok(Arc::default());
            }
            found => found?,
        };
        let current = match known.take() {
            Some(old) if is_same(&old.file, &now)? && old.read <= now.len() => old,
            Some(_) | None => Known { file: File::open(&self.path)?, read: 0, uses: Arc::default() },
        };
        let current = known.insert(current);
        let mut bytes = vec![0; usize::try_from(now.len() - current.read).unwrap_or(0)];
        let read = current.file.read_at(&mut bytes, current.read)?;
        bytes.truncate(read);
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if whole > 0 {
            take(Arc::make_mut(&mut current.uses), &bytes[..whole]);
            current.read += whole as u64;
        }
        Ok(Arc::clone(&current.uses))
    }

    /// Rewrites the journal as one sum a fact.
    pub fn compact(&self) -> Result<(), Error> {
        self.rewrite(|_| true).map(drop)
    }

    /// Forgets the use of facts. Returns how many were known.
    pub fn remove(&self, ids: &BTreeSet<String>) -> Result<usize, Error> {
        self.rewrite(|id| !ids.contains(id))
    }

    fn rewrite(&self, keep: impl Fn(&str) -> bool) -> Result<usize, Error> {
        if !self.path.exists() {
            return Ok(0);
        }
        self.try_rewrite(keep).map_err(|source| self.error(source))
    }

    fn try_rewrite(&self, keep: impl Fn(&str) -> bool) -> io::Result<usize> {
        let file = self.locked(FlockOperation::NonBlockingLockExclusive)?;
        let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).unwrap_or(0)];
        file.read_exact_at(&mut bytes, 0)?;
        let mut uses = Uses::new();
        take(&mut uses, &bytes);
        let before = uses.len();
        uses.retain(|id, _| keep(id));
        let removed = before - uses.len();
        durable::replace(&self.path, &written(uses)?)?;
        Ok(removed)
    }

    /// The journal, locked, and still the file that the path names.
    fn locked(&self, how: FlockOperation) -> io::Result<File> {
        if let Some(folder) = self.path.parent() {
            durable::make_folders(folder)?;
        }
        loop {
            let options = OpenOptions::new().read(true).append(true).create(true).mode(0o600).clone();
            let file = options.open(&self.path)?;
            wait(&file, how)?;
            match std::fs::metadata(&self.path) {
                Ok(now) if is_same(&file, &now)? => return Ok(file),
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                Ok(_) | Err(_) => {}
            }
        }
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}

fn wait(file: &File, how: FlockOperation) -> io::Result<()> {
    let began = Instant::now();
    loop {
        match flock(file, how) {
            Err(Errno::WOULDBLOCK) if began.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(Errno::INTR) => {}
            // File systems without locks: appends are still whole lines.
            Err(Errno::NOSYS | Errno::NOTSUP | Errno::NOLCK | Errno::INVAL) | Ok(()) => return Ok(()),
            Err(other) => return Err(other.into()),
        }
    }
}

fn is_same(file: &File, now: &std::fs::Metadata) -> io::Result<bool> {
    let own = file.metadata()?;
    Ok((own.dev(), own.ino()) == (now.dev(), now.ino()))
}

/// Adds entries up. A line that cannot be read is what a full disk or a power cut left of one.
fn take(uses: &mut Uses, bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        match serde_json::from_slice(line) {
            Ok(Entry::Recall { at, ids }) => ids.into_iter().for_each(|id| add(uses, id, 1, Some(at))),
            Ok(Entry::Sum { id, count, at }) => add(uses, id, count, at),
            Ok(Entry::Head { .. }) | Err(_) => {}
        }
    }
}

fn add(uses: &mut Uses, id: String, count: u32, at: Option<i64>) {
    let access = uses.entry(id).or_default();
    access.count = access.count.saturating_add(count);
    access.last_ms = access.last_ms.max(at);
}

fn written(uses: HashMap<String, Access>) -> io::Result<Vec<u8>> {
    let mut sums: Vec<(String, Access)> = uses.into_iter().collect();
    sums.sort_by(|a, b| b.1.last_ms.cmp(&a.1.last_ms).then_with(|| a.0.cmp(&b.0)));
    sums.truncate(MOST_FACTS);
    let mut body = Vec::new();
    for (id, access) in sums {
        body.extend(line(&Entry::Sum { id, count: access.count, at: access.last_ms })?);
    }
    let mut all = line(&Entry::Head { access: 1, base: body.len() as u64 })?;
    all.extend(body);
    Ok(all)
}

fn line(entry: &Entry) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(entry)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn byte_at(file: &File, at: u64) -> io::Result<Option<u8>> {
    let mut byte = [0];
    Ok((file.read_at(&mut byte, at)? == 1).then_some(byte[0]))
}

/// What the head says of the last compaction.
fn base(file: &File) -> io::Result<u64> {
    let mut start = [0; 64];
    let read = file.read_at(&mut start, 0)?;
    let first = start[..read].split(|byte| *byte == b'\n').next().unwrap_or(&[]);
    match serde_json::from_slice(first) {
        Ok(Entry::Head { base, .. }) => Ok(base),
        Ok(Entry::Recall { .. } | Entry::Sum { .. }) | Err(_) => Ok(0),
    }
}
