//! How the notes end that were added to a moment ago, so that what is added next is read by itself.
//!
//! A note that a day's facts go to grows all day. Of what stood in it, only a checksum is asked again: where somebody changed
//! that, the note is read whole.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use mindfile_note::chunk::Resume;
use mindfile_note::hash::{Digest, RunningDigest};
use mindfile_workspace::Stat;
use xxhash_rust::xxh3::xxh3_64;

/// Notes that are written to in turn.
const MOST: usize = 8;

/// A note whose end is known.
#[derive(Debug, Clone)]
pub(crate) struct Tail {
    pub(crate) path: String,
    /// The state of the file when it was read.
    pub(crate) stat: Stat,
    /// Of all its bytes.
    pub(crate) digest: RunningDigest,
    sum: u64,
    /// Nothing before it is read again.
    pub(crate) resume: Resume,
    /// How many facts stand before it.
    pub(crate) facts: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Tails {
    known: Mutex<VecDeque<Tail>>,
    /// Whether the index has seen every note.
    pub(crate) caught_up: AtomicBool,
}

impl Tail {
    pub(crate) fn of(
        path: &str,
        bytes: &[u8],
        stat: Stat,
        digest: RunningDigest,
        (resume, facts): (Resume, usize),
    ) -> Self {
        Self { path: path.to_owned(), stat, digest, sum: xxh3_64(bytes), resume, facts }
    }

    /// Whether it is of these bytes, which the index knows by their digest.
    pub(crate) fn is_of(&self, bytes: &[u8], known: Digest) -> bool {
        self.stat.size == bytes.len() as u64 && self.digest.digest() == known && self.sum == xxh3_64(bytes)
    }
}

impl Tails {
    pub(crate) fn of(&self, path: &str) -> Option<Tail> {
        let tails = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        tails.iter().find(|tail| tail.path == path).cloned()
    }

    pub(crate) fn keep(&self, tail: Tail) {
        let mut tails = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        tails.retain(|known| known.path != tail.path);
        tails.push_front(tail);
        tails.truncate(MOST);
    }
}
