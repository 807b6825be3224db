//! The start of a snapshot: one round trip begins the transaction and reads the state of the agent's rows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use mindfile_index::{Aliases, Error, Filter, Shelf};
use postgres::SimpleQueryRow;

use crate::codec::{self, number, plain};
use crate::error::StepError;
use crate::pool::Connection;
use crate::value::literal;
use crate::write::Part;

/// Metadata values up to this length are read at the start, longer ones on demand.
const SHORT: u32 = 32_768;

pub(crate) struct Moment {
    pub(crate) part: i32,
    pub(crate) generation: u64,
    pub(crate) dims: Option<usize>,
    pub(crate) totals: Vec<Total>,
    pub(crate) kept: Arc<GenerationMemo>,
}

/// Counts of the rows of one shelf, source and origin.
pub(crate) struct Total {
    pub(crate) shelf: i16,
    pub(crate) source: i16,
    pub(crate) origin: i16,
    pub(crate) rows: i64,
    pub(crate) length: i64,
    pub(crate) vectors: i64,
}

/// What was read of a generation. It never goes stale: any change makes another generation.
#[derive(Default)]
pub(crate) struct GenerationMemo {
    part: i32,
    generation: u64,
    /// Every value by its key; `None` for a long one that has not been read yet.
    values: Mutex<HashMap<String, Option<Arc<str>>>>,
    has_aliases: bool,
    names: Mutex<Option<Arc<Meanings>>>,
}

/// What names mean.
#[derive(Default)]
pub(crate) struct Meanings {
    pub(crate) aliases: Aliases,
    /// Every name that means another one, and which.
    pub(crate) meant: Vec<(String, String)>,
}

/// The last generation seen, shared by all snapshots of an index.
#[derive(Default)]
pub(crate) struct LastGeneration(Mutex<Arc<GenerationMemo>>);

impl LastGeneration {
    fn last(&self) -> Arc<GenerationMemo> {
        Arc::clone(&lock(&self.0))
    }

