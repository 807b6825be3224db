//! Taking lines out of notes.

use std::collections::BTreeSet;

use mindfile_note::text;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{self as workspace, NotePath};

use super::choose::Choice;
use super::without;
use crate::draft::Notes;
use crate::error::Error;

/// Takes the lines out of their notes.
pub(super) fn erase_lines(notes: &Notes<'_>, choice: &Choice) -> Result<(), Error> {
    let workspace = notes.workspace();
    for note in &choice.notes {
        let path = workspace.is_memory_path(note)?;
        match workspace.read(&path, NOTE_LIMIT) {
            Ok(read) => notes.replace(&path, Some(&read.bytes), None)?,
            Err(workspace::Error::Missing { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    for note in choice.noted() {
        erase(notes, &workspace.is_memory_path(&note)?, choice)?;
    }
    Ok(())
}

fn erase(notes: &Notes<'_>, path: &NotePath, choice: &Choice) -> Result<(), Error> {
    let read = notes.workspace().read(path, NOTE_LIMIT)?;
    let gone: BTreeSet<u32> = choice.lines_of(path.as_str()).map(|line| line.line).collect();
    let decoded = text::decode(&read.bytes);
    let stands = |line: &super::Line| {
        let at = usize::try_from(line.line).unwrap_or(usize::MAX).saturating_sub(1);
        text::lines(&decoded).nth(at) == Some(line.text.as_str())
    };
    // Numbers of lines hold only as long as nobody else writes.
    if read.truncated || !choice.lines_of(path.as_str()).all(stands) {
        return Err(workspace::Error::Conflict { path: path.clone(), kept: None }.into());
    }
    notes.replace(path, Some(&read.bytes), Some(&without(&read.bytes, &gone)))
}
