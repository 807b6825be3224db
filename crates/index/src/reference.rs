//! The plainest index that keeps the contract: everything in memory, nothing clever. Other backends are compared with
//! it, tests of the engine that need no file use it, and so do notes that must not reach the disk ([`Joined`]).
//!
//! [`Joined`]: crate::Joined

mod ranked;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::bm25::{self, Lexical};
use crate::chunk_terms::ChunkTerms;
use crate::columns::Filter;
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::query_term::QueryTerm;
use crate::record::{
    Alias, Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, Entity, FORGOTTEN, FactFields, NewChunk,
    NewNote, NoteRow, Part, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, Index, Snapshot, shared_terms, vector};
use ranked::Ranks;

#[derive(Default)]
pub struct ReferenceIndex(Mutex<Arc<Contents>>);

#[derive(Debug, Clone, Default)]
struct Contents {
    generation: u64,
    /// Whether it stands beside another index.
    is_beside: bool,
    /// The last row of each shelf.
    last: BTreeMap<Shelf, u32>,
    notes: BTreeMap<String, StoredNote>,
    /// Both shelves.
    chunks: BTreeMap<Doc, Arc<StoredChunk>>,
    /// The terms of each.
    terms: BTreeMap<Doc, Arc<ChunkTerms>>,
    fields: BTreeMap<Doc, FactFields>,
    declared: BTreeMap<String, Vec<Alias>>,
    meta: BTreeMap<String, String>,
    cache: BTreeMap<CacheKey, (i64, Vec<f32>)>,
    dims: Option<usize>,
    ranks: Ranks,
}

/// One generation of it, that nothing keeps from being passed on.
#[derive(Clone)]
pub struct ReferenceSnapshot(Arc<Contents>);

impl ReferenceIndex {
    /// One whose numbers are not those of any other backend, so that it can stand beside one.
    pub fn apart() -> Self {
        Self(Mutex::new(Arc::new(Contents { is_beside: true, ..Contents::default() })))
    }

    /// Names that other notes declare, in place of those known so far.
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

    /// The best by words, where `others` are what the backend beside it found.
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
        let mut next = Contents { ranks: Ranks::default(), ..Contents::clone(&current) };
        if batch.clears_census() {
            next.meta.remove(CENSUS);
        }
        for change in &batch.changes {
            next.change(change)?;
        }
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

impl Contents {
    fn change(&mut self, change: &Change) -> Result<(), Error> {
        match change {
            Change::Put(note) => {
                let old = self.of_note(&note.note.path).map(|chunk| chunk.doc).collect();
                self.place(note, old)?;
                self.declare(&note.note.path, note.declared());
            }
            Change::Grow { note, from } if self.notes.contains_key(&note.note.path) => {
                let chunks = self.of_note(&note.note.path);
                let old = chunks.filter(|chunk| chunk.start_line >= *from).map(|chunk| chunk.doc).collect();
                self.place(note, old)?;
            }
            Change::Grow { .. } => {}
            Change::Rename { from, to } => self.rename(from, to),
            Change::Touch(note) => {
                if let Some(known) = self.notes.get_mut(&note.path) {
                    note.clone_into(known);
                }
            }
            Change::Remove { path } => self.remove(path),
            Change::Embed { embeddings, .. } => {
                for (doc, id, embedding) in embeddings {
                    self.embed(*doc, id, embedding)?;
                }
            }
            Change::Meta { key, value } => {
                self.meta.insert(key.clone(), value.clone());
            }
            Change::Cache { key, vector, now_ms } => {
                self.cache.insert(key.clone(), (*now_ms, vector.clone()));
            }
            Change::PruneCache { keep, most } => {
                let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
                self.prune(whole(*keep), whole(*most));
            }
            Change::Use { .. } => {}
            Change::Compact => {}
            Change::Forget { hashes, .. } => {
                self.cache.retain(|key, _| !hashes.contains(&key.hash));
                self.meta.insert(FORGOTTEN.to_owned(), (self.forgotten() + 1).to_string());
            }
        }
        Ok(())
    }

    fn forgotten(&self) -> u64 {
        self.meta.get(FORGOTTEN).and_then(|text| text.parse().ok()).unwrap_or(0)
    }