    fn keep(&self, kept: &Arc<GenerationMemo>) {
        *lock(&self.0) = Arc::clone(kept);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GenerationMemo {
    /// A value; a long one is read once in a generation.
    pub(crate) fn value(
        &self,
        key: &str,
        ask: impl FnOnce() -> Result<Option<Arc<str>>, Error>,
    ) -> Result<Option<Arc<str>>, Error> {
        match lock(&self.values).get(key) {
            None => return Ok(None),
            Some(Some(known)) => return Ok(Some(Arc::clone(known))),
            Some(None) => {}
        }
        let found = ask()?;
        lock(&self.values).insert(key.to_owned(), found.clone());
        Ok(found)
    }

    pub(crate) fn names(
        &self,
        ask: impl FnOnce() -> Result<Meanings, Error>,
    ) -> Result<Arc<Meanings>, Error> {
        if let Some(known) = &*lock(&self.names) {
            return Ok(Arc::clone(known));
        }
        let known = Arc::new(if self.has_aliases { ask()? } else { Meanings::default() });
        *lock(&self.names) = Some(Arc::clone(&known));
        Ok(known)
    }
}

/// Begins a snapshot in one round trip.
pub(crate) fn begin(
    db: &mut Connection,
    (agent, part): (&str, Part),
    until: Option<Instant>,
    warm: &LastGeneration,
) -> Result<Moment, StepError> {
    let last = warm.last();
    let left = until.map(|until| until.saturating_duration_since(Instant::now()).as_millis().max(1));
    let limit = left.map_or_else(String::new, |left| format!("SET LOCAL statement_timeout TO {left};"));
    let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {limit}");
    let mut results = db.several(&(begin + &questions(agent, part, &last)))?;
    let [own, totals, values, aliases] = answers(&mut results);
    let own = own.first().ok_or_else(|| Error::Moved { path: agent.into() })?;
    let part = number(own, 0).unwrap_or(0);
    let generation = number(own, 1).unwrap_or(0);
    let kept = if (last.part, last.generation) == (part, generation) {
        last
    } else {
        let value = |row: &SimpleQueryRow| {
            Some((row.get(0)?.to_owned(), row.get(1).map(|value| plain(value.to_owned()).into())))
        };
        let values = Mutex::new(values.iter().filter_map(value).collect());
        let has_aliases = !aliases.is_empty();
        let kept =
            Arc::new(GenerationMemo { part, generation, values, has_aliases, names: Mutex::default() });
        warm.keep(&kept);
        kept
    };
    let totals = totals.iter().filter_map(total).collect();
    Ok(Moment { part, generation, dims: number(own, 2), totals, kept })
}

/// The queries for what the memo does not hold yet.
fn questions(agent: &str, part: Part, last: &GenerationMemo) -> String {
    let agent = literal(agent);
    let part = match part {
        Part::Current => format!("(SELECT current FROM agents WHERE agent = {agent})"),
        Part::Aside(part) => part.to_string(),
    };
    let short = SHORT;
    let generation = last.generation;
    let known = format!(
        "EXISTS (SELECT FROM parts WHERE agent = {agent} AND part = {part} AND part = {} AND generation = {generation})",
        last.part
    );
    format!(
        "SELECT part, generation, dims FROM parts WHERE agent = {agent} AND part = {part};
         SELECT shelf, source, origin, rows, length, vectors FROM totals WHERE agent = {agent} AND part = {part};
         SELECT key, CASE WHEN octet_length(value) <= {short} THEN value END FROM meta
           WHERE agent = {agent} AND part = {part} AND NOT {known};
         SELECT FROM aliases WHERE agent = {agent} AND part = {part} AND NOT {known} LIMIT 1"
    )
}

/// The rows of the last four statements.
fn answers(results: &mut Vec<Vec<SimpleQueryRow>>) -> [Vec<SimpleQueryRow>; 4] {
    let mut last = results.split_off(results.len().saturating_sub(4)).into_iter();
    std::array::from_fn(|_| last.next().unwrap_or_default())
}

fn total(row: &SimpleQueryRow) -> Option<Total> {
    Some(Total {
        shelf: number(row, 0)?,
        source: number(row, 1)?,
        origin: number(row, 2)?,
        rows: number(row, 3)?,
        length: number(row, 4)?,
        vectors: number(row, 5)?,
    })
}

impl Moment {
    pub(crate) fn size(&self, shelf: Shelf) -> u64 {
        let of = |total: &&Total| total.shelf == codec::shelf(shelf);
        self.totals.iter().filter(of).map(|total| total.rows.unsigned_abs()).sum()
    }

    /// How many rows a filter admits whatever their day, and their mean length.
    pub(crate) fn corpus(&self, shelf: Shelf, filter: &Filter) -> (usize, f32) {
        let asked = |total: &&Total| total.shelf == codec::shelf(shelf) && total.is_admitted(filter);
        let sum = |value: fn(&Total) -> i64| self.totals.iter().filter(asked).map(value).sum::<i64>();
        let count = sum(|total| total.rows);
        let length = sum(|total| total.length);
        let count = count.saturating_sub(filter.hidden.on(shelf).count() as i64).max(0);
        let mean = if count == 0 { 1.0 } else { (length as f32 / count as f32).max(1.0) };
        (usize::try_from(count).unwrap_or(0), mean)
    }

    /// The filter without conditions that every row of the shelf meets.
    pub(crate) fn narrowed(&self, shelf: Shelf, filter: &Filter) -> Filter {
        let rows = |total: &&Total| total.shelf == codec::shelf(shelf) && total.rows > 0;
        let refused =
            |filter: Filter| self.totals.iter().filter(rows).any(|total| !total.is_admitted(&filter));
        let source = filter.source.filter(|_| refused(Filter { source: filter.source, ..Filter::default() }));
        let trusted = filter.trusted && refused(Filter { trusted: true, ..Filter::default() });
        Filter { source, trusted, ..filter.clone() }
    }
}

impl Total {
    fn is_admitted(&self, filter: &Filter) -> bool {
        let untrusted = codec::origin(mindfile_index::Origin::Untrusted);
        filter.source.is_none_or(|source| self.source == codec::source(source))
            && !(filter.trusted && self.origin == untrusted)
    }
}
