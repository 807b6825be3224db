//! Keeps a restore from bringing back what was forgotten since, or older origins of lines.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::restore::{Places, RestoreReport, unpack};
use crate::Error;
use mindfile::Corpus;
use mindfile::archive;
use mindfile::forget::{LEDGER, Sieve, SieveOutcome, ledgers};
use mindfile_disk::durable;
use mindfile_disk::secret_key;

/// Journals that only grow: what one of two has is in both.
const JOURNALS: [&str; 3] = [LEDGER, ".origins.jsonl", ".heard.jsonl"];

/// Restores a backup. Files that differ are overwritten only with `force`. What was forgotten here or there stays away,
/// and the journals of both are joined.
pub fn restore(corpus: &Corpus, file: &Path, places: &Places, force: bool) -> Result<RestoreReport, Error> {
    let key = key_in(file)?;
    let mut states = vec![corpus.settings().state_dir.clone()];
    if places.state != states[0] {
        states.push(places.state.clone());
    }
    let mut sieve = Sieve::default();
    for state in &states {
        sieve = sieve.and(Sieve::of_state(state)?);
    }
    refuse_other_key(file, &places.state, key.as_deref())?;
    let same_key = |state: &PathBuf| key.is_some() && own_key(state).as_ref() == key.as_ref();
    states.retain(same_key);
    let sift = |name: &str, bytes: &[u8]| match journal_of(name) {
        Some(rest) => joined(bytes, &states, rest),
        None => sieve.sift(name, bytes),
    };
    let done = unpack(file, places, force, &sift)?;
    states
        .iter()
        .filter(|state| **state != places.state)
        .try_for_each(|state| carry(state, &places.state))?;
    Ok(done)
}

/// Puts ledgers that the backup did not have yet beside what was restored.
fn carry(from: &Path, to: &Path) -> Result<(), Error> {
    for ledger in ledgers(from)? {
        let target = to.join("memory").join(ledger.file_name().unwrap_or_default());
        if !target.exists() {
            let io = mindfile_disk::Error::at(&target);
            durable::replace(&target, &std::fs::read(&ledger).map_err(&io)?).map_err(io)?;
        }
    }
    Ok(())
}

/// The part of a journal's name below the state directory.
fn journal_of(name: &str) -> Option<&str> {
    name.strip_prefix("state/").filter(|rest| JOURNALS.iter().any(|end| rest.ends_with(end)))
}

/// The key that the backup's journals are made with.
fn key_in(file: &Path) -> Result<Option<String>, Error> {
    let mut key = None;
    archive::each::<Error>(file, &mut |entry| {
        if entry.listed.path == format!("state/memory/{}", secret_key::FILE) {
            key = Some(String::from_utf8_lossy(entry.bytes).trim().to_owned());
        }
        Ok(())
    })?;
    Ok(key)
}

fn own_key(state: &Path) -> Option<String> {
    let text = std::fs::read_to_string(state.join("memory").join(secret_key::FILE)).ok()?;
    Some(text.trim().to_owned())
}

/// With another key, what is known here of what was forgotten could not be read any more.
fn refuse_other_key(file: &Path, state: &Path, key: Option<&str>) -> Result<(), Error> {
    let differs = own_key(state).is_some_and(|own| key.is_some_and(|key| key != own));
    if differs && !Sieve::of_state(state)?.is_empty() {
        let key = state.join("memory").join(secret_key::FILE);
        return Err(Error::OtherKey { path: file.to_owned(), key });
    }
    Ok(())
}

/// A journal with the lines that those of the same name in the state directories have more. Older lines come first.
fn joined(bytes: &[u8], states: &[PathBuf], rest: &str) -> SieveOutcome {
    let mut whole = bytes.to_vec();
    for state in states {
        let here = std::fs::read(state.join(rest)).unwrap_or_else(|_absent| Vec::new());
        let Some(head) = here.split_inclusive(|byte| *byte == b'\n').next() else { continue };
        let known: HashSet<&[u8]> = here.split_inclusive(|byte| *byte == b'\n').collect();
        let old = whole.split_inclusive(|byte| *byte == b'\n').skip(1).filter(|line| !known.contains(line));
        whole = [head, &old.collect::<Vec<_>>().concat(), &here[head.len()..]].concat();
    }
    if whole == bytes { SieveOutcome::Same } else { SieveOutcome::Other(whole, 0) }
}
