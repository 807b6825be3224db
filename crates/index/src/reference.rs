//! The plainest index that keeps the contract: everything in memory, nothing clever. Other backends are compared with
//! it, tests of the engine that need no file use it, and so do notes that must not reach the disk ([`ViewSnapshot`]).
//!
//! [`ViewSnapshot`]: crate::ViewSnapshot

mod ranked;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::bm25::{self, Lexical};
use crate::chunk_terms::ChunkTerms;
use crate::columns::Filter;
use crate::plan::{Before, NoteState, Plan, StoredRow};
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::query_term::QueryTerm;
use crate::record::{
    Alias, Batch, CENSUS, CacheKey, Change, Doc, Entity, FORGOTTEN, NoteRow, Part, Shelf, Source, Stats,
    StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, Index, Snapshot, codec, shared_terms, vector};
use ranked::Ranks;

pub struct ReferenceIndex(Mutex<Arc<Contents>>);

#[derive(Debug, Clone, Default)]
struct Contents {
    generation: u64,
    /// Whether this is the main index or stands beside another one.
    part: Part,
    /// The last numbers given to a chunk and to a fact.
    last: [i64; 2],
    notes: BTreeMap<String, StoredNote>,
    /// Both shelves.
    rows: BTreeMap<Doc, Arc<StoredRow>>,
    /// The terms of each.
    terms: BTreeMap<Doc, Arc<ChunkTerms>>,
    declared: BTreeMap<String, Vec<Alias>>,
    meta: BTreeMap<String, String>,
    cache: BTreeMap<CacheKey, (i64, Vec<f32>)>,
    dims: Option<usize>,
    ranks: Ranks,
}

/// One generation of it, which borrows nothing and can be passed on.
#[derive(Clone)]
pub struct ReferenceSnapshot(Arc<Contents>);

impl Default for ReferenceIndex {
    fn default() -> Self {
        Self::of(Part::Main)
    }
}

impl ReferenceIndex {
    fn of(part: Part) -> Self {
        let last = Shelf::ALL.map(|shelf| codec::doc(Doc { shelf, part, row: 0 }));
        Self(Mutex::new(Arc::new(Contents { part, last, ..Contents::default() })))
    }

    /// An index to stand beside another backend: its row numbers differ from those of any other.
    pub fn apart() -> Self {
        Self::of(Part::Beside)
    }

    /// Replaces the aliases that other notes declare.
    pub fn declare(&self, declared: Vec<(String, Alias)>) {
        let mut all: BTreeMap<String, Vec<Alias>> = BTreeMap::new();
        for (path, alias) in declared {
            all.entry(path).or_default().push(alias);
        }
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if current.declared != all {
            let generation = current.generation + 1;
            *current = Arc::new(Contents { declared: all, generation, ..Contents::clone(&current) });
        }
    }

