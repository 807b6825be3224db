//! What the last generations changed. Whoever keeps something of an earlier one in memory reads these rows again, and no others.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::sql::{one, run};
use crate::codec::{doc, put_number, take_number, to_doc};
use crate::record::Doc;

/// How many generations are kept.
const KEPT: u64 = 128;
/// A batch that touches more than this is not followed.
const MOST: usize = 4096;

/// Rows of one shelf.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TouchedRows {
    /// Those that have other words than before, or are new or gone.
    pub(super) worded: BTreeSet<Doc>,
    /// Those of which something else changed.
    pub(super) changed: BTreeSet<Doc>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Touched {
    pub(super) shelves: [TouchedRows; 2],
    pub(super) entities: BTreeSet<i64>,
    /// Whether a name means another one than before.
    pub(super) aliases: bool,
}

impl TouchedRows {
    pub(super) fn all(&self) -> BTreeSet<Doc> {
        &self.worded | &self.changed
    }
}

impl Touched {
    /// What a range of generations changed; none where that is not known.
    pub(super) fn since(db: &Connection, before: u64, until: u64) -> rusqlite::Result<Option<Self>> {
        if until.saturating_sub(before) > KEPT {
            return Ok(None);
        }
        let mut all = Self::default();
        for generation in before + 1..=until {
            let sql = "SELECT bytes FROM changes WHERE slot = ?1 AND generation = ?2";
            let key = params![(generation % KEPT).cast_signed(), generation.cast_signed()];
            let bytes: Option<Vec<u8>> = one(db, sql, key, |row| row.get(0))?;
            let Some(one) = bytes.as_deref().and_then(|bytes| Self::parse(generation, bytes)) else {
                return Ok(None);
            };
            all.add(one);
        }
        Ok(Some(all))
    }

    fn add(&mut self, other: Self) {
        for (rows, others) in self.shelves.iter_mut().zip(other.shelves) {
            rows.worded.extend(others.worded);
            rows.changed.extend(others.changed);
        }
        self.entities.extend(other.entities);
        self.aliases |= other.aliases;
    }

    pub(super) fn write(&self, db: &Connection, generation: u64) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO changes (slot, generation, bytes) VALUES (?1, ?2, ?3)";
        let slot = (generation % KEPT).cast_signed();
        run(db, sql, params![slot, generation.cast_signed(), self.to_bytes(generation)]).map(drop)
    }

    fn lists(&self) -> [Vec<i64>; 5] {
        let docs = |docs: &BTreeSet<Doc>| docs.iter().map(|known| doc(*known)).collect();
        let [chunks, facts] = &self.shelves;
        let entities = self.entities.iter().copied().collect();
        [docs(&chunks.worded), docs(&chunks.changed), docs(&facts.worded), docs(&facts.changed), entities]
    }

    /// A checksum, then each list as its length and the distances of its numbers. Nothing but the checksum: too much changed.
    fn to_bytes(&self, generation: u64) -> Vec<u8> {
        let lists = self.lists();
        let mut rest = Vec::new();
        if lists.iter().map(Vec::len).sum::<usize>() <= MOST {
            put_number(&mut rest, u64::from(self.aliases));
            for list in lists {
                put_number(&mut rest, list.len() as u64);
                let mut last = 0_i64;
                for number in list {
                    put_number(&mut rest, number.wrapping_sub(last).cast_unsigned());
                    last = number;
                }
            }
        }
        let mut bytes = xxh3_64_with_seed(&rest, generation).to_le_bytes().to_vec();
        bytes.extend(rest);
        bytes
    }

    fn parse(generation: u64, bytes: &[u8]) -> Option<Self> {
        let (sum, mut rest) = bytes.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != xxh3_64_with_seed(rest, generation) {
            return None;
        }
        let aliases = take_number(&mut rest)? != 0;
        let mut list = || -> Option<Vec<i64>> {
            let mut last = 0_i64;
            let count = take_number(&mut rest)?;
            let next = |_| {
                last = last.wrapping_add(take_number(&mut rest)?.cast_signed());
                Some(last)
            };
            (0..count).map(next).collect()
        };
        let mut docs = || Some(list()?.into_iter().map(to_doc).collect::<BTreeSet<Doc>>());
        let mut rows = || Some(TouchedRows { worded: docs()?, changed: docs()? });
        let shelves = [rows()?, rows()?];
        let entities = list()?.into_iter().collect();
        Some(Self { shelves, entities, aliases })
    }
}

pub(super) fn clear(db: &Connection) -> rusqlite::Result<()> {
    run(db, "DELETE FROM changes", []).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Shelf;

    #[test]
    fn what_was_touched_is_read_again_and_a_changed_bit_is_noticed() {
        let docs = |shelf, rows: &[u32]| rows.iter().map(|row| Doc::new(shelf, *row)).collect();
        let rows = |shelf| TouchedRows { worded: docs(shelf, &[1, 70_000]), changed: docs(shelf, &[2]) };
        let touched = Touched { shelves: Shelf::ALL.map(rows), entities: [3, 9].into(), aliases: true };
        let mut bytes = touched.to_bytes(7);
        assert_eq!(Touched::parse(7, &bytes), Some(touched));
        assert_eq!(Touched::parse(8, &bytes), None);
        bytes[9] ^= 1;
        assert_eq!(Touched::parse(7, &bytes), None);
    }

    #[test]
    fn too_much_is_not_followed() {
        let entities = (0..5000).collect();
        let bytes = Touched { entities, ..Touched::default() }.to_bytes(1);
        assert_eq!(Touched::parse(1, &bytes), None);
    }
}
