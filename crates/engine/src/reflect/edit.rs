//! The files that a reflection changes: worked out whole before the first is written.

use std::collections::BTreeSet;

use mindfile_note::Origin;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{self as workspace, NotePath, Workspace};

use super::pages::PageText;
use super::section::{self, Torn};
use crate::draft::Notes;
use crate::error::Error;

/// One file, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    pub path: String,
    /// None: there is no such file yet.
    pub before: Option<Vec<u8>>,
    /// None: the file goes away, which only an undo asks for.
    pub after: Option<Vec<u8>>,
}

/// What has to change so that every page says what it should. Pages of the bank that have nothing to say any more keep an
/// empty section.
pub(super) fn edits(workspace: &Workspace, pages: &[PageText]) -> Result<Vec<FileEdit>, Error> {
    let mut edits = Vec::new();
    for page in pages {
        edits.push(edit(workspace, page)?);
    }
    let said: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    for found in workspace.scan()?.files {
        let path = found.path.as_str();
        if path.starts_with("bank/") && !said.contains(path) {
            edits.extend(emptied(workspace, &found.path)?);
        }
    }
    edits.retain(|edit| edit.before != edit.after);
    Ok(edits)
}

fn edit(workspace: &Workspace, page: &PageText) -> Result<FileEdit, Error> {
    let path = workspace.is_memory_path(&page.path)?;
    let before = read(workspace, &path)?;
    let text = before.clone().unwrap_or_else(|| page.title.clone().into_bytes());
    let after = section::put(&text, &page.body).map_err(torn(&page.path))?;
    Ok(FileEdit { path: page.path.clone(), before, after: Some(after) })
}

fn emptied(workspace: &Workspace, path: &NotePath) -> Result<Option<FileEdit>, Error> {
    let Some(before) = read(workspace, path)? else { return Ok(None) };
    if section::find(&before).map_err(torn(path.as_str()))?.is_none() {
        return Ok(None);
    }
    let after = section::put(&before, "").map_err(torn(path.as_str()))?;
    Ok(Some(FileEdit { path: path.to_string(), before: Some(before), after: Some(after) }))
}

pub(super) fn torn(path: &str) -> impl Fn(Torn) -> Error {
    move |why| super::Error::Torn { path: path.to_owned(), why }.into()
}

/// The whole file; `None` where there is none.
pub(super) fn read(workspace: &Workspace, path: &NotePath) -> Result<Option<Vec<u8>>, Error> {
    match workspace.read(path, NOTE_LIMIT) {
        Ok(read) if read.truncated => {
            Err(super::Error::Torn { path: path.to_string(), why: Torn::TooLong }.into())
        }
        Ok(read) => Ok(Some(read.bytes)),
        Err(workspace::Error::Missing { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// Writes all edits, or, where one fails, none: those before it are taken back. `agents` are the lines of each that are the
/// agent's word.
pub(super) fn write(notes: &Notes<'_>, edits: &[FileEdit], agents: &[Vec<String>]) -> Result<(), Error> {
    let none = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        if let Err(error) = write_one(notes, edit, agents.get(at).unwrap_or(&none)) {
            take_back(notes, &edits[..at])?;
            return Err(error);
        }
    }
    Ok(())
}

fn take_back(notes: &Notes<'_>, written: &[FileEdit]) -> Result<(), Error> {
    for edit in written.iter().rev() {
        let path = notes.workspace().is_memory_path(&edit.path)?;
        notes.replace(&path, edit.after.as_deref(), edit.before.as_deref())?;
    }
    Ok(())
}

fn write_one(notes: &Notes<'_>, edit: &FileEdit, agents: &[String]) -> Result<(), Error> {
    let path = notes.workspace().is_memory_path(&edit.path)?;
    let lines: Vec<(&str, Origin)> = agents.iter().map(|line| (line.as_str(), Origin::Agent)).collect();
    notes.derived(&path, &lines).replace(edit.before.as_deref(), edit.after.as_deref())
}
