//! The derived view of a workspace: what can be found, by words and by meaning.
//!
//! An index is a cache. It holds nothing that cannot be made again from the notes, so it may be deleted, damaged
//! or replaced at any time. One trait says what a backend must do; `reference` is the plain in-memory one that every
//! other backend is compared with, `sqlite` is the one that ships.

pub mod bm25;
pub mod columns;
mod error;
mod record;
mod reference;
mod sqlite;
mod top;
pub mod vector;
mod words;

use std::sync::Arc;
use std::time::Instant;

pub use bm25::{Lexical, LexicalHit, TermStat};
pub use columns::Filter;
pub use error::Error;
pub use record::{
    Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, FileStat, NewChunk, NewNote, Source, Stats,
    StoredChunk, StoredNote,
};

pub use reference::ReferenceIndex;
pub use sqlite::{About, SqliteIndex, VectorEngine, scan_instructions, sqlite_vec_version, sqlite_version};

/// A backend: changes go in as atomic batches, answers come from snapshots.
pub trait Index: Send + Sync {
    /// Applies the whole batch or nothing, and returns the new generation.
    fn apply(&self, batch: &Batch) -> Result<u64, Error>;
    /// One generation of the index, unmoved by later batches.
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error>;
    /// The same for one question: what is not read by the deadline ends in `Error::Deadline`.
    fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error>;
}

/// One generation of the index.
pub trait Snapshot {
    fn generation(&self) -> u64;
    /// A value stored beside the notes, such as the fingerprint of the vector space.
    fn meta(&self, key: &str) -> Result<Option<String>, Error>;
    /// Every note, ordered by path.
    fn notes(&self) -> Result<Vec<StoredNote>, Error>;
    /// One note, by its path.
    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error>;
    /// The best chunks by words: all of the best `limit`, and whatever ties with the last of them.
    fn lexical(&self, terms: &[String], filter: &Filter, limit: usize) -> Result<Lexical, Error>;
    /// The best `limit` chunks by meaning with their cosine, best first, and what ties with the last; then those of `also` that are not among them
    /// and have a vector. The cosines of the best are exact, the others as exact as the backend's codes.
    fn nearest(
        &self,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error>;
    /// The chunks themselves, in the order asked for. An unknown one is an error: ids come from this snapshot.
    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error>;
    /// The chunks of a note whose line range holds the line.
    fn locate(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error>;
    /// Chunks that the embedder has not seen yet, at most `limit`.
    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error>;
    /// Vectors of earlier runs, by what was embedded. `None` where there is none.
    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error>;
    fn stats(&self) -> Result<Stats, Error>;
}
