//! What ranking needs of every chunk, 64 chunks to a row of `chunks_vec`: a cold search reads all of it, and a few
//! hundred large rows are read many times faster than tens of thousands of small ones.
//!
//! A block is a checksum, the number of dimensions, and 64 slots of one size. Slot `n` of block `b` is chunk
//! `64 * b + n`.

use std::borrow::Cow;
use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};
use xxhash_rust::xxh3::xxh3_64;

use crate::columns::Columns;
use crate::record::{Doc, Source};
use crate::vector::Code;

const SLOTS: usize = 64;
const HEAD: usize = 16;
const SLOT_HEAD: usize = 16;
const PRESENT: u8 = 1;
const HAS_CODE: u8 = 2;

/// One chunk's entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Slot {
    pub(super) source: Source,
    pub(super) day: i32,
    pub(super) length: u32,
    pub(super) code: Option<Code>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block<'a> {
    dims: usize,
    slots: Cow<'a, [u8]>,
}

impl<'a> Block<'a> {
    fn empty(dims: usize) -> Self {
        Self { dims, slots: Cow::Owned(vec![0; SLOTS * (SLOT_HEAD + dims)]) }
    }

    /// None when the bytes are not what was stored.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (sum, rest) = bytes.split_first_chunk::<8>()?;
        let (dims, _) = rest.split_first_chunk::<4>()?;
        let dims = usize::try_from(u32::from_le_bytes(*dims)).ok()?;
        let whole = u64::from_le_bytes(*sum) == xxh3_64(rest);
        let sized = bytes.len() == HEAD + SLOTS * (SLOT_HEAD + dims);
        (whole && sized).then(|| Self { dims, slots: Cow::Borrowed(&bytes[HEAD..]) })
    }

    fn into_owned(self) -> Block<'static> {
        Block { dims: self.dims, slots: Cow::Owned(self.slots.into_owned()) }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut rest = u32::try_from(self.dims).unwrap_or(0).to_le_bytes().to_vec();
        rest.extend([0; 4]);
        rest.extend(&*self.slots);
        let mut bytes = xxh3_64(&rest).to_le_bytes().to_vec();
        bytes.extend(rest);
        bytes
    }

    fn is_empty(&self) -> bool {
        (0..SLOTS).all(|slot| self.bytes(slot)[0] & PRESENT == 0)
    }

    fn bytes(&self, slot: usize) -> &[u8] {
        let size = SLOT_HEAD + self.dims;
        &self.slots[slot * size..(slot + 1) * size]
    }

    fn get(&self, slot: usize) -> Option<Slot> {
        let bytes = self.bytes(slot);
        let number = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        if bytes[0] & PRESENT == 0 {
            return None;
        }
        let code = (bytes[0] & HAS_CODE != 0).then(|| Code {
            scale: f32::from_le_bytes(number(12)),
            values: bytes[SLOT_HEAD..].iter().map(|byte| byte.cast_signed()).collect(),
        });
        Some(Slot {
            source: *Source::ALL.get(usize::from(bytes[1]))?,
            day: i32::from_le_bytes(number(4)),
            length: u32::from_le_bytes(number(8)),
            code,
        })
    }

    fn set(&mut self, slot: usize, entry: Option<&Slot>) {
        if let Some(code) = entry.and_then(|entry| entry.code.as_ref())
            && code.values.len() != self.dims
        {
            self.widen(code.values.len());
        }
        let size = SLOT_HEAD + self.dims;
        let bytes = &mut self.slots.to_mut()[slot * size..(slot + 1) * size];
        bytes.fill(0);
        let Some(entry) = entry else { return };
        bytes[0] = PRESENT;
        bytes[1] = entry.source as u8;
        bytes[4..8].copy_from_slice(&entry.day.to_le_bytes());
        bytes[8..12].copy_from_slice(&entry.length.to_le_bytes());
        if let Some(code) = &entry.code {
            bytes[0] |= HAS_CODE;
            bytes[12..16].copy_from_slice(&code.scale.to_le_bytes());
            bytes[SLOT_HEAD..]
                .iter_mut()
                .zip(&code.values)
                .for_each(|(byte, value)| *byte = value.cast_unsigned());
        }
    }

    /// Makes room for codes in a block that was written before there were any.
    fn widen(&mut self, dims: usize) {
        let entries: Vec<Option<Slot>> = (0..SLOTS).map(|slot| self.get(slot)).collect();
        *self = Self::empty(dims);
        for (slot, entry) in entries.iter().enumerate() {
            self.set(slot, entry.as_ref());
        }
    }

    /// Appends the block's chunks; None when a slot cannot be read or has other dimensions.
    pub(super) fn load(&self, block: i64, columns: &mut Columns) -> Option<()> {
        for slot in 0..SLOTS {
            let bytes = self.bytes(slot);
            if bytes[0] & PRESENT == 0 {
                continue;
            }
            let number = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            let source = *Source::ALL.get(usize::from(bytes[1]))?;
            let doc = Doc(block * SLOTS as i64 + slot as i64);
            columns.push(doc, source, i32::from_le_bytes(number(4)), u32::from_le_bytes(number(8)));
            let scale = f32::from_le_bytes(number(12));
            let code = (bytes[0] & HAS_CODE != 0).then_some((scale, &bytes[SLOT_HEAD..]));
            columns.codes.push(code).ok()?;
        }
        Some(())
    }
}

