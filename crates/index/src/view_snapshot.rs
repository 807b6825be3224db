//! What a viewer sees of an index: without the notes that are hidden from them, as if these had never been written, and with
//! those that are held in memory beside it, which must not reach a disk.
//!
//! Numbers tell which of the two indexes a row is of. Lists are put together by score: how rare a word is counts over both
//! for the rows in memory, and over the disk alone for those on it, of which there are many more. Hidden rows are left out by
//! the engine itself, through the filter of each question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::bm25::Lexical;
use crate::columns::{Filter, Hidden};
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::record::{
    Alias, CacheKey, Doc, Entity, NoteRow, Part, Shelf, Source, Stats, StoredChunk, StoredFact, StoredNote,
};
use crate::{Error, QueryTerm, ReferenceIndex, ReferenceSnapshot, Snapshot, vector};

/// Set in the generation, so that nothing that was kept of the whole is taken for what is left of it.
const SCREENED: u64 = 1 << 63;

pub struct ViewSnapshot<'a> {
    disk: Box<dyn Snapshot + 'a>,
    apart: ReferenceSnapshot,
    hidden_paths: BTreeSet<String>,
    hidden: Hidden,
}

impl<'a> ViewSnapshot<'a> {
    /// The snapshot with the notes in memory.
    pub fn joined(disk: Box<dyn Snapshot + 'a>, apart: ReferenceSnapshot) -> Self {
        Self { disk, apart, hidden_paths: BTreeSet::new(), hidden: Hidden::default() }
    }

    /// The snapshot without the notes of these paths.
    pub fn without(disk: Box<dyn Snapshot + 'a>, hidden_paths: BTreeSet<String>) -> Result<Self, Error> {
        let mut hidden = Vec::new();
        for path in &hidden_paths {
            hidden.extend(disk.rows_of(path, RowQuery::All)?.into_iter().map(|row| row.doc));
        }
        let apart = ReferenceIndex::apart().hold();
        Ok(Self { disk, apart, hidden_paths, hidden: Hidden::new(hidden) })
    }

    fn apart(&self) -> &dyn Snapshot {
        self.apart.snapshot()
    }

    fn narrowed(&self, filter: &Filter) -> Filter {
        if self.hidden.is_empty() {
            return filter.clone();
        }
        Filter { hidden: self.hidden.clone(), ..filter.clone() }
    }

    /// What each of the two gives for a filter, the disk's first.
    fn both<T>(
        &self,
        filter: &Filter,
        ask: impl Fn(&dyn Snapshot, &Filter) -> Result<T, Error>,
    ) -> Result<(T, T), Error> {
        Ok((ask(&*self.disk, &self.narrowed(filter))?, ask(self.apart(), filter)?))
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

/// The rows of each source on the disk, less the hidden ones, and with those in memory.
fn by_source(disk: Vec<(Source, u64)>, apart: &[(Source, u64)], hidden: &[Source]) -> Vec<(Source, u64)> {
    let more =
        |source: Source| apart.iter().filter(|(other, _)| *other == source).map(|(_, n)| n).sum::<u64>();
    let less = |source: Source| hidden.iter().filter(|other| **other == source).count() as u64;
    disk.into_iter().map(|(source, n)| (source, (n + more(source)).saturating_sub(less(source)))).collect()
}

impl Snapshot for ViewSnapshot<'_> {
    /// Combines both: neither counts beyond 2^40.
    fn generation(&self) -> u64 {
        let screened = if self.hidden_paths.is_empty() { 0 } else { SCREENED };
        (self.disk.generation() + (self.apart().generation() << 40)) | screened
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        let disk = self.disk.size(shelf)?.saturating_sub(self.hidden.on(shelf).count() as u64);
        Ok(disk + self.apart().size(shelf)?)
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.disk.meta(key)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let mut notes = self.disk.notes(query)?;
        notes.retain(|note| !self.hidden_paths.contains(&note.path));
        notes.extend(self.apart().notes(query)?);
        notes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(notes)
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        if self.hidden_paths.contains(path) {
            return Ok(Vec::new());
        }
        let mut rows = self.disk.rows_of(path, query)?;
        rows.extend(self.apart().rows_of(path, query)?);
        Ok(rows)
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let disk = self.disk.lexical(shelf, terms, &self.narrowed(filter), limit)?;
        let mut both = self.apart.lexical_beside(shelf, terms, filter, limit, &disk);
        both.hits.extend(disk.hits);
        both.hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.doc.cmp(&b.doc)));
        let last = limit.checked_sub(1).and_then(|at| both.hits.get(at));
        let last = last.map_or(f32::NEG_INFINITY, |hit| hit.score);
        both.hits.retain(|hit| hit.score >= last);
        Ok(both)
    }

    /// Leaves out terms that only hidden rows have.
    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let mut terms = self.disk.terms_beginning(shelf, ways)?;
        if !self.hidden.is_empty() {
            let asked = QueryTerm::as_asked(&terms.into_iter().collect::<Vec<String>>());
            let found = self.disk.lexical(shelf, &asked, &self.narrowed(&Filter::default()), 0)?;
            let seen = found.terms.into_iter().filter(|stat| stat.chunks > 0);
            terms = seen.map(|stat| stat.term).collect();
        }
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
        let mut found = self.disk.nearest(shelf, query, &self.narrowed(filter), limit, &also_disk)?;
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
        let (mut disk, mut apart) = self.both(filter, |one, filter| one.find_facts(query, filter, limit))?;
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
        let (mut disk, apart) = self.both(filter, |one, filter| one.entities(query, filter))?;
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
        let (disk, apart) = self.both(filter, |one, filter| one.spellings(names, filter))?;
        Ok(disk.into_iter().zip(apart).map(|(disk, apart)| disk.or(apart)).collect())
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        let mut aliases = self.disk.aliases()?;
        aliases.retain(|(path, _)| !self.hidden_paths.contains(path));
        Ok(aliases)
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        let mut docs = self.disk.unembedded(limit.saturating_add(self.hidden.len()))?;
        docs.retain(|doc| !self.hidden.has(*doc));
        docs.truncate(limit);
        Ok(docs)
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        self.disk.cached(keys)
    }

    fn stats(&self) -> Result<Stats, Error> {
        let disk = self.disk.stats()?;
        let apart = self.apart().stats()?;
        let paths: Vec<&str> = self.hidden_paths.iter().map(String::as_str).collect();
        let notes = self.disk.notes(NoteQuery::At(&paths))?;
        let notes: Vec<Source> = notes.iter().map(|note| note.source).collect();
        let chunks = self.disk.chunks(&self.hidden.on(Shelf::Chunks).collect::<Vec<Doc>>())?;
        let embedded = chunks.iter().filter(|chunk| chunk.embedding.vector().is_some()).count() as u64;
        let chunks: Vec<Source> = chunks.iter().map(|chunk| chunk.source).collect();
        Ok(Stats {
            notes: by_source(disk.notes, &apart.notes, &notes),
            chunks: by_source(disk.chunks, &apart.chunks, &chunks),
            facts: self.size(Shelf::Facts)?,
            entities: self.entities(EntityQuery::All, &Filter::default())?.len() as u64,
            embedded: (disk.embedded + apart.embedded).saturating_sub(embedded),
            cache_entries: disk.cache_entries,
            dims: disk.dims,
        })
    }
}
