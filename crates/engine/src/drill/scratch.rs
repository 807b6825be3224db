//! A copy of the notes in a folder of its own, with a state directory of its own, that is gone when the drill is over.
//! Private notes stay where they are, and no provider is asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::plant::MASK;
use crate::clock::Clock;
use crate::config::{BackendName, Maker, Settings};
use crate::error::Error;
use crate::memory::Memory;
use crate::origin::Door;
use crate::policy::{By, Class, Pattern, Rule};
use crate::reconcile::NOTE_LIMIT;
use crate::{durable, workspace};

/// More than any file of notes has: what is cut from a context is not kept from it.
const ROOM: usize = 1 << 30;

pub(super) struct Scratch {
    dir: TempDir,
    settings: Settings,
    clock: Arc<dyn Clock>,
    pace: Arc<dyn mindfile_model::provider::Pace>,
    pub(super) notes: usize,
    pub(super) sample: bool,
}

impl Scratch {
    pub(super) fn of(memory: &Memory, sample: &[(&str, &str)]) -> Result<Self, Error> {
        let io = |source| Error::Io { path: PathBuf::from("a temporary folder"), source };
        let dir = tempfile::tempdir().map_err(io)?;
        let (clock, pace) = (Arc::clone(&memory.clock), Arc::clone(&memory.pace));
        let settings = settings(&memory.settings, dir.path());
        let mut scratch = Self { dir, settings, clock, pace, notes: 0, sample: false };
        scratch.copy(memory)?;
        if scratch.notes == 0 {
            scratch.sample = true;
            for (path, text) in sample {
                scratch.write(path, text.as_bytes())?;
                scratch.notes += 1;
            }
        }
        Ok(scratch)
    }

    fn copy(&mut self, memory: &Memory) -> Result<(), Error> {
        let workspace = match memory.workspace() {
            Err(Error::Workspace(workspace::Error::RootMissing { .. })) => return Ok(()),
            opened => opened?,
        };
        for found in workspace.scan()?.files {
            let path = found.path.as_str();
            if !path.starts_with("../") && !path.starts_with('/') {
                self.write(path, &workspace.read(&found.path, NOTE_LIMIT)?.bytes)?;
                self.notes += 1;
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.settings.workspace.join(path);
        let io = |source| Error::Io { path: path.clone(), source };
        durable::make_folders(path.parent().unwrap_or(&path)).map_err(io)?;
        durable::replace(&path, bytes).map_err(io)
    }

    pub(super) fn folder(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn workspace(&self) -> &Path {
        &self.settings.workspace
    }

    /// The copy through a door.
    pub(super) fn memory(&self, door: Door) -> Memory {
        let (clock, pace) = (Arc::clone(&self.clock), Arc::clone(&self.pace));
        Memory::with_pace(self.settings.clone(), clock, pace).through(door)
    }

    /// The canary with this word is masked.
    pub(super) fn mask(&mut self, word: &str) -> Result<(), Error> {
        let pattern = Pattern::new(word).map_err(|what| Error::Bug { what })?;
        let rule = Rule { name: MASK.to_owned(), class: Class::Masked, by: By::Pattern(pattern) };
        self.settings.policy.own.push(rule);
        Ok(())
    }
}

/// The same settings over the copy.
fn settings(of: &Settings, folder: &Path) -> Settings {
    let mut settings = of.clone();
    settings.workspace = folder.join("workspace");
    settings.state_dir = folder.join("state");
    settings.index_path = settings.state_dir.join("memory").join("drill.sqlite");
    settings.backend = BackendName::Builtin;
    settings.qmd.home = settings.state_dir.join("qmd");
    settings.qmd.sessions.folder = settings.qmd.home.join("sessions");
    settings.encryption.key_file = settings.state_dir.join("private.key");
    settings.encryption.key_command = None;
    settings.extra_paths.clear();
    settings.embedding.fallback = None;
    settings.embedding.primary = Maker::Embedded;
    settings.enabled = true;
    settings.sync.on_search = true;
    (settings.bootstrap.max_chars, settings.bootstrap.total_max_chars) = (ROOM, ROOM);
    settings
}
