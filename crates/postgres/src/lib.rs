//! The index in a PostgreSQL database: one for many agents and many hosts.
//!
//! Every statement names its agent, tables are partitioned by agent, and row-level security limits roles other than the owner to
//! the agents that they were admitted to. A snapshot is a read-only transaction. A batch is one transaction with a key, which
//! tells after a lost connection whether it was committed.
//!
//! This crate knows the index's traits and one server. It must not know settings, note files or the memory.

mod again;
mod apply;
mod before;
mod block;
mod change;
mod codec;
mod columns;
mod condition;
mod error;
mod graph;
mod insert;
mod meaning;
mod moment;
mod open;
mod options;
mod pool;
mod postings;
mod purge;
mod read;
mod rebuild;
mod rows;
mod schema;
mod snapshot;
mod terms;
mod tls;
mod totals;
mod value;
mod verify;
mod write;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mindfile_index::{
    About, Backend, Batch, Change, Error, Index, NoteQuery, Opinion, PurgeOutcome, Rebuild, Shelf, Snapshot,
    StoredNote,
};
use postgres::Row;

use codec::{all_stored, plain, stored};
use error::{ENGINE, StepError};
use moment::LastGeneration;
pub use options::{EXACT_UP_TO, Options};
use pool::{Connection, Lease, Params, Pool, with_own};
use read::Reader;
use rows::to_note;
use value::Vectors;
use write::{BatchOutcome, Part};

/// How often to try a batch: the server may restart, or two writers may conflict.
const ATTEMPTS: u32 = 6;
const FIRST_WAIT: Duration = Duration::from_millis(50);

pub struct PostgresIndex {
    pool: Arc<Pool>,
    agent: String,
    part: Part,
    place: String,
    server: Server,
    exact_up_to: u64,
    warm: LastGeneration,
    /// Whether the server could not be reached, or its tables changed, so that the holder must open the index again.
    lost: AtomicBool,
}

/// The server as it was when the index was opened.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    version: String,
    /// The version of pgvector, if it is installed.
    pgvector: Option<String>,
    vectors: Vectors,
    /// Whether this role owns the tables.
    owner: bool,
    /// The partition that the agent's rows are in.
    partition: i32,
    /// The dimensions that the partition has HNSW indexes for.
    hnsw: Vec<i32>,
}

