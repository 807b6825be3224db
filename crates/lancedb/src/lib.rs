//! The index in LanceDB's tables, in a folder or in a bucket of an object store.
//!
//! LanceDB versions each table by itself and has no transactions across tables. Here a small object, the head, names the
//! versions that belong together. Readers read those; a writer makes new versions and then creates the next head, which makes
//! its whole batch visible at once. What a writer leaves that dies before that is undone by the next one.
//!
//! The engine knows the index's traits and one folder or bucket. It must not know settings, note files or the memory; only
//! `provide` opens it as the settings say.

mod codec;
mod columns;
mod error;
mod flush;
mod head;

mod lock;
mod meaning;
mod objects;
mod open;
mod options;
mod provide;
mod purge;
mod read;
mod rebuild;
mod row_memo;
mod rows;
mod runtime;
mod store;
mod tables;
mod tend;
mod terms;
mod verify;
mod view;
mod write;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mindfile_index::{
    About, Backend, Batch, Change, Error, Index, NoteQuery, Opinion, PurgeOutcome, Rebuild, Snapshot,
    StoredNote,
};

use error::ENGINE;
use flush::FlushOutcome;
use head::Head;
use lock::{Lock, LockKind};
pub use options::Options;
pub use provide::provide;
use read::Reader;
use store::Store;
use view::View;

/// How often to try a batch that another writer preempts.
const ATTEMPTS: u32 = 24;
const PAUSE: Duration = Duration::from_millis(50);
/// How long to wait for another writer in a bucket.
const PATIENCE: Duration = Duration::from_secs(180);
/// How many batches between two compactions.
const TENDED: u64 = 64;

pub struct LanceIndex {
    store: Arc<Store>,
    which: TableSet,
    /// The last generation read.
    warm: Mutex<Option<Arc<View>>>,
    /// The lock of a rebuild, renewed with each batch.
    keeps: Option<Arc<Lock>>,
}

/// The tables in use, or those being made.
#[derive(Debug, Clone, PartialEq, Eq)]
enum TableSet {
    Current,
    Aside(String),
}

impl LanceIndex {
    fn warm(&self) -> MutexGuard<'_, Option<Arc<View>>> {
        self.warm.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, head: &Head) -> String {
        match &self.which {
            TableSet::Current => head.part.clone(),
            TableSet::Aside(name) => name.clone(),
        }
    }

    /// The view of the head's generation, which shares what did not change with the last one.
    fn view(&self, head: &Head) -> Result<Arc<View>, Error> {
        let folder = self.folder(head);
        let mut warm = self.warm();
        if let Some(view) = warm.as_ref().filter(|view| view.commit == head.commit && view.folder == folder) {
            return Ok(Arc::clone(view));
        }
        let moved = || Error::Moved { path: self.store.target.part(&folder).into() };
        let part = head.parts.get(&folder).ok_or_else(moved)?.clone();
        let view = Arc::new(View::new(head.commit, folder, part, warm.as_deref()));
        *warm = Some(Arc::clone(&view));
        Ok(view)
    }

    /// A reader that does not hold up a purge.
    fn reader_of(&self, head: &Head) -> Result<Reader, Error> {
        Ok(Reader { store: Arc::clone(&self.store), view: self.view(head)?, until: None, _kept: None })
    }

    fn reader(&self, until: Option<Instant>) -> Result<Reader, Error> {
        let kept = lock::share(self.store.target.folder.as_deref())?;
        let view = self.view(&self.store.head_until(until)?)?;
        Ok(Reader { store: Arc::clone(&self.store), view, until, _kept: kept })
    }

    fn writing(&self) -> Result<Lock, Error> {
        let until = self.store.target.place.cloud.then(|| Instant::now() + PATIENCE);
        let late = || self.store.target.place.unavailable("another writer has the lock and does not go on");
        lock::take(&self.store, LockKind::Writing, until)?.ok_or_else(late)
    }

    /// Conflicting writers wait for different times.
    fn pause(&self, attempt: u32) -> Result<(), Error> {
        let longest = PAUSE * 2_u32.pow(attempt.min(5));
        let mut random = [0_u8; 1];
        let wrong = |error: getrandom::Error| self.store.target.place.engine(error.to_string());
        getrandom::fill(&mut random).map_err(wrong)?;
        thread::sleep(longest * u32::from(random[0]) / 255);
        Ok(())
    }

    /// `None` if another writer came first.
    fn attempt(&self, batch: &Batch) -> Result<Option<u64>, Error> {
        let head = self.store.head()?;
        let reader = self.reader_of(&head)?;
        let now = reader.view.part.generation;
        if batch.only_at.is_some_and(|generation| generation != now) {
            return Ok(Some(now));
        }
        if let Some(read_at) = batch.read_at
            && read_at != write::forgotten(&reader)?
        {
            return Err(Error::Superseded);
        }
        let (part, plan) = flush::plan(&reader, batch)?;
        let generation = part.generation;
        let folder = reader.view.folder.clone();
        let flushed = match plan.flush(&self.store, &folder, part) {
            Ok(flushed) => flushed,
            // The library detects two writers of one table.
            Err(_) if self.store.newest_number()? != Some(head.commit) => FlushOutcome::Disturbed,
            Err(error) => return Err(error),
        };
        let FlushOutcome::Done(part) = flushed else { return Ok(None) };
        let mut next = open::next(&self.store, &head)?;
        next.parts.insert(folder, part);
        Ok(self.store.commit(&next)?.then_some(generation))
    }
}

