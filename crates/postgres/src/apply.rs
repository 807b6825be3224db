//! Applies a batch in one transaction. An agent has one writer at a time; the batch's key tells whether it was committed.

use mindfile_index::plan::Plan;
use mindfile_index::{Access, Batch, Change, Error};

use crate::before::RowsBefore;
use crate::error::StepError;
use crate::insert;
use crate::pool::Connection;
use crate::write::{BatchOutcome, Part, Writer, show_uses};

/// Keys of batches are kept for a day: far longer than anybody retries.
const KEPT: &str = "DELETE FROM batches WHERE agent = $1 AND at < now() - interval '1 day'";
/// How many batches to apply between two deletions of old keys.
const LOOK: i64 = 256;

/// Makes one attempt. `again`: an earlier attempt with the same key may have been committed.
pub(crate) fn apply(
    db: &mut Connection,
    (agent, part): (&str, Part),
    (batch, key): (&Batch, &str),
    again: bool,
) -> Result<BatchOutcome, StepError> {
    if let Some(facts) = uses_alone(batch) {
        return show_uses(db, agent, part, &facts).map(BatchOutcome::at);
    }
    let (mut writer, done) = Writer::begin(db, (agent, part), (batch, key))?;
    if let Some(done) = done.filter(|_| again) {
        db.batch("ROLLBACK")?;
        return Ok(BatchOutcome::at(done));
    }
    if batch.only_at.is_some_and(|generation| generation.cast_signed() != writer.state.generation) {
        let generation = writer.state.generation;
        db.batch("ROLLBACK")?;
        return Ok(BatchOutcome::at(generation));
    }
    if batch.read_at.is_some_and(|read_at| read_at != writer.state.forgotten) {
        return Err(Error::Superseded.into());
    }
    writer.all(batch)?;
    let applied = writer.finish(batch, key)?;
    if applied.generation.cast_signed() % LOOK == 0 {
        db.run(KEPT, &[&agent])?;
    }
    db.batch("COMMIT")?;
    Ok(applied)
}

/// The uses of a batch that does nothing else. They are idempotent, so such a batch needs no key.
fn uses_alone(batch: &Batch) -> Option<Vec<(String, Access)>> {
    let uses = |change: &Change| if let Change::Use { facts } = change { Some(facts.clone()) } else { None };
    let free = batch.only_at.is_none() && batch.read_at.is_none() && !batch.changes.is_empty();
    let all: Option<Vec<_>> = batch.changes.iter().map(uses).collect();
    all.filter(|_| free).map(|all| all.concat())
}

impl Writer<'_> {
    fn all(&mut self, batch: &Batch) -> Result<(), StepError> {
        let before = RowsBefore::read(self, &batch.reach())?;
        let dims = self.state.dims.and_then(|dims| usize::try_from(dims).ok());
        let plan = Plan::of(&before, batch, dims, self.state.last)?;
        self.state.dims = plan.dims.map(|dims| i32::try_from(dims).unwrap_or(i32::MAX));
        self.state.last = plan.last;
        insert::write(self, &before, &plan.notes, &plan.rows)?;
        batch.changes.iter().try_for_each(|change| self.value(change))
    }
}
