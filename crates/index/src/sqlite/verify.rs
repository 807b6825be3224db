//! Verifies the whole index. Questions check only what they read; this checks everything. Independent parts run at the same
//! time, each on a snapshot of its own.

use std::collections::{HashMap, VecDeque};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

use mindfile_note::words;

use super::SqliteIndex;
use super::blocks::{self, Block};
use super::checksum::{self, add};
use super::read::Reader;
use super::shelf::{Tables, tables};
use crate::Error;
use crate::codec;
use crate::columns::Columns;
use crate::record::{Doc, Shelf, StoredChunk};
use crate::vector;

/// How many rows a thread counts the terms of.
const HEAP: usize = 128;

/// Checks the file's structure, each row's checksum, and the full-text table against the words of the texts.
pub(super) fn verify(index: &SqliteIndex) -> Result<(), Error> {
    let on = |shelf| move || index.reader()?.verify_shelf(shelf);
    thread::scope(|scope| {
        let structure = scope.spawn(|| index.reader()?.verify_structure());
        let facts = scope.spawn(on(Shelf::Facts));
        let graph = scope.spawn(|| index.reader()?.verify_graph());
        let chunks = on(Shelf::Chunks)();
        let structure = joined(structure);
        let facts = joined(facts);
        let graph = joined(graph);
        structure.and(chunks).and(facts).and(graph)
    })
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// How many rows have a term, and the sum of its postings.
type TermSum = (i64, i64);

impl Reader<'_> {
    fn verify_structure(&self) -> Result<(), Error> {
        let verdict: Option<String> = self.one("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        let verdict = verdict.unwrap_or_default();
        if verdict == "ok" { Ok(()) } else { Err(self.index.damaged(verdict)) }
    }

    fn verify_shelf(&self, shelf: Shelf) -> Result<(), Error> {
        let columns = self.load_columns(shelf)?;
        let found = self.verify_rows(shelf, &columns)?;
        let Tables { rows, terms, .. } = tables(shelf);
        if self.count(&format!("SELECT count(*) FROM {rows}"))? != columns.len() as u64
            || self.count(&format!("SELECT count(*) FROM {terms}"))? != found.len() as u64
        {
            return Err(self.index.damaged(format!("its tables do not hold the same {rows}")));
        }
        self.verify_terms(shelf, &found)?;
        self.verify_postings(shelf, found)
    }

    /// Checks every row and its vector's code. Returns the terms of all texts, which other threads count meanwhile.
    fn verify_rows(&self, shelf: Shelf, columns: &Columns) -> Result<HashMap<String, TermSum>, Error> {
        let mut codes = self.load_codes(shelf)?;
        let wrong = || self.wrong_table(tables(shelf).codes);
        let counted = thread::scope(|scope| -> Result<Vec<Terms>, Error> {
            let threads = thread::available_parallelism().map_or(1, NonZero::get);
            let mut counting: VecDeque<ScopedJoinHandle<'_, Terms>> = VecDeque::new();
            for rows in columns.rows.chunks(HEAP) {
                let mut heap = Vec::with_capacity(rows.len());
                for &row in rows {
                    let doc = Doc::new(shelf, row);
                    let chunk = self.load_chunk(doc)?;
                    if codes.remove(&doc) != chunk.embedding.vector().map(vector::entry) {
                        return Err(wrong());
                    }
                    heap.push(chunk);
                }
                let oldest = if counting.len() < threads { None } else { counting.pop_front() };
                let mut terms = oldest.map(joined).unwrap_or_default();
                counting.push_back(scope.spawn(move || {
                    heap.iter().for_each(|chunk| terms.take(chunk));
                    terms
                }));
            }
            Ok(counting.into_iter().map(joined).collect())
        })?;
        if codes.is_empty() { Ok(Terms::merged(counted)) } else { Err(wrong()) }
    }

    fn load_codes(&self, shelf: Shelf) -> Result<HashMap<Doc, Vec<u8>>, Error> {
        let mut codes = HashMap::new();
        self.each_block(tables(shelf).codes, |number, bytes| {
            let block = Block::parse(number, bytes)?;
            let filled = block.slots().enumerate().filter(|(_, slot)| slot.iter().any(|byte| *byte != 0));
            codes.extend(filled.map(|(slot, bytes)| (blocks::doc(number, slot), bytes.to_vec())));
            Some(())
        })?;
        Ok(codes)
    }

    /// Checks the stored counts of terms against the texts.
    fn verify_terms(&self, shelf: Shelf, found: &HashMap<String, TermSum>) -> Result<(), Error> {
        let sql = format!("SELECT term, chunks, sum FROM {}", tables(shelf).terms);
        self.each(&sql, [], |row| {
            let term: String = row.get(0)?;
            let held: TermSum = (row.get(1)?, row.get(2)?);
            if found.get(&term) == Some(&held) { Ok(()) } else { Err(self.wrong_term(&term).into()) }
        })
    }

    /// Checks that the full-text table has every term where the texts have it, and no other. Reads it once, in its own order.
    fn verify_postings(&self, shelf: Shelf, mut found: HashMap<String, TermSum>) -> Result<(), Error> {
        let mut open: Option<(String, Term)> = None;
        self.each(tables(shelf).find_all, [], |row| {
            let doc: i64 = row.get(1)?;
            let term = row.get_ref(0)?.as_str().map_err(|_not_text| self.wrong_table(tables(shelf).fts))?;
            match &mut open {
                Some((same, held)) if same == term => held.occurs_in(doc),
                other => {
                    let next = (term.to_owned(), Term::first_in(doc));
                    self.verify_term(other.replace(next), &mut found)?;
                }
            }
            Ok(())
        })?;
        self.verify_term(open, &mut found)?;
        found.keys().next().map_or(Ok(()), |missing| Err(self.wrong_term(missing)))
    }

    fn verify_term(
        &self,
        read: Option<(String, Term)>,
        found: &mut HashMap<String, TermSum>,
    ) -> Result<(), Error> {
        let Some((term, held)) = read else { return Ok(()) };
        if found.remove(&term) == Some(held.closed()) { Ok(()) } else { Err(self.wrong_term(&term)) }
    }
}

/// Counts a term while rows come in ascending order.
struct Term {
    /// The last row with the term, and how often it occurs there.
    doc: i64,
    count: u32,
    /// The sum over the rows before that one.
    before: TermSum,
}

impl Term {
    fn first_in(doc: i64) -> Self {
        Self { doc, count: 1, before: (0, 0) }
    }

    fn occurs_in(&mut self, doc: i64) {
        if self.doc == doc {
            self.count += 1;
        } else {
            *self = Self { doc, count: 1, before: self.closed() };
        }
    }

    fn closed(&self) -> TermSum {
        (self.before.0 + 1, add(self.before.1, checksum::posting(self.doc, self.count)))
    }
}

/// The terms of a part of the texts.
#[derive(Default)]
struct Terms(HashMap<String, Term>);

impl Terms {
    fn take(&mut self, chunk: &StoredChunk) {
        let mut occurs = |term: &str| match self.0.get_mut(term) {
            Some(known) => known.occurs_in(codec::doc(chunk.doc)),
            None => drop(self.0.insert(term.to_owned(), Term::first_in(codec::doc(chunk.doc)))),
        };
        words::for_each(&chunk.text, &mut occurs);
        words::for_each(&chunk.context, &mut occurs);
    }

    fn merged(all: Vec<Self>) -> HashMap<String, TermSum> {
        let mut merged: HashMap<String, TermSum> = HashMap::new();
        for (term, part) in all.into_iter().flat_map(|terms| terms.0) {
            let (rows, sum) = part.closed();
            let whole = merged.entry(term).or_default();
            *whole = (whole.0 + rows, add(whole.1, sum));
        }
        merged
    }
}
