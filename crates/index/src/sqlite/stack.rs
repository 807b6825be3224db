//! What a batch does to the tables of one shelf.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};
use rusqlite::{Connection, params};

use super::blocks::{Blocks, has_code};
use super::checksum::{self, add, negated};
use super::log::TouchedRows;
use super::shelf::{Tables, tables};
use super::sql::{Fault, run};
use super::state::ShelfTotals;
use super::write::Result;
use crate::chunk_terms::ChunkTerms;
use crate::codec;
use crate::columns::Column;
use crate::record::{Doc, Shelf, StoredChunk};
use crate::vector;

/// How many terms a batch totals back before it writes them: a note of nothing but new words must not fill the memory.
const MOST_TERMS: usize = 1 << 17;

#[derive(Clone, Copy, Default)]
struct TermChange {
    chunks: i64,
    sum: i64,
}

/// What a batch does to one shelf.
pub(super) struct Stack {
    names: &'static Tables,
    floor: i64,
    totals: ShelfTotals,
    /// What the batch does to the terms, written when there are many, and at the end.
    terms: HashMap<String, TermChange>,
    columns: Blocks,
    codes: Blocks,
    /// Numbers of chunks that the batch deleted, to be taken again. Those of facts say which are older.
    free: Vec<Doc>,
    /// The number of the next new row, once it was asked for.
    next: Option<i64>,
    touched: TouchedRows,
}

impl Stack {
    pub(super) fn of(shelf: Shelf, totals: ShelfTotals) -> Self {
        let names = tables(shelf);
        Self {
            names,
            floor: codec::floor(shelf),
            totals,
            terms: HashMap::new(),
            columns: Blocks::of(names.columns),
            codes: Blocks::of(names.codes),
            free: Vec::new(),
            next: None,
            touched: TouchedRows::default(),
        }
    }

    /// The number of a new row.
    pub(super) fn next_doc(&mut self, db: &Connection) -> Result<Doc> {
        if let Some(free) = self.free.pop() {
            return Ok(free);
        }
        let next = match self.next {
            Some(next) => next,
            None => {
                let sql = format!("SELECT coalesce(max(rowid), {}) + 1 FROM {}", self.floor, self.names.rows);
                db.prepare_cached(&sql)?.query_row([], |row| row.get(0))?
            }
        };
        self.next = Some(next.saturating_add(1));
        Ok(codec::to_doc(next))
    }

    /// Something of a row changes that is none of its words.
    pub(super) fn touch(&mut self, doc: Doc) {
        self.touched.changed.insert(doc);
    }

    pub(super) fn set_code(&mut self, db: &Connection, doc: Doc, vector: Option<&[f32]>) -> Result<()> {
        self.touch(doc);
        let before = self.codes.get(db, doc)?;
        let after = vector.map(vector::entry);
        let count = |slot: &Option<Vec<u8>>| u64::from(slot.as_deref().is_some_and(has_code));
        self.totals.vectors = (self.totals.vectors + count(&after)).saturating_sub(count(&before));
        self.codes.set(db, doc, after.as_deref())
    }

    fn count_terms(&mut self, db: &Connection, doc: Doc, words: &ChunkTerms, sign: i64) -> Result<()> {
        self.touched.worded.insert(doc);
        for (term, count) in words.counts() {
            let sum = checksum::posting(codec::doc(doc), count);
            let change = match self.terms.get_mut(term) {
                Some(change) => change,
                None => self.terms.entry(term.to_owned()).or_default(),
            };
            change.chunks += sign;
            change.sum = add(change.sum, if sign > 0 { sum } else { negated(sum) });
        }
        if self.terms.len() > MOST_TERMS { self.write_terms(db) } else { Ok(()) }
    }

    fn write_terms(&mut self, db: &Connection) -> Result<()> {
        let changes: BTreeMap<String, TermChange> = std::mem::take(&mut self.terms).into_iter().collect();
        let table = self.names.terms;
        let mut raise = db.prepare_cached(&format!(
            "INSERT INTO {table} (term, chunks, sum) VALUES (?1, ?2, ?3) ON CONFLICT (term) DO UPDATE
             SET chunks = chunks + excluded.chunks, sum = (sum + excluded.sum) & 4611686018427387903"
        ))?;
        let mut clear = db.prepare_cached(&format!("DELETE FROM {table} WHERE term = ?1 AND chunks = 0"))?;
        for (term, change) in &changes {
            if change.chunks != 0 || change.sum != 0 {
                raise.execute(params![term, change.chunks, change.sum])?;
            }
            if change.chunks < 0 {
                clear.execute([term])?;
            }
        }
        Ok(())
    }

    /// A row that stands in its table now; its note is of that day.
    pub(super) fn add(
        &mut self,
        db: &Connection,
        chunk: &StoredChunk,
        words: &ChunkTerms,
        day: i32,
    ) -> Result<()> {
        let doc = chunk.doc;
        let sql = format!("INSERT INTO {} (rowid, text) VALUES (?1, ?2)", self.names.fts);
        run(db, &sql, params![doc, words.joined])?;
        let column = Column { source: chunk.source, origin: chunk.origin, day, length: words.length };
        self.columns.set(db, doc, Some(&column.to_slot()))?;
        self.count_terms(db, doc, words, 1)?;
        self.totals.rows += 1;
        self.set_code(db, doc, chunk.embedding.vector())
    }

    pub(super) fn delete(&mut self, db: &Connection, chunk: &StoredChunk) -> Result<()> {
        let doc = chunk.doc;
        self.count_terms(db, doc, &ChunkTerms::of(&chunk.text, &chunk.context), -1)?;
        self.columns.set(db, doc, None)?;
        self.set_code(db, doc, None)?;
        for table in [self.names.fts, self.names.rows] {
            run(db, &format!("DELETE FROM {table} WHERE rowid = ?1"), [doc])?;
        }
        self.totals.rows = self.totals.rows.saturating_sub(1);
        if doc.shelf == Shelf::Chunks {
            self.free.push(doc);
        }
        Ok(())
    }

    pub(super) fn move_day(&mut self, db: &Connection, doc: Doc, day: i32) -> Result<()> {
        let slot = self.columns.get(db, doc)?;
        let column =
            slot.as_deref().and_then(Column::parse).ok_or_else(|| Fault::table(self.names.columns))?;
        if column.day != day {
            self.touch(doc);
            self.columns.set(db, doc, Some(&Column { day, ..column }.to_slot()))?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self, db: &Connection) -> Result<(ShelfTotals, TouchedRows)> {
        self.write_terms(db)?;
        self.columns.write(db)?;
        self.codes.write(db)?;
        Ok((self.totals, self.touched))
    }
}
