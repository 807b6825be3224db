//! What was read of one generation and is kept for the next question. A later generation changes what it changed, and nothing is
//! read again but that.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::associate::GraphMemo;
use super::blocks::{self, Block};
use super::log::{Touched, TouchedRows};
use super::read::Reader;
use super::shelf::tables;
use crate::Error;
use crate::bm25::Postings;
use crate::chunk_terms::ChunkTerms;
use crate::columns::{Column, Columns};
use crate::record::{Doc, Shelf, StoredChunk};

/// From so many texts on it is cheaper to read the entries of a term again when it is asked for.
const MOST_TEXTS: usize = 64;

#[derive(Default)]
pub(super) struct Memo {
    generation: u64,
    shelves: [ShelfMemo; 2],
    pub(super) graph: GraphMemo,
}

#[derive(Default)]
pub(super) struct ShelfMemo {
    pub(super) columns: Option<Arc<Columns>>,
    pub(super) codes: Option<Arc<Codes>>,
    /// Whether the codes were read before.
    pub(super) asked: bool,
    pub(super) postings: HashMap<String, Arc<Postings>>,
    pub(super) rows: HashMap<Doc, Arc<StoredChunk>>,
}

/// The blocks of `chunks_vec` or `facts_vec` as they are stored, with their numbers.
pub(super) type Codes = Vec<(i64, Arc<[u8]>)>;

impl Memo {
    pub(super) fn of(generation: u64) -> Self {
        Self { generation, ..Self::default() }
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn on(&mut self, shelf: Shelf) -> &mut ShelfMemo {
        &mut self.shelves[shelf as usize]
    }

    /// Comes to the reader's generation. What cannot be followed is read again when it is asked for.
    pub(super) fn follow(&mut self, reader: &Reader<'_>) {
        let generation = reader.state.generation;
        let known = std::mem::take(self);
        *self = match known.followed(reader) {
            Ok(Some(followed)) => Self { generation, ..followed },
            Ok(None) | Err(_) => Self::of(generation),
        };
    }

    fn followed(mut self, reader: &Reader<'_>) -> Result<Option<Self>, Error> {
        if self.generation == 0 {
            return Ok(None);
        }
        let touched = Touched::since(reader.db()?, self.generation, reader.state.generation);
        let Some(touched) = touched.map_err(|error| reader.fault(error))? else { return Ok(None) };
        for shelf in Shelf::ALL {
            self.on(shelf).follow(reader, shelf, &touched.shelves[shelf as usize])?;
        }
        if touched.aliases {
            self.graph = GraphMemo::default();
        }
        let [_, facts] = &touched.shelves;
        self.graph.follow(&facts.all(), &touched.entities);
        Ok(Some(self))
    }
}

impl ShelfMemo {
    fn follow(&mut self, reader: &Reader<'_>, shelf: Shelf, touched: &TouchedRows) -> Result<(), Error> {
        let all = touched.all();
        all.iter().for_each(|doc| drop(self.rows.remove(doc)));
        let numbers: BTreeSet<i64> = all.iter().map(|doc| blocks::number(*doc)).collect();
        if let Some(codes) = self.codes.as_mut().filter(|_| !numbers.is_empty()).map(Arc::make_mut) {
            for number in &numbers {
                follow_codes(codes, *number, reader.block(tables(shelf).codes, *number)?);
            }
        }
        let Some(columns) = self.columns.as_mut() else {
            self.postings.clear();
            return Ok(());
        };
        if all.is_empty() {
            return Ok(());
        }
        let found = columns_of(reader, shelf, &numbers)?;
        let before: BTreeMap<Doc, usize> =
            touched.worded.iter().filter_map(|doc| Some((*doc, columns.position(*doc)?))).collect();
        let edits: Vec<(Doc, Option<Column>)> =
            all.iter().map(|doc| (*doc, found.get(doc).copied())).collect();
        let Some(gone) = Arc::make_mut(columns).edit(&edits) else {
            return Err(reader.wrong_table(tables(shelf).columns));
        };
        if columns.len() as u64 != reader.state.on(shelf).rows {
            return Err(reader.wrong_table(tables(shelf).columns));
        }
        if touched.worded.len() > MOST_TEXTS {
            self.postings.clear();
        }
        if self.postings.is_empty() {
            return Ok(());
        }
        let columns = Arc::clone(columns);
        self.follow_postings(reader, &touched.worded, (&before, &gone), &columns)
    }

    /// `before` is where the rows stood, and `gone` where a row stood that is no more.
    fn follow_postings(
        &mut self,
        reader: &Reader<'_>,
        worded: &BTreeSet<Doc>,
        (before, gone): (&BTreeMap<Doc, usize>, &[usize]),
        columns: &Columns,
    ) -> Result<(), Error> {
        if !gone.is_empty() {
            self.postings.values_mut().for_each(|postings| Arc::make_mut(postings).close(gone));
        }
        for doc in worded {
            let Some(position) = columns.position(*doc) else { continue };
            let chunk = reader.load_chunk(*doc)?;
            let words = ChunkTerms::of(&chunk.text, &chunk.context);
            let words: HashMap<&str, u32> = words.counts().collect();
            if before.contains_key(doc) {
                for (term, postings) in &mut self.postings {
                    let count = words.get(term.as_str()).copied();
                    if count.is_some() || postings.has(position) {
                        Arc::make_mut(postings).set(position, count);
                    }
                }
                continue;
            }
            for (term, count) in words {
                if let Some(postings) = self.postings.get_mut(term) {
                    Arc::make_mut(postings).set(position, Some(count));
                }
            }
        }
        Ok(())
    }
}

fn follow_codes(codes: &mut Codes, number: i64, bytes: Option<Vec<u8>>) {
    match (codes.binary_search_by_key(&number, |(number, _)| *number), bytes) {
        (Ok(at), Some(bytes)) => codes[at].1 = bytes.into(),
        (Ok(at), None) => drop(codes.remove(at)),
        (Err(at), Some(bytes)) => codes.insert(at, (number, bytes.into())),
        (Err(_), None) => {}
    }
}

/// What stands in some blocks now.
fn columns_of(
    reader: &Reader<'_>,
    shelf: Shelf,
    numbers: &BTreeSet<i64>,
) -> Result<HashMap<Doc, Column>, Error> {
    let table = tables(shelf).columns;
    let mut found = HashMap::new();
    for number in numbers {
        let Some(bytes) = reader.block(table, *number)? else { continue };
        let block = Block::parse(*number, &bytes).ok_or_else(|| reader.wrong_table(table))?;
        for (slot, bytes) in block.slots().enumerate().filter(|(_, bytes)| bytes[0] != 0) {
            let column = Column::parse(bytes).ok_or_else(|| reader.wrong_table(table))?;
            found.insert(blocks::doc(*number, slot), column);
        }
    }
    Ok(found)
}

impl Reader<'_> {
    /// One block of a table, whole; none where there is none.
    fn block(&self, table: &str, number: i64) -> Result<Option<Vec<u8>>, Error> {
        let sql = format!("SELECT bytes FROM {table} WHERE block = ?1");
        let bytes: Option<Vec<u8>> = self.one(&sql, [number], |row| row.get(0))?;
        match bytes {
            Some(bytes) if Block::parse(number, &bytes).is_none() => Err(self.wrong_table(table)),
            bytes => Ok(bytes),
        }
    }
}
