//! Two indexes that answer as one: the one on the disk, and one in memory beside it, for what must not reach a disk.
//!
//! Numbers tell which of the two a row is of. Lists are put together by score: how rare a word is counts over both for the
//! rows in memory, and over the disk alone for those on it, of which there are many more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::bm25::Lexical;
use crate::columns::Filter;
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::record::{
    Alias, CacheKey, Doc, Entity, NoteRow, Part, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, QueryTerm, ReferenceSnapshot, Snapshot, vector};

pub struct JoinedSnapshot<'a> {
    disk: Box<dyn Snapshot + 'a>,
    apart: ReferenceSnapshot,
}

impl<'a> JoinedSnapshot<'a> {
    pub fn new(disk: Box<dyn Snapshot + 'a>, apart: ReferenceSnapshot) -> Self {
        Self { disk, apart }
    }

    fn apart(&self) -> &dyn Snapshot {
        self.apart.snapshot()
    }

    /// What each of the two gives, the disk's first.
    fn both<T>(&self, ask: impl Fn(&dyn Snapshot) -> Result<T, Error>) -> Result<(T, T), Error> {
        Ok((ask(&*self.disk)?, ask(self.apart())?))
    }

    /// The lists of both as one.
    fn all<T>(&self, ask: impl Fn(&dyn Snapshot) -> Result<Vec<T>, Error>) -> Result<Vec<T>, Error> {
        let (mut found, apart) = self.both(ask)?;
        found.extend(apart);
        Ok(found)
    }

    /// Rows in the order asked for, whichever of the two has them.
    fn rows<T: Clone>(
        &self,
        docs: &[Doc],
        ask: impl Fn(&dyn Snapshot, &[Doc]) -> Result<Vec<T>, Error>,
    ) -> Result<Vec<T>, Error> {
        if !docs.iter().any(|doc| doc.part == Part::Beside) {
            return ask(&*self.disk, docs);
        }
        let (apart, disk) = split(docs);
        let mut apart = ask(self.apart(), &apart)?.into_iter();
        let mut disk = ask(&*self.disk, &disk)?.into_iter();
        let next = |doc: &Doc| if doc.part == Part::Beside { apart.next() } else { disk.next() };
        Ok(docs.iter().filter_map(next).collect())
    }
}

fn split(docs: &[Doc]) -> (Vec<Doc>, Vec<Doc>) {
    docs.iter().copied().partition(|doc| doc.part == Part::Beside)
}

fn sum_by_source(a: Vec<(Source, u64)>, b: &[(Source, u64)]) -> Vec<(Source, u64)> {
    let more = |source: Source| b.iter().filter(|(other, _)| *other == source).map(|(_, n)| n).sum::<u64>();
    a.into_iter().map(|(source, n)| (source, n + more(source))).collect()
}

impl Snapshot for JoinedSnapshot<'_> {
    /// Of both: neither counts to more than a million million.
    fn generation(&self) -> u64 {
        self.disk.generation() + (self.apart().generation() << 40)
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        let (disk, apart) = self.both(|one| one.size(shelf))?;
        Ok(disk + apart)
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.disk.meta(key)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let mut notes = self.all(|one| one.notes(query))?;
        notes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(notes)
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        self.all(|one| one.rows_of(path, query))
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
        let last = limit.checked_sub(1).and_then(|at| both.hits.get(at));
        let last = last.map_or(f32::NEG_INFINITY, |hit| hit.score);
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
        let (mut best, mut others) = vector::split_best(found, limit);
        others.retain(|(doc, _)| also.contains(doc));
        best.append(&mut others);
        Ok(best)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        self.rows(docs, |one, docs| one.chunks(docs))
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        self.rows(docs, |one, docs| one.facts(docs))
    }

    /// Facts in memory have the larger numbers: where the last come first, they do. Those that share terms are as many of
    /// each of the two, so that a new fact is compared with the most alike of both.
    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let (mut disk, mut apart) = self.both(|one| one.find_facts(query, filter, limit))?;
        if matches!(query, FactQuery::Naming(_)) {
            std::mem::swap(&mut disk, &mut apart);
        }
        for (list, more) in disk.iter_mut().zip(apart) {
            list.extend(more);
            if !matches!(query, FactQuery::Sharing(_)) {
                list.truncate(limit);
            }
        }
        Ok(disk)
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        let (mut disk, apart) = self.both(|one| one.entities(query, filter))?;
        match query {
            EntityQuery::Named(_) => {
                disk.iter_mut().zip(apart).for_each(|(entity, more)| entity.facts += more.facts);
                Ok(disk)
            }
            EntityQuery::All => {
                let mut counts: BTreeMap<String, u32> = BTreeMap::new();
                for entity in disk.into_iter().chain(apart) {
                    *counts.entry(entity.name).or_default() += entity.facts;
                }
                Ok(counts.into_iter().map(|(name, facts)| Entity { name, facts }).collect())
            }
        }
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        let (disk, apart) = self.both(|one| one.spellings(names, filter))?;
        Ok(disk.into_iter().zip(apart).map(|(disk, apart)| disk.or(apart)).collect())
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        self.disk.aliases()
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        self.disk.unembedded(limit)
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        self.disk.cached(keys)
    }

    fn stats(&self) -> Result<Stats, Error> {
        let (disk, apart) = self.both(|one| one.stats())?;
        Ok(Stats {
            notes: sum_by_source(disk.notes, &apart.notes),
            chunks: sum_by_source(disk.chunks, &apart.chunks),
            facts: disk.facts + apart.facts,
            entities: self.entities(EntityQuery::All, &Filter::default())?.len() as u64,
            embedded: disk.embedded + apart.embedded,
            cache_entries: disk.cache_entries,
            dims: disk.dims,
        })
    }
}
