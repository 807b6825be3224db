//! Forgetting that cannot be finished at once, because somebody still reads or has a file open. A file beside the index
//! says so, from before the first change until nothing is left; the next sync goes on.

use mindfile_disk::durable;
use mindfile_index::PurgeOutcome;
use mindfile_trust::audit::{Act, What};
use mindfile_workspace::{PrivateForm, Settlement};
use serde::{Deserialize, Serialize};

use super::{Plan, choose, index, state};
use crate::audit::Record;
use crate::copies;
use crate::corpus::Corpus;
use crate::draft::Notes;
use crate::error::Error;
use crate::store;
use crate::wording;

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ForgettingFile {
    /// What was forgotten from then on is looked for again.
    at: i64,
    pending: Vec<String>,
    #[serde(skip_serializing_if = "Plan::is_empty")]
    plan: Plan,
}

/// Why something that was forgotten is still in a file; empty if nothing is.
pub fn forgetting(corpus: &Corpus) -> Vec<String> {
    let Some(note) = unfinished(corpus) else { return Vec::new() };
    if note.pending.is_empty() { vec![INTERRUPTED.to_owned()] } else { note.pending }
}

/// Writes down what is going to be done, with what an earlier forgetting did not finish.
pub(super) fn begin(corpus: &Corpus, plan: Plan) -> Result<Plan, Error> {
    let mut whole = unfinished(corpus).map(|note| note.plan).unwrap_or_default();
    whole.join(plan);
    note_pending(corpus, &[], &whole)?;
    Ok(whole)
}

/// Goes on with what an earlier forgetting could not finish. Somebody who writes now is not waited for.
pub(crate) fn go_on(corpus: &Corpus) -> Result<(), Error> {
    if unfinished(corpus).is_none() {
        return Ok(());
    }
    match Notes::open_now(corpus)? {
        Some(notes) => resume(&notes),
        None => Ok(()),
    }
}

/// The same for who has the turn.
pub(super) fn resume(notes: &Notes<'_>) -> Result<(), Error> {
    let corpus = notes.corpus();
    let Some(note) = unfinished(corpus) else { return Ok(()) };
    corpus.ledger.append_missing(&note.plan.items, &corpus.key)?;
    let choice = choose::choose_again(corpus, corpus.forgotten()?.since(note.at), &note.plan)?;
    let interrupted = !note.plan.is_empty();
    let mut plan = super::plan::plan(corpus, &choice)?;
    plan.join(note.plan);
    if interrupted || !choice.is_empty() {
        super::erase(notes, &choice, &plan, &mut choice.report(corpus.door))?;
    }
    if interrupted {
        state::drop_undo(corpus)?;
        corpus.audit(&Record { act: Act::Forget, what: What::Note, id: None, text: None });
    }
    finish(notes).map(drop)
}

/// What the note of a forgetting that is not finished says; none if there is none.
fn unfinished(corpus: &Corpus) -> Option<ForgettingFile> {
    let text = std::fs::read_to_string(state::beside(corpus, "forgetting")).ok()?;
    Some(serde_json::from_str(&text).unwrap_or_default())
}

/// Leaves nothing in the files of the index and of the workspace, or says what keeps it.
pub(super) fn finish(notes: &Notes<'_>) -> Result<Vec<String>, Error> {
    let corpus = notes.corpus();
    let mut pending = settle_leftovers(notes)?;
    pending.extend(purge_index(corpus)?);
    if let Some(spare) = index::made_spare(corpus) {
        pending.extend(purge_index(&spare)?);
    }
    pending.extend(copies::purge(corpus)?);
    pending.extend(locked_notes(corpus)?);
    let away = away(corpus)?;
    let left = if away.is_some() { unfinished(corpus).map(|note| note.plan) } else { None };
    pending.extend(away);
    if pending.is_empty() {
        state::remove(&state::beside(corpus, "forgetting"))?;
    } else {
        // All that can be done at once is done.
        note_pending(corpus, &pending, &left.unwrap_or_default())?;
    }
    Ok(pending)
}

/// The engine that could not be reached, and has all of it still. Where it is in use, what the built-in index keeps for
/// its place is made again when it is needed.
fn away(corpus: &Corpus) -> Result<Option<String>, Error> {
    if corpus.space().store.is_shared() {
        store::delete_database(&corpus.settings.index_path)?;
    }
    Ok(corpus
        .space()
        .store
        .instead()
        .map(|outage| format!("{} cannot be reached: {}", outage.engine, outage.reason)))
}

/// Private notes may say something of it, and wait for a passphrase.
fn locked_notes(corpus: &Corpus) -> Result<Option<String>, Error> {
    let notes = corpus.workspace()?.private_notes()?;
    let closed = notes.iter().filter(|note| note.kept != PrivateForm::Clear).count();
    let words = || format!("{} locked with a passphrase", wording::are(closed as u64, "private note"));
    Ok((closed > 0 && corpus.vault.is_locked()).then(words))
}

fn note_pending(corpus: &Corpus, pending: &[String], plan: &Plan) -> Result<(), Error> {
    let path = state::beside(corpus, "forgetting");
    let known = unfinished(corpus).map(|note| note.at);
    let at = known.into_iter().chain(plan.items.iter().map(|item| item.at_ms)).min();
    let at = at.unwrap_or_else(|| corpus.clock.now().as_millisecond());
    let note = ForgettingFile { at, pending: pending.to_vec(), plan: plan.clone() };
    let written = serde_json::to_vec(&note).map_err(std::io::Error::from);
    written.and_then(|bytes| durable::replace(&path, &bytes)).map_err(|source| Error::Io { path, source })
}

/// Files that replacements displaced: somebody may have one open.
fn settle_leftovers(notes: &Notes<'_>) -> Result<Vec<String>, Error> {
    let mut pending = Vec::new();
    for leftover in notes.workspace().scan()?.leftovers {
        match notes.settle(&leftover, i64::MAX)? {
            Settlement::Dropped => {}
            Settlement::Pending => pending.push(format!("another program has {} open", leftover.path())),
            Settlement::Restored(note) | Settlement::KeptAs(note) => {
                pending.push(format!("{note} was written to meanwhile, and is looked at again"));
            }
        }
    }
    Ok(pending)
}

fn purge_index(corpus: &Corpus) -> Result<Option<String>, Error> {
    let index = corpus.index()?;
    let Some(unfinished) = index.rebuild(false)? else {
        return Ok(Some("an index is being made again".to_owned()));
    };
    unfinished.discard()?;
    Ok(match index.purge()? {
        PurgeOutcome::Done => None,
        PurgeOutcome::Held(why) => Some(why),
    })
}

/// Said of a forgetting that died in the middle.
const INTERRUPTED: &str = "it was interrupted";
