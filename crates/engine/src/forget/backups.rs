//! Backups that were made of this memory: what is forgotten is taken out of them where they still are.

use std::path::{Path, PathBuf};

use mindfile_disk::durable;

use super::Forgotten;
use super::Plan;
use super::Sieve;
use super::choose::Choice;
use crate::archive;
use crate::corpus::Corpus;
use crate::error::Error;

/// Notes where a backup was written.
pub fn note_backup(corpus: &Corpus, file: &Path) -> Result<(), Error> {
    let io = |source| Error::Io { path: file.to_owned(), source };
    let file = std::path::absolute(file).map_err(io)?;
    let mut all = backups(corpus)?;
    if !all.contains(&file) {
        all.push(file);
    }
    write_backups(corpus, &all)
}

/// Takes what goes out of every backup. One that is elsewhere now is named: what it holds stays out when it is restored.
pub(super) fn erase_backups(
    corpus: &Corpus,
    choice: &Choice,
    plan: &Plan,
    done: &mut Forgotten,
) -> Result<(), Error> {
    let mut all = backups(corpus)?;
    if all.is_empty() {
        return Ok(());
    }
    let sieve = Sieve::of_plan(corpus.key.key()?.clone(), choice.matcher.clone(), plan.clone());
    let before = all.len();
    all.retain(|file| file.exists() || !done.missing(file));
    for file in &all {
        match archive::sift(file, &|name, bytes| sieve.sift(name, bytes)) {
            Ok(0) => {}
            Ok(_) => done.files.push(file.display().to_string()),
            Err(error) => done.notices.push(format!("what was forgotten may be in a backup: {error}")),
        }
    }
    if all.len() < before { write_backups(corpus, &all) } else { Ok(()) }
}

fn backups(corpus: &Corpus) -> Result<Vec<PathBuf>, Error> {
    let path = super::state::beside(corpus, "backups");
    match std::fs::read(&path) {
        // A list that cannot be read is begun anew.
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_else(|_damaged| Vec::new())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(Error::Io { path, source }),
    }
}

fn write_backups(corpus: &Corpus, all: &[PathBuf]) -> Result<(), Error> {
    let path = super::state::beside(corpus, "backups");
    let written = serde_json::to_vec(all).map_err(std::io::Error::from);
    written.and_then(|bytes| durable::replace(&path, &bytes)).map_err(|source| Error::Io { path, source })
}

impl Forgotten {
    /// Says that a backup is not where it was made.
    fn missing(&mut self, file: &Path) -> bool {
        let name = file.display();
        self.notices
            .push(format!("the backup {name} is not there; restoring it leaves out what was forgotten"));
        true
    }
}