impl PostgresIndex {
    fn take(&self) -> Result<Lease<'_>, Error> {
        self.noting(self.pool.take())
    }

    /// Does work with a connection of its own.
    fn with<T>(&self, work: impl FnOnce(&mut Connection) -> Result<T, StepError>) -> Result<T, Error> {
        work(&mut *self.take()?).map_err(|error| error.at(&self.place))
    }

    /// Notes that the server cannot be reached.
    fn noting<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(Error::Unavailable { .. }) = &result {
            self.lost.store(true, Ordering::Relaxed);
        }
        result
    }

    fn reader(&self, until: Option<Instant>) -> Result<Reader<'_>, Error> {
        match Reader::begin(self, self.take()?, until) {
            // The server may have restarted since the idle connections were opened.
            Err(error) if error.is_cut() => {
                self.pool.forget_idle();
                let begun = Reader::begin(self, self.take()?, until);
                self.noting(begun.map_err(|error| error.at(&self.place)))
            }
            begun => begun.map_err(|error| error.at(&self.place)),
        }
    }

    /// Runs a query outside of any snapshot. Its first two parameters are the agent and the part's number.
    fn ask_once(&self, sql: &str, more: Params<'_>) -> Result<Vec<Row>, Error> {
        let part = self.part.number();
        let params = with_own(&self.agent, &part, more);
        let result = match self.take()?.rows(sql, &params) {
            Err(error) if error.is_cut() => {
                self.pool.forget_idle();
                self.take()?.rows(sql, &params)
            }
            result => result,
        };
        self.noting(result.map_err(|error| error.at(&self.place)))
    }

    /// Applies a batch, and tries again until its outcome is known.
    fn apply_surely(&self, batch: &Batch) -> Result<BatchOutcome, Error> {
        let key = open::key()?;
        let mut wait = FIRST_WAIT;
        for attempt in 0.. {
            let error = match self.apply_once(batch, &key, attempt > 0) {
                Ok(applied) => return Ok(applied),
                Err(error) => error,
            };
            let passing = match &error {
                StepError::Index(Error::Unavailable { .. }) => attempt > 0,
                StepError::Index(_) | StepError::Damaged(_) => false,
                StepError::Server(_) => error.is_passing() || error.is_cut(),
            };
            if !passing || attempt + 1 >= ATTEMPTS {
                return self.noting(Err(error.at(&self.place)));
            }
            thread::sleep(wait);
            wait *= 2;
        }
        Err(error::engine(&self.place, "nothing was tried".to_owned()))
    }

    fn apply_once(&self, batch: &Batch, key: &str, again: bool) -> Result<BatchOutcome, StepError> {
        let mut db = self.take()?;
        let result = apply::apply(&mut db, (&self.agent, self.part), (batch, key), again);
        if let Err(error) = &result {
            if error.is_cut() {
                db.spoil();
                self.pool.forget_idle();
            } else if db.batch("ROLLBACK").is_err() {
                db.spoil();
            }
        }
        result
    }

    /// Maintains the tables, and the HNSW index of a large shelf, which only the owner can create.
    fn keep_fast(&self) -> Result<(), Error> {
        if !self.server.owner {
            return Ok(());
        }
        self.with(|db| purge::tidy(db, self.server.partition))?;
        match self.server.vectors {
            Vectors::Kept => return Ok(()),
            Vectors::Arrays => return self.make_native(),
            Vectors::Native => {}
        }
        let dims = {
            let snapshot = self.reader(None)?;
            let large = Shelf::ALL.into_iter().map(|shelf| snapshot.size(shelf));
            let largest = large.collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or(0);
            snapshot.dims().filter(|_| largest > self.exact_up_to)
        };
        let Some(dims) = dims.and_then(|dims| i32::try_from(dims).ok()) else { return Ok(()) };
        self.with(|db| meaning::make_hnsw(db, self.server.partition, dims))
    }

    /// Converts tables that are older than pgvector. The index must be opened again to know the column's new type.
    fn make_native(&self) -> Result<(), Error> {
        self.with(|db| rebuild::in_one(db, schema::make_native))?;
        self.lost.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Index for PostgresIndex {
    fn apply(&self, batch: &Batch) -> Result<u64, Error> {
        let BatchOutcome { generation, has_grown } = self.apply_surely(batch)?;
        if self.server.owner && has_grown {
            self.with(|db| purge::analyze(db, self.server.partition))?;
        }
        if batch.changes.contains(&Change::Compact) {
            self.keep_fast()?;
        }
        Ok(generation)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error> {
        Ok(Box::new(self.reader(None)?))
    }

    fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error> {
        Ok(Box::new(self.reader(Some(deadline))?))
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        let sql = "SELECT m.value FROM agents a JOIN meta m ON m.agent = a.agent AND m.part = coalesce($2, a.current)
            WHERE a.agent = $1 AND m.key = $3";
        Ok(self.ask_once(sql, &[&stored(key)])?.first().map(|row| plain(row.get(0)).into()))
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let rows = match query {
            NoteQuery::All => self.ask_once(&format!("{NOTES} ORDER BY n.path"), &[])?,
            NoteQuery::At(paths) => self.ask_once(
                &format!("{NOTES} AND n.path = ANY ($3::text[]) ORDER BY n.path"),
                &[&all_stored(paths)],
            )?,
        };
        rows.iter().map(|row| to_note(&self.place, row)).collect()
    }
}

/// Selects the notes of the current part, or of a rebuild.
const NOTES: &str = "SELECT n.path, n.source, n.hash, n.mtime, n.ctime, n.size, n.inode, n.racy FROM agents a
    JOIN notes n ON n.agent = a.agent AND n.part = coalesce($2, a.current) WHERE a.agent = $1";

impl Backend for PostgresIndex {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn version(&self) -> String {
        match &self.server.pgvector {
            Some(pgvector) => format!("PostgreSQL {}, pgvector {pgvector}", self.server.version),
            None => format!("PostgreSQL {} without pgvector", self.server.version),
        }
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn file(&self) -> Option<&Path> {
        None
    }

    fn is_current(&self) -> bool {
        !self.lost.load(Ordering::Relaxed)
    }

    fn without_meaning(&self) -> Option<String> {
        let why = "the database has no pgvector: CREATE EXTENSION vector, as its owner";
        self.server.pgvector.is_none().then(|| why.to_owned())
    }

    fn about(&self) -> Result<About, Error> {
        purge::about(self)
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
        Ok(rebuild::RebuildPart::of(self, wait)?.map(|aside| Box::new(aside) as Box<dyn Rebuild>))
    }

    fn second_opinion(&self) -> Result<Option<Opinion>, Error> {
        let snapshot = self.reader(None)?;
        if self.server.pgvector.is_none()
            || snapshot.size(Shelf::Chunks)? <= self.exact_up_to
            || !snapshot.has_hnsw()?
        {
            return Ok(None);
        }
        let index: Box<dyn Index> = Box::new(self.part(self.part, u64::MAX));
        Ok(Some(Opinion { index, names: ["the HNSW index", "an exact scan"] }))
    }
}

impl PostgresIndex {
    /// Another part of the same agent, through the same pool.
    fn part(&self, part: Part, exact_up_to: u64) -> Self {
        let place = match part {
            Part::Current => self.place.clone(),
            Part::Aside(_) => format!("{} (made again)", self.place),
        };
        let pool = Arc::clone(&self.pool);
        let agent = self.agent.clone();
        let server = self.server.clone();
        let warm = LastGeneration::default();
        let lost = AtomicBool::default();
        Self { pool, agent, part, place, server, exact_up_to, warm, lost }
    }
}