    /// Puts chunks and facts in the place of old ones; those that stay as they were keep their numbers and vectors.
    fn place(&mut self, new: &NewNote, old: Vec<Doc>) -> Result<(), Error> {
        let path = &new.note.path;
        let known = old.into_iter().filter_map(|doc| self.chunks.get(&doc));
        let mut old: BTreeMap<(Shelf, ChunkId), Doc> =
            known.map(|chunk| ((chunk.doc.shelf, chunk.id.clone()), chunk.doc)).collect();
        let mut placed: BTreeSet<(Shelf, ChunkId)> = BTreeSet::new();
        for (shelf, chunk, fields) in new.rows() {
            let place = (shelf, ChunkId::new(new.note.source, path, chunk));
            if !placed.insert(place.clone()) {
                continue;
            }
            let doc = old.remove(&place).unwrap_or_else(|| self.next_doc(shelf));
            self.store(doc, place.1, new, chunk)?;
            if let Some(fields) = fields {
                self.fields.entry(doc).or_insert_with(|| fields.clone());
            }
        }
        old.values().for_each(|doc| self.delete(*doc));
        self.notes.insert(path.clone(), new.note.clone());
        Ok(())
    }

    fn part(&self) -> Part {
        if self.is_beside { Part::Beside } else { Part::Main }
    }

    fn next_doc(&mut self, shelf: Shelf) -> Doc {
        let part = self.part();
        let row = self.last.entry(shelf).or_default();
        *row += 1;
        Doc { shelf, part, row: *row }
    }

