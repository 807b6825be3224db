//! Copies the embedding cache of another index, so that rebuilding an index embeds nothing again.

use std::path::Path;

use rusqlite::{Connection, params};

use super::SqliteIndex;
use super::sql::{one, run};
use crate::Error;

/// Rows in a transaction.
const STEP: i64 = 500;

type Key = (String, String, String, String);

impl SqliteIndex {
    /// Copies what the cache of the index at `from` has and this one has not.
    pub fn carry_cache(&self, from: &Path) -> Result<(), Error> {
        self.pool.write(self.path(), |writer| {
            let path = from.to_string_lossy();
            writer.execute("ATTACH DATABASE ?1 AS other", [&path]).map_err(|e| super::classify(from, e))?;
            let carried = carry(writer);
            writer.execute("DETACH DATABASE other", [])?;
            Ok(carried?)
        })
    }
}

/// Also copies the list of the vectors' spaces. Copies in steps, so that a damaged cache is copied as far as it can be read.
fn carry(writer: &Connection) -> rusqlite::Result<()> {
    writer.execute(
        "INSERT OR IGNORE INTO main.meta SELECT key, value FROM other.meta WHERE key = 'embedding_spaces'",
        [],
    )?;
    let mut after: Key = Default::default();
    loop {
        let last: Option<Key> = one(
            writer,
            "SELECT provider, model, provider_key, hash FROM (
               SELECT * FROM other.embedding_cache WHERE (provider, model, provider_key, hash) > (?1, ?2, ?3, ?4)
               ORDER BY provider, model, provider_key, hash LIMIT ?5)
             ORDER BY provider DESC, model DESC, provider_key DESC, hash DESC LIMIT 1",
            params![after.0, after.1, after.2, after.3, STEP],
            |row| row.try_into(),
        )?;
        let Some(last) = last else { return Ok(()) };
        run(
            writer,
            "INSERT OR IGNORE INTO main.embedding_cache SELECT * FROM other.embedding_cache
             WHERE (provider, model, provider_key, hash) > (?1, ?2, ?3, ?4)
             AND (provider, model, provider_key, hash) <= (?5, ?6, ?7, ?8)",
            params![after.0, after.1, after.2, after.3, last.0, last.1, last.2, last.3],
        )?;
        after = last;
    }
}