/// The blocks that a batch touches, read when first asked for and written once at the end.
#[derive(Default)]
pub(super) struct Blocks {
    touched: HashMap<i64, Block<'static>>,
}

/// A block could not be read.
pub(super) enum Trouble {
    Sqlite(rusqlite::Error),
    Damaged,
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Blocks {
    fn block(&mut self, db: &Connection, number: i64) -> Result<&mut Block<'static>, Trouble> {
        match self.touched.entry(number) {
            std::collections::hash_map::Entry::Occupied(known) => Ok(known.into_mut()),
            std::collections::hash_map::Entry::Vacant(vacant) => {
                let bytes: Option<Vec<u8>> = db
                    .prepare_cached("SELECT columns FROM chunks_vec WHERE block = ?1")?
                    .query_row([number], |row| row.get(0))
                    .optional()?;
                let block = match bytes {
                    Some(bytes) => Block::parse(&bytes).ok_or(Trouble::Damaged)?.into_owned(),
                    None => Block::empty(0),
                };
                Ok(vacant.insert(block))
            }
        }
    }

    pub(super) fn get(&mut self, db: &Connection, doc: i64) -> Result<Slot, Trouble> {
        let (block, slot) = place(doc);
        self.block(db, block)?.get(slot).ok_or(Trouble::Damaged)
    }

    pub(super) fn set(&mut self, db: &Connection, doc: i64, entry: Option<&Slot>) -> Result<(), Trouble> {
        let (block, slot) = place(doc);
        self.block(db, block)?.set(slot, entry);
        Ok(())
    }

    pub(super) fn write(self, db: &Connection) -> rusqlite::Result<()> {
        let mut touched: Vec<(i64, Block<'_>)> = self.touched.into_iter().collect();
        touched.sort_by_key(|(number, _)| *number);
        for (number, block) in touched {
            if block.is_empty() {
                db.prepare_cached("DELETE FROM chunks_vec WHERE block = ?1")?.execute([number])?;
            } else {
                db.prepare_cached("INSERT OR REPLACE INTO chunks_vec (block, columns) VALUES (?1, ?2)")?
                    .execute(params![number, block.to_bytes()])?;
            }
        }
        Ok(())
    }
}

fn place(doc: i64) -> (i64, usize) {
    let slots = SLOTS as i64;
    (doc.div_euclid(slots), usize::try_from(doc.rem_euclid(slots)).unwrap_or(0))
}
