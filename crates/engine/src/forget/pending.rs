//! Forgetting that cannot be finished at once, because somebody still reads or has a file open. A file beside the index
//! says so, from before the first change until nothing is left; the next sync goes on.

use mindfile_index::Purged;
use serde::{Deserialize, Serialize};

use super::Plan;
use crate::audit::{Act, Record, What};
use crate::corpus::Corpus;
use crate::durable;
use crate::error::Error;
use crate::store;
use crate::wording;
use crate::workspace::{PrivateKept, Settled};

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Note {
    /// What was forgotten from then on is looked for again.
    at: i64,
    pending: Vec<String>,
    #[serde(skip_serializing_if = "Plan::is_empty")]
    plan: Plan,
}

impl Corpus {
    /// Why something that was forgotten is still in a file; empty if nothing is.
    pub fn forgetting(&self) -> Vec<String> {
        let Some(note) = self.unfinished() else { return Vec::new() };
        if note.pending.is_empty() { vec![INTERRUPTED.to_owned()] } else { note.pending }
    }

    /// Writes down what is going to be done, with what an earlier forgetting did not finish.
    pub(super) fn begin_forgetting(&self, plan: Plan) -> Result<Plan, Error> {
        let mut whole = self.unfinished().map(|note| note.plan).unwrap_or_default();
        whole.join(plan);
        self.note_pending(&[], &whole)?;
        Ok(whole)
    }

    /// Goes on with what an earlier forgetting could not finish. Somebody who writes now is not waited for.
    pub(crate) fn go_on_forgetting(&self) -> Result<(), Error> {
        if self.unfinished().is_none() {
            return Ok(());
        }
        match self.try_turn()? {
            Some(_turn) => self.resume_forgetting(),
            None => Ok(()),
        }
    }

    /// The same for who has the turn.
    pub(super) fn resume_forgetting(&self) -> Result<(), Error> {
        let Some(note) = self.unfinished() else { return Ok(()) };
        self.ledger.append_missing(&note.plan.items, &self.key)?;
        let choice = self.choose_again(self.forgotten()?.since(note.at), &note.plan)?;
        let interrupted = !note.plan.is_empty();
        let mut plan = self.plan(&choice)?;
        plan.join(note.plan);
        if interrupted || !choice.is_empty() {
            self.erase(&choice, &plan, &mut choice.report(self.door))?;
        }
        if interrupted {
            self.drop_undo()?;
            self.audit(&Record { act: Act::Forget, what: What::Note, id: None, text: None });
        }
        self.finish_forgetting().map(drop)
    }

    /// What the note of a forgetting that is not finished says; none if there is none.
    fn unfinished(&self) -> Option<Note> {
        let text = std::fs::read_to_string(self.beside("forgetting")).ok()?;
        Some(serde_json::from_str(&text).unwrap_or_default())
    }

    /// Leaves nothing in the files of the index and of the workspace, or says what keeps it.
    pub(super) fn finish_forgetting(&self) -> Result<Vec<String>, Error> {
        let mut pending = self.settle_leftovers()?;
        pending.extend(self.purge_index()?);
        if let Some(other) = self.made_other() {
            pending.extend(other.purge_index()?);
        }
        pending.extend(self.purge_qmd()?);
        pending.extend(self.locked_notes()?);
        let away = self.away()?;
        let left = if away.is_some() { self.unfinished().map(|note| note.plan) } else { None };
        pending.extend(away);
        if pending.is_empty() {
            super::state::remove(&self.beside("forgetting"))?;
        } else {
            // All that can be done at once is done.
            self.note_pending(&pending, &left.unwrap_or_default())?;
        }
        Ok(pending)
    }

    /// The engine that could not be reached, and has all of it still. Where it is in use, what the built-in index keeps for
    /// its place is made again when it is needed.
    fn away(&self) -> Result<Option<String>, Error> {
        if self.store.is_shared() {
            store::delete_database(&self.settings.index_path)?;
        }
        Ok(self
            .store
            .instead()
            .map(|outage| format!("{} cannot be reached: {}", outage.engine, outage.reason)))
    }

    /// Private notes may say something of it, and wait for a passphrase.
    fn locked_notes(&self) -> Result<Option<String>, Error> {
        let notes = self.workspace()?.private_notes()?;
        let closed = notes.iter().filter(|note| note.kept != PrivateKept::Clear).count();
        let words = || format!("{} locked with a passphrase", wording::are(closed as u64, "private note"));
        Ok((closed > 0 && self.vault.is_locked()).then(words))
    }

    fn note_pending(&self, pending: &[String], plan: &Plan) -> Result<(), Error> {
        let path = self.beside("forgetting");
        let known = self.unfinished().map(|note| note.at);
        let at = known.into_iter().chain(plan.items.iter().map(|item| item.at_ms)).min();
        let at = at.unwrap_or_else(|| self.clock.now().as_millisecond());
        let note = Note { at, pending: pending.to_vec(), plan: plan.clone() };
        let written = serde_json::to_vec(&note).map_err(std::io::Error::from);
        written.and_then(|bytes| durable::replace(&path, &bytes)).map_err(|source| Error::Io { path, source })
    }

    /// Files that replacements displaced: somebody may have one open.
    fn settle_leftovers(&self) -> Result<Vec<String>, Error> {
        let workspace = self.workspace()?;
        let mut pending = Vec::new();
        for leftover in workspace.scan()?.leftovers {
            match workspace.settle(&leftover, i64::MAX)? {
                Settled::Dropped => {}
                Settled::Pending => pending.push(format!("another program has {} open", leftover.path())),
                Settled::Restored(note) | Settled::KeptAs(note) => {
                    pending.push(format!("{note} was written to meanwhile, and is looked at again"));
                }
            }
        }
        Ok(pending)
    }

    fn purge_index(&self) -> Result<Option<String>, Error> {
        let index = self.index()?;
        let Some(unfinished) = index.rebuild(false)? else {
            return Ok(Some("an index is being made again".to_owned()));
        };
        unfinished.discard()?;
        Ok(match index.purge()? {
            Purged::Done => None,
            Purged::Held(why) => Some(why),
        })
    }
}

/// Said of a forgetting that died in the middle.
const INTERRUPTED: &str = "it was interrupted";
