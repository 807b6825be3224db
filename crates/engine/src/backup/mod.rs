//! One file that holds a memory: its workspace, its journals, its transcripts and its settings without secrets. The same
//! files make the same bytes. What is restored from it is proved by comparing.

mod archive;
mod collect;
mod error;
mod restore;
mod stays;
mod verify;

pub use error::Error;
pub use restore::{Places, Restored, Withheld};
pub use stays::restore;
pub use verify::{Verified, verify};

use std::path::Path;

use crate::corpus::Corpus;
use crate::error::Error as MemoryError;
use crate::forget;
use crate::forget::Sieve;

/// What is in a backup that was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Made {
    pub files: usize,
    pub bytes: u64,
    /// The size of the archive.
    pub size: u64,
    /// What is not in it, and why.
    pub left_out: Vec<String>,
}

/// Writes a backup to `file`, which must not exist yet: aside at first, then whole.
pub fn make(corpus: &Corpus, file: &Path) -> Result<Made, MemoryError> {
    if file.exists() {
        return Err(Error::Exists { path: file.to_owned() }.into());
    }
    let collected = collect::collect(&corpus.settings)?;
    let made = archive::write(file, corpus.settings.agent.as_str(), &collected)?;
    forget::note_backup(corpus, file)?;
    Ok(made)
}

/// Takes out of a backup what the sieve does not let through. Returns how many lines that were.
pub(crate) fn sift(file: &Path, sieve: &Sieve) -> Result<usize, Error> {
    archive::sift(file, &|name, bytes| sieve.sift(name, bytes))
}
