//! Derives the postings of older tables again from the texts of their entries.

use mindfile_index::ChunkTerms;
use postgres::Row;

use crate::codec::plain;
use crate::error::StepError;
use crate::pool::Connection;
use crate::postings::PostingChanges;

/// How many entries to read at a time.
const PAGE: i64 = 2_000;

/// Fills the empty table, for every agent and part.
pub(crate) fn words(db: &mut Connection) -> Result<(), StepError> {
    for row in db.rows("SELECT agent, part FROM parts ORDER BY agent, part", &[])? {
        of_part(db, (row.get(0), row.get(1)))?;
    }
    Ok(())
}

fn of_part(db: &mut Connection, (agent, part): (&str, i32)) -> Result<(), StepError> {
    let sql = "SELECT doc, shelf, source, origin, text, context FROM entries
        WHERE agent = $1 AND part = $2 AND doc > $3 ORDER BY doc LIMIT $4";
    let mut after = i64::MIN;
    loop {
        let rows = db.rows(sql, &[&agent, &part, &after, &PAGE])?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.get(0);
        let mut pending = PostingChanges::default();
        rows.iter().for_each(|row| add(&mut pending, row));
        pending.write(db, (agent, part))?;
    }
}

fn add(pending: &mut PostingChanges, row: &Row) {
    let words = ChunkTerms::of(&plain(row.get(4)), &plain(row.get(5)));
    pending.add((row.get(1), row.get(2), row.get(3)), row.get(0), &words);
}
