//! Reads one generation of the index in a read-only transaction.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{
    Alias, Aliases, Doc, Error, FactFields, Filter, Shelf, Snapshot, StoredChunk, StoredFact,
};
use postgres::Row;

use crate::PostgresIndex;
use crate::codec::{self, all_stored, plain};
use crate::condition::{condition, with_note};
use crate::error::{StepError, damaged};
use crate::moment::{self, Meanings, Moment};
use crate::pool::{Connection, Lease, Params, with_own};
use crate::rows::{self, FACT, VECTORS};

/// How many rows a snapshot caches.
const KEPT: usize = 8_192;
/// How many rows of an answer are read ahead with the first one.
const FORESEEN: usize = 64;

/// A cached row; with its fields if it is a fact.
#[derive(Clone)]
pub(crate) struct ReadRow {
    pub(crate) chunk: Arc<StoredChunk>,
    pub(crate) fact: Option<Arc<StoredFact>>,
}

pub(crate) struct Reader<'a> {
    pub(crate) index: &'a PostgresIndex,
    /// `None` once the reader is dropped.
    db: RefCell<Option<Lease<'a>>>,
    pub(crate) moment: Moment,
    until: Option<Instant>,
    rows: RefCell<HashMap<Doc, ReadRow>>,
    foreseen: RefCell<Vec<Doc>>,
    /// How many facts name each entity asked for so far, by its name in force.
    pub(crate) counts: RefCell<HashMap<String, u32>>,
}

impl<'a> Reader<'a> {
    pub(crate) fn begin(
        index: &'a PostgresIndex,
        mut db: Lease<'a>,
        until: Option<Instant>,
    ) -> Result<Self, StepError> {
        match moment::begin(&mut db, (&index.agent, index.part), until, &index.warm) {
            Ok(moment) => Ok(Self {
                index,
                db: RefCell::new(Some(db)),
                moment,
                until,
                rows: RefCell::default(),
                foreseen: RefCell::default(),
                counts: RefCell::default(),
            }),
            Err(error) => {
                end(db);
                Err(error)
            }
        }
    }

    fn db<T>(&self, ask: impl FnOnce(&mut Connection) -> Result<T, StepError>) -> Result<T, Error> {
        let mut db = self.db.borrow_mut();
        let db = db.as_mut().ok_or_else(|| self.damaged("the snapshot has ended"))?;
        ask(db).map_err(|error| error.at(&self.index.place))
    }

