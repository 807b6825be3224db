//! One memory over all collections, so that their scores can be compared. The folder of the collections' own files stands
//! for its workspace: it has no notes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{BackendName, ExtraPath, Settings};
use mindfile::documents::{Document, Documents};
use mindfile::workspace::{Extra, Workspace};

use super::collection::{Collection, Collections};
use super::folders::Folders;
use crate::arguments::Globals;
use crate::environment;
use crate::failure::Failure;
use crate::output::Screen;

pub(super) struct Held {
    pub(super) memory: Memory,
    shelves: Vec<Shelf>,
    documents: PathBuf,
}

/// What belongs to one collection.
struct Shelf {
    name: String,
    root: PathBuf,
    workspace: Workspace,
}

impl Held {
    /// None where there is no collection.
    pub(super) fn open(all: &Collections, screen: &Screen) -> Result<Option<Self>, Failure> {
        let collections = all.all()?;
        if collections.is_empty() {
            return Ok(None);
        }
        let folders = &all.folders;
        let mut settings = environment::load(&Globals::default(), screen)?.settings;
        adapt(&mut settings, &collections, folders);
        make_room(&folders.documents)?;
        let shelves = collections.iter().map(|one| Shelf::open(one, &folders.collections));
        let shelves = shelves.collect::<Result<_, Failure>>()?;
        let memory = Memory::new(settings, Box::new(System));
        Ok(Some(Self { memory, shelves, documents: folders.documents.clone() }))
    }

    pub(super) fn has(&self, collection: &str) -> bool {
        self.shelves.iter().any(|shelf| shelf.name == collection)
    }

    /// The document that a note is, in the first of the `wanted` collections that it belongs to; none wanted means any.
    pub(super) fn document(&self, note: &str, wanted: &[&str]) -> Option<Document> {
        let mut shelves =
            self.shelves.iter().filter(|shelf| wanted.is_empty() || wanted.contains(&shelf.name.as_str()));
        shelves.find_map(|shelf| shelf.document(note))
    }

    /// Makes the list that hosts read be what is on the disk. False where they read QMD's own.
    pub(super) fn list_all(&self) -> Result<bool, Failure> {
        let files = self.memory.workspace()?.scan()?.files;
        let of_file =
            |path: &str| self.shelves.iter().filter_map(|shelf| shelf.document(path)).collect::<Vec<_>>();
        let all = files.iter().flat_map(|file| of_file(file.path.as_str())).collect();
        let Some(mut list) = open(&self.documents)? else { return Ok(false) };
        list.replace(&all).map_err(mindfile::Error::from)?;
        Ok(true)
    }

    /// Makes sure that hosts can look these up.
    pub(super) fn list(&self, found: &BTreeSet<Document>) -> Result<bool, Failure> {
        let Some(mut list) = open(&self.documents)? else { return Ok(false) };
        list.add(found).map_err(mindfile::Error::from)?;
        Ok(true)
    }
}

/// Takes a collection from the list that hosts read.
pub(super) fn unlist(collection: &str, folders: &Folders) -> Result<(), Failure> {
    if !folders.documents.exists() {
        return Ok(());
    }
    let Some(mut list) = open(&folders.documents)? else { return Ok(()) };
    let known = list.list().map_err(mindfile::Error::from)?;
    let kept = known.into_iter().filter(|document| document.collection != collection).collect();
    Ok(list.replace(&kept).map_err(mindfile::Error::from)?)
}

fn open(documents: &Path) -> Result<Option<Documents>, Failure> {
    Ok(Documents::open(documents).map_err(mindfile::Error::from)?)
}

/// The settings of the machine, but with the notes and the index that are meant here. A snippet's room does not depend
/// on how many others there are: the host cuts them.
fn adapt(settings: &mut Settings, collections: &[Collection], folders: &Folders) {
    settings.workspace.clone_from(&folders.collections);
    settings.index_path = folders.index();
    // The machine's engine may be QMD, and that is this program.
    settings.backend = BackendName::Builtin;
    settings.sources = vec![mindfile::Source::Memory];
    settings.sessions.enabled = false;
    settings.query.max_injected_chars = usize::MAX >> 1;
    settings.extra_paths = collections
        .iter()
        .flat_map(extras)
        .map(|extra| ExtraPath { path: extra.path, pattern: extra.pattern })
        .collect();
}

/// A list of patterns is their union.
fn extras(collection: &Collection) -> Vec<Extra> {
    let path = real(&collection.path);
    let pattern = |pattern: &str| Extra { path: path.clone(), pattern: Some(pattern.trim().to_owned()) };
    if collection.pattern.contains('{') {
        return vec![pattern(&collection.pattern)];
    }
    collection.pattern.split(',').map(pattern).collect()
}

/// A link on the way to a collection is the host's, and followed.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn make_room(documents: &Path) -> Result<(), Failure> {
    let Some(folder) = documents.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .map_err(|source| Failure::File { path: folder.display().to_string(), source })
}

impl Shelf {
    fn open(collection: &Collection, workspace: &Path) -> Result<Self, Failure> {
        let workspace = Workspace::open(workspace, &extras(collection))?;
        Ok(Self { name: collection.name.clone(), root: real(&collection.path), workspace })
    }

    fn document(&self, note: &str) -> Option<Document> {
        let note = self.workspace.is_memory_path(note).ok()?;
        let file = self.workspace.file(&note).ok()?;
        let path = file.strip_prefix(&self.root).ok()?.to_str()?.to_owned();
        Some(Document { collection: self.name.clone(), path })
    }
}
