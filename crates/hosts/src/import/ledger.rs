//! Records what was imported, so that it is imported once, even if a person has changed or deleted it since.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use mindfile_note::hash::Digest;
use serde_json::{Value, json};

use crate::Error;
use mindfile_disk::absent::if_there;
use mindfile_disk::{Error as Disk, durable};

pub(super) struct Ledger {
    path: PathBuf,
    known: HashMap<(String, String), String>,
}

/// What is known of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemState {
    No,
    Same,
    /// It was taken over when it said something else.
    Other,
}

impl Ledger {
    pub(super) fn open(state: &Path, agent: &str) -> Result<Self, Error> {
        let path = state.join("memory").join(format!("{agent}.imports.jsonl"));
        let text = if_there(std::fs::read_to_string(&path)).map_err(Disk::at(&path))?.unwrap_or_default();
        let field = |line: &Value, name: &str| line[name].as_str().map(str::to_owned);
        let row = |line: &str| {
            let line: Value = serde_json::from_str(line).ok()?;
            Some(((field(&line, "from")?, field(&line, "key")?), field(&line, "digest")?))
        };
        Ok(Self { known: text.lines().filter_map(row).collect(), path })
    }

    pub(super) fn knows(&self, from: &str, key: &str, bytes: &[u8]) -> ItemState {
        match self.known.get(&(from.to_owned(), key.to_owned())) {
            None => ItemState::No,
            Some(digest) if *digest == Digest::of(bytes).to_string() => ItemState::Same,
            Some(_) => ItemState::Other,
        }
    }

    /// Notes items, with where they are now. They are on the disk when this returns.
    pub(super) fn note(
        &mut self,
        from: &str,
        items: &[(String, Digest, String)],
        now: Timestamp,
    ) -> Result<(), Error> {
        if items.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        for (key, digest, target) in items {
            let digest = digest.to_string();
            let at = format!("{now:.3}");
            text.push_str(&format!(
                "{}\n",
                json!({"at": at, "from": from, "key": key, "digest": digest, "to": target})
            ));
            self.known.insert((from.to_owned(), key.clone()), digest);
        }
        let written = durable::append(&self.path, text.as_bytes()).and_then(|file| file.sync_data());
        Ok(written.map_err(Disk::at(&self.path))?)
    }
}