    /// Runs a query whose first two parameters are the agent and the part.
    pub(crate) fn ask(&self, sql: &str, more: Params<'_>) -> Result<Vec<Row>, Error> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Error::Deadline);
        }
        self.db(|db| db.rows(sql, &with_own(&self.index.agent, &self.moment.part, more)))
    }

    /// Runs statements without results, such as planner settings.
    pub(crate) fn set(&self, sql: &str) -> Result<(), Error> {
        self.db(|db| db.batch(sql))
    }

    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        damaged(&self.index.place, what)
    }

    pub(crate) fn dims(&self) -> Option<usize> {
        self.moment.dims
    }

    /// Remembers found rows: a caller that asks for one of them usually asks for the others next.
    pub(crate) fn foresee(&self, shelf: Shelf, docs: impl Iterator<Item = Doc>) {
        if shelf == Shelf::Chunks {
            self.foreseen.borrow_mut().extend(docs.take(FORESEEN));
        }
    }

    /// Rows in the order asked for, read at once and cached.
    pub(crate) fn rows(&self, docs: &[Doc]) -> Result<Vec<ReadRow>, Error> {
        let mut wanted = self.missing(docs);
        if !wanted.is_empty() {
            if let [Doc { shelf: Shelf::Chunks, .. }] = docs {
                wanted.extend(self.missing(&self.foreseen.take()));
            }
            self.read("e.doc = ANY ($3::int8[])", &[&wanted], &Filter::default())?;
            // Reading may have evicted other rows of the same question.
            if wanted.len() < docs.len() && !self.missing(docs).is_empty() {
                let all: Vec<i64> = docs.iter().map(|doc| codec::doc(*doc)).collect();
                self.read("e.doc = ANY ($3::int8[])", &[&all], &Filter::default())?;
            }
        }
        let found = self.rows.borrow();
        let unknown = |doc: &Doc| self.damaged(format!("no row {doc}"));
        docs.iter().map(|doc| found.get(doc).cloned().ok_or_else(|| unknown(doc))).collect()
    }

    /// The rows that are not cached.
    fn missing(&self, docs: &[Doc]) -> Vec<i64> {
        let kept = self.rows.borrow();
        docs.iter().filter(|doc| !kept.contains_key(doc)).map(|doc| codec::doc(*doc)).collect()
    }

    pub(crate) fn docs(&self, sql: &str, more: Params<'_>) -> Result<Vec<Doc>, Error> {
        Ok(self.ask(sql, more)?.iter().map(|row| codec::to_doc(row.get(0))).collect())
    }

    /// The rows among these that a narrowed filter admits, in the order given.
    pub(crate) fn admitted(&self, shelf: Shelf, docs: &[Doc], filter: &Filter) -> Result<Vec<Doc>, Error> {
        let numbers: Vec<i64> = docs.iter().map(|doc| codec::doc(*doc)).collect();
        if numbers.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT e.doc FROM entries e JOIN notes n ON n.agent = e.agent AND n.part = e.part AND n.path = e.path
             WHERE e.agent = $1 AND e.part = $2 AND e.doc = ANY ($3::int8[]) AND e.shelf = $4 {}",
            condition(filter)
        );
        let admitted: HashSet<Doc> =
            self.docs(&sql, &[&numbers, &codec::shelf(shelf)])?.into_iter().collect();
        Ok(docs.iter().copied().filter(|doc| admitted.contains(doc)).collect())
    }

    pub(crate) fn all_facts(&self, filter: &Filter, limit: usize) -> Result<Vec<Doc>, Error> {
        let sql = format!(
            "SELECT e.doc FROM entries e {} WHERE e.agent = $1 AND e.part = $2 AND e.fact_id IS NOT NULL{}
             ORDER BY e.path, e.start_line, e.doc LIMIT $3",
            with_note(filter),
            condition(filter)
        );
        self.docs(&sql, &[&i64::try_from(limit).unwrap_or(i64::MAX)])
    }

    /// The facts with these values in a column. Also reads them, since the caller needs their contents next.
    pub(crate) fn facts_by(
        &self,
        (column, value): (&str, fn(&FactFields) -> Option<&String>),
        values: &[&str],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let found = format!("e.{column} = ANY ($3::text[]) ORDER BY e.path, e.start_line, e.doc");
        let facts = self.facts(&self.read(&found, &[&all_stored(values)], filter)?)?;
        let of = |asked: &&str| {
            let own = facts.iter().filter(|fact| value(&fact.fields).is_some_and(|value| value == asked));
            own.map(|fact| fact.chunk.doc).take(limit).collect()
        };
        Ok(values.iter().map(of).collect())
    }

    /// Reads and caches rows; `found` is the end of the statement.
    fn read(&self, found: &str, more: Params<'_>, filter: &Filter) -> Result<Vec<Doc>, Error> {
        let sql = format!(
            "SELECT {}, {FACT} FROM entries e {VECTORS} {} WHERE e.agent = $1 AND e.part = $2{} AND {found}",
            rows::entry(self.index.server.vectors),
            with_note(filter),
            condition(filter)
        );
        self.keep(&self.ask(&sql, more)?)
    }

    fn keep(&self, rows: &[Row]) -> Result<Vec<Doc>, Error> {
        let has_facts = rows.iter().any(|row| codec::to_doc(row.get(0)).shelf == Shelf::Facts);
        let known = if has_facts { self.known()? } else { Arc::default() };
        let mut kept = self.rows.borrow_mut();
        if kept.len() + rows.len() > KEPT {
            kept.clear();
        }
        let mut docs = Vec::with_capacity(rows.len());
        for row in rows {
            let chunk = Arc::new(rows::to_chunk(&self.index.place, row)?);
            let doc = chunk.doc;
            let fact = match doc.shelf {
                Shelf::Chunks => None,
                Shelf::Facts => {
                    let fields = rows::to_fields(&self.index.place, row)?;
                    let names = known.aliases.names(&fields.entities);
                    Some(Arc::new(StoredFact { chunk: Arc::clone(&chunk), fields, names }))
                }
            };
            docs.push(doc);
            kept.insert(doc, ReadRow { chunk, fact });
        }
        Ok(docs)
    }

    /// Reads and caches the facts that a statement finds. `found` must have the columns `at` and `doc`.
    pub(crate) fn read_found(&self, found: &str, more: Params<'_>) -> Result<Vec<(i64, Doc)>, Error> {
        let sql = format!(
            "SELECT {entry}, {FACT}, f.at FROM ({found}) f JOIN entries e ON e.agent = $1 AND e.part = $2 AND e.doc = f.doc
             LEFT JOIN vectors v ON v.agent = e.agent AND v.part = e.part AND v.doc = e.doc ORDER BY f.at, e.doc DESC",
            entry = rows::entry(self.index.server.vectors),
        );
        let rows = self.ask(&sql, more)?;
        let docs = self.keep(&rows)?;
        Ok(rows.iter().map(|row| row.get(21)).zip(docs).collect())
    }

    /// The checksums of rows.
    pub(crate) fn sums(&self, docs: &[i64]) -> Result<HashMap<i64, String>, Error> {
        let sql = "SELECT doc, sum FROM entries WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])";
        Ok(self.ask(sql, &[&docs])?.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// A page of all rows, ordered by number.
    pub(crate) fn page(&self, after: i64, limit: i64) -> Result<Vec<StoredChunk>, Error> {
        let sql = format!(
            "SELECT {} FROM entries e {VECTORS}
             WHERE e.agent = $1 AND e.part = $2 AND e.doc > $3 ORDER BY e.doc LIMIT $4",
            rows::entry(self.index.server.vectors)
        );
        self.ask(&sql, &[&after, &limit])?.iter().map(|row| rows::to_chunk(&self.index.place, row)).collect()
    }

    pub(crate) fn declared(&self) -> Result<Vec<(String, Alias)>, Error> {
        let sql =
            "SELECT path, alias, name FROM aliases WHERE agent = $1 AND part = $2 ORDER BY path, alias, name";
        let rows = self.ask(sql, &[])?;
        let one =
            |row: &Row| (plain(row.get(0)), Alias { alias: plain(row.get(1)), name: plain(row.get(2)) });
        Ok(rows.iter().map(one).collect())
    }

    pub(crate) fn known(&self) -> Result<Arc<Meanings>, Error> {
        self.moment.kept.names(|| {
            let declared: Vec<Alias> = self.declared()?.into_iter().map(|(_, alias)| alias).collect();
            let aliases = Aliases::of(&declared);
            let names: HashSet<&str> = declared.iter().map(|alias| alias.alias.as_str()).collect();
            let meaning = |name: &str| (name.to_owned(), aliases.resolve(name).to_owned());
            let mut meant: Vec<(String, String)> = names.into_iter().map(meaning).collect();
            meant.sort();
            Ok(Meanings { aliases, meant })
        })
    }
}

/// Ends the transaction, and drops the connection if that fails.
fn end(mut db: Lease<'_>) {
    if db.batch("ROLLBACK").is_err() {
        db.spoil();
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        if let Some(db) = self.db.take() {
            end(db);
        }
    }
}
