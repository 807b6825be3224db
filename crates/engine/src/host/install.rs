//! Putting mindfile into a host, and taking it out again. Everything is worked out before the first file is written;
//! what was there is kept, so that taking it out gives the same bytes where nobody else changed the file since.

use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;

use super::entries::{self, Format, Target};
use super::record::{self, Kept, Record, Shelf};
use super::{Error, Host, Places, Program, json, toml};
use crate::reflect::diff;

/// What would be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub host: Host,
    pub act: Act,
    pub changes: Vec<Change>,
    project: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Install,
    Uninstall,
}

/// What becomes of one file; none means that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: PathBuf,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    /// What an uninstallation gives back.
    original: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Created,
    Changed,
    Removed,
    Unchanged,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Unchanged => "unchanged",
        }
    }
}

impl Change {
    pub fn kind(&self) -> Kind {
        match (&self.before, &self.after) {
            (None, Some(_)) => Kind::Created,
            (Some(_), None) => Kind::Removed,
            (before, after) if before == after => Kind::Unchanged,
            (Some(_) | None, Some(_) | None) => Kind::Changed,
        }
    }

    /// Line by line, for a person to look at.
    pub fn diff(&self) -> String {
        let text = |bytes: &Option<Vec<u8>>| {
            bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
        };
        diff::diff(&self.path.display().to_string(), &text(&self.before), &text(&self.after))
    }
}

impl Plan {
    pub fn is_done(&self) -> bool {
        self.changes.iter().all(|change| change.kind() == Kind::Unchanged)
    }
}

/// What installing would do.
pub fn install(host: Host, places: &Places, program: &Program, state: &Path) -> Result<Plan, Error> {
    let known = Shelf::of(state, host, places.project.as_deref()).read()?;
    let shelf = Shelf::of(state, host, places.project.as_deref());
    let mut changes = Vec::new();
    for target in entries::targets(host, places, program)? {
        let before = record::read(&target.path)?;
        let old = text(&target.path, before.as_deref())?;
        let new = put(&target, &old)?;
        let original = match known.as_ref().and_then(|record| record.of(&target.path)) {
            Some(kept) if kept.is_untouched(before.as_deref()) => original(&shelf, kept)?,
            Some(_) => without(&target, before.as_deref(), false)?,
            None => before.clone(),
        };
        changes.push(Change { path: target.path, before, after: Some(new.into_bytes()), original });
    }
    Ok(Plan { host, act: Act::Install, changes, project: places.project.clone() })
}

/// What taking it out would do.
pub fn uninstall(host: Host, places: &Places, program: &Program, state: &Path) -> Result<Plan, Error> {
    let shelf = Shelf::of(state, host, places.project.as_deref());
    let known = shelf.read()?;
    let mut changes = Vec::new();
    for target in entries::targets(host, places, program)? {
        let before = record::read(&target.path)?;
        let kept = known.as_ref().and_then(|record| record.of(&target.path));
        let after = match kept {
            Some(kept) if kept.is_untouched(before.as_deref()) => original(&shelf, kept)?,
            Some(kept) => without(&target, before.as_deref(), kept.before.is_none())?,
            None => without(&target, before.as_deref(), false)?,
        };
        changes.push(Change { path: target.path, before, after, original: None });
    }
    Ok(Plan { host, act: Act::Uninstall, changes, project: places.project.clone() })
}

/// Does it. The copies of what was there come first, then the files, each whole or untouched.
pub fn apply(plan: &Plan, state: &Path) -> Result<Vec<PathBuf>, Error> {
    let shelf = Shelf::of(state, plan.host, plan.project.as_deref());
    let known = shelf.read()?;
    let copies = match plan.act {
        Act::Install => keep(plan, &shelf, known.as_ref())?,
        Act::Uninstall => Vec::new(),
    };
    for change in &plan.changes {
        write(change)?;
    }
    if let (Act::Uninstall, Some(known)) = (plan.act, known) {
        for kept in &known.files {
            remove_folders(&kept.made);
        }
        shelf.remove(&known)?;
    }
    Ok(copies)
}

/// Copies of the originals, and the record that names them.
fn keep(plan: &Plan, shelf: &Shelf, known: Option<&Record>) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut copies) = (Vec::new(), Vec::new());
    for (number, change) in plan.changes.iter().enumerate() {
        let before = change.original.as_ref().map(|bytes| (shelf.copy_name(number), bytes));
        if let Some((name, bytes)) = &before {
            record::write(&shelf.copy(name), bytes)?;
            copies.push(shelf.copy(name));
        }
        let made = known.and_then(|record| record.of(&change.path)).map(|kept| kept.made.clone());
        files.push(Kept {
            path: change.path.clone(),
            before: before.map(|(name, _)| name),
            after: Digest::of(change.after.as_deref().unwrap_or_default()).to_string(),
            made: made.unwrap_or_else(|| missing_folders(&change.path)),
        });
    }
    shelf.write(plan.host, files)?;
    Ok(copies)
}

fn write(change: &Change) -> Result<(), Error> {
    if record::read(&change.path)? != change.before {
        return Err(Error::Changed { path: change.path.clone() });
    }
    match (&change.after, change.kind()) {
        (_, Kind::Unchanged) => Ok(()),
        (Some(bytes), Kind::Created | Kind::Changed | Kind::Removed) => record::write(&change.path, bytes),
        (None, Kind::Created | Kind::Changed | Kind::Removed) => record::remove(&change.path),
    }
}

/// The folders on the way to a file that do not exist yet, the outermost first.
fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> =
        path.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Removes folders that were made for us, as far as they are empty.
fn remove_folders(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        match std::fs::remove_dir(folder) {
            Ok(()) | Err(_) => {}
        }
    }
}

fn put(target: &Target, old: &str) -> Result<String, Error> {
    match target.format {
        Format::Json => json::put(&target.path, old, &target.puts),
        Format::Toml => toml::put(&target.path, old, &target.puts),
    }
}

/// A file without what is ours. One that only we wrote to, and that holds nothing else, goes.
fn without(target: &Target, bytes: Option<&[u8]>, was_new: bool) -> Result<Option<Vec<u8>>, Error> {
    let Some(bytes) = bytes else { return Ok(None) };
    let old = text(&target.path, Some(bytes))?;
    let (new, bare) = match target.format {
        Format::Json => {
            let new = json::take(&target.path, &old, &target.puts)?;
            let bare = json::is_bare(&new, &target.puts);
            (new, bare)
        }
        Format::Toml => {
            let new = toml::take(&target.path, &old, &target.puts)?;
            let bare = new.trim().is_empty();
            (new, bare)
        }
    };
    Ok((!(was_new && bare)).then(|| new.into_bytes()))
}

fn original(shelf: &Shelf, kept: &Kept) -> Result<Option<Vec<u8>>, Error> {
    let Some(name) = &kept.before else { return Ok(None) };
    let path = shelf.copy(name);
    match record::read(&path)? {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(Error::Io { path, source: std::io::ErrorKind::NotFound.into() }),
    }
}

fn text(path: &Path, bytes: Option<&[u8]>) -> Result<String, Error> {
    let bytes = bytes.unwrap_or_default().to_vec();
    String::from_utf8(bytes).map_err(|error| Error::Unreadable {
        path: path.to_owned(),
        format: "text",
        what: error.to_string(),
    })
}
