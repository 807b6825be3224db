//! What stood in the files before the last reflection, kept in the state directory until the next one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mindfile_disk::durable;
use mindfile_workspace::Workspace;
use serde::{Deserialize, Serialize};

use super::edit::{FileEdit, read, torn};
use super::section;
use crate::error::Error;

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct UndoManifest {
    version: u32,
    at_ms: i64,
    files: Vec<KeptFile>,
}

#[derive(Serialize, Deserialize)]
struct KeptFile {
    path: String,
    /// Names of files beside the manifest; none where there was no such note.
    before: Option<String>,
    after: Option<String>,
}

/// The folder of one agent's undo.
pub(super) struct Undo {
    folder: PathBuf,
}

impl Undo {
    pub(super) fn new(state: &Path, agent: &str) -> Self {
        Self { folder: state.join("memory").join(format!("{agent}.reflect")) }
    }

    /// Keeps both sides of every edit. The manifest comes last: until then the earlier one, which is returned, holds.
    pub(super) fn keep(&self, edits: &[FileEdit], at_ms: i64) -> Result<Option<Vec<u8>>, Error> {
        let mut files = Vec::with_capacity(edits.len());
        for (number, edit) in edits.iter().enumerate() {
            let before = self.put(edit.before.as_deref(), &format!("{at_ms}-{number}.before"))?;
            let after = self.put(edit.after.as_deref(), &format!("{at_ms}-{number}.after"))?;
            files.push(KeptFile { path: edit.path.clone(), before, after });
        }
        let manifest = serde_json::to_vec_pretty(&UndoManifest { version: VERSION, at_ms, files });
        let manifest = manifest.map_err(|error| self.error(io::Error::other(error)))?;
        let earlier = fs::read(self.manifest()).ok();
        durable::replace(&self.manifest(), &manifest).map_err(|source| self.error(source))?;
        Ok(earlier)
    }

    /// The edits were not made after all: what could be undone before can be undone again.
    pub(super) fn give_back(&self, earlier: Option<&[u8]>) -> Result<(), Error> {
        let given = match earlier {
            Some(manifest) => durable::replace(&self.manifest(), manifest),
            None => fs::remove_file(self.manifest()),
        };
        given.map_err(|source| self.error(source))
    }

    fn put(&self, bytes: Option<&[u8]>, name: &str) -> Result<Option<String>, Error> {
        let Some(bytes) = bytes else { return Ok(None) };
        durable::replace(&self.folder.join(name), bytes).map_err(|source| self.error(source))?;
        Ok(Some(name.to_owned()))
    }

    /// The edits that bring the last state back, as the files are now. A section that was changed by hand since is not
    /// overwritten; what was changed outside it stays.
    pub(super) fn edits(&self, workspace: &Workspace) -> Result<Vec<FileEdit>, Error> {
        let manifest = match fs::read(self.manifest()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(super::Error::NothingToUndo.into());
            }
            found => found.map_err(|source| self.error(source))?,
        };
        let manifest: UndoManifest =
            serde_json::from_slice(&manifest).map_err(|error| self.error(io::Error::other(error)))?;
        if manifest.version != VERSION {
            return Err(super::Error::NothingToUndo.into());
        }
        manifest.files.iter().map(|kept| self.edit(kept, workspace)).collect()
    }

    fn edit(&self, kept: &KeptFile, workspace: &Workspace) -> Result<FileEdit, Error> {
        let (before, after) = (self.get(kept.before.as_deref())?, self.get(kept.after.as_deref())?);
        let current = read(workspace, &workspace.is_memory_path(&kept.path)?)?;
        if current == after {
            return Ok(FileEdit { path: kept.path.clone(), before: current, after: before });
        }
        let changed = || super::Error::ChangedSince { path: kept.path.clone() }.into();
        let (current, after) = (current.ok_or_else(changed)?, after.ok_or_else(changed)?);
        let part = |bytes: &[u8]| section::lines(bytes).map_err(torn(&kept.path));
        if part(&current)? != part(&after)? {
            return Err(changed());
        }
        let restored =
            section::transplant(&before.unwrap_or_default(), &current).map_err(torn(&kept.path))?;
        Ok(FileEdit { path: kept.path.clone(), before: Some(current), after: Some(restored) })
    }

    fn get(&self, name: Option<&str>) -> Result<Option<Vec<u8>>, Error> {
        let read = |name| fs::read(self.folder.join(name)).map_err(|source| self.error(source));
        name.map(read).transpose()
    }

    /// After an undo there is nothing more to undo.
    pub(super) fn forget(&self) -> Result<(), Error> {
        fs::remove_file(self.manifest()).map_err(|source| self.error(source))?;
        self.sweep(None);
        Ok(())
    }

    /// Removes what no manifest names. What cannot be removed is tried again the next time.
    pub(super) fn sweep(&self, at_ms: Option<i64>) {
        let keep = at_ms.map(|at| format!("{at}-"));
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let ours = name.ends_with(".before") || name.ends_with(".after");
            let named = keep.as_ref().is_some_and(|keep| name.starts_with(keep.as_str()));
            if ours && !named {
                match fs::remove_file(entry.path()) {
                    Ok(()) | Err(_) => {}
                }
            }
        }
    }

    fn manifest(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Io { path: self.folder.clone(), source }
    }
}
