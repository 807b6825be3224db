//! Keeping the index in step with the notes: bringing it up to date, making it again, and knowing when neither is needed.

use std::ops::ControlFlow;
use std::path::Path;

use mindfile_index::{Batch, Change, Index, SqliteIndex, VectorEngine};
use mindfile_model::Embedded;

use crate::derive::Vectors;
use crate::error::Error;
use crate::fingerprint::{self, Fingerprint};
use crate::memory::Memory;
use crate::reconcile::{self, OnProgress, Recipe, Report};
use crate::store::{self, Store};
use crate::workspace::{self, NotePath};

impl Memory {
    /// Brings the index up to date with the notes.
    pub fn sync(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        self.mending(|| self.sync_once(false, on_progress))
    }

    /// Brings the index up to date with single notes, after a write to them: the work does not depend on how many others
    /// there are.
    pub fn look(&self, paths: &[NotePath]) -> Result<Report, Error> {
        let workspace = self.workspace()?;
        let index = self.index()?;
        match self.known()? {
            Some(known) if known == self.fingerprint()? => {
                reconcile::look(&workspace, &*index, &self.recipe(false), paths)
            }
            Some(_) | None => self.sync(&mut |_| ControlFlow::Continue(())),
        }
    }

    /// Makes the index again from the notes, beside the one in use, and puts it in its place.
    pub fn rebuild(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        self.mending(|| self.rebuild_aside(on_progress))
    }

    /// Runs `work`; when the index turns out to be damaged, sets it aside and runs it again on an empty one.
    fn mending<T>(&self, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        match work() {
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                self.store.discard(&error, &*self.clock)?;
                work()
            }
            other => other,
        }
    }

    fn sync_once(&self, purge: bool, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        let workspace = self.workspace()?;
        let index = self.index()?;
        let wanted = match self.fingerprint() {
            // Words do not wait for a model that cannot be asked.
            Err(error @ Error::Model(_)) if self.is_of_this_workspace()? => {
                reconcile::run(&workspace, &*index, &self.recipe(purge), on_progress)?;
                return Err(error);
            }
            other => other?,
        };
        let known = index.snapshot()?.meta(fingerprint::KEY)?;
        match known.as_deref().and_then(Fingerprint::parse) {
            Some(known) if known == wanted => {}
            None if known.is_none() => self.set_fingerprint(&*index, &wanted)?,
            Some(_) | None => return self.rebuild_aside(on_progress),
        }
        let report = reconcile::run(&workspace, &*index, &self.recipe(purge), on_progress)?;
        self.embed_pending(&[&*index], on_progress)?;
        Ok(report)
    }

    fn rebuild_aside(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        let workspace = self.workspace()?;
        let index = self.index()?;
        let path = Store::rebuild_path(&index);
        let lock = Store::rebuild_lock(&index)?;
        let wanted = self.fingerprint()?;
        let aside = open_aside(&path, &wanted)?;
        self.set_fingerprint(&aside, &wanted)?;
        let report = reconcile::run(&workspace, &aside, &self.recipe(true), on_progress)?;
        self.embed_pending(&[&aside, &*index], on_progress)?;
        drop(aside);
        index.replace_with(&path)?;
        store::delete_database(&path)?;
        drop(lock);
        Ok(report)
    }

    pub(crate) fn fingerprint(&self) -> Result<Fingerprint, Error> {
        let tokens = Embedded::open().fingerprint();
        match &self.embedder {
            Some(embedder) => Fingerprint::of(&**embedder, tokens, &self.settings),
            None => Ok(Fingerprint::without_vectors(tokens, &self.settings)),
        }
    }

    fn set_fingerprint(&self, index: &dyn Index, wanted: &Fingerprint) -> Result<(), Error> {
        let change = Change::Meta { key: fingerprint::KEY.to_owned(), value: wanted.to_json()? };
        self.apply(index, vec![change])
    }

    pub(crate) fn apply(&self, index: &dyn Index, changes: Vec<Change>) -> Result<(), Error> {
        let now_ms = self.clock.now().as_millisecond();
        index.apply(&Batch { changes, model: self.model(), now_ms, only_at: None })?;
        Ok(())
    }

    fn recipe(&self, purge: bool) -> Recipe {
        Recipe {
            chunking: self.settings.chunking,
            vectors: if self.is_embedded() { Vectors::Now } else { Vectors::Later },
            model: self.model(),
            now: self.clock.now(),
            purge,
        }
    }

    /// Makes sure that a note saved a moment ago is found. A workspace that is away leaves the old index to answer, a
    /// model that cannot be asked leaves words.
    pub(crate) fn freshen(&self, degraded: &mut Vec<String>) -> Result<Option<String>, Error> {
        if !self.settings.sync.on_search {
            return Ok(None);
        }
        if self.is_settled() {
            return Ok(None);
        }
        match self.sync(&mut |_| ControlFlow::Continue(())) {
            Ok(report) if report.held > 0 => Ok(Some(format!(
                "{} notes vanished from the workspace at once and are still answered from the index",
                report.held
            ))),
            Ok(_) => Ok(None),
            Err(Error::Workspace(error @ workspace::Error::RootMissing { .. })) if self.has_notes()? => {
                Ok(Some(error.to_string()))
            }
            Err(Error::Model(error)) if self.is_of_this_workspace()? => {
                degraded.push(format!("meaning: {error}"));
                let unfinished =
                    self.fingerprint().ok().is_some_and(|wanted| self.known().ok() != Some(Some(wanted)));
                Ok(unfinished
                    .then(|| "the index could not be made again for the settings in force".to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    /// What the index was built with; none for one that was never filled.
    pub(crate) fn known(&self) -> Result<Option<Fingerprint>, Error> {
        let known = self.index()?.snapshot()?.meta(fingerprint::KEY)?;
        Ok(known.as_deref().and_then(Fingerprint::parse))
    }

    pub(crate) fn is_of_this_workspace(&self) -> Result<bool, Error> {
        Ok(self.known()?.is_none_or(|known| known.workspace == self.settings.workspace.to_string_lossy()))
    }

    /// Whether there is nothing to do. Trouble is left to `sync`, which reports or mends it.
    fn is_settled(&self) -> bool {
        let look = || -> Result<bool, Error> {
            let index = self.index()?;
            let snapshot = index.snapshot()?;
            let known = snapshot.meta(fingerprint::KEY)?;
            Ok(known.as_deref().and_then(Fingerprint::parse) == Some(self.fingerprint()?)
                && reconcile::is_settled(&self.workspace()?, &*snapshot)?
                && (self.embedder.is_none() || self.is_embedded() || snapshot.unembedded(1)?.is_empty()))
        };
        look().unwrap_or(false)
    }

    fn has_notes(&self) -> Result<bool, Error> {
        Ok(self.is_of_this_workspace()? && self.note_count()? > 0)
    }

    /// How many notes the index holds.
    pub fn note_count(&self) -> Result<u64, Error> {
        Ok(self.index()?.snapshot()?.stats()?.notes.iter().map(|(_, count)| count).sum())
    }
}

/// A rebuild that was interrupted goes on, unless it was made for other settings.
fn open_aside(path: &Path, wanted: &Fingerprint) -> Result<SqliteIndex, Error> {
    if let Ok(aside) = SqliteIndex::open(path, VectorEngine::Scan) {
        let known = aside.snapshot()?.meta(fingerprint::KEY)?;
        if known.as_deref().and_then(Fingerprint::parse).as_ref() == Some(wanted) {
            return Ok(aside);
        }
    }
    store::delete_database(path)?;
    Ok(SqliteIndex::open(path, VectorEngine::Scan)?)
}
