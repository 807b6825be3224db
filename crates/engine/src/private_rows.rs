//! What is kept of private notes in memory, so that they can be searched.

use std::collections::BTreeMap;

use mindfile_index::ReferenceIndex;
use mindfile_workspace::Stat;

use crate::wording;

/// What was decrypted so far of private notes.
pub(crate) struct PrivateRows {
    pub(crate) index: ReferenceIndex,
    /// As what each note was seen; none where it is to be read again.
    pub(crate) seen: BTreeMap<String, Option<Stat>>,
    pub(crate) closed: Option<Closed>,
}

impl Default for PrivateRows {
    fn default() -> Self {
        Self { index: ReferenceIndex::apart(), seen: BTreeMap::new(), closed: None }
    }
}

/// Private notes that could not be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    pub notes: usize,
    pub why: String,
}

impl Closed {
    /// `private: 3 notes stay closed: the key … is locked with a passphrase`
    pub fn words(&self) -> String {
        let notes = wording::count(self.notes as u64, "note");
        let verb = if self.notes == 1 { "stays" } else { "stay" };
        format!("private: {notes} {verb} closed: {}", self.why)
    }
}
