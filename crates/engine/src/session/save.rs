//! Saving a span of a conversation by code: what the rules find in it goes to the day's note before anything is compacted,
//! whatever a model does or fails to do. The span itself stays in the transcript.

use mindfile_note::Origin;
use mindfile_note::text;
use mindfile_trust::audit::{Act, What};
use mindfile_trust::place::UNTRUSTED;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{self as workspace, NotePath, Workspace};
use serde_json::json;

use super::candidate::{self, Candidate};
use super::remember::remember;
use super::sandbox;
use super::{FLUSH, FlushMark, Transcript, path_of};
use crate::audit::Record;
use crate::clock;
use crate::corpus::Corpus;
use crate::draft::{self, Items, NewText, Notes};
use crate::error::Error;

/// What was saved, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Saved {
    pub note: Option<String>,
    pub candidates: usize,
    pub notices: Vec<String>,
}

/// Lines that were added to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    pub note: String,
    pub lines: usize,
}

/// Saves what was said since the last flush. What cannot be written is said; it stays in the transcript, and is tried
/// again the next time.
pub(super) fn save_span(corpus: &Corpus, transcript: &Transcript) -> Saved {
    let mut found = unsaved(transcript);
    let remembered = remember(corpus, transcript, &found);
    found.retain(|candidate| !remembered.kept.contains(candidate));
    match save(corpus, &transcript.session, &found) {
        Ok(saved) => saved,
        Err(error) => Saved {
            notices: vec![format!(
                "{} candidates are not in the day's note yet, but in the transcript: {error}",
                found.len()
            )],
            ..Saved::default()
        },
    }
}

fn save(corpus: &Corpus, session: &str, found: &[Candidate]) -> Result<Saved, Error> {
    let judge = corpus.judge()?;
    let mut wanted: Vec<(String, Origin)> = Vec::new();
    for candidate in found {
        let origin = judge.turn(session, candidate.role).min(corpus.door.origin());
        let origin = draft::lowered(corpus, origin, &candidate.text)?;
        // What nobody trusts stays in the transcript.
        if origin.is_trusted() && draft::refuse_forgotten(corpus, &candidate.text).is_ok() {
            wanted.push((written(session, candidate), origin));
        }
    }
    if wanted.is_empty() {
        return Ok(Saved::default());
    }
    let wanted: Vec<(&str, Origin)> = wanted.iter().map(|(line, origin)| (line.as_str(), *origin)).collect();
    let Added { note, lines } = add_to_day(corpus, session, &wanted)?;
    Ok(Saved { note: Some(note), candidates: lines, notices: Vec::new() })
}

/// Adds list items to today's note under the session's heading; those that are there already are left out, so that
/// an interrupted flush can be done again.
pub(super) fn add_to_day(corpus: &Corpus, session: &str, items: &[(&str, Origin)]) -> Result<Added, Error> {
    sandbox::check(corpus, session)?;
    let notes = Notes::open(corpus)?;
    let today = clock::today(&*corpus.clock);
    let origin = Origin::lowest(items.iter().map(|(_, origin)| *origin));
    let folder = if origin.is_trusted() { "memory/" } else { UNTRUSTED };
    let path = notes.workspace().is_memory_path(&format!("{folder}{today}.md"))?;
    let known = content(notes.workspace(), &path)?;
    let is_new = |item: &str| !known.lines().any(|line| line == item);
    let new: Vec<(&str, Origin)> = items.iter().filter(|(item, _)| is_new(item)).copied().collect();
    if !new.is_empty() {
        let text = new.iter().map(|(item, _)| *item).collect::<Vec<_>>().join("\n");
        let heading = format!("Session {session}");
        let title = today.to_string();
        let lines = Items { text: &text, heading: &heading, title: &title };
        let says = NewText { what: "the line", door: corpus.door, says: &[], lines: &new };
        notes.draft(&path, &says)?.append(&lines, &mut || {})?;
        let id = Some(path.as_str());
        notes.finish(&Record { act: Act::Append, what: What::Note, id, text: Some(&text) })?;
    }
    Ok(Added { note: path.as_str().to_owned(), lines: new.len() })
}

/// Notes in the transcript and in `sessions.json` that everything so far is saved.
pub(super) fn mark_flushed(corpus: &Corpus, transcript: &Transcript) -> Result<Vec<String>, Error> {
    let now = corpus.clock.now();
    let compactions = transcript.compactions();
    let through = transcript.path().iter().rev().find_map(|placed| placed.entry.id.clone());
    let mark = json!({
        "type": "custom",
        "customType": FLUSH,
        "data": {"compactionCount": compactions, "through": through},
    });
    let sessions = corpus.sessions();
    sessions.append(&transcript.session, &[mark], now)?;
    let mended = sessions.note(&transcript.session, |fields| {
        fields.insert("memoryFlushAt".to_owned(), now.as_millisecond().into());
        fields.insert("memoryFlushCompactionCount".to_owned(), compactions.into());
        fields.insert("compactionCount".to_owned(), compactions.into());
    })?;
    Ok(mended)
}

fn content(workspace: &Workspace, path: &NotePath) -> Result<String, Error> {
    match workspace.read(path, NOTE_LIMIT) {
        Ok(read) => Ok(text::decode(&read.bytes).into_owned()),
        Err(workspace::Error::Missing { .. }) => Ok(String::new()),
        Err(error) => Err(error.into()),
    }
}

/// The candidates since the last flush that was noted.
fn unsaved(transcript: &Transcript) -> Vec<Candidate> {
    let path = transcript.path();
    let through = transcript.flush().and_then(|FlushMark { through, .. }| through.as_deref());
    let saved = through.and_then(|id| path.iter().position(|placed| placed.entry.id.as_deref() == Some(id)));
    path[saved.map_or(0, |at| at + 1)..]
        .iter()
        .filter_map(|placed| Some(candidate::find(placed.line, placed.entry.message()?)))
        .flatten()
        .collect()
}

/// A list item that is no fact line: nobody has confirmed it.
fn written(session: &str, candidate: &Candidate) -> String {
    let text = candidate.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (rule, role) = (candidate.rule.as_str(), candidate.role.as_str());
    format!("- candidate ({rule}, {role}): {text} [{}#L{}]", path_of(session), candidate.line)
}
