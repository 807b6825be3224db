//! Remembers lines without findings, by a hash that nobody outside this process can predict.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

/// More lines than this are begun with anew.
const MOST: usize = 200_000;

#[derive(Debug, Default)]
pub(super) struct Clean {
    hasher: RandomState,
    names: Mutex<HashSet<u64>>,
}

impl Clean {
    pub(super) fn name(&self, line: &[u8]) -> u64 {
        self.hasher.hash_one(line)
    }

    pub(super) fn has(&self, name: u64) -> bool {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).contains(&name)
    }

    pub(super) fn add(&self, name: u64) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.len() >= MOST {
            names.clear();
        }
        names.insert(name);
    }
}
