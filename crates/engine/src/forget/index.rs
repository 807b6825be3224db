//! The index after something was forgotten: rows, words, vectors and the cache of vectors.

use std::collections::BTreeSet;

use mindfile_index::{Change, Doc, FactQuery, RowQuery, Snapshot, single};
use mindfile_note::hash::Digest;
use mindfile_workspace::transcripts::path_of;

use super::Plan;
use super::choose::Choice;
use crate::corpus::Corpus;
use crate::derive;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
use crate::transcripts;
use crate::transcripts::index::NewTurns;

/// What was embedded of the lines that go, as the cache names it.
pub(super) fn chunk_hashes(corpus: &Corpus, choice: &Choice) -> Result<BTreeSet<Digest>, Error> {
    let mut hashes = own_hashes(corpus, choice)?;
    if let Some(spare) = made_spare(corpus) {
        hashes.extend(own_hashes(&spare, choice)?);
    }
    Ok(hashes)
}

fn own_hashes(corpus: &Corpus, choice: &Choice) -> Result<BTreeSet<Digest>, Error> {
    let index = corpus.index()?;
    let snapshot: Box<dyn Snapshot + '_> = index.snapshot()?;
    let mut docs: BTreeSet<Doc> = BTreeSet::new();
    for line in &choice.lines {
        docs.extend(located(&*snapshot, &line.path, line.line)?);
    }
    for (message, _) in &choice.messages {
        docs.extend(located(&*snapshot, &path_of(&message.session), message.line)?);
    }
    let ids: Vec<&str> = choice.ids.iter().map(String::as_str).collect();
    docs.extend(single::list(&*snapshot, FactQuery::Ids(&ids))?);
    let docs: Vec<Doc> = docs.into_iter().collect();
    let hash = |context: &str, text: &str| Digest::of(derive::embedded_text(context, text).as_bytes());
    Ok(snapshot.chunks(&docs)?.iter().map(|chunk| hash(&chunk.context, &chunk.text)).collect())
}

/// Refuses whatever was made of texts that were read before, and makes the index agree with the files.
pub(super) fn forget_in_index(corpus: &Corpus, plan: &Plan) -> Result<(), Error> {
    let index = corpus.index()?;
    let (hashes, ids) = (plan.hashes.iter().copied().collect(), plan.ids.iter().cloned().collect());
    corpus.apply(&*index, vec![Change::Forget { hashes, ids }])?;
    let workspace = corpus.workspace()?;
    let paths = plan.paths.iter().map(|path| Ok(workspace.is_memory_path(path)?));
    let paths = paths.collect::<Result<Vec<_>, Error>>()?;
    ingest::run(corpus, Scope::Rejudged(&paths), Budget::Unlimited)?;
    if index.snapshot()?.meta(transcripts::index::OWNER)?.is_some() {
        plan.sessions().into_iter().try_for_each(|session| {
            let new = NewTurns::of(session);
            ingest::run(corpus, Scope::Session(&new), Budget::Unlimited).map(drop)
        })?;
    }
    match made_spare(corpus) {
        Some(spare) => forget_in_index(&spare, plan),
        None => Ok(()),
    }
}

/// The memory seen from its spare space, if that was ever needed.
pub(super) fn made_spare(corpus: &Corpus) -> Option<Corpus> {
    corpus.spare().filter(|spare| spare.space().index_path.exists())
}

/// The chunks of a note that hold a line.
fn located(snapshot: &dyn Snapshot, path: &str, line: u32) -> Result<impl Iterator<Item = Doc>, Error> {
    Ok(snapshot.rows_of(path, RowQuery::ChunksAt(line))?.into_iter().map(|row| row.doc))
}
