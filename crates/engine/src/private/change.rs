//! Making notes private, and taking that back. What is lost at any moment is nothing: the other text is on the disk before
//! the first is removed, and the same call finishes what a kill interrupted.

use std::ops::ControlFlow;

use mindfile_index::PurgeOutcome;
use mindfile_trust::audit::{Act, What};
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{self as workspace, NotePath, PrivateForm, Workspace, is_rest_of};

use super::{FOLDER, KeyError, is_private};
use crate::audit::Record;
use crate::copies;
use crate::corpus::Corpus;
use crate::draft::{self, Notes};
use crate::error::Error;
use crate::ingest;

/// What a change of notes did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved {
    /// From where to where; the same path where only the file's form changed.
    pub notes: Vec<(String, String)>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

/// Encrypts notes; one from elsewhere moves to `memory/private/`. Nothing of them is left in the index.
pub fn encrypt_notes(corpus: &Corpus, paths: &[String]) -> Result<Moved, Error> {
    let notes = Notes::open(corpus)?;
    let workspace = notes.workspace();
    let mut moved = Moved { notices: draft::key_notice(corpus)?, ..Moved::default() };
    let mut indexed = false;
    for path in paths {
        let from = workspace.is_memory_path(path)?;
        let to = private_name(workspace, &from)?;
        if from == to {
            notes.encrypt(&from)?;
        } else {
            indexed = true;
            encrypt_from(&notes, &from, &to)?;
        }
        corpus.audit(&Record { act: Act::Encrypt, what: What::Note, id: Some(to.as_str()), text: None });
        moved.notes.push((from.to_string(), to.to_string()));
    }
    drop(notes);
    if indexed {
        ingest::rebuild(corpus, &mut |_| ControlFlow::Continue(()))?;
        if let PurgeOutcome::Held(why) = corpus.index()?.purge()? {
            moved.notices.push(format!("{why}, in which it still stands in clear"));
        }
        let held = copies::purge(corpus)?;
        moved.notices.extend(held.map(|why| format!("{why}, in which it still stands in clear")));
    }
    Ok(moved)
}

/// The notes in `memory/private/` that stand there in clear.
pub fn clear_private_notes(corpus: &Corpus) -> Result<Vec<String>, Error> {
    let notes = corpus.workspace()?.private_notes()?;
    let clear = notes.into_iter().filter(|note| note.kept != PrivateForm::Encrypted);
    Ok(clear.map(|note| note.path.to_string()).collect())
}

/// Decrypts a private note, which becomes an ordinary one: out of `memory/private/`, or `to` the path that is named.
pub fn decrypt_note(corpus: &Corpus, path: &str, to: Option<&str>) -> Result<Moved, Error> {
    let notes = Notes::open(corpus)?;
    let workspace = notes.workspace();
    let from = workspace.is_memory_path(path)?;
    if !is_private(from.as_str()) {
        return Err(KeyError::NotPrivate { path: from.to_string() }.into());
    }
    let plain = from.as_str()[FOLDER.len()..].trim_start_matches('/');
    let to = workspace.is_memory_path(to.unwrap_or(&format!("memory/{plain}")))?;
    notes.decrypt(&from, &to)?;
    notes.finish(&Record { act: Act::Decrypt, what: What::Note, id: Some(to.as_str()), text: None })?;
    Ok(Moved { notes: vec![(from.to_string(), to.to_string())], notices: Vec::new() })
}

fn private_name(workspace: &Workspace, from: &NotePath) -> Result<NotePath, Error> {
    if is_private(from.as_str()) {
        return Ok(from.clone());
    }
    let outside = from.as_str().starts_with("../") || from.as_str().starts_with('/');
    if outside {
        return Err(KeyError::NotPrivate { path: from.to_string() }.into());
    }
    let rest = from.as_str().strip_prefix("memory/").unwrap_or(from.as_str());
    Ok(workspace.is_memory_path(&format!("{FOLDER}/{rest}"))?)
}

fn encrypt_from(notes: &Notes<'_>, from: &NotePath, to: &NotePath) -> Result<(), Error> {
    let workspace = notes.workspace();
    let read = workspace.read(from, NOTE_LIMIT)?;
    if read.truncated {
        return Err(KeyError::LongNote { path: from.to_string() }.into());
    }
    // The text is the same, and so is whose word each line of it is.
    if !notes.derived(to, &[]).create(&read.bytes)?
        && !is_rest_of(&read.bytes, &workspace.read(to, NOTE_LIMIT)?.bytes)
    {
        return Err(workspace::Error::TwoTexts { path: to.clone() }.into());
    }
    notes.wipe(from)
}
