//! Whole notes written, removed and renamed by somebody who says what they saw of them: nothing is lost that was written
//! meanwhile. A new line is the word of the door it came through; a line that stood there stays whose it was.

use std::collections::HashMap;

use mindfile_note::Origin;
use mindfile_note::text;
use mindfile_trust::audit::{Act, What};
use mindfile_trust::policy::hides_something;
use mindfile_workspace::{self as workspace, NOTE_LIMIT, NotePath};

use super::{hash_of, relink};
use crate::audit::Record;
use crate::corpus::Corpus;
use crate::draft::{self, NewText, Notes};
use crate::error::{Denial, Error};
use crate::viewer::Viewer;

const NOTE: &str = "the note";
const BOM: &str = "\u{feff}";

/// What a note says now, as the writer may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingNote {
    pub hash: String,
    pub text: String,
}

/// What came of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed<T> {
    Made(T),
    /// The note is not what the writer saw; nothing was changed. What stands there, if there is a note.
    Other(Option<StandingNote>),
}

/// A note that was read to be changed.
pub(super) struct OldNote {
    pub(super) bytes: Vec<u8>,
    /// Without a byte order mark.
    pub(super) text: String,
    pub(super) shown: StandingNote,
}

impl OldNote {
    pub(super) fn read(notes: &Notes<'_>, path: &NotePath) -> Result<Option<Self>, Error> {
        let read = match notes.workspace().read(path, NOTE_LIMIT) {
            Err(workspace::Error::Missing { .. }) => return Ok(None),
            read => read?,
        };
        let unusable = |what: &str| Error::Io {
            path: path.as_str().into(),
            source: std::io::Error::other(format!("{what}, and is not changed")),
        };
        if read.truncated {
            return Err(unusable("it is longer than 16 MiB"));
        }
        let text = std::str::from_utf8(&read.bytes)
            .map_err(|error| unusable(&format!("it is not UTF-8 ({error})")))?;
        let text = text.strip_prefix(BOM).unwrap_or(text).to_owned();
        let covered = notes.corpus().policy.cover(&text).into_owned();
        let shown = StandingNote { hash: hash_of(&covered), text: covered };
        Ok(Some(Self { bytes: read.bytes, text, shown }))
    }
}

/// Makes `new` the text of a note that says what `seen` is the hash of; without it there must be no note yet.
pub fn put(
    corpus: &Corpus,
    viewer: Viewer,
    path: &str,
    new: &str,
    seen: Option<&str>,
) -> Result<Changed<StandingNote>, Error> {
    corpus.check_on()?;
    let notes = Notes::open(corpus)?;
    let path = checked(&notes, viewer, path)?;
    let old = OldNote::read(&notes, &path)?;
    if old.as_ref().map(|old| old.shown.hash.as_str()) != seen {
        return Ok(Changed::Other(old.map(|old| old.shown)));
    }
    let new = new.strip_prefix(BOM).unwrap_or(new);
    let whole = match &old {
        Some(old) => whole(&path, old, new)?,
        None => new.to_owned(),
    };
    let before = old.as_ref().map_or("", |old| old.text.as_str());
    let added = workspace::added(before, &whole);
    let mut lines: Vec<(&str, Origin)> = Vec::new();
    for &line in added.iter().filter(|line| !line.trim().is_empty()) {
        lines.push((line, draft::origin_of(corpus, viewer.door, line)?));
    }
    let says = added.join("\n");
    let new = NewText { what: NOTE, door: viewer.door, says: &[&says], lines: &lines };
    let draft = notes.draft(&path, &new)?;
    let bytes = old.as_ref().map(|old| old.bytes.as_slice());
    let mark = if bytes.is_some_and(|bytes| bytes.starts_with(BOM.as_bytes())) { BOM } else { "" };
    if let Some(other) =
        raced(&notes, &path, draft.replace(bytes, Some(format!("{mark}{whole}").as_bytes())))?
    {
        return Ok(other);
    }
    notes.finish(&Record { act: Act::Write, what: What::Note, id: Some(path.as_str()), text: None })?;
    let text = corpus.policy.cover(&whole).into_owned();
    Ok(Changed::Made(StandingNote { hash: hash_of(&text), text }))
}

/// Removes a note that says what `seen` is the hash of.
pub fn remove(corpus: &Corpus, viewer: Viewer, path: &str, seen: &str) -> Result<Changed<()>, Error> {
    corpus.check_on()?;
    let notes = Notes::open(corpus)?;
    let path = checked(&notes, viewer, path)?;
    let old = existing(&notes, &path)?;
    if old.shown.hash != seen {
        return Ok(Changed::Other(Some(old.shown)));
    }
    if let Some(other) = raced(&notes, &path, notes.replace(&path, Some(&old.bytes), None))? {
        return Ok(other);
    }
    notes.finish(&Record { act: Act::Delete, what: What::Note, id: Some(path.as_str()), text: None })?;
    Ok(Changed::Made(()))
}

