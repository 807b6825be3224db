//! Erases deleted rows from the file. They linger in free pages, their terms in full-text segments, and both in the log, until
//! each is rewritten.

use std::fs::File;
use std::io::ErrorKind;
use std::time::Duration;

use rusqlite::Connection;

use super::shelf::tables;
use super::{BUSY, SqliteIndex, database_files, lock};
use crate::record::Shelf;
use crate::{Backend, Error, PurgeOutcome};

/// How long to wait for readers: one in the middle of an answer is done by then.
const PATIENCE: Duration = Duration::from_millis(500);

/// Leaves nothing of deleted rows in the file, in its free pages, in the full-text segments and in the log.
pub(super) fn purge(index: &SqliteIndex) -> Result<PurgeOutcome, Error> {
    if index.file().is_none() {
        return Ok(PurgeOutcome::Held("the file of the index cannot be written".to_owned()));
    }
    index.check_current()?;
    let emptied = index.pool.write(&index.path, |writer| {
        *lock(&index.warm) = super::Memo::default();
        make_anew(writer)?;
        Ok(empty_log(writer)?)
    })?;
    if emptied {
        settle_log(index)?;
    }
    let held = || PurgeOutcome::Held(format!("a reader holds the log of {}", index.path.display()));
    Ok(if emptied { PurgeOutcome::Done } else { held() })
}

/// Merging drops terms of deleted rows from the segments; copying every row into a new file leaves free pages behind.
fn make_anew(writer: &Connection) -> rusqlite::Result<()> {
    for fts in Shelf::ALL.map(|shelf| tables(shelf).fts) {
        writer.execute(&format!("INSERT INTO {fts} ({fts}) VALUES ('optimize')"), [])?;
    }
    writer.execute_batch("VACUUM")
}

/// Whether the log could be emptied.
fn empty_log(writer: &Connection) -> rusqlite::Result<bool> {
    writer.busy_timeout(PATIENCE)?;
    let busy: rusqlite::Result<i64> =
        writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    writer.busy_timeout(BUSY)?;
    Ok(busy? == 0)
}

/// SQLite does not wait for the disk when it shortens the log: what stood in it would be back after a power cut.
fn settle_log(index: &SqliteIndex) -> Result<(), Error> {
    let [_, log, _] = database_files(&index.path);
    match File::open(&log).and_then(|file| file.sync_all()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        synced => synced.map_err(|source| Error::Io { path: log, source }),
    }
}
