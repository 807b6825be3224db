//! The derived view of a workspace: what can be found, by words and by meaning.
//!
//! An index is a cache. It holds nothing that cannot be made again from the notes, so it may be deleted, damaged or replaced
//! at any time. The traits [`Index`] and [`Snapshot`] say what an engine must do; `sqlite` is the engine that ships, and
//! `reference` the plain one in memory that every other is compared with. What engines have in common stands beside them:
//! [`plan`] says what a batch makes of rows, [`bm25`] and [`vector`] rank, [`associate`] connects facts.
//!
//! This crate knows what a note is made of. It must not know where notes lie, which model makes vectors, who asks, or what
//! becomes of an answer.

mod alias;
pub mod associate;
mod backend;
pub mod bm25;
mod chunk_terms;
pub mod codec;
pub mod columns;
#[cfg(feature = "conformance")]
#[path = "../tests/conformance/mod.rs"]
pub mod conformance;
mod error;
pub mod plan;
mod query;
mod query_term;
mod record;
mod reference;
pub mod shared_terms;
pub mod single;
mod snapshot;
mod sqlite;
pub mod stored_tokens;
mod top;
pub mod vector;
mod view_snapshot;

use std::sync::Arc;
use std::time::Instant;

pub use backend::{About, Backend, Opinion, PurgeOutcome, Rebuild};
pub use bm25::{Lexical, LexicalHit, TermStat};
pub use columns::{Filter, Hidden};
pub use error::Error;
pub use mindfile_note::{FileStat, Origin, Source};
pub use query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
pub use record::{
    Access, Alias, Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, Entity, FORGOTTEN, FactFields,
    NewChunk, NewFact, NewNote, NoteRow, Part, Shelf, Stats, StoredChunk, StoredFact, StoredNote, Uses,
};

pub use alias::{Aliases, MOST_ENTITIES};
pub use chunk_terms::ChunkTerms;
pub use query_term::{Form, QueryTerm};
pub use reference::{ReferenceIndex, ReferenceSnapshot};
pub use snapshot::Snapshot;
pub use sqlite::{
    SqliteIndex, VectorEngine, beside, database_files, delete_database, scan_instructions,
    sqlite_vec_version, sqlite_version,
};
pub use view_snapshot::ViewSnapshot;

/// An index: changes go in as atomic batches, answers come from snapshots.
pub trait Index: Send + Sync {
    /// Applies the whole batch or nothing, and returns the new generation.
    fn apply(&self, batch: &Batch) -> Result<u64, Error>;
    /// One generation of the index; later batches do not change it.
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error>;
    /// A snapshot for one question: a read that is not done by the deadline fails with `Error::Deadline`.
    fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error>;
    /// The current value of a key, without a snapshot.
    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error>;
    /// The current notes, without a snapshot.
    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error>;
}
