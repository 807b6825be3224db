//! What was acknowledged a moment ago is looked at again. An editor that had read the note before, and saves its older copy
//! a moment after the acknowledgement, takes the new lines away without anybody having seen them: they are written again.
//!
//! The texts stand beside the index until the next write that comes later than that moment, or until a note is rewritten:
//! what a person takes out of a note stays out.

use std::io;
use std::path::PathBuf;

use mindfile_disk::absent::if_there;
use mindfile_disk::durable;
use mindfile_trust::place::is_private;
use mindfile_workspace::{self as workspace, NotePath, Writer};
use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::error::Error;

/// No person reads a new line and takes it out again in less; an editor that read the note before has saved by then.
const MOMENT_MS: i64 = 2_000;

/// Lines that were added to a note. A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RecentLines {
    #[serde(rename = "at")]
    at_ms: i64,
    path: String,
    text: String,
    /// Where they begin, if that is known.
    place: Option<u64>,
}

fn file(corpus: &Corpus) -> PathBuf {
    corpus.settings.state_dir.join("memory").join(format!("{}.recent.jsonl", corpus.settings.agent))
}

fn read(corpus: &Corpus) -> Result<Vec<RecentLines>, Error> {
    let path = file(corpus);
    let bytes = if_there(std::fs::read(&path)).map_err(|source| Error::Io { path, source })?;
    let bytes = bytes.unwrap_or_default();
    // A line that cannot be read is what a power cut left of one; by then its moment is over.
    let lines = bytes.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

fn write(corpus: &Corpus, recent: &[RecentLines]) -> Result<(), Error> {
    let path = file(corpus);
    let mut bytes = Vec::new();
    let lines = recent.iter().try_for_each(|one| {
        serde_json::to_writer(&mut bytes, one)?;
        bytes.push(b'\n');
        Ok::<(), io::Error>(())
    });
    let written = lines.and_then(|()| durable::put(&path, &bytes));
    written.map_err(|source| Error::Io { path, source })
}

/// Remembers what was added to a note for a moment. A private note is no file that an editor has open; what is masked stands
/// in its note alone.
pub(super) fn remember(
    corpus: &Corpus,
    path: &NotePath,
    text: &str,
    place: Option<u64>,
) -> Result<(), Error> {
    if is_private(path.as_str()) || corpus.policy.cover(text) != text {
        return Ok(());
    }
    let mut recent = read(corpus)?;
    let at_ms = corpus.clock.now().as_millisecond();
    recent.push(RecentLines { at_ms, path: path.as_str().to_owned(), text: text.to_owned(), place });
    write(corpus, &recent)
}

/// Nothing is to be written again: a note was rewritten on purpose.
pub(super) fn forget(corpus: &Corpus) -> Result<(), Error> {
    if read(corpus)?.is_empty() { Ok(()) } else { write(corpus, &[]) }
}

/// Writes again what an older copy took away, and keeps in mind what is still that recent.
pub(super) fn look_again(corpus: &Corpus, workspace: &Writer) -> Result<Vec<NotePath>, Error> {
    let all = read(corpus)?;
    let now_ms = corpus.clock.now().as_millisecond();
    let is_recent = |one: &&RecentLines| (0..MOMENT_MS).contains(&(now_ms - one.at_ms));
    let mut restored = Vec::new();
    for one in &all {
        match restore(workspace, one) {
            Ok(path) => restored.extend(path),
            Err(error) if is_recent(&one) => return Err(error),
            // A note that cannot be looked at for longer than a moment is nothing that an editor saves.
            Err(_) => {}
        }
    }
    let kept: Vec<RecentLines> = all.iter().filter(is_recent).cloned().collect();
    if kept.len() < all.len() {
        write(corpus, &kept)?;
    }
    Ok(restored)
}

/// The note, if lines were written to it again.
fn restore(workspace: &Writer, one: &RecentLines) -> Result<Option<NotePath>, Error> {
    let path = workspace.is_memory_path(&one.path)?;
    let lost = is_saved_since(workspace, &path, one.at_ms)?
        && workspace.restore(&path, one.text.as_bytes(), one.place)?;
    Ok(lost.then_some(path))
}

/// Whether the note's last change came so soon after the lines that nobody can have read them.
fn is_saved_since(workspace: &Writer, path: &NotePath, at_ms: i64) -> Result<bool, Error> {
    match workspace.read(path, 0) {
        Ok(read) => {
            let after = read.stat.ctime_ns / 1_000_000 - at_ms;
            Ok((-MOMENT_MS..MOMENT_MS).contains(&after))
        }
        Err(workspace::Error::Missing { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
