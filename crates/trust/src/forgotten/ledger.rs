//! The ledger of what was forgotten: keyed digests, by which a text can be recognised but not read.
//!
//! One JSON object per line: `{"at":MILLISECONDS,"words":8,"step":1,"marks":["…"]}`; `"whole":true` marks a text that is
//! refused only by itself.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mindfile_disk::Error;
use mindfile_disk::log::{Log, Sync, Tail};
use mindfile_disk::secret_key::{Mark, SecretKey};

use super::matcher::{Item, Matcher};

pub struct Ledger {
    log: Log,
    known: Mutex<LedgerState>,
}

/// What was read so far.
#[derive(Default)]
struct LedgerState {
    tail: Option<Tail>,
    matcher: Arc<Matcher>,
}

impl Ledger {
    pub fn new(path: &Path) -> Self {
        Self { log: Log::new(path, "forgotten"), known: Mutex::default() }
    }

    /// Adds items. When this returns, they are on the disk.
    pub fn append(&self, items: &[Item]) -> Result<(), Error> {
        let mut lines = Vec::new();
        for item in items {
            lines.extend(line(item).map_err(|source| self.error(source))?);
        }
        if lines.is_empty() {
            return Ok(());
        }
        self.log.append(&lines, Sync::Yes).map(drop)
    }

    /// Adds those items that it does not have.
    pub fn append_missing(&self, items: &[Item], key: &SecretKey) -> Result<(), Error> {
        let known = self.matcher(key)?;
        let new: Vec<Item> = items.iter().filter(|item| !known.items().contains(item)).cloned().collect();
        self.append(&new)
    }

    pub fn matcher(&self, key: &SecretKey) -> Result<Arc<Matcher>, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let more = self.log.read_new(&mut known.tail)?;
        if more.afresh {
            known.matcher = Arc::default();
        }
        let items: Vec<Item> = items(&more.bytes);
        if !items.is_empty() {
            let mut all = known.matcher.items().to_vec();
            all.extend(items);
            known.matcher = Arc::new(Matcher::new(key.key()?.clone(), all));
        }
        Ok(Arc::clone(&known.matcher))
    }

    /// Takes out every item that shares a mark. Returns how many there were.
    pub fn remove(&self, marks: &BTreeSet<Mark>) -> Result<usize, Error> {
        let removed = self.log.rewrite(|bytes| {
            let mut kept = items(bytes);
            let before = kept.len();
            kept.retain(|item| !item.marks.iter().any(|mark| marks.contains(mark)));
            let mut body = Vec::new();
            for item in &kept {
                body.extend(line(item)?);
            }
            Ok((body, before - kept.len()))
        });
        Ok(removed?.unwrap_or(0))
    }

    fn error(&self, source: io::Error) -> Error {
        Error { path: self.log.path().to_owned(), source }
    }
}

/// A line that cannot be read is what a power cut left of one.
fn items(bytes: &[u8]) -> Vec<Item> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let items = lines.filter_map(|line| serde_json::from_slice::<Item>(line).ok());
    items.map(|item| Item { words: item.words.max(1), step: item.step.max(1), ..item }).collect()
}

fn line(item: &Item) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(item)?;
    bytes.push(b'\n');
    Ok(bytes)
}
