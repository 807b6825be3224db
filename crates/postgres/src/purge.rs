//! Erases deleted rows from storage, and measures the tables.

use std::thread;
use std::time::Duration;

use mindfile_index::{About, Error, PurgeOutcome};

use crate::PostgresIndex;
use crate::error::StepError;
use crate::pool::{Connection, Params};
use crate::rebuild;
use crate::schema::{SPREAD, WHOLE};

/// How long to wait for others who use the tables.
const PATIENCE: &str = "2s";
const LOOKS: u32 = 40;
const BETWEEN: Duration = Duration::from_millis(50);

/// Rewrites the tables without deleted rows, which a snapshot older than the deletion would keep.
pub(crate) fn purge(index: &PostgresIndex) -> Result<PurgeOutcome, Error> {
    let held = index.with(|db| {
        let held = clean(db, index);
        let reset = db.batch("RESET lock_timeout");
        held.and_then(|held| reset.map(|()| held))
    })?;
    Ok(held.map_or(PurgeOutcome::Done, |why| {
        PurgeOutcome::Held(format!("{why} in the tables of {}", index.place))
    }))
}

/// Returns who keeps deleted rows, if anybody does.
fn clean(db: &mut Connection, index: &PostgresIndex) -> Result<Option<String>, StepError> {
    rebuild::sweep(db, &index.agent)?;
    db.run("DELETE FROM batches WHERE agent = $1 AND at < now() - interval '1 day'", &[&index.agent])?;
    if !index.server.owner {
        return Ok(Some("only their owner can clear deleted rows, which autovacuum does later,".to_owned()));
    }
    if !is_oldest(db)? {
        return Ok(Some("an older transaction of the server keeps deleted rows".to_owned()));
    }
    let older = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_xmin IS NOT NULL
        AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    let readers: i64 = db.row(older, &[])?.map_or(0, |row| row.get(0));
    if readers > 0 {
        return Ok(Some("a reader still sees deleted rows".to_owned()));
    }
    db.batch(&format!("SET lock_timeout TO '{PATIENCE}'"))?;
    let number = index.server.partition;
    let spread = SPREAD.iter().map(|table| format!("{table}_{number}"));
    for table in spread.chain(WHOLE.iter().map(|table| (*table).to_owned())) {
        match db.batch(&format!("VACUUM (FULL, ANALYZE) {table}")) {
            Err(StepError::Server(error))
                if error.code() == Some(&postgres::error::SqlState::LOCK_NOT_AVAILABLE) =>
            {
                return Ok(Some(format!("somebody uses {table}, and deleted rows stay")));
            }
            result => result?,
        }
    }
    Ok(None)
}

/// Whether every transaction that is older than this call has ended, in any database of the server: rewriting a table copies
/// rows that such a transaction may still see. Waits a moment for it.
fn is_oldest(db: &mut Connection) -> Result<bool, StepError> {
    let own = db.row("SELECT pg_current_xact_id()::text::int8", &[])?;
    let own: i64 = own.map_or(0, |row| row.get(0));
    for _ in 0..LOOKS {
        let sql = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::int8 > $1";
        if db.row(sql, &[&own])?.is_some_and(|row| row.get(0)) {
            return Ok(true);
        }
        thread::sleep(BETWEEN);
    }
    Ok(false)
}

/// Analyzes the tables of the agent's partition, unless somebody else does already.
pub(crate) fn analyze(db: &mut Connection, number: i32) -> Result<(), StepError> {
    db.batch(&format!("ANALYZE (SKIP_LOCKED) {}", planned(number)))
}

/// Also vacuums them, so that questions can be answered from indexes alone.
pub(crate) fn tidy(db: &mut Connection, number: i32) -> Result<(), StepError> {
    db.batch(&format!("VACUUM (ANALYZE, SKIP_LOCKED) {}", planned(number)))
}

/// The tables of a partition with the columns that plans depend on: analyzing vectors and texts takes seconds.
fn planned(number: i32) -> String {
    format!(
        "notes_{number}, entries_{number} (agent, part, doc, shelf, path, state, fact_id, key),
         vectors_{number} (agent, part, doc, shelf),
         postings_{number} (agent, part, shelf, term, source, origin, first), names_{number}, entities_{number}, totals"
    )
}

/// Sizes are those of all agents, which share the tables.
pub(crate) fn about(index: &PostgresIndex) -> Result<About, Error> {
    let sql = "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8 FROM pg_class c
        WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind = 'r'";
    let cache = "SELECT coalesce(sum(4 * cardinality(embedding)), 0)::int8 FROM cache WHERE agent = $1";
    let number = |sql: &str, params: Params<'_>| -> Result<u64, Error> {
        let row = index.with(|db| db.row(sql, params))?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    };
    let bytes = number(sql, &[])?;
    let cache_bytes = number(cache, &[&index.agent])?;
    Ok(About { journal_mode: None, bytes, reusable_bytes: 0, cache_bytes })
}
