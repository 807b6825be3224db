//! The plainest index that keeps the contract: everything in memory, nothing clever. Other backends are compared with
//! it, tests of the engine that need no file use it, and so do notes that must not reach the disk ([`Joined`]).
//!
//! [`Joined`]: crate::Joined

mod ranked;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::alias::Aliases;
use crate::bm25::{self, Lexical};
use crate::chunk_terms::ChunkTerms;
use crate::columns::Filter;
use crate::query_term::QueryTerm;
use crate::record::{
    Alias, Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, Entity, FORGOTTEN, FactFields, NewChunk,
    NewNote, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, Index, Snapshot, shared_terms, vector};
use ranked::Ranks;

#[derive(Default)]
pub struct ReferenceIndex(Mutex<Arc<Contents>>);

#[derive(Debug, Clone, Default)]
struct Contents {
    generation: u64,
    last: BTreeMap<Shelf, i64>,
    notes: BTreeMap<String, StoredNote>,
    /// Both shelves.
    chunks: BTreeMap<Doc, Arc<StoredChunk>>,
    /// The words of each.
    words: BTreeMap<Doc, Arc<ChunkTerms>>,
    fields: BTreeMap<Doc, FactFields>,
    declared: BTreeMap<String, Vec<Alias>>,
    meta: BTreeMap<String, String>,
    cache: BTreeMap<CacheKey, (i64, Vec<f32>)>,
    dims: Option<usize>,
    ranks: Ranks,
}

/// One generation of it, that nothing keeps from being passed on.
pub struct ReferenceSnapshot(Arc<Contents>);

