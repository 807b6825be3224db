//! Turns a batch into changes of tables. They are worked out in memory first, so that each table changes once, however many
//! notes there are.

use std::collections::{BTreeMap, HashMap};

use mindfile_index::plan::{Before, NoteState, Plan, StoredRow};
use mindfile_index::{Access, Batch, CENSUS, CacheKey, Change, Doc, Error, FORGOTTEN, Shelf, Snapshot};
use mindfile_note::hash::Digest;

use crate::head::Part;
use crate::read::Reader;
use crate::tables::CacheRow;

pub(crate) struct Writer<'a> {
    pub(crate) reader: &'a Reader,
    pub(crate) part: Part,
    /// Rows, notes and values as they will be; `None` for those that are deleted.
    pub(crate) rows: BTreeMap<Doc, Option<StoredRow>>,
    pub(crate) notes: BTreeMap<String, Option<NoteState>>,
    pub(crate) meta: BTreeMap<String, Option<String>>,
    pub(crate) cache: BTreeMap<CacheKey, Option<CacheRow>>,
    pub(crate) uses: BTreeMap<String, Option<Access>>,
}

/// How often something was forgotten.
pub(crate) fn forgotten(reader: &Reader) -> Result<u64, Error> {
    Ok(reader.meta(FORGOTTEN)?.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// The rows that a batch is about, before it.
struct RowsBefore<'a> {
    reader: &'a Reader,
    rows: HashMap<Doc, StoredRow>,
}

impl<'a> RowsBefore<'a> {
    fn read(reader: &'a Reader, batch: &Batch) -> Result<Self, Error> {
        let reach = batch.reach();
        let mut docs = reach.docs;
        for (path, line) in reach.notes {
            docs.extend(reader.rows_from(path, line)?);
        }
        docs.sort_unstable();
        docs.dedup();
        Ok(Self { reader, rows: reader.rows(&docs)? })
    }
}

impl Before for RowsBefore<'_> {
    fn note(&self, path: &str) -> Result<Option<NoteState>, Error> {
        Ok(self.reader.known_notes()?.0.get(path).map(|row| row.state.clone()))
    }

    fn rows_from(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        self.reader.rows_from(path, line)
    }

    fn row(&self, doc: Doc) -> Option<&StoredRow> {
        self.rows.get(&doc)
    }
}

impl Reader {
    /// The rows of a note that begin at a line or later.
    fn rows_from(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        let mut docs = Vec::new();
        for shelf in Shelf::ALL {
            let listed = self.listed(shelf)?;
            docs.extend(
                listed.docs_of(path).filter(|(at, _)| listed.lines[*at].0 >= line).map(|(_, doc)| doc),
            );
        }
        Ok(docs)
    }
}

impl<'a> Writer<'a> {
    /// What the batch makes of the rows, the notes and the values.
    pub(crate) fn of(reader: &'a Reader, batch: &Batch) -> Result<Self, Error> {
        let mut part = reader.view.part.clone();
        let before = RowsBefore::read(reader, batch)?;
        let Plan { rows, notes, dims, last, .. } = Plan::of(&before, batch, part.dims, part.last)?;
        part.dims = dims;
        part.last = last;
        part.generation += u64::from(batch.is_answered());
        let mut writer = Self {
            reader,
            part,
            rows,
            notes,
            meta: BTreeMap::new(),
            cache: BTreeMap::new(),
            uses: BTreeMap::new(),
        };
        if batch.clears_census() {
            writer.meta.insert(CENSUS.to_owned(), None);
        }
        batch.changes.iter().try_for_each(|change| writer.value(change))?;
        Ok(writer)
    }

    fn value(&mut self, change: &Change) -> Result<(), Error> {
        match change {
            Change::Put(_)
            | Change::Grow { .. }
            | Change::Rename { .. }
            | Change::Touch(_)
            | Change::Remove { .. }
            | Change::Embed { .. }
            | Change::Compact => {}
            Change::Meta { key, value } => {
                self.meta.insert(key.clone(), Some(value.clone()));
            }
            Change::Cache { key, vector, now_ms } => {
                let row = CacheRow { key: key.clone(), vector: vector.clone(), updated_ms: *now_ms };
                self.cache.insert(key.clone(), Some(row));
            }
            Change::PruneCache { keep, most } => self.prune(*keep, *most)?,
            Change::Use { facts } => {
                self.uses.extend(facts.iter().map(|(id, uses)| (id.clone(), Some(*uses))));
            }
            Change::Forget { hashes, ids } => self.forget(hashes, ids)?,
        }
        Ok(())
    }

    /// The keys of the cache after the batch, with their times.
    fn cache_keys(&self) -> Result<BTreeMap<CacheKey, i64>, Error> {
        let mut all: BTreeMap<CacheKey, i64> =
            self.reader.cache_keys()?.into_iter().map(|(at, key)| (key, at)).collect();
        for (key, row) in &self.cache {
            match row {
                Some(row) => all.insert(key.clone(), row.updated_ms),
                None => all.remove(key),
            };
        }
        Ok(all)
    }

    fn prune(&mut self, keep: u64, most: u64) -> Result<(), Error> {
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let mut ages: Vec<(i64, CacheKey)> =
            self.cache_keys()?.into_iter().map(|(key, at)| (at, key)).collect();
        ages.sort();
        let gone = ages.len().saturating_sub(whole(keep)).min(whole(most));
        self.cache.extend(ages.into_iter().take(gone).map(|(_, key)| (key, None)));
        Ok(())
    }

    fn forget(&mut self, hashes: &[Digest], ids: &[String]) -> Result<(), Error> {
        if !hashes.is_empty() {
            let keys = self.cache_keys()?.into_keys().filter(|key| hashes.contains(&key.hash));
            self.cache.extend(keys.map(|key| (key, None)));
        }
        self.uses.extend(ids.iter().map(|id| (id.clone(), None)));
        let before = match self.meta.get(FORGOTTEN) {
            Some(changed) => changed.as_ref().and_then(|text| text.parse().ok()).unwrap_or(0),
            None => forgotten(self.reader)?,
        };
        self.meta.insert(FORGOTTEN.to_owned(), Some((before + 1).to_string()));
        Ok(())
    }
}
