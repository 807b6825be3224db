//! What ranking needs of every chunk, 64 chunks to a row: a cold search reads all of it, and a few hundred large rows
//! are read many times faster than tens of thousands of small ones.
//!
//! `chunks_columns` has dates and lengths, `chunks_vec` the 8-bit codes of the vectors. A block is a checksum over
//! its number and what follows, the size of a slot, and 64 slots; slot `n` of block `b` is chunk `64 * b + n`; a slot of
//! zeros is empty.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use mindfile_note::Origin;
use rusqlite::{Connection, params};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::sql::{Fault, one, run};
use super::write::Result;
use crate::codec;
use crate::columns::{Column, Columns};
use crate::record::{Doc, Source};

pub(super) const SLOTS: usize = 64;
const HEAD: usize = 16;
const PRESENT: u8 = 1;

impl Column {
    pub(super) fn to_slot(self) -> Vec<u8> {
        let mut slot = vec![PRESENT, self.source as u8, self.origin as u8, 0];
        slot.extend(self.day.to_le_bytes());
        slot.extend(self.length.to_le_bytes());
        slot
    }

    pub(super) fn parse(slot: &[u8]) -> Option<Self> {
        let (head, rest) = slot.split_first_chunk::<4>()?;
        let (day, rest) = rest.split_first_chunk::<4>()?;
        let (length, _) = rest.split_first_chunk::<4>()?;
        let source = *Source::ALL.get(usize::from(head[1]))?;
        let origin = *Origin::ALL.get(usize::from(head[2]))?;
        let day = i32::from_le_bytes(*day);
        let length = u32::from_le_bytes(*length);
        (head[0] == PRESENT).then_some(Self { source, origin, day, length })
    }
}

/// Whether an entry of `chunks_vec` has a vector: its scale is not 0.
pub(super) fn has_code(slot: &[u8]) -> bool {
    slot.iter().take(4).any(|byte| *byte != 0)
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block<'a> {
    size: usize,
    slots: Cow<'a, [u8]>,
}

impl<'a> Block<'a> {
    fn empty(size: usize) -> Self {
        Self { size, slots: Cow::Owned(vec![0; SLOTS * size]) }
    }

    /// None when the bytes are not what was stored.
    pub(super) fn parse(number: i64, bytes: &'a [u8]) -> Option<Self> {
        let (sum, rest) = bytes.split_first_chunk::<8>()?;
        let (size, _) = rest.split_first_chunk::<4>()?;
        let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
        let whole = u64::from_le_bytes(*sum) == xxh3_64_with_seed(rest, number.cast_unsigned());
        let sized = bytes.len() == HEAD + SLOTS * size;
        (whole && sized).then(|| Self { size, slots: Cow::Borrowed(&bytes[HEAD..]) })
    }

    fn into_owned(self) -> Block<'static> {
        Block { size: self.size, slots: Cow::Owned(self.slots.into_owned()) }
    }

    fn to_bytes(&self, number: i64) -> Vec<u8> {
        let mut rest = u32::try_from(self.size).unwrap_or(0).to_le_bytes().to_vec();
        rest.extend([0; 4]);
        rest.extend(&*self.slots);
        let mut bytes = xxh3_64_with_seed(&rest, number.cast_unsigned()).to_le_bytes().to_vec();
        bytes.extend(rest);
        bytes
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = &[u8]> {
        self.slots.chunks_exact(self.size.max(1))
    }

    fn is_empty(&self) -> bool {
        self.slots.iter().all(|byte| *byte == 0)
    }

    fn get(&self, slot: usize) -> &[u8] {
        &self.slots[slot * self.size..(slot + 1) * self.size]
    }

    /// An empty block takes the size of the first entry; all others have the same.
    fn set(&mut self, slot: usize, entry: Option<&[u8]>) {
        if self.size == 0 {
            *self = Self::empty(entry.map_or(0, <[u8]>::len));
        }
        let from = slot * self.size;
        let to = (slot + 1) * self.size;
        let bytes = &mut self.slots.to_mut()[from..to];
        match entry {
            Some(entry) => bytes.copy_from_slice(entry),
            None => bytes.fill(0),
        }
    }

    /// Appends the block's chunks; None when a slot cannot be read.
    pub(super) fn load_columns(&self, number: i64, columns: &mut Columns) -> Option<()> {
        let mut read = Vec::with_capacity(SLOTS);
        for (slot, bytes) in self.slots().enumerate().filter(|(_, bytes)| bytes[0] != 0) {
            read.push((doc(number, slot), Column::parse(bytes)?));
        }
        columns.append(&read);
        Some(())
    }
}

