//! What an engine answers: the seam between an index and its callers.

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
    /// How many rows a shelf has. Cheap: engines keep the number.
    fn size(&self, shelf: Shelf) -> Result<u64, Error>;
    /// A value stored beside the notes, such as the fingerprint of the vector space.
    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error>;
    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error>;
    /// The rows of a note: chunks first, each shelf ordered by line.
    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error>;
    /// The best `limit` rows of a shelf by words, and all that tie with the last of them.
    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error>;
    /// The terms of a shelf that begin with one of these prefixes. May include terms of rows that are gone.
    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error>;
    /// The best `limit` rows of a shelf by meaning with their cosines, best first, and all that tie with the last; then the
    /// rows of `also` that have a vector and are not among them. The best rows' cosines are exact, the others as exact as the
    /// engine's codes.
    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error>;
    /// The rows themselves, of either shelf, in the order asked for. An unknown number is an error: numbers come from this
    /// snapshot.
    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error>;
    /// Facts, in the order asked for.
    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error>;
    /// One list for each value in the query, of at most `limit` facts that the filter admits.
    fn find_facts(&self, query: FactQuery<'_>, filter: &Filter, limit: usize)
    -> Result<Vec<Vec<Doc>>, Error>;
    /// Entities, each with the number of admitted facts that name it.
    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error>;
    /// How the first admitted fact writes each entity. Facts that use the name in force come before those that use an alias.
    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error>;
    /// Every declared alias with the path of its note, ordered by path, alias and name.
    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error>;
    /// Chunks and facts that the embedder has not seen yet, at most `limit`.
    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error>;
    /// Cached vectors, `None` where there is none.
    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error>;
    fn stats(&self) -> Result<Stats, Error>;
}
