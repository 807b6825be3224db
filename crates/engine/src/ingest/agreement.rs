//! Making an index agree with the notes: by what changed since it last did, where a watch tells, else by a walk.

use std::sync::Arc;

use mindfile_index::{Index, Snapshot};
use mindfile_workspace::{NotePath, Workspace};

use super::neighbour;
use crate::agreement::MADE;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::lookout::{Blind, Sight};
use crate::reconcile::{self, Recipe};
use crate::report::{OnProgress, Report};

/// More changed notes are found by a walk, which knows renamed ones and does not take a disk that went for a deletion.
const FEW: usize = 64;

/// Whether the index agrees with the notes; they are walked where no watch tells.
pub(super) fn holds(corpus: &Corpus, snapshot: &dyn Snapshot) -> Result<bool, Error> {
    let workspace = corpus.workspace()?;
    let made = snapshot.meta(MADE)?;
    let sight = look(corpus, &workspace, made.as_deref());
    if let Some(Sight { changed: Some(changed), .. }) = &sight {
        return Ok(changed.is_empty());
    }
    let is_unwatched = corpus.lookout.blind() == Some(Blind::Unwatched) && !corpus.space().store.is_shared();
    if is_unwatched && made.as_deref().is_some_and(|made| neighbour::says(corpus, made)) {
        return Ok(true);
    }
    let holds = reconcile::is_settled(&workspace, snapshot)?;
    if let Some(sight) = sight.filter(|_| holds) {
        corpus.space().agreed.set(made, sight.at);
    }
    Ok(holds)
}

/// The index that is known to agree with the notes, without a walk.
pub(super) fn reached(corpus: &Corpus) -> Result<Option<Arc<str>>, Error> {
    let made = corpus.index()?.meta(MADE)?;
    let sight = look(corpus, &corpus.workspace()?, made.as_deref());
    Ok(made.filter(|_| sight.and_then(|sight| sight.changed).is_some_and(|changed| changed.is_empty())))
}

/// Makes the index agree with the notes.
pub(super) fn reach(
    corpus: &Corpus,
    workspace: &Workspace,
    index: &dyn Index,
    walks: bool,
    on_progress: &mut OnProgress<'_>,
) -> Result<Report, Error> {
    let recipe = Recipe::of(corpus, false);
    let made = index.meta(MADE)?;
    let sight = look(corpus, workspace, made.as_deref());
    let changed = sight.as_ref().and_then(|sight| sight.changed.as_deref());
    let report = match changed.filter(|changed| !walks && are_there(workspace, changed)) {
        Some(changed) => reconcile::notes(workspace, index, &recipe, changed)?,
        None => reconcile::run(workspace, index, &recipe, on_progress)?,
    };
    if let Some(sight) = sight.filter(|_| report.held == 0 && report.problems.is_empty()) {
        corpus.space().agreed.set(made, sight.at);
    }
    Ok(report)
}

/// An index that several hosts write to agrees with none of them alone.
fn look(corpus: &Corpus, workspace: &Workspace, made: Option<&str>) -> Option<Sight> {
    let space = corpus.space();
    if space.store.is_shared() { None } else { corpus.lookout.look(workspace, space.agreed.of(made)) }
}

fn are_there(workspace: &Workspace, notes: &[NotePath]) -> bool {
    let is_file = |note: &NotePath| {
        workspace.root().join(note.as_str()).symlink_metadata().is_ok_and(|found| found.is_file())
    };
    notes.len() <= FEW && notes.iter().all(is_file)
}