/// The entries of a stored block; None unless each has that size.
pub(super) fn entries(bytes: &[u8], size: usize) -> Option<&[u8]> {
    let entries = bytes.get(HEAD..)?;
    (entries.len() == SLOTS * size).then_some(entries)
}

pub(super) fn doc(block: i64, slot: usize) -> Doc {
    codec::to_doc(block * SLOTS as i64 + slot as i64)
}

/// The block that a row is in.
pub(super) fn number(doc: Doc) -> i64 {
    place(doc).0
}

/// The blocks of one table that a batch touches, read when first asked for and written once at the end.
pub(super) struct Blocks {
    table: &'static str,
    touched: HashMap<i64, Block<'static>>,
}

impl Blocks {
    pub(super) fn of(table: &'static str) -> Self {
        Self { table, touched: HashMap::new() }
    }

    fn block(&mut self, db: &Connection, number: i64) -> Result<&mut Block<'static>> {
        let vacant = match self.touched.entry(number) {
            Entry::Occupied(known) => return Ok(known.into_mut()),
            Entry::Vacant(vacant) => vacant,
        };
        let sql = format!("SELECT bytes FROM {} WHERE block = ?1", self.table);
        let bytes: Option<Vec<u8>> = one(db, &sql, [number], |row| row.get(0))?;
        let block = match bytes {
            Some(bytes) => Block::parse(number, &bytes).ok_or_else(|| Fault::table(self.table))?.into_owned(),
            None => Block::empty(0),
        };
        Ok(vacant.insert(block))
    }

    /// None for an empty slot.
    pub(super) fn get(&mut self, db: &Connection, doc: Doc) -> Result<Option<Vec<u8>>> {
        let (number, slot) = place(doc);
        let block = self.block(db, number)?;
        if block.size == 0 {
            return Ok(None);
        }
        let bytes = block.get(slot);
        Ok(bytes.iter().any(|byte| *byte != 0).then(|| bytes.to_vec()))
    }

    pub(super) fn set(&mut self, db: &Connection, doc: Doc, entry: Option<&[u8]>) -> Result<()> {
        let (number, slot) = place(doc);
        let table = self.table;
        let block = self.block(db, number)?;
        if block.size > 0 && entry.is_some_and(|entry| entry.len() != block.size) {
            return Err(Fault::table(table));
        }
        block.set(slot, entry);
        Ok(())
    }

    pub(super) fn write(self, db: &Connection) -> rusqlite::Result<()> {
        let table = self.table;
        let mut touched: Vec<(i64, Block<'_>)> = self.touched.into_iter().collect();
        touched.sort_by_key(|(number, _)| *number);
        for (number, block) in touched {
            if block.is_empty() {
                run(db, &format!("DELETE FROM {table} WHERE block = ?1"), [number])?;
            } else {
                let sql = format!("INSERT OR REPLACE INTO {table} (block, bytes) VALUES (?1, ?2)");
                run(db, &sql, params![number, block.to_bytes(number)])?;
            }
        }
        Ok(())
    }
}

fn place(doc: Doc) -> (i64, usize) {
    let number = codec::doc(doc);
    let slots = SLOTS as i64;
    (number.div_euclid(slots), usize::try_from(number.rem_euclid(slots)).unwrap_or(0))
}