    fn store(&mut self, doc: Doc, id: ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<(), Error> {
        let kept = self.chunks.get(&doc).map(|chunk| chunk.embedding.clone()).filter(|old| !old.is_pending());
        let mut stored = new.stored(doc, id, chunk);
        if let Some(kept) = kept {
            stored.embedding = kept;
        }
        self.check_dims(stored.embedding.vector())?;
        self.terms.insert(doc, Arc::new(ChunkTerms::of(&stored.text, &stored.context)));
        self.chunks.insert(doc, Arc::new(stored));
        Ok(())
    }

    fn delete(&mut self, doc: Doc) {
        self.chunks.remove(&doc);
        self.terms.remove(&doc);
        self.fields.remove(&doc);
    }

    fn declare(&mut self, path: &str, aliases: Vec<Alias>) {
        self.declared.remove(path);
        if !aliases.is_empty() {
            self.declared.insert(path.to_owned(), aliases);
        }
    }

    fn on(&self, shelf: Shelf) -> impl Iterator<Item = &Arc<StoredChunk>> {
        self.chunks.values().filter(move |chunk| chunk.doc.shelf == shelf)
    }

    /// Facts that share terms with a text.
    fn sharing(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let with = |term: &String| -> Vec<Doc> {
            let has = |doc: &Doc| self.terms.get(doc).is_some_and(|terms| terms.counts.contains_key(term));
            self.fields.keys().copied().filter(has).collect()
        };
        let lists: Vec<Vec<Doc>> = terms.iter().map(with).collect();
        let is_in_all = |doc: &Doc| lists.iter().all(|list| list.contains(doc));
        let with_all = |rarest: &String, _| Ok(with(rarest).into_iter().filter(is_in_all).collect());
        shared_terms::find(terms, lists.iter().map(Vec::len), |term| Ok(with(term)), with_all)
    }

    fn of_note<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Arc<StoredChunk>> {
        self.chunks.values().filter(move |chunk| chunk.path == path)
    }

    fn remove(&mut self, path: &str) {
        let docs: Vec<Doc> = self.of_note(path).map(|chunk| chunk.doc).collect();
        docs.into_iter().for_each(|doc| self.delete(doc));
        self.declared.remove(path);
        self.notes.remove(path);
    }

    fn rename(&mut self, from: &str, to: &StoredNote) {
        if self.notes.get(from).map(|note| note.hash) != Some(to.hash) {
            return;
        }
        self.remove(&to.path);
        self.notes.remove(from);
        for chunk in self.chunks.values_mut().filter(|chunk| chunk.path == from) {
            let mut moved = StoredChunk::clone(chunk);
            moved.path.clone_from(&to.path);
            moved.id = ChunkId::of_stored(&moved);
            *chunk = Arc::new(moved);
        }
        if let Some(aliases) = self.declared.remove(from) {
            self.declared.insert(to.path.clone(), aliases);
        }
        self.notes.insert(to.path.clone(), to.clone());
    }

    fn embed(&mut self, doc: Doc, id: &ChunkId, embedding: &Embedding) -> Result<(), Error> {
        self.check_dims(embedding.vector())?;
        if let Some(chunk) = self.chunks.get_mut(&doc).filter(|chunk| chunk.id == *id) {
            *chunk = Arc::new(StoredChunk { embedding: embedding.clone(), ..StoredChunk::clone(chunk) });
        }
        Ok(())
    }

    fn check_dims(&mut self, vector: Option<&[f32]>) -> Result<(), Error> {
        match vector {
            Some(vector) => vector::check(vector, *self.dims.get_or_insert(vector.len())),
            None => Ok(()),
        }
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
        let mut scored: Vec<(Doc, f32)> = self
            .on(shelf)
            .enumerate()
            .filter(|(position, _)| filter.admits(columns, *position))
            .filter_map(|(_, chunk)| Some((chunk.doc, vector::cosine(chunk.embedding.vector()?, query))))
            .collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let last =
            limit.checked_sub(1).and_then(|at| scored.get(at)).map_or(f32::NEG_INFINITY, |(_, score)| *score);
        let kept = scored.iter().take_while(|(_, score)| *score >= last).count();
        let rest = scored.split_off(kept);
        scored.extend(rest.into_iter().filter(|(doc, _)| also.contains(doc)));
        Ok(scored)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        let unknown = |doc: &Doc| Error::Damaged { path: "memory".into(), what: format!("no chunk {doc}") };
        docs.iter().map(|doc| self.chunks.get(doc).cloned().ok_or_else(|| unknown(doc))).collect()
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        Ok(self
            .chunks
            .values()
            .filter(|chunk| chunk.embedding.is_pending())
            .map(|chunk| chunk.doc)
            .take(limit)
            .collect())
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        Ok(keys.iter().map(|key| self.cache.get(key).map(|(_, vector)| vector.clone())).collect())
    }

    fn stats(&self) -> Result<Stats, Error> {
        Ok(Stats {
            notes: Source::ALL.into_iter().map(|source| (source, self.count(source).0)).collect(),
            chunks: Source::ALL.into_iter().map(|source| (source, self.count(source).1)).collect(),
            facts: self.fields.len() as u64,
            entities: self.entities(EntityQuery::All, &Filter::default())?.len() as u64,
            embedded: self.on(Shelf::Chunks).filter(|chunk| chunk.embedding.vector().is_some()).count()
                as u64,
            cache_entries: self.cache.len() as u64,
            dims: self.dims,
        })
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let chunks = self.chunks(docs)?;
        let aliases = self.names().aliases();
        let unknown = |doc: Doc| Error::Damaged { path: "memory".into(), what: format!("no fact {doc}") };
        let fact = |chunk: Arc<StoredChunk>| {
            let fields = self.fields.get(&chunk.doc).ok_or_else(|| unknown(chunk.doc))?.clone();
            let names = aliases.names(&fields.entities);
            Ok(Arc::new(StoredFact { chunk, fields, names }))
        };
        chunks.into_iter().map(fact).collect()
    }

    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let lists = match query {
            FactQuery::All => vec![self.names().all().collect()],
            FactQuery::Ids(ids) => self.names().with_ids(ids),
            FactQuery::Keys(keys) => self.names().with_keys(keys),
            FactQuery::Naming(names) => {
                names.iter().map(|name| self.names().naming(name).collect()).collect()
            }
            FactQuery::Sharing(terms) => vec![self.sharing(terms)?],
        };
        let columns = &self.ranked(Shelf::Facts).columns;
        Ok(lists.into_iter().map(|docs| filter.first(columns, docs, limit)).collect())
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        let columns = &self.ranked(Shelf::Facts).columns;
        Ok(self.names().entities(query, |doc| filter.admits_doc(columns, doc)))
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        let columns = &self.ranked(Shelf::Facts).columns;
        let admits = |doc| filter.admits_doc(columns, doc);
        Ok(names.iter().map(|name| self.names().spelling(name, admits)).collect())
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        let all = self.declared.iter();
        Ok(all.flat_map(|(path, list)| list.iter().map(|alias| (path.clone(), alias.clone()))).collect())
    }
}
