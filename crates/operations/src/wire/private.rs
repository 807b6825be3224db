//! `encrypt --json`, `decrypt --json` and `rekey --json`

use mindfile::private::{Moved, Rekeyed};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct MovedNotes {
    ok: bool,
    notes: Vec<Note>,
    notices: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Note {
    from: String,
    to: String,
}

impl MovedNotes {
    pub fn new(moved: &Moved) -> Self {
        let note = |(from, to): &(String, String)| Note { from: from.clone(), to: to.clone() };
        Self { ok: true, notes: moved.notes.iter().map(note).collect(), notices: moved.notices.clone() }
    }
}

#[derive(Debug, Serialize)]
pub struct NewKey {
    ok: bool,
    notes: usize,
    recipient: String,
    #[serde(rename = "oldKeys")]
    old_keys: usize,
    left: Vec<Left>,
}

#[derive(Debug, Serialize)]
struct Left {
    path: String,
    why: String,
}

impl NewKey {
    pub fn new(rekeyed: &Rekeyed) -> Self {
        let left = |(path, why): &(String, String)| Left { path: path.clone(), why: why.clone() };
        Self {
            ok: rekeyed.left.is_empty(),
            notes: rekeyed.notes,
            recipient: rekeyed.recipient.clone(),
            old_keys: rekeyed.old_keys,
            left: rekeyed.left.iter().map(left).collect(),
        }
    }
}
