//! A batch is applied: one transaction, one writer of an agent at a time, and a key that says whether it was done.

use std::collections::HashSet;

use mindfile_index::{Batch, Change, Error, NewNote, StoredNote, Uses};

use crate::error::StepError;
use crate::pool::Connection;
use crate::write::{Applied, Part, Writer, show_uses};

/// How long the keys of batches are kept: far longer than anybody tries again.
const KEPT: &str = "DELETE FROM batches WHERE agent = $1 AND at < now() - interval '1 day'";
/// How many batches are applied between two looks at old keys.
const LOOK: i64 = 256;

/// One attempt. `again`: an earlier attempt of the same key may have been done.
pub(crate) fn apply(
    db: &mut Connection,
    (agent, part): (&str, Part),
    (batch, key): (&Batch, &str),
    again: bool,
) -> Result<Applied, StepError> {
    if let Some(facts) = uses_alone(batch) {
        return show_uses(db, agent, part, &facts).map(Applied::at);
    }
    let (mut writer, done) = Writer::begin(db, (agent, part), (batch, key))?;
    if let Some(done) = done.filter(|_| again) {
        db.batch("ROLLBACK")?;
        return Ok(Applied::at(done));
    }
    if batch.only_at.is_some_and(|generation| generation.cast_signed() != writer.state.generation) {
        let generation = writer.state.generation;
        db.batch("ROLLBACK")?;
        return Ok(Applied::at(generation));
    }
    if batch.read_at.is_some_and(|read_at| read_at != writer.state.forgotten) {
        return Err(Error::Superseded.into());
    }
    writer.all(&batch.changes)?;
    let applied = writer.finish(batch, key)?;
    if applied.generation.cast_signed() % LOOK == 0 {
        db.run(KEPT, &[&agent])?;
    }
    db.batch("COMMIT")?;
    Ok(applied)
}

/// The uses of a batch that shows nothing else: the last word on each fact, which can be said twice.
fn uses_alone(batch: &Batch) -> Option<Vec<(String, Uses)>> {
    let uses = |change: &Change| if let Change::Use { facts } = change { Some(facts.clone()) } else { None };
    let free = batch.only_at.is_none() && batch.read_at.is_none() && !batch.changes.is_empty();
    let all: Option<Vec<_>> = batch.changes.iter().map(uses).collect();
    all.filter(|_| free).map(|all| all.concat())
}

impl Writer<'_> {
    fn all(&mut self, changes: &[Change]) -> Result<(), StepError> {
        let mut rest = changes;
        while let Some(change) = rest.first() {
            let (puts, touches) = (puts(rest), touches(rest));
            if !puts.is_empty() {
                self.put(&puts)?;
            } else if !touches.is_empty() {
                self.touch(&touches)?;
            } else {
                self.one(change)?;
            }
            rest = &rest[puts.len().max(touches.len()).max(1)..];
        }
        Ok(())
    }
}

/// The notes that are touched first.
fn touches(changes: &[Change]) -> Vec<&StoredNote> {
    changes
        .iter()
        .map_while(|change| if let Change::Touch(note) = change { Some(note) } else { None })
        .collect()
}

/// The notes that are put first, up to the one whose path comes again.
fn puts(changes: &[Change]) -> Vec<&NewNote> {
    let mut paths = HashSet::new();
    let puts =
        changes.iter().map_while(|change| if let Change::Put(note) = change { Some(note) } else { None });
    puts.take_while(|note| paths.insert(note.note.path.as_str())).collect()
}