impl Index for LanceIndex {
    fn apply(&self, batch: &Batch) -> Result<u64, Error> {
        if let Some(lock) = &self.keeps {
            lock.keep()?;
        }
        for attempt in 0..ATTEMPTS {
            let lock = self.writing()?;
            let Some(generation) = self.attempt(batch)? else {
                drop(lock);
                self.pause(attempt)?;
                continue;
            };
            if batch.changes.contains(&Change::Compact) || generation % TENDED == 0 {
                match tend::tend(self) {
                    // The batch is committed; the next one will compact.
                    Ok(()) | Err(_) => {}
                }
            }
            drop(lock);
            return Ok(generation);
        }
        Err(self.store.target.place.unavailable("other writers always came first"))
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error> {
        Ok(Box::new(self.reader(None)?))
    }

    fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error> {
        Ok(Box::new(self.reader(Some(deadline))?))
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.reader(None)?.meta(key)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        self.reader(None)?.notes(query)
    }
}

impl Backend for LanceIndex {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn version(&self) -> String {
        "LanceDB 0.41".to_owned()
    }

    fn place(&self) -> String {
        self.store.target.uri.clone()
    }

    fn file(&self) -> Option<&Path> {
        None
    }

    fn is_current(&self) -> bool {
        self.store.is_there()
    }

    fn without_meaning(&self) -> Option<String> {
        None
    }

    fn about(&self) -> Result<About, Error> {
        let cache_bytes = 4 * self.reader(None)?.cached_values()?;
        Ok(About { journal_mode: None, bytes: self.store.size()?, reusable_bytes: 0, cache_bytes })
    }

    fn verify(&self) -> Result<(), Error> {
        verify::verify(&self.reader(None)?)
    }

    fn purge(&self) -> Result<PurgeOutcome, Error> {
        purge::purge(self)
    }

    fn reset(&self) -> Result<(), Error> {
        rebuild::reset(self)
    }

    fn rebuild(&self, wait: bool) -> Result<Option<Box<dyn Rebuild + '_>>, Error> {
        Ok(rebuild::RebuildTables::of(self, wait)?.map(|aside| Box::new(aside) as Box<dyn Rebuild>))
    }

    fn second_opinion(&self) -> Result<Option<Opinion>, Error> {
        Ok(None)
    }
}
