//! Two indexes that answer as one: the one on the disk, and one in memory beside it, for what must not reach a disk.
//!
//! Numbers tell which of the two a row is of. Lists are put together by score: how rare a word is counts over both for the
//! rows in memory, and over the disk alone for those on it, of which there are many more.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use crate::bm25::Lexical;
use crate::columns::Filter;
use crate::record::{
    Alias, CacheKey, ChunkId, Doc, Entity, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, QueryTerm, ReferenceSnapshot, Snapshot};

pub struct Joined<'a> {
    disk: Box<dyn Snapshot + 'a>,
    apart: ReferenceSnapshot,
}

impl<'a> Joined<'a> {
    pub fn new(disk: Box<dyn Snapshot + 'a>, apart: ReferenceSnapshot) -> Self {
        Self { disk, apart }
    }

    fn apart(&self) -> &dyn Snapshot {
        self.apart.snapshot()
    }

    /// What each of the two gives, the disk's first.
    fn both<T>(&self, ask: impl Fn(&dyn Snapshot) -> Result<Vec<T>, Error>) -> Result<Vec<T>, Error> {
        let mut found = ask(&*self.disk)?;
        found.extend(ask(self.apart())?);
        Ok(found)
    }

    /// Rows in the order asked for, whichever of the two has them.
    fn rows<T: Clone>(
        &self,
        docs: &[Doc],
        ask: impl Fn(&dyn Snapshot, &[Doc]) -> Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        if !docs.iter().any(|doc| doc.is_apart()) {
            return ask(&*self.disk, docs);
        }
        let (apart, disk) = split(docs);
        let mut apart = ask(self.apart(), &apart)?.into_iter();
        let mut disk = ask(&*self.disk, &disk)?.into_iter();
        let next = |doc: &Doc| if doc.is_apart() { apart.next() } else { disk.next() };
        Ok(docs.iter().filter_map(next).collect())
    }
}

fn split(docs: &[Doc]) -> (Vec<Doc>, Vec<Doc>) {
    docs.iter().copied().partition(|doc| doc.is_apart())
}

/// The score of the last that is wanted, so that those of both that are better or equal can be kept.
fn last_of(mut scores: impl Iterator<Item = f32>, limit: usize) -> f32 {
    limit.checked_sub(1).and_then(|at| scores.nth(at)).unwrap_or(f32::NEG_INFINITY)
}

/// Counts of the same entity added up, by name.
fn sum(entities: Vec<Entity>) -> Vec<Entity> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for entity in entities {
        *counts.entry(entity.name).or_default() += entity.facts;
    }
    counts.into_iter().map(|(name, facts)| Entity { name, facts }).collect()
}

fn sum_by_source(a: Vec<(Source, u64)>, b: &[(Source, u64)]) -> Vec<(Source, u64)> {
    let more = |source: Source| b.iter().filter(|(other, _)| *other == source).map(|(_, n)| n).sum::<u64>();
    a.into_iter().map(|(source, n)| (source, n + more(source))).collect()
}

