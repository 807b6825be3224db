//! Runs statements, each prepared once for a connection, and says what can go wrong with them.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::classify;
use super::shelf::tables;
use crate::Error;
use crate::record::Doc;

/// An error that does not name its file yet.
#[derive(Debug)]
pub(super) enum Fault {
    Sqlite(rusqlite::Error),
    Damaged(String),
    Index(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Index(error)
    }
}

impl Fault {
    pub(super) fn table(name: &str) -> Self {
        Self::Damaged(format!("the table {name} does not match its checksum"))
    }

    pub(super) fn row(doc: Doc) -> Self {
        Self::Damaged(format!("{} {doc} does not match its checksum", tables(doc.shelf).one))
    }

    pub(super) fn at(self, path: &Path) -> Error {
        match self {
            Self::Sqlite(error) => classify(path, error),
            Self::Damaged(what) => Error::Damaged { path: path.to_owned(), what },
            Self::Index(error) => error,
        }
    }
}

/// Runs a statement and returns how many rows it changed.
pub(super) fn run(db: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
    db.prepare_cached(sql)?.execute(params)
}

/// The first row, if there is one.
pub(super) fn one<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    db.prepare_cached(sql)?.query_row(params, read).optional()
}

/// Every row.
pub(super) fn list<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    db.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// Calls `visit` with one row after the other.
pub(super) fn each<E: From<rusqlite::Error>>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    mut visit: impl FnMut(&Row<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        visit(row)?;
    }
    Ok(())
}
