//! Applies a batch to the counts and postings of a part.

use std::collections::BTreeMap;

use mindfile_index::plan::StoredRow;
use mindfile_index::{Access, Batch, CENSUS, Change, ChunkTerms, Error, FORGOTTEN};
use postgres::Row;

use crate::codec::{self, named, number, stored};
use crate::columns::Columns;
use crate::error::StepError;
use crate::pool::{Connection, Params, with_own};
use crate::postings::{self, PostingChanges};
use crate::totals::{Kin, kin};
use crate::value::{Value, literal};

/// The rows in use, or those of a rebuild.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Current,
    Aside(i32),
}

impl Part {
    /// `None` for the one in use.
    pub(crate) fn number(self) -> Option<i32> {
        match self {
            Self::Current => None,
            Self::Aside(part) => Some(part),
        }
    }
}

/// Any query plan will do for fewer rows than this.
const FEW: i64 = 64;

/// The result of a batch.
pub(crate) struct BatchOutcome {
    pub(crate) generation: u64,
    /// Whether the rows have doubled since the server last analyzed them: a plan for an empty table reads all of a full one,
    /// and autovacuum comes a minute later.
    pub(crate) has_grown: bool,
}

impl BatchOutcome {
    pub(crate) fn at(generation: i64) -> Self {
        Self { generation: generation.unsigned_abs(), has_grown: false }
    }
}

/// Writes uses in the order of ids, so that two writers cannot deadlock. Returns the generation.
pub(crate) fn show_uses(
    db: &mut Connection,
    agent: &str,
    part: Part,
    facts: &[(String, Access)],
) -> Result<i64, StepError> {
    let last: BTreeMap<&String, &Access> = facts.iter().map(|(id, uses)| (id, uses)).collect();
    let ids: Vec<String> = last.keys().map(|id| stored(id).into_owned()).collect();
    let counts: Vec<i64> = last.values().map(|uses| i64::from(uses.count)).collect();
    let times: Vec<Option<i64>> = last.values().map(|uses| uses.last_ms).collect();
    let sql = "WITH own AS (SELECT p.part, p.generation FROM agents a
            JOIN parts p ON p.agent = a.agent AND p.part = coalesce($2, a.current) WHERE a.agent = $1),
          shown AS (INSERT INTO uses SELECT $1, own.part, n.*
            FROM own, unnest($3::text[], $4::int8[], $5::int8[]) n
            ON CONFLICT (agent, part, fact_id) DO UPDATE
            SET access_count = excluded.access_count, last_accessed_ms = excluded.last_accessed_ms)
        SELECT generation FROM own";
    let row = db.row(sql, &[&agent, &part.number(), &ids, &counts, &times])?;
    Ok(row.ok_or_else(|| Error::Moved { path: agent.into() })?.get(0))
}

/// The state of a part.
pub(crate) struct State {
    pub(crate) generation: i64,
    pub(crate) dims: Option<i32>,
    /// The last numbers that were given to a chunk and to a fact.
    pub(crate) last: [i64; 2],
    pub(crate) forgotten: u64,
    rows: i64,
}

pub(crate) struct Writer<'a> {
    pub(crate) db: &'a mut Connection,
    pub(crate) agent: &'a str,
    pub(crate) part: i32,
    pub(crate) state: State,
    pub(crate) model: &'a str,
    pub(crate) now_ms: i64,
    /// Changes in the number of rows, words and vectors of each kind.
    totals: BTreeMap<Kin, [i64; 3]>,
    words: PostingChanges,
    /// Changes in the number of facts that name each entity.
    named: BTreeMap<String, i64>,
}