/// A note under another path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedNote {
    pub path: String,
    pub hash: String,
    /// The notes whose links followed, and why others' did not.
    pub relinked: Vec<String>,
    pub notices: Vec<String>,
}

/// Gives a note that says what `seen` is the hash of another path, at which there must be none yet. Each line stays whose it
/// was; links to it in the notes that the viewer sees follow.
pub fn rename(
    corpus: &Corpus,
    viewer: Viewer,
    (from, to): (&str, &str),
    seen: &str,
) -> Result<Changed<RenamedNote>, Error> {
    corpus.check_on()?;
    let notes = Notes::open(corpus)?;
    let from = checked(&notes, viewer, from)?;
    let to = checked(&notes, viewer, to)?;
    let old = existing(&notes, &from)?;
    if old.shown.hash != seen {
        return Ok(Changed::Other(Some(old.shown)));
    }
    if let Some(other) = OldNote::read(&notes, &to)? {
        return Ok(Changed::Other(Some(other.shown)));
    }
    let renaming = relink::Relinking::new(corpus, viewer, &from, &to)?;
    let moved = renaming.links(from.as_str(), &old.text);
    let whole = moved.as_deref().unwrap_or(&old.text);
    let lines = relink::with_origins(corpus, (from.as_str(), &old.text), whole)?;
    if !notes.derived(&to, &lines).create(whole.as_bytes())? {
        return Ok(Changed::Other(OldNote::read(&notes, &to)?.map(|other| other.shown)));
    }
    if let Some(other) = raced(&notes, &from, notes.replace(&from, Some(&old.bytes), None))? {
        // Somebody wrote to it meanwhile: it stays, and the copy goes.
        notes.replace(&to, Some(whole.as_bytes()), None)?;
        return Ok(other);
    }
    let (relinked, notices) = renaming.follow(&notes)?;
    notes.finish(&Record { act: Act::Rename, what: What::Note, id: Some(to.as_str()), text: None })?;
    let hash = hash_of(&corpus.policy.cover(whole));
    Ok(Changed::Made(RenamedNote { path: to.to_string(), hash, relinked, notices }))
}

/// The note that the viewer may change, or why not. Where nobody trusts the door, only beside the owner's notes.
fn checked(notes: &Notes<'_>, viewer: Viewer, path: &str) -> Result<NotePath, Error> {
    let path = notes.workspace().is_memory_path(path)?;
    notes.corpus().check_note(viewer, path.as_str())?;
    draft::check_place(viewer.door.origin(), viewer.door, &path)?;
    Ok(path)
}

fn existing(notes: &Notes<'_>, path: &NotePath) -> Result<OldNote, Error> {
    let missing = || workspace::Error::Missing { path: path.clone() };
    Ok(OldNote::read(notes, path)?.ok_or_else(missing)?)
}

/// Whether somebody else was faster, and what they wrote.
fn raced<T>(
    notes: &Notes<'_>,
    path: &NotePath,
    done: Result<(), Error>,
) -> Result<Option<Changed<T>>, Error> {
    match done {
        Err(Error::Workspace(workspace::Error::Conflict { kept: None, .. })) => {
            Ok(Some(Changed::Other(OldNote::read(notes, path)?.map(|old| old.shown))))
        }
        done => done.map(|()| None),
    }
}

/// The new text as it is written: where it repeats a line with a mask, the line that stands there, and with its line ends.
fn whole(path: &NotePath, old: &OldNote, new: &str) -> Result<String, Error> {
    let mut masked: HashMap<&str, &str> = HashMap::new();
    for (shown, stored) in text::lines(&old.shown.text).zip(text::lines(&old.text)) {
        if shown != stored {
            masked.insert(shown, stored);
        }
    }
    let known: Vec<&str> = text::lines(&old.text).collect();
    let ends_in_crlf = old.text.contains("\r\n") && !new.contains('\r');
    let mut whole = String::with_capacity(new.len());
    for (number, line) in text::lines(new).enumerate() {
        let stored = masked.get(line).copied().unwrap_or(line);
        if hides_something(stored) && !known.contains(&stored) {
            let line = u32::try_from(number + 1).unwrap_or(u32::MAX);
            return Err(Denial::Masked { path: path.to_string(), line }.into());
        }
        let (_, end) = text::extent(new, line);
        let next = text::lines(&new[end..]).next().map_or(0, |_| terminator(&new[end..]));
        whole.push_str(stored);
        whole.push_str(if ends_in_crlf && next > 0 { "\r\n" } else { &new[end..end + next] });
    }
    Ok(whole)
}

/// The length of the line end that a text begins with.
fn terminator(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with(['\n', '\r'])) }
}
