//! Installs mindfile in a host, and uninstalls it. Every change is worked out before the first file is written. The
//! originals are kept, so that uninstalling restores the same bytes unless somebody changed the file since.

use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;

use super::entries::{self, Format, Insertion, Target};
use super::record::{self, FileRecord, Record, Shelf};
use super::{Host, Places, Program, git, json, toml, yaml};
use crate::Error;
use crate::diff;

/// What would be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    pub host: &'static Host,
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
    role: Role,
}

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The host's, with something of ours in it.
    Shared,
    /// Ours as a whole.
    Own,
    /// Of an earlier installation, and not of this one.
    Former,
}

mindfile_note::word_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        Created = "created",
        Changed = "changed",
        Removed = "removed",
        Unchanged = "unchanged",
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

    /// Line by line, for a person to look at. A file of our own is only named, unless somebody had changed it.
    pub fn diff(&self) -> String {
        if self.role != Role::Shared && (self.before.is_none() || self.after.is_none()) {
            let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
            let text = self.after.as_deref().or(self.before.as_deref()).unwrap_or_default();
            return format!("{} is {}, {} lines\n", self.path.display(), self.kind().as_str(), lines(text));
        }
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

    /// Whether a file has nothing of ours afterwards.
    fn gives_up(&self, path: &Path) -> bool {
        let is_former = |change: &Change| change.role == Role::Former && change.path == path;
        self.act == Act::Uninstall || self.changes.iter().any(is_former)
    }
}

/// What installing or uninstalling would do.
pub fn plan(
    act: Act,
    host: &'static Host,
    places: &Places,
    program: &Program,
    state: &Path,
) -> Result<Plan, Error> {
    let shelf = Shelf::of(state, host, places.project.as_deref());
    let known = shelf.read()?;
    let targets = entries::targets(host, places, program)?;
    let mut changes = former(&shelf, known.as_ref(), &targets)?;
    for target in targets {
        let before = record::read(&target.path)?;
        let bare = match known.as_ref().and_then(|record| record.of(&target.path)) {
            Some(kept) if kept.is_untouched(before.as_deref()) => original(&shelf, kept)?,
            None if act == Act::Install => before.clone(),
            kept => without(&target, before.as_deref(), kept, &shelf)?,
        };
        let (after, original) = match act {
            Act::Install => (Some(put(&target, before.as_deref())?), bare),
            Act::Uninstall => (bare, None),
        };
        let role = target.role();
        changes.push(Change { path: target.path, before, after, original, role });
    }
    Ok(Plan { host, act, changes, project: places.project.clone() })
}

/// Files that an earlier installation wrote and this one does not: they become what they were, if nobody changed them.
fn former(shelf: &Shelf, known: Option<&Record>, targets: &[Target]) -> Result<Vec<Change>, Error> {
    let mut changes = Vec::new();
    for kept in known.into_iter().flat_map(|record| &record.files) {
        let before = record::read(&kept.path)?;
        let stays = targets.iter().any(|target| target.path == kept.path);
        if !stays && kept.is_untouched(before.as_deref()) {
            let path = kept.path.clone();
            let after = original(shelf, kept)?;
            changes.push(Change { path, before, after, original: None, role: Role::Former });
        }
    }
    Ok(changes)
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
    let Some(known) = known else { return Ok(copies) };
    for kept in known.files.iter().filter(|kept| plan.gives_up(&kept.path)) {
        remove_folders(&kept.made);
    }
    if plan.act == Act::Uninstall {
        shelf.remove(&known)?;
    }
    Ok(copies)
}

/// Copies of the originals, and the record that names them.
fn keep(plan: &Plan, shelf: &Shelf, known: Option<&Record>) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut copies = Vec::new();
    let current = plan.changes.iter().filter(|change| change.role != Role::Former);
    for (number, change) in current.enumerate() {
        let before = change.original.as_ref().map(|bytes| (shelf.copy_name(number), bytes));
        if let Some((name, bytes)) = &before {
            record::write(&shelf.copy(name), bytes)?;
            copies.push(shelf.copy(name));
        }
        let made = known.and_then(|record| record.of(&change.path)).map(|kept| kept.made.clone());
        files.push(FileRecord {
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

impl Target {
    fn role(&self) -> Role {
        match self.format {
            Format::Json | Format::Toml | Format::Yaml | Format::GitConfig | Format::GitAttributes => {
                Role::Shared
            }
            Format::Whole(_) => Role::Own,
        }
    }
}

fn put(target: &Target, before: Option<&[u8]>) -> Result<Vec<u8>, Error> {
    let old = || text(&target.path, before);
    let new = match target.format {
        Format::Json => {
            let old = json::take(&target.path, &old()?, &target.instead, None)?;
            json::put(&target.path, &old, &target.puts)?
        }
        Format::Toml => toml::put(&target.path, &old()?, &target.puts)?,
        Format::Yaml => yaml::put(&target.path, &old()?, &target.puts)?,
        Format::GitConfig => git::put_section(&old()?, &target.puts),
        Format::GitAttributes => git::put_lines(&old()?, &target.puts),
        Format::Whole(text) => text.to_owned(),
    };
    Ok(new.into_bytes())
}

/// A file without what is ours. One that only we wrote to, and that holds nothing else, goes; so does one that is ours as
/// a whole.
fn without(
    target: &Target,
    bytes: Option<&[u8]>,
    kept: Option<&FileRecord>,
    shelf: &Shelf,
) -> Result<Option<Vec<u8>>, Error> {
    let Some(bytes) = bytes else { return Ok(None) };
    let was = kept.map(|kept| original(shelf, kept)).transpose()?.flatten();
    let was_new = kept.is_some_and(|kept| kept.before.is_none());
    let (new, bare) = match target.format {
        Format::Json => {
            let old = text(&target.path, Some(bytes))?;
            let was = text(&target.path, was.as_deref())?;
            let puts: Vec<Insertion> = target.puts.iter().chain(&target.instead).cloned().collect();
            let new = json::take(&target.path, &old, &puts, Some(&was))?;
            let bare = json::is_bare(&new, &puts);
            (new, bare)
        }
        Format::Toml => bare_text(toml::take(&target.path, &text(&target.path, Some(bytes))?, &target.puts)?),
        Format::Yaml => bare_text(yaml::take(&target.path, &text(&target.path, Some(bytes))?, &target.puts)?),
        Format::GitConfig => bare_text(git::take_section(&text(&target.path, Some(bytes))?, &target.puts)),
        Format::GitAttributes => bare_text(git::take_lines(&text(&target.path, Some(bytes))?, &target.puts)),
        Format::Whole(ours) if kept.is_some() || bytes == ours.as_bytes() => return Ok(was),
        Format::Whole(_) => return Ok(Some(bytes.to_owned())),
    };
    Ok((!(was_new && bare)).then(|| new.into_bytes()))
}

/// A text, and whether it says nothing.
fn bare_text(text: String) -> (String, bool) {
    let bare = text.trim().is_empty();
    (text, bare)
}

fn original(shelf: &Shelf, kept: &FileRecord) -> Result<Option<Vec<u8>>, Error> {
    let Some(name) = &kept.before else { return Ok(None) };
    let path = shelf.copy(name);
    Ok(Some(std::fs::read(&path).map_err(mindfile_disk::Error::at(&path))?))
}

fn text(path: &Path, bytes: Option<&[u8]>) -> Result<String, Error> {
    let bytes = bytes.unwrap_or_default().to_vec();
    String::from_utf8(bytes).map_err(|error| Error::Unreadable {
        path: path.to_owned(),
        format: "text",
        what: error.to_string(),
    })
}
