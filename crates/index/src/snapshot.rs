//! The seam between an index and those who ask it.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::bm25::Lexical;
use crate::columns::Filter;
use crate::error::Error;
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::query_term::QueryTerm;
use crate::record::{
    Alias, CacheKey, Doc, Entity, NoteRow, Shelf, Stats, StoredChunk, StoredFact, StoredNote,
};

/// One generation of the index.
pub trait Snapshot {
    fn generation(&self) -> u64;
    /// How many rows a shelf has; known without counting.
    fn size(&self, shelf: Shelf) -> Result<u64, Error>;
    /// A value stored beside the notes, such as the fingerprint of the vector space.
    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error>;
    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error>;
    /// The rows of a note, chunks first, each shelf by line.
    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error>;
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
    /// Facts, in the order asked for.
    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error>;
    /// A list for each value that is asked for, of at most `limit` facts that the filter admits.
    fn find_facts(&self, query: FactQuery<'_>, filter: &Filter, limit: usize)
    -> Result<Vec<Vec<Doc>>, Error>;
    /// Entities, with how many of the facts that the filter admits name each.
    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error>;
    /// How the first of the facts that the filter admits writes each of these entities: of those that write the name in
    /// force, else of all.
    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error>;
    /// Every declared alias with the path of its note, in that order.
    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error>;
    /// Chunks and facts that the embedder has not seen yet, at most `limit`.
    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error>;
    /// Vectors of earlier runs, by what was embedded. `None` where there is none.
    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error>;
    fn stats(&self) -> Result<Stats, Error>;
}
