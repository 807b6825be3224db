//! Checksums over what is stored. SQLite's integrity check compares structure, not content: a flipped bit in a text or
//! a vector passes it.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Over the columns of one `chunks` row, in the table's order.
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

/// One term in one chunk. The sums of a term's chunks, added up, stand in `terms`.
pub(super) fn posting(doc: i64, count: u32) -> i64 {
    let mut bytes = [0_u8; 12];
    bytes[..8].copy_from_slice(&doc.to_le_bytes());
    bytes[8..].copy_from_slice(&count.to_le_bytes());
    xxh3_64(&bytes).cast_signed()
}