impl<'a> Writer<'a> {
    /// Locks the part and reads its state, in one round trip. Also returns the generation that the same batch led to if it was
    /// applied before.
    pub(crate) fn begin(
        db: &'a mut Connection,
        (agent, part): (&'a str, Part),
        (batch, key): (&'a Batch, &str),
    ) -> Result<(Self, Option<i64>), StepError> {
        let results = db.several(&beginning(agent, part, key))?;
        let row = results.last().and_then(|rows| rows.first());
        let row = row.ok_or_else(|| Error::Moved { path: agent.into() })?;
        let state = State {
            generation: number(row, 1).unwrap_or(0),
            dims: number(row, 2),
            last: [number(row, 3).unwrap_or(0), number(row, 4).unwrap_or(0)],
            forgotten: number(row, 5).unwrap_or(0),
            rows: number(row, 6).unwrap_or(0),
        };
        let model = batch.model.as_str();
        let now_ms = batch.now_ms;
        let part = number(row, 0).unwrap_or(0);
        let done = number(row, 7);
        let totals = BTreeMap::new();
        let words = PostingChanges::default();
        let named = BTreeMap::new();
        Ok((Self { db, agent, part, state, model, now_ms, totals, words, named }, done))
    }

    /// Runs a query whose first two parameters are the agent and the part.
    pub(crate) fn rows(&mut self, sql: &str, more: Params<'_>) -> Result<Vec<Row>, StepError> {
        self.db.rows(sql, &with_own(&self.agent, &self.part, more))
    }

    /// Runs a statement whose first two parameters are the agent and the part.
    pub(crate) fn run(&mut self, sql: &str, more: Params<'_>) -> Result<u64, StepError> {
        self.db.run(sql, &with_own(&self.agent, &self.part, more))
    }

    /// Counts a row that is added (`times` = 1) or deleted (-1), with its words.
    pub(crate) fn count(&mut self, row: &StoredRow, words: &ChunkTerms, times: i64) {
        let of = kin(&row.chunk);
        let total = self.totals.entry(of).or_default();
        total[0] += times;
        total[1] += times * i64::from(words.length);
        total[2] += times * i64::from(row.chunk.embedding.vector().is_some());
        let doc = codec::doc(row.chunk.doc);
        if times > 0 {
            self.words.add(of, doc, words);
        } else {
            self.words.remove(of, doc, words);
        }
        let entities = row.fields.as_ref().map(|fields| fields.entities.as_slice()).unwrap_or_default();
        for (name, _) in named(entities) {
            *self.named.entry(stored(&name).into_owned()).or_default() += times;
        }
    }

    /// Changes the number of vectors of the row's kind.
    pub(crate) fn count_vectors(&mut self, row: &StoredRow, more: i64) {
        self.totals.entry(kin(&row.chunk)).or_default()[2] += more;
    }

    pub(crate) fn forgotten(&mut self) -> u64 {
        self.state.forgotten += 1;
        self.state.forgotten
    }

    /// Writes the postings, the state of the part and the batch's key.
    pub(crate) fn finish(&mut self, batch: &Batch, key: &str) -> Result<BatchOutcome, StepError> {
        if batch.is_answered() {
            self.state.generation += 1;
        }
        let own = (self.agent, self.part);
        self.words.tend(self.db, own, self.state.generation)?;
        let words = std::mem::take(&mut self.words).columns(self.db, own)?;
        let State { generation, dims, last: [chunk, fact], rows: before, .. } = &self.state;
        let totals = std::mem::take(&mut self.totals);
        let of = |one: fn(&Kin) -> i16| totals.keys().map(one).collect::<Vec<i16>>();
        let by = |at: usize| totals.values().map(|total| total[at]).collect::<Vec<i64>>();
        let census = clears_census(batch);
        let key = &key;
        let own: [&dyn Value; 9] =
            [&self.agent, &self.part, &census, &CENSUS, key, generation, dims, chunk, fact];
        let counted = Columns::default().with(of(|kin| kin.0)).with(of(|kin| kin.1)).with(of(|kin| kin.2));
        let counted = counted.with(by(0)).with(by(1)).with(by(2));
        let (names, times): (Vec<String>, Vec<i64>) = std::mem::take(&mut self.named).into_iter().unzip();
        let fewer = times.iter().any(|times| *times < 0).then(|| names.clone());
        let counted = counted.with(names).with(times);
        let params: Vec<&dyn Value> = own.into_iter().chain(counted.values()).chain(words.values()).collect();
        self.db.run(&format!("WITH {}, {FINISH}", postings::statements(18)), &params)?;
        if let Some(names) = fewer {
            let sql = "DELETE FROM entities WHERE agent = $1 AND part = $2 AND name = ANY ($3::text[]) AND facts = 0";
            self.db.run(sql, &[&self.agent, &self.part, &names])?;
        }
        let after = before + totals.values().map(|total| total[0]).sum::<i64>();
        let doublings = |rows: i64| (rows / FEW).max(0).checked_ilog2();
        let has_grown = after > *before && doublings(after) != doublings(*before);
        Ok(BatchOutcome { generation: generation.unsigned_abs(), has_grown })
    }
}

const FINISH: &str = "census AS (DELETE FROM meta WHERE agent = $1 AND part = $2 AND $3 AND key = $4),
    counted AS (INSERT INTO totals
      SELECT $1, $2, * FROM unnest($10::int2[], $11::int2[], $12::int2[], $13::int8[], $14::int8[], $15::int8[])
      ON CONFLICT (agent, part, shelf, source, origin) DO UPDATE SET rows = totals.rows + excluded.rows,
        length = totals.length + excluded.length, vectors = totals.vectors + excluded.vectors),
    named AS (INSERT INTO entities SELECT $1, $2, * FROM unnest($16::text[], $17::int8[])
      ON CONFLICT (agent, part, name) DO UPDATE SET facts = entities.facts + excluded.facts),
    kept AS (INSERT INTO batches (agent, key, generation) VALUES ($1, $5, $6))
  UPDATE parts SET generation = $6, dims = $7, last_chunk = $8, last_fact = $9 WHERE agent = $1 AND part = $2";

/// A change of a note clears the census unless the batch brings a new one.
fn clears_census(batch: &Batch) -> bool {
    let brings = |change: &Change| matches!(change, Change::Meta { key, .. } if key == CENSUS);
    batch.clears_census() && !batch.changes.iter().any(brings)
}

fn beginning(agent: &str, part: Part, key: &str) -> String {
    let agent = literal(agent);
    let key = literal(key);
    let forgotten = literal(FORGOTTEN);
    let (lock, part) = match part {
        Part::Current => {
            ("agents WHERE".to_owned(), format!("(SELECT current FROM agents WHERE agent = {agent})"))
        }
        Part::Aside(part) => (format!("parts WHERE part = {part} AND"), part.to_string()),
    };
    // A statement that waits for a lock does not see what the other transaction wrote; the next one does.
    format!(
        "BEGIN; SELECT FROM {lock} agent = {agent} FOR UPDATE;
         SELECT p.part, p.generation, p.dims, p.last_chunk, p.last_fact,
           (SELECT value FROM meta WHERE agent = p.agent AND part = p.part AND key = {forgotten}),
           (SELECT sum(rows)::int8 FROM totals WHERE agent = p.agent AND part = p.part),
           (SELECT generation FROM batches WHERE agent = p.agent AND key = {key})
         FROM parts p WHERE p.agent = {agent} AND p.part = {part} FOR UPDATE OF p"
    )
}
