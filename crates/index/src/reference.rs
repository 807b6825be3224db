//! The plainest index that keeps the contract: everything in memory, nothing clever. Other backends are compared with
//! it, and tests of the engine that need no file use it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::bm25::{self, Lexical, Postings};
use crate::columns::{Columns, Filter};
use crate::record::{
    Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, NewNote, Source, Stats, StoredChunk, StoredNote,
};
use crate::words::Words;
use crate::{Error, Index, Snapshot, vector};

#[derive(Default)]
pub struct ReferenceIndex(Mutex<Arc<Contents>>);

#[derive(Debug, Clone, Default)]
struct Contents {
    generation: u64,
    last_doc: i64,
    notes: BTreeMap<String, StoredNote>,
    chunks: BTreeMap<Doc, Arc<StoredChunk>>,
    meta: BTreeMap<String, String>,
    cache: BTreeMap<CacheKey, (i64, Vec<f32>)>,
    dims: Option<usize>,
}

impl Index for ReferenceIndex {
    fn apply(&self, batch: &Batch) -> Result<u64, Error> {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if batch.only_at.is_some_and(|generation| generation != current.generation) {
            return Ok(current.generation);
        }
        let mut next = Contents::clone(&current);
        if batch.changes.iter().any(Change::is_of_a_note) {
            next.meta.remove(CENSUS);
        }
        for change in &batch.changes {
            next.change(change)?;
        }
        next.generation += 1;
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
            Change::Put(note) => self.put(note)?,
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
            Change::Compact => {}
        }
        Ok(())
    }

    fn put(&mut self, new: &NewNote) -> Result<(), Error> {
        let path = &new.note.path;
        let mut old: BTreeMap<ChunkId, Doc> =
            self.of_note(path).map(|chunk| (chunk.id.clone(), chunk.doc)).collect();
        let mut placed: BTreeMap<ChunkId, Doc> = BTreeMap::new();
        for chunk in &new.chunks {
            let id = ChunkId::new(new.note.source, path, chunk);
            if placed.contains_key(&id) {
                continue;
            }
            let doc = old.remove(&id).unwrap_or_else(|| {
                self.last_doc += 1;
                Doc(self.last_doc)
            });
            let kept =
                self.chunks.get(&doc).map(|chunk| chunk.embedding.clone()).filter(|old| !old.is_pending());
            let stored = StoredChunk {
                doc,
                id: id.clone(),
                path: path.clone(),
                source: new.note.source,
                start_line: chunk.start_line,
                end_line: chunk.end_line,
                hash: chunk.hash,
                context: chunk.context.clone(),
                text: chunk.text.clone(),
                tokens: chunk.tokens.clone(),
                embedding: kept.unwrap_or_else(|| chunk.embedding.clone()),
                day: new.day,
            };
            self.check_dims(stored.embedding.vector())?;
            self.chunks.insert(doc, Arc::new(stored));
            placed.insert(id, doc);
        }
        old.values().for_each(|doc| {
            self.chunks.remove(doc);
        });
        self.notes.insert(path.clone(), new.note.clone());
        Ok(())
    }

    fn of_note<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Arc<StoredChunk>> {
        self.chunks.values().filter(move |chunk| chunk.path == path)
    }

    fn remove(&mut self, path: &str) {
        self.chunks.retain(|_, chunk| chunk.path != path);
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

    fn columns(&self) -> Columns {
        let mut columns = Columns::default();
        for chunk in self.chunks.values() {
            let changed = self.notes.get(&chunk.path).map_or(0, StoredNote::changed_day);
            let length = Words::of(&chunk.text, &chunk.context).length;
            columns.push(chunk.doc, chunk.source, chunk.day.unwrap_or(changed), length);
        }
        columns
    }

    fn postings(&self, term: &str) -> Postings {
        let mut postings = Postings::default();
        for (position, chunk) in self.chunks.values().enumerate() {
            if let Some(count) = Words::of(&chunk.text, &chunk.context).counts.get(term) {
                postings.push(position, *count);
            }
        }
        postings
    }

    fn count(&self, source: Source) -> (u64, u64) {
        let notes = self.notes.values().filter(|note| note.source == source).count();
        let chunks = self.chunks.values().filter(|chunk| chunk.source == source).count();
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

    fn lexical(&self, terms: &[String], filter: &Filter, limit: usize) -> Result<Lexical, Error> {
        let postings: Vec<Arc<Postings>> = terms.iter().map(|term| Arc::new(self.postings(term))).collect();
        Ok(bm25::rank(terms, &postings, &self.columns(), filter, limit))
    }

    fn nearest(
        &self,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let Some(dims) = self.dims else { return Ok(Vec::new()) };
        vector::check(query, dims)?;
        let columns = self.columns();
        let mut scored: Vec<(Doc, f32)> = self
            .chunks
            .values()
            .enumerate()
            .filter(|(position, _)| filter.admits(&columns, *position))
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
            .filter(|chunk| chunk.start_line <= line && line <= chunk.end_line)
            .map(|chunk| (chunk.start_line, chunk.doc))
            .collect();
        found.sort_unstable();
        Ok(found.into_iter().map(|(_, doc)| doc).collect())
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
            embedded: self.chunks.values().filter(|chunk| chunk.embedding.vector().is_some()).count() as u64,
            cache_entries: self.cache.len() as u64,
            dims: self.dims,
        })
    }
}