    pub fn hold(&self) -> ReferenceSnapshot {
        ReferenceSnapshot(Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl ReferenceSnapshot {
    pub(crate) fn snapshot(&self) -> &dyn Snapshot {
        &self.0
    }

    /// Ranks by words; `others` is what the backend beside it found.
    pub(crate) fn lexical_beside(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
        others: &Lexical,
    ) -> Lexical {
        let ranked = self.0.ranked(shelf);
        bm25::rank_beside(terms, &ranked.postings(terms), &ranked.columns, filter, limit, others)
    }
}

impl Index for ReferenceIndex {
    fn apply(&self, batch: &Batch) -> Result<u64, Error> {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if batch.only_at.is_some_and(|generation| generation != current.generation) {
            return Ok(current.generation);
        }
        if batch.read_at.is_some_and(|read_at| read_at != current.forgotten()) {
            return Err(Error::Superseded);
        }
        let plan = Plan::of(&**current, batch, current.dims, current.last)?;
        let mut next = Contents { ranks: Ranks::default(), ..Contents::clone(&current) };
        if batch.clears_census() {
            next.meta.remove(CENSUS);
        }
        next.take(plan);
        batch.changes.iter().for_each(|change| next.value(change));
        if batch.is_answered() {
            next.generation += 1;
        }
        let generation = next.generation;
        *current = Arc::new(next);
        Ok(generation)
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error> {
        let contents = Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner));
        Ok(Box::new(contents))
    }

    fn snapshot_until(&self, _deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error> {
        self.snapshot()
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.snapshot()?.meta(key)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        self.snapshot()?.notes(query)
    }
}

impl Before for Contents {
    fn note(&self, path: &str) -> Result<Option<NoteState>, Error> {
        let aliases = || self.declared.get(path).cloned().unwrap_or_default();
        Ok(self.notes.get(path).map(|note| NoteState { note: note.clone(), aliases: aliases() }))
    }

    fn rows_from(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        Ok(self.of_note(path).filter(|chunk| chunk.start_line >= line).map(|chunk| chunk.doc).collect())
    }

    fn row(&self, doc: Doc) -> Option<&StoredRow> {
        self.rows.get(&doc).map(Arc::as_ref)
    }
}

impl Contents {
    fn take(&mut self, plan: Plan<'_>) {
        self.dims = plan.dims;
        self.last = plan.last;
        for (path, state) in plan.notes {
            self.notes.remove(&path);
            self.declared.remove(&path);
            let Some(NoteState { note, aliases }) = state else { continue };
            self.notes.insert(path.clone(), note);
            if !aliases.is_empty() {
                self.declared.insert(path, aliases);
            }
        }
        for (doc, row) in plan.rows {
            self.rows.remove(&doc);
            let Some(row) = row else {
                self.terms.remove(&doc);
                continue;
            };
            let terms = || Arc::new(ChunkTerms::of(&row.chunk.text, &row.chunk.context));
            self.terms.entry(doc).or_insert_with(terms);
            self.rows.insert(doc, Arc::new(row));
        }
    }

    fn value(&mut self, change: &Change) {
        match change {
            Change::Put(_)
            | Change::Grow { .. }
            | Change::Rename { .. }
            | Change::Touch(_)
            | Change::Remove { .. }
            | Change::Embed { .. }
            | Change::Use { .. }
            | Change::Compact => {}
            Change::Meta { key, value } => drop(self.meta.insert(key.clone(), value.clone())),
            Change::Cache { key, vector, now_ms } => {
                self.cache.insert(key.clone(), (*now_ms, vector.clone()));
            }
            Change::PruneCache { keep, most } => {
                let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
                self.prune(whole(*keep), whole(*most));
            }
            Change::Forget { hashes, .. } => {
                self.cache.retain(|key, _| !hashes.contains(&key.hash));
                self.meta.insert(FORGOTTEN.to_owned(), (self.forgotten() + 1).to_string());
            }
        }
    }

    fn forgotten(&self) -> u64 {
        self.meta.get(FORGOTTEN).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    fn on(&self, shelf: Shelf) -> impl Iterator<Item = &Arc<StoredChunk>> {
        self.rows.values().map(|row| &row.chunk).filter(move |chunk| chunk.doc.shelf == shelf)
    }

    fn of_note<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Arc<StoredChunk>> {
        self.rows.values().map(|row| &row.chunk).filter(move |chunk| chunk.path == path)
    }

    fn prune(&mut self, keep: usize, most: usize) {
        let mut ages: Vec<(i64, CacheKey)> =
            self.cache.iter().map(|(key, (age, _))| (*age, key.clone())).collect();
        ages.sort();
        for (_, key) in ages.iter().take(self.cache.len().saturating_sub(keep).min(most)) {
            self.cache.remove(key);
        }
    }

    fn count(&self, source: Source) -> (u64, u64) {
        let notes = self.notes.values().filter(|note| note.source == source).count();
        let chunks = self.on(Shelf::Chunks).filter(|chunk| chunk.source == source).count();
        (notes as u64, chunks as u64)
    }
}

impl Snapshot for Arc<Contents> {
    fn generation(&self) -> u64 {
        self.generation
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.on(shelf).count() as u64)
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        Ok(self.meta.get(key).map(|value| value.as_str().into()))
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let is_asked = |path: &String| match query {
            NoteQuery::All => true,
            NoteQuery::At(paths) => paths.contains(&path.as_str()),
        };
        Ok(self.notes.values().filter(|note| is_asked(&note.path)).cloned().collect())
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        let rows = self.of_note(path).map(|chunk| NoteRow {
            doc: chunk.doc,
            id: chunk.id.clone(),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            is_pending: chunk.embedding.is_pending(),
        });
        let mut rows: Vec<NoteRow> = rows.collect();
        rows.sort_by_key(|row| (row.doc.shelf, row.start_line, row.doc));
        let chunks = || rows.iter().filter(|row| row.doc.shelf == Shelf::Chunks);
        match query {
            RowQuery::All => {}
            RowQuery::ChunksAt(line) => {
                rows =
                    chunks().filter(|row| row.start_line <= line && line <= row.end_line).cloned().collect();
            }
            RowQuery::LastChunks => {
                let last = chunks().map(|row| row.start_line).max();
                rows = chunks().filter(|row| Some(row.start_line) == last).cloned().collect();
            }
        }
        Ok(rows)
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let ranked = self.ranked(shelf);
        Ok(bm25::rank(terms, &ranked.postings(terms), &ranked.columns, filter, limit))
    }

    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        Ok(self.ranked(shelf).terms_beginning(ways))
    }

    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let Some(dims) = self.dims else { return Ok(Vec::new()) };
        vector::check(query, dims)?;
        let columns = &self.ranked(shelf).columns;
        let scored = self.on(shelf).enumerate().filter(|(position, _)| filter.admits(columns, *position));
        let cosine = |(_, chunk): (_, &Arc<StoredChunk>)| {
            Some((chunk.doc, vector::cosine(chunk.embedding.vector()?, query)))
        };
        let (mut best, mut others) = vector::split_best(scored.filter_map(cosine).collect(), limit);
        others.retain(|(doc, _)| also.contains(doc));
        best.append(&mut others);
        Ok(best)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        let unknown = |doc: &Doc| Error::Damaged { path: "memory".into(), what: format!("no chunk {doc}") };
        let chunk = |doc: &Doc| self.rows.get(doc).map(|row| Arc::clone(&row.chunk));
        docs.iter().map(|doc| chunk(doc).ok_or_else(|| unknown(doc))).collect()
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        let pending = self.rows.values().filter(|row| row.chunk.embedding.is_pending());
        Ok(pending.map(|row| row.chunk.doc).take(limit).collect())
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        Ok(keys.iter().map(|key| self.cache.get(key).map(|(_, vector)| vector.clone())).collect())
    }

    fn stats(&self) -> Result<Stats, Error> {
        Ok(Stats {
            notes: Source::ALL.into_iter().map(|source| (source, self.count(source).0)).collect(),
            chunks: Source::ALL.into_iter().map(|source| (source, self.count(source).1)).collect(),
            facts: self.size(Shelf::Facts)?,
            entities: self.entities(EntityQuery::All, &Filter::default())?.len() as u64,
            embedded: self.on(Shelf::Chunks).filter(|chunk| chunk.embedding.vector().is_some()).count()
                as u64,
            cache_entries: self.cache.len() as u64,
            dims: self.dims,
        })
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let aliases = self.names().aliases();
        let unknown = |doc: &Doc| Error::Damaged { path: "memory".into(), what: format!("no fact {doc}") };
        let fact = |doc: &Doc| {
            let row = self.rows.get(doc)?;
            let fields = row.fields.clone()?;
            let names = aliases.names(&fields.entities);
            Some(Arc::new(StoredFact { chunk: Arc::clone(&row.chunk), fields, names }))
        };
        docs.iter().map(|doc| fact(doc).ok_or_else(|| unknown(doc))).collect()
    }

    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let ranked = self.ranked(Shelf::Facts);
        self.names().find(query, &ranked.columns, (filter, limit), |terms| {
            let postings = ranked.postings(&QueryTerm::as_asked(terms));
            Ok(shared_terms::find_in(terms, &postings, &ranked.columns))
        })
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        Ok(self.names().entities(query, &self.ranked(Shelf::Facts).columns, filter))
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        Ok(self.names().spellings(names, &self.ranked(Shelf::Facts).columns, filter))
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        let all = self.declared.iter();
        Ok(all.flat_map(|(path, list)| list.iter().map(|alias| (path.clone(), alias.clone()))).collect())
    }
}
