//! The derived view of a workspace: what can be found, by words and by meaning.
//!
//! An index is a cache. It holds nothing that cannot be made again from the notes, so it may be deleted, damaged
//! or replaced at any time. One trait says what a backend must do; `reference` is the plain in-memory one that every
//! other backend is compared with, `sqlite` is the one that ships.

mod alias;
mod backend;
pub mod bm25;
mod chunk_terms;
pub mod codec;
pub mod columns;
#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
pub mod foreign;
mod joined;
mod query_term;
mod record;
mod reference;
pub mod shared_terms;
mod sqlite;
mod top;
pub mod vector;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Instant;

pub use backend::{About, Backend, Opinion, Purged, Rebuild};
pub use bm25::{Lexical, LexicalHit, TermStat};
pub use columns::Filter;
pub use error::Error;
pub use mindfile_note::{FileStat, Origin};
pub use record::{
    Alias, Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, Entity, FORGOTTEN, FactFields, NewChunk,
    NewFact, NewNote, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote, Uses,
};

pub use alias::{Aliases, MOST_ENTITIES};
pub use chunk_terms::ChunkTerms;
pub use joined::Joined;
pub use query_term::{Form, QueryTerm};
pub use reference::{ReferenceIndex, ReferenceSnapshot};
pub use sqlite::{
    SqliteIndex, VectorEngine, beside, database_files, delete_database, scan_instructions,
    sqlite_vec_version, sqlite_version,
};

/// An index: changes go in as atomic batches, answers come from snapshots.
pub trait Index: Send + Sync {
    /// Applies the whole batch or nothing, and returns the new generation.
    fn apply(&self, batch: &Batch) -> Result<u64, Error>;
    /// One generation of the index, unmoved by later batches.
    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error>;
    /// The same for one question: what is not read by the deadline ends in `Error::Deadline`.
    fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error>;
    /// A value stored beside the notes as it is now, for whoever asks nothing else.
    fn meta(&self, key: &str) -> Result<Option<String>, Error> {
        self.snapshot()?.meta(key)
    }
    /// One note as it is now, likewise.
    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error> {
        self.snapshot()?.note(path)
    }
}

/// One generation of the index.
pub trait Snapshot {
    fn generation(&self) -> u64;
    /// A value stored beside the notes, such as the fingerprint of the vector space.
    fn meta(&self, key: &str) -> Result<Option<String>, Error>;
    /// The same, to be looked at where it stands: the census of many notes is long.
    fn look_at_meta(&self, key: &str, look: &mut dyn FnMut(&str)) -> Result<(), Error> {
        self.meta(key)?.as_deref().into_iter().for_each(look);
        Ok(())
    }
    /// Every note, ordered by path.
    fn notes(&self) -> Result<Vec<StoredNote>, Error>;
    /// One note, by its path.
    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error>;
    /// The ids of a note's chunks and facts that need nothing more from an embedder.
    fn finished(&self, path: &str) -> Result<HashSet<(Shelf, ChunkId)>, Error>;
    /// The best rows of a shelf by words: all of the best `limit`, and whatever ties with the last of them.
    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error>;
    /// The terms of a shelf that begin in one of these ways; among them may be some that its rows had once.
    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error>;
    /// The best `limit` rows of a shelf by meaning with their cosine, best first, and what ties with the last; then those of `also` that are not among them
    /// and have a vector. The cosines of the best are exact, the others as exact as the backend's codes.
    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error>;
    /// The chunks themselves, of either shelf, in the order asked for. An unknown one is an error: ids come from this snapshot.
    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error>;
    /// The chunks of a note whose line range holds the line.
    fn locate(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error>;
    /// The line where the last chunk of a note begins.
    fn last_line(&self, path: &str) -> Result<Option<u32>, Error>;
    /// Chunks and facts that the embedder has not seen yet, at most `limit`.
    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error>;
    /// Vectors of earlier runs, by what was embedded. `None` where there is none.
    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error>;
    fn stats(&self) -> Result<Stats, Error>;
    /// How many rows a shelf has; known without counting.
    fn size(&self, shelf: Shelf) -> Result<u64, Error>;
    /// Those of these rows of a shelf that the filter admits, in the order given. No row is read for it.
    fn admitted(&self, shelf: Shelf, docs: &[Doc], filter: &Filter) -> Result<Vec<Doc>, Error>;
    /// Facts, in the order asked for.
    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error>;
    /// Every fact, by path and line; and so are the next two.
    fn all_facts(&self) -> Result<Vec<Doc>, Error>;
    /// The facts that go by an id: more than one if lines were copied.
    fn facts_with_id(&self, id: &str) -> Result<Vec<Doc>, Error>;
    /// The values of a keyed memory, current or not.
    fn facts_with_key(&self, key: &str) -> Result<Vec<Doc>, Error>;
    /// The same for many keys, in the order asked for. An engine that is far away answers at once, and so do the other
    /// questions about many.
    fn facts_with_keys(&self, keys: &[String]) -> Result<Vec<Vec<Doc>>, Error> {
        keys.iter().map(|key| self.facts_with_key(key)).collect()
    }
    /// Facts that share words with a text: those with all of its terms, and those with some of its rarest, most in common
    /// first, at most `limit`. Nothing is ranked and little is read, so that it can be asked before every write.
    fn facts_like(&self, terms: &[String], limit: usize) -> Result<Vec<Doc>, Error>;
    /// The facts that name an entity, ascending.
    fn facts_of(&self, name: &str) -> Result<Arc<[Doc]>, Error>;
    /// Of the facts that name each of these entities the last ones that the filter admits, the last first, at most `limit`.
    fn last_facts_of(&self, names: &[String], filter: &Filter, limit: usize) -> Result<Vec<Vec<Doc>>, Error> {
        names.iter().map(|name| last_of(self, name, filter, limit)).collect()
    }
    /// Every entity, by name.
    fn entities(&self) -> Result<Vec<Entity>, Error>;
    /// One entity by any of its names, under the one in force.
    fn entity(&self, name: &str) -> Result<Option<Entity>, Error>;
    /// The same for many names, in the order asked for.
    fn entities_named(&self, names: &[String]) -> Result<Vec<Option<Entity>>, Error> {
        names.iter().map(|name| self.entity(name)).collect()
    }
    /// The entities that facts name together with this one, and how many facts do; by name.
    fn neighbours(&self, name: &str) -> Result<Arc<[(Entity, u32)]>, Error>;
    /// How the first fact that names the entity writes it.
    fn spelling(&self, name: &str) -> Result<Option<String>, Error>;
    /// Every declared alias with the path of its note, in that order.
    fn declared(&self) -> Result<Vec<(String, Alias)>, Error>;
}

/// Whoever names an entity often must not crowd out those whom the filter admits.
fn last_of<S: Snapshot + ?Sized>(
    snapshot: &S,
    name: &str,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<Doc>, Error> {
    let (all, mut found) = (snapshot.facts_of(name)?, Vec::new());
    for some in all.rchunks(limit.max(1)) {
        let admitted = snapshot.admitted(Shelf::Facts, some, filter)?;
        found.extend(admitted.into_iter().rev());
        if found.len() >= limit {
            break;
        }
    }
    found.truncate(limit);
    Ok(found)
}
