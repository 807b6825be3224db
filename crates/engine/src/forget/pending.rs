//! Forgetting that cannot be finished at once, because somebody still reads or has a file open. A file beside the index
//! says so, from before the first change until nothing is left; the next sync goes on.

use mindfile_index::Purged;
use serde_json::{Value, json};

use crate::durable;
use crate::error::Error;
use crate::memory::Memory;
use crate::status::words;
use crate::store::{self, Store};
use crate::workspace::{PrivateKept, Settled};

impl Memory {
    /// Why something that was forgotten is still in a file; empty if nothing is.
    pub fn forgetting(&self) -> Vec<String> {
        let Ok(text) = std::fs::read_to_string(self.beside("forgetting")) else { return Vec::new() };
        let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        let reasons = value["pending"].as_array().into_iter().flatten();
        let reasons: Vec<String> = reasons.filter_map(|why| why.as_str().map(str::to_owned)).collect();
        if reasons.is_empty() { vec![INTERRUPTED.to_owned()] } else { reasons }
    }

    pub(super) fn begin_forgetting(&self) -> Result<(), Error> {
        self.note_pending(&[])
    }

    /// Goes on with what an earlier forgetting could not finish. Somebody who writes now is not waited for.
    pub(crate) fn go_on_forgetting(&self) -> Result<(), Error> {
        let Some(at) = self.pending_since() else { return Ok(()) };
        let Some(turn) = self.try_turn()? else { return Ok(()) };
        let choice = self.choose_again(self.forgotten()?.since(at))?;
        let mut done = choice.report(self.door);
        if !choice.is_empty() {
            self.erase(&choice, &mut done)?;
        }
        self.finish_forgetting()?;
        drop(turn);
        Ok(())
    }

    /// When the forgetting began that is not finished.
    fn pending_since(&self) -> Option<i64> {
        let text = std::fs::read_to_string(self.beside("forgetting")).ok()?;
        let value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
        Some(value["at"].as_i64().unwrap_or(0))
    }

    /// Leaves nothing in the files of the index and of the workspace, or says what keeps it.
    pub(super) fn finish_forgetting(&self) -> Result<Vec<String>, Error> {
        let mut pending = self.settle_leftovers()?;
        pending.extend(self.purge_index()?);
        if let Some(other) = self.made_other() {
            pending.extend(other.purge_index()?);
        }
        pending.extend(self.locked_notes()?);
        if pending.is_empty() {
            super::state::remove(&self.beside("forgetting"))?;
        } else {
            self.note_pending(&pending)?;
        }
        Ok(pending)
    }

    /// Private notes may say something of it, and wait for a passphrase.
    fn locked_notes(&self) -> Result<Option<String>, Error> {
        let notes = self.workspace()?.private_notes()?;
        let closed = notes.iter().filter(|note| note.kept != PrivateKept::Clear).count();
        let words = || format!("{} locked with a passphrase", words::are(closed as u64, "private note"));
        Ok((closed > 0 && self.vault.is_locked()).then(words))
    }

    fn note_pending(&self, pending: &[String]) -> Result<(), Error> {
        let path = self.beside("forgetting");
        let at = self.pending_since().unwrap_or_else(|| self.clock.now().as_millisecond());
        let value = json!({"at": at, "pending": pending});
        durable::replace(&path, value.to_string().as_bytes()).map_err(|source| Error::Io { path, source })
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
        let Some(lock) = Store::rebuild_lock(&index, false)? else {
            return Ok(Some("an index is being made again".to_owned()));
        };
        store::delete_database(&Store::rebuild_path(&index))?;
        drop(lock);
        Ok(match index.purge()? {
            Purged::Done => None,
            Purged::Held => Some(format!("a reader holds the log of {}", index.path().display())),
        })
    }
}

/// Said of a forgetting that died in the middle.
const INTERRUPTED: &str = "it was interrupted";
