//! The memory files, as a viewer may read and write them.

mod relink;
mod rendered;
mod write;

use jiff::Timestamp;
use jiff::civil::Date;
use mindfile_note::hash::Digest;
use mindfile_note::{date, text};

use crate::collection::{self, TruePlace};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::viewer::Viewer;
use mindfile_trust::audit::What;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{Lines, NotePath, Start, Workspace};

pub use mindfile_note::blocks;
pub use rendered::{Rendered, RenderedBlock, Titled, preview, rendered, titled};
pub use write::{Changed, RenamedNote, StandingNote, put, remove, rename};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteSummary {
    /// Workspace-relative, with `/`.
    pub path: String,
    pub bytes: u64,
    pub modified: Option<Timestamp>,
    /// Of a daily note.
    pub day: Option<Date>,
}

impl NoteSummary {
    /// Where it lies; "." is the workspace itself.
    pub fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or(".", |(folder, _)| folder)
    }
}

/// The memory files, by path.
pub fn list(corpus: &Corpus, viewer: Viewer) -> Result<Vec<NoteSummary>, Error> {
    let scan = corpus.workspace()?.scan()?;
    let audience = corpus.audience(viewer)?;
    let files = scan.files.into_iter().filter(|found| audience.sees(found.path.as_str()));
    let listed = files.map(|found| NoteSummary {
        day: date::of_path(found.path.as_str()),
        path: found.path.to_string(),
        bytes: found.stat.size,
        modified: Timestamp::from_nanosecond(i128::from(found.stat.mtime_ns)).ok(),
    });
    Ok(listed.collect())
}

/// Lines that were read.
#[derive(Debug)]
pub struct Read {
    pub lines: Lines,
    /// By which a writer shows what it saw: the digest of the whole note. None of one that is too large to be read whole.
    pub hash: Option<String>,
}

/// Exact lines of a memory file.
pub fn read(
    corpus: &Corpus,
    viewer: Viewer,
    path: &str,
    from: impl Into<Start>,
    lines: Option<u32>,
) -> Result<Read, Error> {
    let from = from.into();
    let (workspace, path, shown) = readable(corpus, viewer, path)?;
    corpus.check_note(viewer, path.as_str())?;
    let whole = workspace.read(&path, NOTE_LIMIT)?;
    let text = text::decode(&whole.bytes);
    let covered = corpus.policy.cover(&text);
    let is_as_it_stands = covered.as_bytes() == whole.bytes;
    let seen = if whole.truncated {
        workspace.lines(&path, from, lines)?.covered(&corpus.policy)
    } else if from.line > 0 && (is_as_it_stands || covered != text) {
        Lines::of(&covered, from, lines)
    } else {
        workspace.lines(&path, from, lines)?
    };
    corpus.audit_seen(What::Note, &shown, &text::decode(&seen.bytes));
    Ok(Read { lines: seen, hash: (!whole.truncated).then(|| hash_of(&covered)) })
}

/// Of what a viewer is shown, so that it tells nothing of what is masked.
fn hash_of(covered: &str) -> String {
    Digest::of(covered.as_bytes()).to_string()
}

/// Lines that begin or end within a line, as a model may read them: a part of a line is the word of whoever said the line.
pub fn shown_part(
    corpus: &Corpus,
    viewer: Viewer,
    path: &str,
    first: u32,
    text: &str,
) -> Result<String, Error> {
    let end = text.find('\n').unwrap_or(text.len());
    let (part, rest) = text.split_at(end);
    let judge = corpus.judge()?;
    let place = collection::place(corpus, path);
    let whole = line(corpus, viewer, path, first)?;
    let is_trusted = whole.is_some_and(|line| place.origin(&judge, &line).is_trusted());
    let part = if is_trusted || part.is_empty() { part.to_owned() } else { corpus.enveloped(part)? };
    Ok(part + &corpus.shown(path, rest)?)
}

/// A line of a memory file as it stands there; none of a file that is too large to be read whole.
fn line(corpus: &Corpus, viewer: Viewer, path: &str, number: u32) -> Result<Option<String>, Error> {
    let (workspace, path, _) = readable(corpus, viewer, path)?;
    let whole = workspace.read(&path, NOTE_LIMIT)?;
    if whole.truncated {
        return Ok(None);
    }
    let text = text::decode(&whole.bytes);
    let before = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    Ok(text::lines(&text).nth(before).map(str::to_owned))
}

/// The file that a path names, and how it is cited: a memory file, or one of a collection of QMD's.
fn readable(corpus: &Corpus, viewer: Viewer, path: &str) -> Result<(Workspace, NotePath, String), Error> {
    let workspace = corpus.workspace()?;
    match workspace.is_memory_path(path) {
        Ok(note) => Ok((workspace, note.clone(), note.to_string())),
        Err(refused) => match collection::file(corpus, viewer.chat, path)? {
            Some((workspace, note)) => {
                if let TruePlace::Session(session) = collection::place(corpus, path) {
                    corpus.check_session(viewer, &session)?;
                }
                Ok((workspace, note, path.to_owned()))
            }
            None => Err(refused.into()),
        },
    }
}
