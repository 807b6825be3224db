//! Checksums over what is stored. SQLite's integrity check compares structure, not content: a flipped bit in a text or
//! a vector passes it.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Sums of checksums are kept below 2^62, so that SQLite adds them without overflow.
const SUM_MASK: i64 = (1 << 62) - 1;

/// The checksum of a row, over its columns in the table's order.
#[derive(Default)]
pub(super) struct RowSum(Xxh3);

impl RowSum {
    pub(super) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    pub(super) fn number(mut self, number: i64) -> Self {
        self.0.update(&number.to_le_bytes());
        self
    }

    pub(super) fn finish(self) -> i64 {
        self.0.digest().cast_signed()
    }
}

/// The checksum of a note's chunk. `files` holds the sum over a note's chunks, so that a chunk whose path was damaged is missed
/// when its note changes, instead of being left behind.
pub(super) fn member(doc: i64, id: &str) -> i64 {
    RowSum::default().number(doc).bytes(id.as_bytes()).finish()
}

/// The checksum of an alias, which counts among its note's members.
pub(super) fn alias(alias: &str, name: &str) -> i64 {
    RowSum::default().bytes(alias.as_bytes()).bytes(name.as_bytes()).finish()
}

/// The checksum of a fact's link to an entity. `entities` holds the sum over an entity's facts.
pub(super) fn link(fact: i64) -> i64 {
    RowSum::default().number(fact).finish()
}

/// The checksum of a term in a chunk. `terms` holds the sum over a term's chunks.
pub(super) fn posting(doc: i64, count: u32) -> i64 {
    let mut bytes = [0_u8; 12];
    bytes[..8].copy_from_slice(&doc.to_le_bytes());
    bytes[8..].copy_from_slice(&count.to_le_bytes());
    xxh3_64(&bytes).cast_signed()
}

pub(super) fn add(sum: i64, part: i64) -> i64 {
    (sum + (part & SUM_MASK)) & SUM_MASK
}

pub(super) fn negated(part: i64) -> i64 {
    (SUM_MASK + 1 - (part & SUM_MASK)) & SUM_MASK
}