impl ReferenceIndex {
    /// One whose numbers are not those of any other backend, so that it can stand beside one.
    pub fn apart() -> Self {
        let last = Shelf::ALL.into_iter().map(|shelf| (shelf, shelf.apart())).collect();
        Self(Mutex::new(Arc::new(Contents { last, ..Contents::default() })))
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
        if batch.changes.iter().any(Change::is_of_a_note) {
            next.meta.remove(CENSUS);
        }
        for change in &batch.changes {
            next.change(change)?;
        }
        if batch.changes.is_empty() || batch.changes.iter().any(Change::is_answered) {
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
}

impl Contents {
    fn change(&mut self, change: &Change) -> Result<(), Error> {
        match change {
            Change::Put(note) => {
                let old = self.of_note(&note.note.path).map(|chunk| chunk.doc).collect();
                self.place(note, old)?;
                self.declare(&note.note.path, &note.aliases);
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
            known.map(|chunk| ((chunk.doc.shelf(), chunk.id.clone()), chunk.doc)).collect();
        let mut placed: BTreeSet<(Shelf, ChunkId)> = BTreeSet::new();
        let chunks = new.chunks.iter().map(|chunk| (Shelf::Chunks, chunk, None));
        let facts = new.facts.iter().map(|fact| (Shelf::Facts, &fact.chunk, Some(&fact.fields)));
        for (shelf, chunk, fields) in chunks.chain(facts) {
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

    fn next_doc(&mut self, shelf: Shelf) -> Doc {
        let last = self.last.entry(shelf).or_insert(shelf.floor());
        *last += 1;
        Doc(*last)
    }

    fn store(&mut self, doc: Doc, id: ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<(), Error> {
        let kept = self.chunks.get(&doc).map(|chunk| chunk.embedding.clone()).filter(|old| !old.is_pending());
        let stored = StoredChunk {
            doc,
            id,
            path: new.note.path.clone(),
            source: new.note.source,
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash,
            context: chunk.context.clone(),
            text: chunk.text.clone(),
            tokens: chunk.tokens.clone(),
            embedding: kept.unwrap_or_else(|| chunk.embedding.clone()),
            day: new.day,
            origin: chunk.origin,
        };
        self.check_dims(stored.embedding.vector())?;
        self.words.insert(doc, Arc::new(ChunkTerms::of(&stored.text, &stored.context)));
        self.chunks.insert(doc, Arc::new(stored));
        Ok(())
    }

    fn delete(&mut self, doc: Doc) {
        self.chunks.remove(&doc);
        self.words.remove(&doc);
        self.fields.remove(&doc);
    }

    fn declare(&mut self, path: &str, aliases: &[Alias]) {
        let mut aliases = aliases.to_vec();
        aliases.sort();
        aliases.dedup();
        self.declared.remove(path);
        if !aliases.is_empty() {
            self.declared.insert(path.to_owned(), aliases);
        }
    }

    fn aliases(&self) -> Aliases {
        Aliases::of(self.declared.values().flatten())
    }

    fn on(&self, shelf: Shelf) -> impl Iterator<Item = &Arc<StoredChunk>> {
        self.chunks.values().filter(move |chunk| chunk.doc.shelf() == shelf)
    }

    /// Facts by path and line that satisfy the condition.
    fn facts_where(&self, condition: impl Fn(&FactFields) -> bool) -> Vec<Doc> {
        let mut found: Vec<_> = self
            .fields
            .iter()
            .filter(|(_, fields)| condition(fields))
            .filter_map(|(doc, _)| self.chunks.get(doc))
            .map(|chunk| (&chunk.path, chunk.start_line, chunk.doc))
            .collect();
        found.sort();
        found.into_iter().map(|(_, _, doc)| doc).collect()
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

    fn meta(&self, key: &str) -> Result<Option<String>, Error> {
        Ok(self.meta.get(key).cloned())
    }

    fn notes(&self) -> Result<Vec<StoredNote>, Error> {
        Ok(self.notes.values().cloned().collect())
    }

    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error> {
        Ok(self.notes.get(path).cloned())
    }

    fn finished(&self, path: &str) -> Result<HashSet<(Shelf, ChunkId)>, Error> {
        let rows = self.of_note(path).filter(|chunk| !chunk.embedding.is_pending());
        Ok(rows.map(|chunk| (chunk.doc.shelf(), chunk.id.clone())).collect())
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
        let unknown =
            |doc: &Doc| Error::Damaged { path: "memory".into(), what: format!("no chunk {}", doc.0) };
        docs.iter().map(|doc| self.chunks.get(doc).cloned().ok_or_else(|| unknown(doc))).collect()
    }

    fn locate(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        let mut found: Vec<_> = self
            .of_note(path)
            .filter(|chunk| chunk.doc.shelf() == Shelf::Chunks)
            .filter(|chunk| chunk.start_line <= line && line <= chunk.end_line)
            .map(|chunk| (chunk.start_line, chunk.doc))
            .collect();
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, doc)| doc).collect())
    }

    fn last_line(&self, path: &str) -> Result<Option<u32>, Error> {
        let chunks = self.of_note(path).filter(|chunk| chunk.doc.shelf() == Shelf::Chunks);
        Ok(chunks.map(|chunk| chunk.start_line).max())
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
            entities: self.entities()?.len() as u64,
            embedded: self.on(Shelf::Chunks).filter(|chunk| chunk.embedding.vector().is_some()).count()
                as u64,
            cache_entries: self.cache.len() as u64,
            dims: self.dims,
        })
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.on(shelf).count() as u64)
    }

    fn admitted(&self, shelf: Shelf, docs: &[Doc], filter: &Filter) -> Result<Vec<Doc>, Error> {
        Ok(filter.admitted(&self.ranked(shelf).columns, docs))
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let chunks = self.chunks(docs)?;
        let aliases = self.aliases();
        let unknown = |doc: Doc| Error::Damaged { path: "memory".into(), what: format!("no fact {}", doc.0) };
        let fact = |chunk: Arc<StoredChunk>| {
            let fields = self.fields.get(&chunk.doc).ok_or_else(|| unknown(chunk.doc))?.clone();
            let names = aliases.names(&fields.entities);
            Ok(Arc::new(StoredFact { chunk, fields, names }))
        };
        chunks.into_iter().map(fact).collect()
    }

    fn all_facts(&self) -> Result<Vec<Doc>, Error> {
        Ok(self.facts_where(|_| true))
    }

    fn facts_with_id(&self, id: &str) -> Result<Vec<Doc>, Error> {
        Ok(self.facts_where(|fields| fields.id == id))
    }

    fn facts_with_key(&self, key: &str) -> Result<Vec<Doc>, Error> {
        Ok(self.facts_where(|fields| fields.key.as_deref() == Some(key)))
    }

    fn facts_like(&self, terms: &[String], limit: usize) -> Result<Vec<Doc>, Error> {
        let has = |doc: Doc, term: &String| {
            self.words.get(&doc).is_some_and(|words| words.counts.contains_key(term))
        };
        let all = self.facts_where(|_| true);
        let with = |term: &String| all.iter().copied().filter(|doc| has(*doc, term)).collect::<Vec<Doc>>();
        let mut lists: Vec<(String, Vec<Doc>)> =
            terms.iter().map(|term| (term.clone(), with(term))).collect();
        lists.retain(|(_, docs)| !docs.is_empty());
        let complete = lists.len() == terms.len() && !terms.is_empty();
        lists.sort_by(|a, b| a.1.len().cmp(&b.1.len()).then_with(|| a.0.cmp(&b.0)));
        lists.truncate(shared_terms::RAREST);
        if complete {
            let every = all.iter().copied().filter(|doc| terms.iter().all(|term| has(*doc, term)));
            lists.push((String::new(), every.collect()));
        }
        Ok(shared_terms::most_in_common(lists, limit))
    }

    fn facts_of(&self, name: &str) -> Result<Arc<[Doc]>, Error> {
        let (aliases, lower) = (self.aliases(), name.to_lowercase());
        let name = aliases.resolve(&lower).to_owned();
        let mut docs = self.facts_where(|fields| aliases.names(&fields.entities).contains(&name));
        docs.sort_unstable();
        Ok(docs.into())
    }

    fn entities(&self) -> Result<Vec<Entity>, Error> {
        let aliases = self.aliases();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for name in self.fields.values().flat_map(|fields| aliases.names(&fields.entities)) {
            *counts.entry(name).or_default() += 1;
        }
        Ok(counts.into_iter().map(|(name, facts)| Entity { name, facts }).collect())
    }

    fn entity(&self, name: &str) -> Result<Option<Entity>, Error> {
        let (aliases, lower) = (self.aliases(), name.to_lowercase());
        let name = aliases.resolve(&lower);
        Ok(self.entities()?.into_iter().find(|entity| entity.name == name))
    }

    fn neighbours(&self, name: &str) -> Result<Arc<[(Entity, u32)]>, Error> {
        let (aliases, lower) = (self.aliases(), name.to_lowercase());
        let name = aliases.resolve(&lower).to_owned();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let lists = self.fields.values().map(|fields| aliases.names(&fields.entities));
        for other in lists.filter(|names| names.contains(&name)).flatten().filter(|other| *other != name) {
            *counts.entry(other).or_default() += 1;
        }
        let entities = self.entities()?.into_iter();
        let met =
            entities.filter_map(|entity| counts.get(&entity.name).map(|count| (entity.clone(), *count)));
        Ok(met.collect())
    }

    fn spelling(&self, name: &str) -> Result<Option<String>, Error> {
        let (aliases, lower) = (self.aliases(), name.to_lowercase());
        let name = aliases.resolve(&lower);
        let docs = self.facts_where(|_| true);
        let tags = docs.iter().filter_map(|doc| {
            self.fields.get(doc)?.entities.iter().find(|tag| aliases.resolve(&tag.to_lowercase()) == name)
        });
        let tags: Vec<&String> = tags.collect();
        let own = tags.iter().find(|tag| tag.to_ascii_lowercase() == name);
        Ok(own.or(tags.first()).map(|tag| (*tag).clone()))
    }

    fn declared(&self) -> Result<Vec<(String, Alias)>, Error> {
        let all = self.declared.iter();
        Ok(all.flat_map(|(path, list)| list.iter().map(|alias| (path.clone(), alias.clone()))).collect())
    }
}
