//! The workspace: a directory of Markdown that is the truth. This module is the only code that touches note files,
//! so that what must hold for each of them (no link followed, nothing outside opened, no byte of a person lost,
//! nothing acknowledged before it is on the disk) is decided in one place.
//!
//! Memory files are `MEMORY.md`, `memory.md`, `USER.md`, `memory/**/*.md`, `bank/**/*.md` and the `.md` files of the
//! extra paths the settings name. A directory is opened by its path at the start of each operation, and everything
//! after that happens beneath that descriptor.

mod append;
mod census;
mod confine;
mod error;
mod guard;
mod init;
mod key;
mod landed;
mod lines;
mod lock;
mod path;
mod preimage;
mod read;
mod remove;
mod replace;
mod scan;
mod sealed;
mod settle;
mod stamp;
mod walk;
mod writer;

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};

use mindfile_trust::place::is_private;
use mindfile_trust::policy::Policy;
use mindfile_trust::vault::Vault;

pub use append::{AppendOutcome, Ending};
pub use error::{Error, Refusal};
pub use guard::added;
pub use init::{NewWorkspace, init, init_folders};
pub use key::{key_fault, key_hint};
pub use lines::{Lines, Start};
pub use path::is_watched_name;
pub use path::{LAYOUT, NotePath};
pub use read::Bytes;
pub use replace::{Expect, Replacement};
pub use scan::{NoteFile, Reason, RootId, Scan, SkippedPath, Special};
pub use sealed::is_rest_of;
pub use sealed::{PrivateForm, PrivateNote};
pub use settle::{Leftover, Settlement, is_leftover_name};
pub use stamp::{Stamp, Stat};
pub use writer::Writer;

/// What is read of one note. The rest is left out, and said.
pub const NOTE_LIMIT: u64 = 16 << 20;

/// A further folder or file of notes that the settings name; relative paths start at the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extra {
    pub path: PathBuf,
    /// A glob over the path relative to the folder; `*` stops at `/`, `**` does not.
    pub pattern: Option<String>,
}

/// An open workspace: its root and its extra paths, made absolute by their spelling alone, so that the name of a note
/// does not depend on what is mounted or linked at the moment.
#[derive(Clone)]
pub struct Workspace {
    root: PathBuf,
    extras: Vec<ExtraRoot>,
    /// Asked before every write.
    guard: Option<Arc<Policy>>,
    /// What opens private notes.
    vault: Option<Arc<Vault>>,
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace")
            .field("root", &self.root)
            .field("extras", &self.extras)
            .finish_non_exhaustive()
    }
}

/// Where an extra path lives on the disk (`start` beneath `base`) and how its notes are called (`prefix`).
#[derive(Clone, Debug)]
struct ExtraRoot {
    base: PathBuf,
    start: String,
    prefix: String,
    pattern: Option<GlobMatcher>,
    /// The workspace's own path relative to the extra folder, when it lies in it: its notes have their own names.
    inner: Option<String>,
}

/// A place beneath a directory: what every open, read and write starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    base: PathBuf,
    rel: String,
}

impl Workspace {
    pub fn open(root: &Path, extra: &[Extra]) -> Result<Self, Error> {
        let root = absolute(root)?;
        confine::open_root(&root)?;
        let extras = extra.iter().map(|extra| ExtraRoot::new(&root, extra)).collect::<Result<_, _>>()?;
        Ok(Self { root, extras, guard: None, vault: None })
    }

    /// The same, where nothing is written that a policy forbids to store.
    #[must_use]
    pub fn guarded(mut self, policy: Arc<Policy>) -> Self {
        self.guard = Some(policy);
        self
    }

    /// The same with the key of its private notes.
    #[must_use]
    pub fn with_vault(self, vault: Arc<Vault>) -> Self {
        Self { vault: Some(vault), ..self }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The note that a file on the disk is; none if it is no memory file.
    pub fn note_at(&self, path: &Path) -> Option<NotePath> {
        self.is_memory_path(&shown(&self.root, &absolute(path).ok()?)?).ok()
    }

    /// The note that an entry of a folder is, both named as a scan names them; none if it is no memory file.
    pub fn note_in(&self, folder: &str, name: &str) -> Option<NotePath> {
        let shown = path::join(folder.strip_suffix('/').unwrap_or(folder), name);
        path::is_note_name(name).then(|| self.is_memory_path(&shown).ok()).flatten()
    }

    /// The folders and files in which a change may matter, for the watcher: the extra paths.
    pub fn extra_paths(&self) -> Vec<PathBuf> {
        self.extras.iter().map(|extra| extra.base.join(&extra.start)).collect()
    }
}

impl ExtraRoot {
    fn new(root: &Path, extra: &Extra) -> Result<Self, Error> {
        let path = absolute(&root.join(&extra.path))?;
        let unusable = || Error::ExtraPath { path: path.clone() };
        let pattern = extra.pattern.as_deref().map(glob).transpose()?;
        let prefix = shown(root, &path).ok_or_else(unusable)?;
        if let Ok(inside) = path.strip_prefix(root) {
            let start = slashed(inside).ok_or_else(unusable)?;
            return Ok(Self { base: root.to_owned(), start, prefix, pattern, inner: None });
        }
        let base = path.parent().ok_or_else(unusable)?.to_owned();
        let start = path.file_name().and_then(|name| name.to_str()).ok_or_else(unusable)?.to_owned();
        let inner = root.strip_prefix(&path).ok().and_then(slashed);
        Ok(Self { base, start, prefix, pattern, inner })
    }

    /// Whether the pattern takes the note at `rest`, a path relative to the extra folder.
    fn takes(&self, rest: &str) -> bool {
        let subject = if rest.is_empty() { path::name_of(&self.start) } else { rest };
        self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(subject))
    }
}

fn glob(pattern: &str) -> Result<GlobMatcher, Error> {
    let built = GlobBuilder::new(pattern).literal_separator(true).build();
    built
        .map(|glob| glob.compile_matcher())
        .map_err(|source| Error::Pattern { pattern: pattern.to_owned(), source })
}

/// `path` as notes beneath it are named: relative to the workspace (with `../` where it must climb), or absolute
/// where the two share nothing but `/`.
fn shown(root: &Path, path: &Path) -> Option<String> {
    let common = root.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    if common <= 1 {
        return path.to_str().map(str::to_owned);
    }
    let climbs = root.components().count() - common;
    let down: PathBuf = path.components().skip(common).collect();
    let up = std::iter::repeat_n("..", climbs);
    let down = slashed(&down)?;
    Some(up.chain((!down.is_empty()).then_some(down.as_str())).collect::<Vec<_>>().join("/"))
}

fn slashed(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

/// Absolute, without `.` and `..`, links not looked at.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let full = std::path::absolute(path).map_err(|source| Error::io("find", path.display(), source))?;
    let mut clean = PathBuf::new();
    for part in full.components() {
        match part {
            Component::ParentDir => {
                clean.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => clean.push(part),
        }
    }
    Ok(clean)
}
