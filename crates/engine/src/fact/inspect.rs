//! One fact with everything that is known of it: its line, its state, its use, and the history of its key.

use jiff::civil::Date;
use mindfile_index::{Index, Snapshot};

use super::{FactRecord, State, keyed, load};
use crate::clock;
use crate::error::Error;
use crate::memory::Memory;

#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    pub fact: FactRecord,
    pub state: State,
    /// The line as it stands in the note.
    pub line: String,
    /// Every value of its key, the newest first; empty without a key.
    pub values: Vec<(FactRecord, State)>,
    /// Other lines with the same id.
    pub copies: Vec<FactRecord>,
}

impl Memory {
    /// The fact with an id, or the value of a key, on a day: today if none is named.
    pub fn inspect(&self, name: &str, as_of: Option<Date>) -> Result<Inspection, Error> {
        self.refresh()?;
        let index = self.index()?;
        let snapshot = index.snapshot()?;
        let day = as_of.unwrap_or_else(|| clock::today(&*self.clock));
        let name = name.trim().trim_start_matches('^');
        let mut found = load::records(&*snapshot, &snapshot.facts_with_id(name)?, &*self.journal.uses()?)?;
        let fact =
            if found.is_empty() { self.value_on(&*snapshot, name, day)? } else { Some(found.remove(0)) };
        let fact = fact.ok_or_else(|| Error::NoFact { id: name.to_owned() })?;
        let line = load::line(&*snapshot, &fact)?;
        let values = self.history(&*snapshot, &fact, day)?;
        self.audit_shown(
            values.iter().map(|(value, _)| value).filter(|value| value.id != fact.id).chain([&fact]),
        );
        Ok(Inspection { state: fact.state(day), line, values, copies: found, fact })
    }

    /// What a key said on a day; before its first value, or where there is only a proposal, the first line there is.
    fn value_on(&self, snapshot: &dyn Snapshot, key: &str, day: Date) -> Result<Option<FactRecord>, Error> {
        let values = load::values(snapshot, key, &*self.journal.uses()?)?;
        let held = values.iter().filter(|value| value.held_on(day)).max_by_key(|value| value.version);
        Ok(held.or_else(|| keyed::current(&values)).or(values.first()).cloned())
    }

    fn history(
        &self,
        snapshot: &dyn Snapshot,
        fact: &FactRecord,
        day: Date,
    ) -> Result<Vec<(FactRecord, State)>, Error> {
        let Some(key) = &fact.key else { return Ok(Vec::new()) };
        let mut values = load::values(snapshot, key, &*self.journal.uses()?)?;
        values.sort_by_key(|value| std::cmp::Reverse((value.version, value.proposed, value.since())));
        Ok(values.into_iter().map(|value| (value.state(day), value)).map(|(s, v)| (v, s)).collect())
    }
}
