//! A snapshot without some notes: what is counted, named and ranked is as if they had never been written. Rows are left
//! out by the engine itself, through the filter of each question.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::bm25::Lexical;
use crate::columns::{Filter, Hidden};
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::record::{
    Alias, CacheKey, Doc, Entity, NoteRow, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, QueryTerm, Snapshot};

/// Set in the generation, so that nothing that was kept of the whole is taken for what is left of it.
const SCREENED: u64 = 1 << 63;

pub struct ScreenedSnapshot<'a> {
    whole: Box<dyn Snapshot + 'a>,
    paths: BTreeSet<String>,
    hidden: Hidden,
}

impl<'a> ScreenedSnapshot<'a> {
    /// The snapshot without the notes of these paths.
    pub fn new(whole: Box<dyn Snapshot + 'a>, paths: BTreeSet<String>) -> Result<Self, Error> {
        let mut hidden = Vec::new();
        for path in &paths {
            hidden.extend(whole.rows_of(path, RowQuery::All)?.into_iter().map(|row| row.doc));
        }
        Ok(Self { whole, paths, hidden: Hidden::new(hidden) })
    }

    fn narrowed(&self, filter: &Filter) -> Filter {
        Filter { hidden: self.hidden.clone(), ..filter.clone() }
    }
}

/// What is left of each source.
fn less(counts: Vec<(Source, u64)>, gone: &[Source]) -> Vec<(Source, u64)> {
    let of = |source: Source| gone.iter().filter(|other| **other == source).count() as u64;
    counts.into_iter().map(|(source, count)| (source, count.saturating_sub(of(source)))).collect()
}

impl Snapshot for ScreenedSnapshot<'_> {
    fn generation(&self) -> u64 {
        self.whole.generation() | SCREENED
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.whole.size(shelf)?.saturating_sub(self.hidden.on(shelf).count() as u64))
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.whole.meta(key)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let mut notes = self.whole.notes(query)?;
        notes.retain(|note| !self.paths.contains(&note.path));
        Ok(notes)
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        if self.paths.contains(path) { Ok(Vec::new()) } else { self.whole.rows_of(path, query) }
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        self.whole.lexical(shelf, terms, &self.narrowed(filter), limit)
    }

    /// A term that is in no other row is not told.
    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let terms: Vec<String> = self.whole.terms_beginning(shelf, ways)?.into_iter().collect();
        let found = self.lexical(shelf, &QueryTerm::as_asked(&terms), &Filter::default(), 0)?;
        Ok(found.terms.into_iter().filter(|stat| stat.chunks > 0).map(|stat| stat.term).collect())
    }

    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        self.whole.nearest(shelf, query, &self.narrowed(filter), limit, also)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        self.whole.chunks(docs)
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        self.whole.facts(docs)
    }

    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        self.whole.find_facts(query, &self.narrowed(filter), limit)
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        self.whole.entities(query, &self.narrowed(filter))
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        self.whole.spellings(names, &self.narrowed(filter))
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        let mut aliases = self.whole.aliases()?;
        aliases.retain(|(path, _)| !self.paths.contains(path));
        Ok(aliases)
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        let mut docs = self.whole.unembedded(limit.saturating_add(self.hidden.len()))?;
        docs.retain(|doc| !self.hidden.has(*doc));
        docs.truncate(limit);
        Ok(docs)
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        self.whole.cached(keys)
    }

    fn stats(&self) -> Result<Stats, Error> {
        let whole = self.whole.stats()?;
        let chunks = self.whole.chunks(&self.hidden.on(Shelf::Chunks).collect::<Vec<Doc>>())?;
        let sources: Vec<Source> = chunks.iter().map(|chunk| chunk.source).collect();
        let embedded = chunks.iter().filter(|chunk| chunk.embedding.vector().is_some()).count() as u64;
        let paths: Vec<&str> = self.paths.iter().map(String::as_str).collect();
        let notes = self.whole.notes(NoteQuery::At(&paths))?;
        let gone: Vec<Source> = notes.iter().map(|note| note.source).collect();
        Ok(Stats {
            notes: less(whole.notes, &gone),
            chunks: less(whole.chunks, &sources),
            facts: self.size(Shelf::Facts)?,
            entities: self.entities(EntityQuery::All, &Filter::default())?.len() as u64,
            embedded: whole.embedded.saturating_sub(embedded),
            cache_entries: whole.cache_entries,
            dims: whole.dims,
        })
    }
}
