//! The state of the whole index, a line of numbers in `meta`.

use rusqlite::{Connection, TransactionBehavior};

use super::log;
use super::sql::{Fault, one, run};
use crate::record::Shelf;

/// The state of the whole index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) dims: usize,
    /// The sum of the checksums of `files`.
    pub(super) files: i64,
    pub(super) shelves: [ShelfTotals; 2],
}

/// Counts of a shelf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ShelfTotals {
    pub(super) rows: u64,
    /// How many rows have a code.
    pub(super) vectors: u64,
}

impl State {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Option<Self>> {
        let sql = "SELECT value FROM meta WHERE key = 'state'";
        let line: Option<String> = one(connection, sql, [], |row| row.get(0))?;
        Ok(line.as_deref().and_then(Self::parse))
    }

    pub(super) fn missing() -> Fault {
        Fault::Damaged("its state line is missing or unreadable".to_owned())
    }

    pub(super) fn on(&self, shelf: Shelf) -> ShelfTotals {
        self.shelves[shelf as usize]
    }

    fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.split(' ');
        let state = Self {
            generation: numbers.next()?.parse().ok()?,
            dims: numbers.next()?.parse().ok()?,
            files: numbers.next()?.parse().ok()?,
            shelves: [ShelfTotals::parse(&mut numbers)?, ShelfTotals::parse(&mut numbers)?],
        };
        numbers.next().is_none().then_some(state)
    }

    pub(super) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Self { generation, dims, files, shelves } = self;
        let shelves = shelves.map(|totals| format!("{} {}", totals.rows, totals.vectors)).join(" ");
        let line = format!("{generation} {dims} {files} {shelves}");
        run(connection, "INSERT OR REPLACE INTO meta (key, value) VALUES ('state', ?1)", [line]).map(drop)
    }
}

impl ShelfTotals {
    fn parse<'a>(numbers: &mut impl Iterator<Item = &'a str>) -> Option<Self> {
        Some(Self { rows: numbers.next()?.parse().ok()?, vectors: numbers.next()?.parse().ok()? })
    }
}

pub(super) fn initialise(connection: &Connection) -> rusqlite::Result<()> {
    State::default().write(connection)
}

pub(super) fn generation(connection: &Connection) -> rusqlite::Result<u64> {
    Ok(State::read(connection)?.unwrap_or_default().generation)
}

pub(super) fn raise_generation(connection: &mut Connection, generation: u64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut state = State::read(&transaction)?.unwrap_or_default();
    state.generation = state.generation.max(generation);
    // Whoever follows the index that is replaced must not take these changes for its own.
    log::clear(&transaction)?;
    state.write(&transaction)?;
    transaction.commit()
}
