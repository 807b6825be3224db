//! Every check there is: what answers compare only where they read, compared everywhere.

use std::collections::HashMap;

use super::blocks::{self, Block};
use super::checksum::{self, add};
use super::read::Reader;
use super::shelf::{Tables, tables};
use crate::Error;
use crate::columns::Columns;
use crate::record::{Doc, Shelf};
use crate::words::Words;

impl Reader<'_> {
    /// Every stored vector has the code that follows from it.
    fn verify_codes(&self, shelf: Shelf, columns: &Columns) -> Result<(), Error> {
        let table = tables(shelf).codes;
        let mut codes: HashMap<i64, Vec<u8>> = HashMap::new();
        self.each_block(table, |number, bytes| {
            let block = Block::parse(number, bytes)?;
            let filled = block.slots().enumerate().filter(|(_, slot)| slot.iter().any(|byte| *byte != 0));
            codes.extend(filled.map(|(slot, bytes)| (blocks::doc(number, slot).0, bytes.to_vec())));
            Some(())
        })?;
        for &doc in &columns.docs {
            let chunk = self.load_chunk(Doc(doc))?;
            if codes.remove(&doc) != chunk.embedding.vector().map(blocks::code_slot) {
                return Err(self.wrong_table(table));
            }
        }
        if codes.is_empty() { Ok(()) } else { Err(self.wrong_table(table)) }
    }

    /// Compares everything with everything: the file's structure, each row with its checksum, and the full-text table
    /// with the words of the texts.
    pub(super) fn verify(&self) -> Result<(), Error> {
        let verdict: String = self
            .db()?
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|e| self.error(e))?;
        if verdict != "ok" {
            return Err(self.index.damaged(verdict));
        }
        Shelf::ALL.into_iter().try_for_each(|shelf| self.verify_shelf(shelf))?;
        self.verify_graph()
    }

    fn verify_shelf(&self, shelf: Shelf) -> Result<(), Error> {
        let columns = self.load_columns(shelf)?;
        self.verify_codes(shelf, &columns)?;
        let mut found: HashMap<String, (i64, i64)> = HashMap::new();
        for &doc in &columns.docs {
            let chunk = self.load_chunk(Doc(doc))?;
            for (term, count) in Words::of(&chunk.text, &chunk.context).counts {
                let entry = found.entry(term).or_default();
                entry.0 += 1;
                entry.1 = add(entry.1, checksum::posting(doc, count));
            }
        }
        let Tables { rows, terms, .. } = tables(shelf);
        if self.count(&format!("SELECT count(*) FROM {rows}"))? != columns.len() as u64
            || self.count(&format!("SELECT count(*) FROM {terms}"))? != found.len() as u64
        {
            return Err(self.index.damaged(format!("its tables do not hold the same {rows}")));
        }
        for (term, expected) in found {
            self.load_postings(shelf, &term, &columns)?;
            if self.stored_term(shelf, &term)? != expected {
                return Err(self.wrong_term(&term));
            }
        }
        Ok(())
    }
}