impl Snapshot for Joined<'_> {
    /// Of both: neither counts to more than a million million.
    fn generation(&self) -> u64 {
        self.disk.generation() + (self.apart().generation() << 40)
    }

    fn meta(&self, key: &str) -> Result<Option<String>, Error> {
        self.disk.meta(key)
    }

    fn look_at_meta(&self, key: &str, look: &mut dyn FnMut(&str)) -> Result<(), Error> {
        self.disk.look_at_meta(key, look)
    }

    fn notes(&self) -> Result<Vec<StoredNote>, Error> {
        let mut notes = self.both(|one| one.notes())?;
        notes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(notes)
    }

    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error> {
        let found = self.disk.note(path)?;
        if found.is_some() { Ok(found) } else { self.apart().note(path) }
    }

    fn finished(&self, path: &str) -> Result<HashSet<(Shelf, ChunkId)>, Error> {
        let mut finished = self.disk.finished(path)?;
        finished.extend(self.apart().finished(path)?);
        Ok(finished)
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let disk = self.disk.lexical(shelf, terms, filter, limit)?;
        let mut both = self.apart.lexical_beside(shelf, terms, filter, limit, &disk);
        both.hits.extend(disk.hits);
        both.hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.doc.cmp(&b.doc)));
        let last = last_of(both.hits.iter().map(|hit| hit.score), limit);
        both.hits.retain(|hit| hit.score >= last);
        Ok(both)
    }

    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let mut terms = self.disk.terms_beginning(shelf, ways)?;
        terms.extend(self.apart().terms_beginning(shelf, ways)?);
        Ok(terms)
    }

    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let (also_apart, also_disk) = split(also);
        let mut found = self.disk.nearest(shelf, query, filter, limit, &also_disk)?;
        found.extend(self.apart().nearest(shelf, query, filter, limit, &also_apart)?);
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let last = last_of(found.iter().map(|(_, cosine)| *cosine), limit);
        found.retain(|(doc, cosine)| *cosine >= last || also.contains(doc));
        Ok(found)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        self.rows(docs, |one, docs| one.chunks(docs))
    }

    fn locate(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        self.both(|one| one.locate(path, line))
    }

    fn last_line(&self, path: &str) -> Result<Option<u32>, Error> {
        let found = self.disk.last_line(path)?;
        if found.is_some() { Ok(found) } else { self.apart().last_line(path) }
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        self.disk.unembedded(limit)
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        self.disk.cached(keys)
    }

    fn stats(&self) -> Result<Stats, Error> {
        let (disk, apart) = (self.disk.stats()?, self.apart().stats()?);
        Ok(Stats {
            notes: sum_by_source(disk.notes, &apart.notes),
            chunks: sum_by_source(disk.chunks, &apart.chunks),
            facts: disk.facts + apart.facts,
            entities: self.entities()?.len() as u64,
            embedded: disk.embedded + apart.embedded,
            cache_entries: disk.cache_entries,
            dims: disk.dims,
        })
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.disk.size(shelf)? + self.apart().size(shelf)?)
    }

    fn admitted(&self, shelf: Shelf, docs: &[Doc], filter: &Filter) -> Result<Vec<Doc>, Error> {
        let (apart, disk) = split(docs);
        let mut admitted: HashSet<Doc> = self.disk.admitted(shelf, &disk, filter)?.into_iter().collect();
        admitted.extend(self.apart().admitted(shelf, &apart, filter)?);
        Ok(docs.iter().copied().filter(|doc| admitted.contains(doc)).collect())
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        self.rows(docs, |one, docs| one.facts(docs))
    }

    fn all_facts(&self) -> Result<Vec<Doc>, Error> {
        self.both(|one| one.all_facts())
    }

    fn facts_with_id(&self, id: &str) -> Result<Vec<Doc>, Error> {
        self.both(|one| one.facts_with_id(id))
    }

    fn facts_with_key(&self, key: &str) -> Result<Vec<Doc>, Error> {
        self.both(|one| one.facts_with_key(key))
    }

    fn facts_with_keys(&self, keys: &[String]) -> Result<Vec<Vec<Doc>>, Error> {
        let (mut found, apart) = (self.disk.facts_with_keys(keys)?, self.apart().facts_with_keys(keys)?);
        found.iter_mut().zip(apart).for_each(|(docs, more)| docs.extend(more));
        Ok(found)
    }

    fn facts_like(&self, terms: &[String], limit: usize) -> Result<Vec<Doc>, Error> {
        self.both(|one| one.facts_like(terms, limit))
    }

    fn facts_of(&self, name: &str) -> Result<Arc<[Doc]>, Error> {
        let (disk, apart) = (self.disk.facts_of(name)?, self.apart().facts_of(name)?);
        if apart.is_empty() { Ok(disk) } else { Ok(disk.iter().chain(&*apart).copied().collect()) }
    }

    /// Rows in memory have the larger numbers.
    fn last_facts_of(&self, names: &[String], filter: &Filter, limit: usize) -> Result<Vec<Vec<Doc>>, Error> {
        let mut found = self.apart().last_facts_of(names, filter, limit)?;
        for (docs, more) in found.iter_mut().zip(self.disk.last_facts_of(names, filter, limit)?) {
            docs.extend(more);
            docs.truncate(limit);
        }
        Ok(found)
    }

    fn entities(&self) -> Result<Vec<Entity>, Error> {
        Ok(sum(self.both(|one| one.entities())?))
    }

    fn entity(&self, name: &str) -> Result<Option<Entity>, Error> {
        let found = self.both(|one| Ok(one.entity(name)?.into_iter().collect()))?;
        Ok(sum(found).into_iter().next())
    }

    fn entities_named(&self, names: &[String]) -> Result<Vec<Option<Entity>>, Error> {
        let (disk, apart) = (self.disk.entities_named(names)?, self.apart().entities_named(names)?);
        let one = |(disk, apart): (Option<Entity>, Option<Entity>)| {
            sum(disk.into_iter().chain(apart).collect()).into_iter().next()
        };
        Ok(disk.into_iter().zip(apart).map(one).collect())
    }

    fn neighbours(&self, name: &str) -> Result<Arc<[(Entity, u32)]>, Error> {
        let (disk, apart) = (self.disk.neighbours(name)?, self.apart().neighbours(name)?);
        if apart.is_empty() {
            return Ok(disk);
        }
        let mut met: BTreeMap<&str, u32> = BTreeMap::new();
        for (entity, together) in disk.iter().chain(&*apart) {
            *met.entry(&entity.name).or_default() += together;
        }
        let whole = |(name, together): (&str, u32)| {
            let facts = self.entity(name)?.map_or(0, |entity| entity.facts);
            Ok((Entity { name: name.to_owned(), facts }, together))
        };
        met.into_iter().map(whole).collect()
    }

    fn spelling(&self, name: &str) -> Result<Option<String>, Error> {
        let found = self.disk.spelling(name)?;
        if found.is_some() { Ok(found) } else { self.apart().spelling(name) }
    }

    fn declared(&self) -> Result<Vec<(String, Alias)>, Error> {
        self.disk.declared()
    }
}
