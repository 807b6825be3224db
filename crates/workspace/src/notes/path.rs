//! The name of a note, and which names are memory files.

use std::fmt;
use std::path::PathBuf;

use super::{Error, ExtraRoot, Place, Refusal, Workspace};

/// The path of a note relative to the workspace, with `/`. A note of an extra path outside the workspace begins with
/// `../`, or with `/` where it shares nothing with the workspace but the root of the file system. The string finds the
/// same file again through [`Workspace::is_memory_path`], as long as the settings name the same extra paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NotePath(String);

impl NotePath {
    /// The persona: not a memory file, and never scanned or indexed, but read for the context of a session.
    pub fn persona() -> Self {
        Self(PERSONA.to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn new(path: String) -> Self {
        Self(path)
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for NotePath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

pub(super) const LONG_TERM: [&str; 3] = ["MEMORY.md", "memory.md", "USER.md"];
pub(super) const FOLDERS: [&str; 2] = ["memory", "bank"];
/// What tells a workspace from a plain folder of notes.
pub const LAYOUT: [&str; 6] = ["MEMORY.md", "memory.md", "USER.md", "SOUL.md", "memory", "bank"];
const PERSONA: &str = "SOUL.md";
/// What file systems take, in bytes: of one name, and of a path with room for the folder of the workspace.
const LONGEST_NAME: usize = 255;
const LONGEST_PATH: usize = 3 << 10;

impl Workspace {
    /// The note that `path` names, whether or not it exists; an error says why it cannot be a memory file.
    pub fn is_memory_path(&self, path: &str) -> Result<NotePath, Error> {
        let mut plain = path;
        while let Some(rest) = plain.strip_prefix("./") {
            plain = rest.trim_start_matches('/');
        }
        if let Some(private) = Self::private_path(plain) {
            plain_markdown(private.as_str())
                .map_err(|why| Error::NotMemory { path: path.to_owned(), why })?;
            return Ok(private);
        }
        match self.find(plain) {
            Ok(_) => Ok(NotePath(plain.to_owned())),
            Err(why) => Err(Error::NotMemory { path: path.to_owned(), why }),
        }
    }

    /// Where a note lives. A `NotePath` that an earlier configuration made may be none of ours any more.
    pub(super) fn place(&self, path: &NotePath) -> Result<Place, Error> {
        if path.0 == PERSONA {
            return Ok(self.in_root(PERSONA));
        }
        self.find(&path.0).map_err(|why| Error::NotMemory { path: path.0.clone(), why })
    }

    fn find(&self, path: &str) -> Result<Place, Refusal> {
        if let Some(found) = self.extras.iter().find_map(|extra| extra.find(path)) {
            return Ok(found);
        }
        if path.starts_with('/') {
            return Err(Refusal::Absolute);
        }
        plain_markdown(path)?;
        let folder = path.split_once('/').map(|(folder, _)| folder);
        let known = folder.map_or(LONG_TERM.contains(&path), |folder| FOLDERS.contains(&folder));
        if known { Ok(self.in_root(path)) } else { Err(Refusal::Elsewhere) }
    }

    /// The file that a note is.
    pub fn file(&self, path: &NotePath) -> Result<PathBuf, Error> {
        let place = self.place(path)?;
        Ok(place.base.join(place.rel))
    }

    /// Where the folder of notes called `folder` lives; the workspace itself is called "".
    pub(super) fn folder_place(&self, folder: &str, shown: &NotePath) -> Result<Place, Error> {
        let top = folder.split('/').next().unwrap_or(folder);
        if folder.is_empty() || FOLDERS.contains(&top) {
            return Ok(self.in_root(folder));
        }
        let extra = self.extras.iter().find_map(|extra| {
            let rest = if folder == extra.prefix { "" } else { extra.rest(folder)? };
            Some(Place { base: extra.base.clone(), rel: join(&extra.start, rest) })
        });
        extra.ok_or_else(|| Error::NotMemory { path: shown.to_string(), why: Refusal::Elsewhere })
    }

    fn in_root(&self, path: &str) -> Place {
        Place { base: self.root.clone(), rel: path.to_owned() }
    }
}

impl ExtraRoot {
    fn find(&self, path: &str) -> Option<Place> {
        let rest = if path == self.prefix { "" } else { self.rest(path)? };
        let rel = join(&self.start, rest);
        plain_markdown(if rest.is_empty() { name_of(&rel) } else { rest }).ok()?;
        let own = self.inner.as_deref().is_some_and(|inner| beneath(rest, inner));
        (!own && self.takes(rest)).then(|| Place { base: self.base.clone(), rel })
    }

    fn rest<'a>(&self, path: &'a str) -> Option<&'a str> {
        if self.prefix.is_empty() { Some(path) } else { path.strip_prefix(&self.prefix)?.strip_prefix('/') }
    }
}

/// Whether `path` is `folder` or lies in it.
pub(super) fn beneath(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(super) fn join(folder: &str, rest: &str) -> String {
    match (folder.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_owned(),
        (false, true) => folder.to_owned(),
        (false, false) => format!("{folder}/{rest}"),
    }
}

/// The last component.
pub(super) fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether an entry of the workspace's own folder, by its name, is a memory file or holds some.
pub fn is_watched_name(name: &str) -> bool {
    LONG_TERM.contains(&name) || FOLDERS.contains(&name)
}

/// All but the last component; empty for a file at the top.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A file that the scan would take by its name: Markdown, and not the lock, swap or backup file of an editor, all of
/// which are hidden or end otherwise (`.#x.md`, `.x.md.swp`, `x.md~`, `#x.md#`, `4913`, `x.md.tmp`).
pub(super) fn is_note_name(name: &str) -> bool {
    name.len() > 3 && name.ends_with(".md") && !name.starts_with('.')
}

fn plain_markdown(path: &str) -> Result<(), Refusal> {
    if path.len() > LONGEST_PATH || path.split('/').any(|part| part.len() > LONGEST_NAME) {
        return Err(Refusal::TooLong);
    }
    for part in path.split('/') {
        match part {
            ".." => return Err(Refusal::Climbs),
            "" | "." => return Err(Refusal::Elsewhere),
            hidden if hidden.starts_with('.') => return Err(Refusal::Hidden),
            _ => {}
        }
    }
    if path.contains('\0') {
        return Err(Refusal::Elsewhere);
    }
    if is_note_name(name_of(path)) { Ok(()) } else { Err(Refusal::NotMarkdown) }
}
