//! The access journal: which facts were recalled, and when. It cannot be made again from the notes, so it lives in a
//! text file of its own beside the index, and the index only mirrors it.
//!
//! One JSON object a line: `{"at":MILLISECONDS,"ids":["k3f9a2"]}` is one recall, `{"id":"k3f9a2","count":3,"at":…}` a
//! sum of many.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mindfile_disk::log::{CompactionDue, Log, Sync, Tail};
use mindfile_index::Access;
use mindfile_ranking::fact::Uses;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Sums that are kept; those used longest ago go first.
const MOST_FACTS: usize = 100_000;

pub struct Journal {
    log: Log,
    known: Mutex<JournalState>,
}

/// What was read so far.
#[derive(Default)]
struct JournalState {
    tail: Option<Tail>,
    uses: Arc<Uses>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JournalLine {
    Recall { at: i64, ids: Vec<String> },
    Sum { id: String, count: u32, at: Option<i64> },
}

impl Journal {
    pub fn new(path: &Path) -> Self {
        Self { log: Log::new(path, "access"), known: Mutex::default() }
    }

    pub fn path(&self) -> &Path {
        self.log.path()
    }

    /// Notes that facts were recalled.
    pub fn append(&self, ids: &[String], now_ms: i64) -> Result<(), Error> {
        if ids.is_empty() {
            return Ok(());
        }
        let entry = JournalLine::Recall { at: now_ms, ids: ids.to_vec() };
        let line = line(&entry).map_err(|source| self.error(source))?;
        match self.log.append(&line, Sync::No)? {
            CompactionDue::Yes => self.compact(),
            CompactionDue::No => Ok(()),
        }
    }

    /// How often each fact was recalled, and when last.
    pub fn uses(&self) -> Result<Arc<Uses>, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let more = self.log.read_new(&mut known.tail)?;
        if more.afresh {
            known.uses = Arc::default();
        }
        if !more.bytes.is_empty() {
            take(Arc::make_mut(&mut known.uses), &more.bytes);
        }
        Ok(Arc::clone(&known.uses))
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
        let removed = self.log.rewrite(|bytes| {
            let mut uses = Uses::new();
            take(&mut uses, bytes);
            let before = uses.len();
            uses.retain(|id, _| keep(id));
            let removed = before - uses.len();
            Ok((written(uses)?, removed))
        });
        Ok(removed?.unwrap_or(0))
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { path: self.log.path().to_owned(), source }
    }
}

/// Adds entries up. A line that cannot be read is what a full disk or a power cut left of one.
fn take(uses: &mut Uses, bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        match serde_json::from_slice(line) {
            Ok(JournalLine::Recall { at, ids }) => ids.into_iter().for_each(|id| add(uses, id, 1, Some(at))),
            Ok(JournalLine::Sum { id, count, at }) => add(uses, id, count, at),
            Err(_) => {}
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
        body.extend(line(&JournalLine::Sum { id, count: access.count, at: access.last_ms })?);
    }
    Ok(body)
}

fn line(entry: &JournalLine) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(entry)?;
    bytes.push(b'\n');
    Ok(bytes)
}
