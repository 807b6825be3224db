//! Copies notes byte by byte, under their own name where it is free and valid in a memory, else below `memory/import/`.

use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;
use mindfile_note::text;

use super::ledger::ItemState;
use super::{Mode, Work};
use crate::Error;
use mindfile::draft::{self, Notes};
use mindfile_disk::tree::{self, below, has_extension};
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{self as workspace, LAYOUT, NotePath};

impl Work<'_> {
    /// An Obsidian vault, or any folder of Markdown.
    pub(super) fn vault(&mut self, root: &Path) -> Result<(), Error> {
        for path in markdown(root)? {
            self.note_file(root, &path, Naming::Apart)?;
        }
        Ok(())
    }

    /// A home of OpenClaw's, or a workspace.
    pub(super) fn openclaw(&mut self, root: &Path) -> Result<(), Error> {
        let inner = root.join("workspace");
        let notes = if inner.is_dir() { inner } else { root.to_owned() };
        let talks = root.join("agents");
        let is_workspace = LAYOUT.iter().any(|name| notes.join(name).exists());
        if !is_workspace && !talks.is_dir() {
            return Err(nothing(root, "neither a workspace nor agents/ is in it"));
        }
        let visible = |name: &str| !name.starts_with('.');
        for path in tree::files(&notes, &visible, &|path| has_extension(path, "md"))? {
            let takes = below(&notes, &path).is_some_and(|rest| self.workspace.is_memory_path(&rest).is_ok());
            if takes {
                self.note_file(&notes, &path, Naming::Same)?;
            }
        }
        if talks.is_dir() { self.openclaw_talks(&talks) } else { Ok(()) }
    }

    /// What the file says, where it could be read; else the report says why not.
    pub(super) fn note_file(
        &mut self,
        root: &Path,
        path: &Path,
        naming: Naming,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(rest) = below(root, path) else {
            self.report.bad(path, None, "its name is not UTF-8");
            return Ok(None);
        };
        let size = std::fs::metadata(path).map(|found| found.len()).unwrap_or(0);
        if size > NOTE_LIMIT {
            self.report.bad(path, None, "it is longer than 16 MiB");
            return Ok(None);
        }
        match std::fs::read(path) {
            Ok(bytes) => {
                self.note(path, &rest, &bytes, naming)?;
                Ok(Some(bytes))
            }
            Err(error) => {
                self.report.bad(path, None, error);
                Ok(None)
            }
        }
    }

    /// One note under the name that it had.
    pub(super) fn note(
        &mut self,
        from: &Path,
        rest: &str,
        bytes: &[u8],
        naming: Naming,
    ) -> Result<(), Error> {
        let kind = self.source.name;
        match self.ledger.knows(kind, rest, bytes) {
            ItemState::Same => {
                self.report.notes.known += 1;
                return Ok(());
            }
            ItemState::Other => {
                self.report.notes.kept += 1;
                self.report
                    .notices
                    .push(format!("{rest} was changed since it was taken over; what is here stays"));
                return Ok(());
            }
            ItemState::No => {}
        }
        if let Err(refused) = draft::refuse(self.memory, "the note", &text::decode(bytes)) {
            self.report.notes.refused += 1;
            self.report.bad(from, None, refused);
            return Ok(());
        }
        let apart = format!("memory/import/{kind}/{rest}");
        let wanted = match naming {
            Naming::Same => [Some(rest.to_owned()), Some(apart)],
            Naming::Apart => [Some(apart), None],
        };
        for target in wanted.into_iter().flatten() {
            let Ok(path) = self.workspace.is_memory_path(&target) else { continue };
            if draft::check_place(self.memory.door().origin(), self.memory.door(), &path).is_err() {
                continue;
            }
            match self.place(&path, bytes)? {
                Placement::New => return self.placed(rest, bytes, &path),
                Placement::Same => {
                    self.report.notes.known += 1;
                    return Ok(());
                }
                Placement::Taken => {}
            }
        }
        self.report.notes.kept += 1;
        self.report.notices.push(format!("{rest}: another note has its name, and stays"));
        Ok(())
    }

    fn place(&mut self, path: &NotePath, bytes: &[u8]) -> Result<Placement, Error> {
        match self.workspace.read(path, NOTE_LIMIT) {
            Ok(read) if read.bytes == bytes => return Ok(Placement::Same),
            Ok(_) => return Ok(Placement::Taken),
            Err(workspace::Error::Missing { .. }) if self.mode == Mode::Preview => return Ok(Placement::New),
            Err(workspace::Error::Missing { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let notes = Notes::with(self.memory, self.workspace.clone())?;
        let draft = notes.imported(path, "the note", &text::decode(bytes))?;
        self.report.notices.extend(draft.notices.iter().cloned());
        Ok(if draft.create(bytes)? { Placement::New } else { Placement::Taken })
    }

    fn placed(&mut self, rest: &str, bytes: &[u8], path: &NotePath) -> Result<(), Error> {
        self.report.notes.new += 1;
        self.report.show(path.as_str().to_owned());
        if self.mode == Mode::Write {
            let item = (rest.to_owned(), Digest::of(bytes), path.as_str().to_owned());
            self.ledger.note(self.source.name, &[item], self.memory.clock().now())?;
        }
        Ok(())
    }
}

/// What a note is called here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Same,
    Apart,
}

enum Placement {
    New,
    Same,
    Taken,
}

/// The Markdown files of a folder, of which there must be one.
pub(super) fn markdown(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let visible = |name: &str| !name.starts_with('.');
    let found = tree::files(root, &visible, &|path| has_extension(path, "md"))?;
    if found.is_empty() { Err(nothing(root, "no Markdown file is in it")) } else { Ok(found) }
}

pub(super) fn nothing(path: &Path, what: &'static str) -> Error {
    Error::Nothing { path: path.to_owned(), what }
}
