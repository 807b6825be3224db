//! Private notes as they can be searched: decrypted into an index in memory, beside the one on the disk.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use mindfile_index::{
    Alias, Batch, Change, Index, ReferenceSnapshot, Snapshot, Source, StoredNote, ViewSnapshot,
};
use mindfile_note::hash::Digest;
use mindfile_workspace::{self as workspace, NOTE_LIMIT, NotePath, PrivateForm, PrivateNote, Workspace};

use crate::corpus::Corpus;
use crate::derive::{self, AlreadyEmbedded, DeriveOptions};
use crate::error::Error;
use crate::private_rows::{Closed, PrivateRows};
use crate::reconcile::{Recipe, file_stat};
use crate::viewer::Viewer;
use crate::wording;

impl Corpus {
    /// The private notes, to be put beside a snapshot of the index.
    pub(crate) fn private_rows(&self, index: &dyn Index) -> Result<Option<ReferenceSnapshot>, Error> {
        held(self, || Ok(index.snapshot()?.aliases()?))
    }

    /// A snapshot with the private notes, whoever asks: for what is written, and never shown.
    pub(crate) fn joined<'a>(
        &self,
        snapshot: Box<dyn Snapshot + 'a>,
    ) -> Result<Box<dyn Snapshot + 'a>, Error> {
        let held = held(self, || Ok(snapshot.aliases()?))?;
        Ok(match held {
            Some(held) => Box::new(ViewSnapshot::joined(snapshot, held)),
            None => snapshot,
        })
    }

    /// Lets these notes be read again, although their files are as they were: what is known of them has changed.
    pub(crate) fn look_again(&self, paths: &[NotePath]) {
        let mut rows = self.space().private_rows.lock().unwrap_or_else(PoisonError::into_inner);
        for path in paths {
            if let Some(stat) = rows.seen.get_mut(path.as_str()) {
                *stat = None;
            }
        }
    }

    /// Why private notes are missing from what was just answered to their owner.
    pub(crate) fn closed_to(&self, viewer: Viewer) -> Option<String> {
        let rows = self.space().private_rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.closed.as_ref().filter(|_| viewer.sees_private_notes()).map(Closed::words)
    }
}

/// The private notes as they are now; none where there are none, and then nobody asks what is declared elsewhere.
fn held(
    corpus: &Corpus,
    declared: impl FnOnce() -> Result<Vec<(String, Alias)>, Error>,
) -> Result<Option<ReferenceSnapshot>, Error> {
    let workspace = match corpus.workspace() {
        // The notes in the index answer on; those that were never written cannot.
        Err(Error::Workspace(workspace::Error::RootMissing { .. })) => return Ok(None),
        opened => opened?,
    };
    let notes = workspace.private_notes()?;
    let mut rows = corpus.space().private_rows.lock().unwrap_or_else(PoisonError::into_inner);
    if notes.is_empty() && rows.seen.is_empty() {
        rows.closed = None;
        return Ok(None);
    }
    follow(corpus, &mut rows, &workspace, &notes)?;
    rows.index.declare(declared()?);
    Ok(Some(rows.index.hold()))
}

/// Decrypts what changed, and forgets what is gone or cannot be opened any more.
fn follow(
    corpus: &Corpus,
    rows: &mut PrivateRows,
    workspace: &Workspace,
    notes: &[PrivateNote],
) -> Result<(), Error> {
    let mut standing = BTreeMap::new();
    let mut changes = Vec::new();
    let mut closed = corpus.vault.keys().err().map(|error| Closed { notes: 0, why: error.to_string() });
    let is_locked = closed.is_some();
    for note in notes {
        let path = note.path.as_str();
        let is_clear = note.kept == PrivateForm::Clear;
        if rows.seen.get(path) == Some(&Some(note.stat)) && (is_clear || !is_locked) {
            standing.insert(path.to_owned(), Some(note.stat));
            continue;
        }
        if is_locked && !is_clear {
            closed.iter_mut().for_each(|closed| closed.notes += 1);
            continue;
        }
        match decrypted(corpus, workspace, note) {
            Ok(change) => {
                standing.insert(path.to_owned(), Some(note.stat));
                changes.push(change);
            }
            Err(error) => {
                let why = wording::with_cause(&error);
                closed.get_or_insert(Closed { notes: 0, why }).notes += 1;
            }
        }
    }
    let gone = rows.seen.keys().filter(|path| !standing.contains_key(*path));
    changes.extend(gone.map(|path| Change::Remove { path: path.clone() }));
    if !changes.is_empty() {
        rows.index.apply(&Batch { changes, ..Batch::default() })?;
    }
    rows.seen = standing;
    rows.closed = closed.filter(|closed| closed.notes > 0);
    Ok(())
}

/// Vectors come from the model inside the program or not at all: no provider sees a private note.
fn decrypted(corpus: &Corpus, workspace: &Workspace, note: &PrivateNote) -> Result<Change, Error> {
    let read = workspace.read(&note.path, NOTE_LIMIT)?;
    let stored = StoredNote {
        path: note.path.to_string(),
        source: Source::Memory,
        hash: Digest::of(&read.bytes),
        stat: file_stat(&read.stat),
        racy: false,
    };
    let (recipe, judge) = (Recipe::of(corpus, false), corpus.judge()?);
    let making = DeriveOptions {
        chunking: &recipe.chunking,
        vectors: recipe.vectors,
        policy: &corpus.policy,
        judge: &judge,
    };
    Ok(Change::Put(derive::note(stored, &read.bytes, making, &AlreadyEmbedded::new())))
}
