//! Erases deleted rows from the files. They stay in their files and in every earlier version until the tables are rewritten
//! and old versions are removed.

use std::time::{Duration as Time, Instant};

use lancedb::table::Duration;
use mindfile_index::{Error, PurgeOutcome};

use crate::lock::{self, LockKind};
use crate::{LanceIndex, TableSet, open, tend};

/// How long to wait for readers: one in the middle of an answer is done by then.
const PATIENCE: Time = Time::from_millis(500);

pub(crate) fn purge(index: &LanceIndex) -> Result<PurgeOutcome, Error> {
    let _lock = index.writing()?;
    let store = &index.store;
    let before = store.head()?;
    let mut head = open::next(store, &before)?;
    for folder in before.parts.keys() {
        let made = index.part(folder).reader_of(&before)?;
        let disturbed = || store.target.place.unavailable("another writer does not stop");
        let part = tend::put_in_order(&made, true)?.ok_or_else(disturbed)?;
        head.parts.insert(folder.clone(), part);
    }
    if !store.commit(&head)? {
        return Err(store.target.place.unavailable("another writer came first"));
    }
    *index.warm() = None;
    let alone = lock::take(store, LockKind::Reading, Some(Instant::now() + PATIENCE))?;
    let Some(_alone) = alone else {
        return Ok(PurgeOutcome::Held(format!("a reader holds old versions in {}", store.target.uri)));
    };
    for (folder, part) in &head.parts {
        tend::prune(store, folder, part, Duration::zero(), true)?;
    }
    open::sweep(store, &head)?;
    store.tidy(head.commit)?;
    Ok(PurgeOutcome::Done)
}

impl LanceIndex {
    /// Another set of tables in the same place.
    pub(crate) fn part(&self, folder: &str) -> Self {
        let which = TableSet::Aside(folder.to_owned());
        Self {
            store: std::sync::Arc::clone(&self.store),
            which,
            warm: std::sync::Mutex::default(),
            keeps: None,
        }
    }
}
