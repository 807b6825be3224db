//! Erases deleted rows from the file. They linger in free pages, their terms in full-text segments, and both in the log, until
//! each is rewritten.

use std::time::Duration;

use rusqlite::Connection;

use super::shelf::tables;
use super::{BUSY, SqliteIndex, lock};
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
