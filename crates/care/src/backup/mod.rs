//! A backup: one file with a memory's workspace, journals, transcripts, and settings without secrets. The same files
//! make the same bytes, and a restore is verified by comparing.

mod collect;
mod restore;
mod stays;
mod verify;

pub use mindfile::archive::Made;
pub use restore::{Places, RestoreReport, WithheldFile};
pub use stays::restore;
pub use verify::{Proof, verify};

use std::path::Path;

use crate::Error;
use mindfile::Corpus;
use mindfile::{archive, forget};

/// Writes a backup to `file`, which must not exist yet: aside at first, then whole.
pub fn make(corpus: &Corpus, file: &Path) -> Result<Made, Error> {
    if file.exists() {
        return Err(Error::Exists { path: file.to_owned() });
    }
    let collected = collect::collect(corpus.settings())?;
    let made = archive::write(file, corpus.settings().agent.as_str(), &collected.files, collected.left_out)?;
    forget::note_backup(corpus, file)?;
    Ok(made)
}
