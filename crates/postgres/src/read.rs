//! One generation of the index: a read-only transaction that sees one moment of the database.

use std::cell::{RefCell, RefMut};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{
    Alias, Aliases, CacheKey, Doc, Entity, EntityQuery, Error, FactFields, FactQuery, Filter, Lexical,
    NoteQuery, NoteRow, QueryTerm, RowQuery, Shelf, Snapshot, Source, Stats, StoredChunk, StoredFact,
    StoredNote, associate, vector,
};
use tokio_postgres::Row;

use crate::codec::{self, all_stored, int, plain, stored};
use crate::condition::{condition, with_note};
use crate::error::{StepError, damaged};
use crate::meaning::Vectors;
use crate::moment::{self, Known, Moment, Total, Warm};
use crate::pool::{Lent, Params};
use crate::rows::{ENTRIES, to_note, to_note_row};
use crate::value::Value;
use crate::write::Part;

/// How many rows a snapshot keeps of those that it has read.
const KEPT: usize = 8_192;
/// How many of the rows of one answer are read with the first of them.
const FORESEEN: usize = 64;

pub(crate) struct Reader<'a> {
    /// None once it went back.
    db: RefCell<Option<Lent<'a>>>,
    pub(crate) agent: &'a str,
    pub(crate) moment: Moment,
    place: &'a str,
    /// The dimensions that the HNSW index is known to be there for.
    pub(crate) hnsw: &'a [i32],
    pub(crate) vectors: Vectors,
    pub(crate) exact_up_to: u64,
    until: Option<Instant>,
    chunks: RefCell<HashMap<Doc, Arc<StoredChunk>>>,
    facts: RefCell<HashMap<Doc, Arc<StoredFact>>>,
    foreseen: RefCell<Vec<Doc>>,
    /// How many facts name each entity that was asked for; by the name in force.
    pub(crate) counts: RefCell<HashMap<String, u32>>,
}

/// How a snapshot is to be read.
pub(crate) struct Wanted<'a> {
    pub(crate) agent: &'a str,
    pub(crate) part: Part,
    pub(crate) place: &'a str,
    pub(crate) warm: &'a Warm,
    pub(crate) hnsw: &'a [i32],
    pub(crate) vectors: Vectors,
    pub(crate) exact_up_to: u64,
    pub(crate) until: Option<Instant>,
}

impl<'a> Reader<'a> {
    pub(crate) fn begin(mut db: Lent<'a>, wanted: Wanted<'a>) -> Result<Self, StepError> {
        let Wanted { agent, part, place, warm, hnsw, vectors, exact_up_to, until } = wanted;
        match moment::begin(&mut db, (agent, part), until, warm) {
            Ok(moment) => {
                let (db, foreseen) = (RefCell::new(Some(db)), RefCell::default());
                let (chunks, facts, counts) = (RefCell::default(), RefCell::default(), RefCell::default());
                Ok(Self {
                    db,
                    agent,
                    moment,
                    place,
                    hnsw,
                    vectors,
                    exact_up_to,
                    until,
                    chunks,
                    facts,
                    foreseen,
                    counts,
                })
            }
            Err(error) => {
                end(db);
                Err(error)
            }
        }
    }

    /// Rows of a query; the agent and the part are its first two values.
    pub(crate) fn ask(&self, sql: &str, more: Params<'_>) -> Result<Vec<Row>, Error> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Error::Deadline);
        }
        let mut db = self.db.borrow_mut();
        let db = db.as_mut().ok_or_else(|| damaged(self.place, "the snapshot has ended"))?;
        let own: [&dyn Value; 2] = [&self.agent, &self.moment.part];
        let params: Vec<_> = own.into_iter().chain(more.iter().copied()).collect();
        db.rows(sql, &params).map_err(|error| error.at(self.place))
    }

    /// A statement that is no question, such as one that sets how the next is planned.
    pub(crate) fn set(&self, sql: &str) -> Result<(), Error> {
        let mut db = self.db.borrow_mut();
        let db = db.as_mut().ok_or_else(|| damaged(self.place, "the snapshot has ended"))?;
        db.batch(sql).map_err(|error| error.at(self.place))
    }

    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        damaged(self.place, what)
    }

    pub(crate) fn dims(&self) -> Option<usize> {
        self.moment.dims
    }

    /// Who finds rows and then asks for a single one asks for the others next.
    fn foresee(&self, shelf: Shelf, docs: impl Iterator<Item = Doc>) {
        if shelf == Shelf::Chunks {
            self.foreseen.borrow_mut().extend(docs.take(FORESEEN));
        }
    }

    /// Rows that were read stay, but not without end.
    fn kept_chunks(&self, more: usize) -> RefMut<'_, HashMap<Doc, Arc<StoredChunk>>> {
        room(self.chunks.borrow_mut(), more)
    }

    pub(crate) fn kept_facts(&self, more: usize) -> RefMut<'_, HashMap<Doc, Arc<StoredFact>>> {
        room(self.facts.borrow_mut(), more)
    }

    fn docs(&self, sql: &str, more: Params<'_>) -> Result<Vec<Doc>, Error> {
        Ok(self.ask(sql, more)?.iter().map(|row| Doc(row.get(0))).collect())
    }

    /// Those of these rows that a narrowed filter admits, in the order given.
    pub(crate) fn admitted(&self, shelf: Shelf, docs: &[Doc], filter: &Filter) -> Result<Vec<Doc>, Error> {
        let numbers: Vec<i64> = docs.iter().map(|doc| doc.0).collect();
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

    fn all_facts(&self, filter: &Filter, limit: usize) -> Result<Vec<Doc>, Error> {
        let sql = format!(
            "SELECT e.doc FROM entries e {} WHERE e.agent = $1 AND e.part = $2 AND e.fact_id IS NOT NULL{}
             ORDER BY e.path, e.start_line, e.doc LIMIT $3",
            with_note(filter),
            condition(filter)
        );
        self.docs(&sql, &[&i64::try_from(limit).unwrap_or(i64::MAX)])
    }

    /// The facts with these values in a column, which are read at once: who asks for them asks for what they say next.
    fn facts_by(
        &self,
        (column, value): (&str, fn(&FactFields) -> Option<&String>),
        values: &[&str],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let found = format!("e.{column} = ANY ($3::text[])");
        let facts = self.facts(&self.read_facts(&found, &[&all_stored(values)], filter)?)?;
        let of = |asked: &&str| {
            let own = facts.iter().filter(|fact| value(&fact.fields).is_some_and(|value| value == asked));
            own.map(|fact| fact.chunk.doc).take(limit).collect()
        };
        Ok(values.iter().map(of).collect())
    }

    fn declared(&self) -> Result<Vec<(String, Alias)>, Error> {
        let sql =
            "SELECT path, alias, name FROM aliases WHERE agent = $1 AND part = $2 ORDER BY path, alias, name";
        let rows = self.ask(sql, &[])?;
        let one =
            |row: &Row| (plain(row.get(0)), Alias { alias: plain(row.get(1)), name: plain(row.get(2)) });
        Ok(rows.iter().map(one).collect())
    }

    pub(crate) fn known(&self) -> Result<Arc<Known>, Error> {
        self.moment.kept.names(|| {
            let declared: Vec<Alias> = self.declared()?.into_iter().map(|(_, alias)| alias).collect();
            let aliases = Aliases::of(&declared);
            let names: HashSet<&str> = declared.iter().map(|alias| alias.alias.as_str()).collect();
            let meaning = |name: &str| (name.to_owned(), aliases.resolve(name).to_owned());
            let mut meant: Vec<(String, String)> = names.into_iter().map(meaning).collect();
            meant.sort();
            Ok(Known { aliases, meant })
        })
    }
}

fn room<T>(mut kept: RefMut<'_, HashMap<Doc, T>>, more: usize) -> RefMut<'_, HashMap<Doc, T>> {
    if kept.len() + more > KEPT {
        kept.clear();
    }
    kept
}

/// What is missing among the rows that were asked for.
fn missing<T>(docs: &[Doc], kept: &HashMap<Doc, T>) -> Vec<i64> {
    docs.iter().filter(|doc| !kept.contains_key(doc)).map(|doc| doc.0).collect()
}

/// A transaction that cannot be ended takes its connection with it.
fn end(mut db: Lent<'_>) {
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

impl Snapshot for Reader<'_> {
    fn generation(&self) -> u64 {
        self.moment.generation
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.moment.kept.value(key, || {
            let sql = "SELECT value FROM meta WHERE agent = $1 AND part = $2 AND key = $3";
            Ok(self.ask(sql, &[&key])?.first().map(|row| plain(row.get(0)).into()))
        })
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.moment.size(shelf))
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let sql = "SELECT path, source, hash, mtime, ctime, size, inode, racy FROM notes WHERE agent = $1 AND part = $2";
        let rows = match query {
            NoteQuery::All => self.ask(&format!("{sql} ORDER BY path"), &[])?,
            NoteQuery::At(paths) => {
                self.ask(&format!("{sql} AND path = ANY ($3::text[]) ORDER BY path"), &[&all_stored(paths)])?
            }
        };
        rows.iter().map(|row| to_note(self.place, row)).collect()
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        let rows = |condition: &str, more: Params<'_>| {
            let sql = format!(
                "SELECT doc, id, start_line, end_line, state FROM entries WHERE agent = $1 AND part = $2 AND path = $3
                 {condition} ORDER BY shelf, start_line, doc"
            );
            self.ask(&sql, more)
        };
        let path = stored(path);
        let rows = match query {
            RowQuery::All => rows("", &[&path])?,
            RowQuery::ChunksAt(line) => {
                rows("AND shelf = 0 AND start_line <= $4 AND end_line >= $4", &[&path, &int(line)])?
            }
            RowQuery::LastChunks => {
                let last = "AND shelf = 0 AND start_line = (SELECT max(start_line) FROM entries
                   WHERE agent = $1 AND part = $2 AND path = $3 AND shelf = 0)";
                rows(last, &[&path])?
            }
        };
        Ok(rows.iter().map(to_note_row).collect())
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let found = self.by_words(shelf, terms, filter, limit)?;
        self.foresee(shelf, found.hits.iter().map(|hit| hit.doc));
        Ok(found)
    }

    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        self.begun(shelf, ways)
    }

    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let Some(dims) = self.dims() else { return Ok(Vec::new()) };
        vector::check(query, dims)?;
        let found = self.near(shelf, query, filter, limit, also)?;
        self.foresee(shelf, found.iter().map(|(doc, _)| *doc));
        Ok(found)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        if docs.first().is_some_and(|doc| doc.shelf() == Shelf::Facts) {
            return Ok(self.facts(docs)?.into_iter().map(|fact| Arc::clone(&fact.chunk)).collect());
        }
        let mut wanted = missing(docs, &*self.chunks.borrow());
        if !wanted.is_empty() {
            if let [_] = docs {
                wanted.extend(missing(&self.foreseen.take(), &*self.chunks.borrow()));
            }
            let sql = format!("SELECT {} {ENTRIES} AND e.doc = ANY ($3::int8[])", self.entry());
            let rows = self.ask(&sql, &[&wanted])?;
            // Whatever was kept makes room only for all that is asked for.
            if self.kept_chunks(rows.len()).is_empty() && wanted.len() < docs.len() {
                return self.chunks(docs);
            }
            for row in &rows {
                let chunk = Arc::new(self.to_chunk(row)?);
                self.chunks.borrow_mut().insert(chunk.doc, chunk);
            }
        }
        let (found, unknown) = (self.chunks.borrow(), |doc: &Doc| self.damaged(format!("no row {}", doc.0)));
        docs.iter().map(|doc| found.get(doc).cloned().ok_or_else(|| unknown(doc))).collect()
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        let sql =
            "SELECT doc FROM entries WHERE agent = $1 AND part = $2 AND state = 0 ORDER BY doc LIMIT $3";
        self.docs(sql, &[&i64::try_from(limit).unwrap_or(i64::MAX)])
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        let all =
            |value: fn(&CacheKey) -> &str| keys.iter().map(|key| value(key).to_owned()).collect::<Vec<_>>();
        let hashes: Vec<String> = keys.iter().map(|key| key.hash.to_string()).collect();
        let sql = "SELECT n.at, c.embedding FROM unnest($3::text[], $4::text[], $5::text[], $6::text[])
              WITH ORDINALITY n(provider, model, provider_key, hash, at)
            JOIN cache c ON c.agent = $1 AND c.provider = n.provider AND c.model = n.model
              AND c.provider_key = n.provider_key AND c.hash = n.hash WHERE $2::int4 IS NOT NULL";
        let (providers, models) = (all(|key| &key.provider), all(|key| &key.model));
        let rows = self.ask(sql, &[&providers, &models, &all(|key| &key.provider_key), &hashes])?;
        let mut found = vec![None; keys.len()];
        for row in &rows {
            let at = usize::try_from(row.get::<_, i64>(0) - 1).unwrap_or(usize::MAX);
            if let Some(place) = found.get_mut(at) {
                *place = Some(row.get(1));
            }
        }
        Ok(found)
    }

    fn stats(&self) -> Result<Stats, Error> {
        let on =
            |shelf: Shelf| self.moment.totals.iter().filter(move |total| total.shelf == codec::shelf(shelf));
        let sql = "SELECT source, count(*) FROM notes WHERE agent = $1 AND part = $2 GROUP BY source";
        let notes: Vec<(i16, i64)> = self.ask(sql, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect();
        let sql = "SELECT count(*) FROM cache WHERE agent = $1 AND $2::int4 IS NOT NULL";
        let cached = self.ask(sql, &[])?.first().map_or(0, |row| row.get::<_, i64>(0));
        let rows = |source: Source| {
            let of = |total: &&Total| total.source == codec::source(source);
            on(Shelf::Chunks).filter(of).map(|total| total.rows.unsigned_abs()).sum::<u64>()
        };
        let of = |source: Source| notes.iter().find(|n| n.0 == codec::source(source)).map_or(0, |n| n.1);
        Ok(Stats {
            notes: Source::ALL.into_iter().map(|source| (source, of(source).unsigned_abs())).collect(),
            chunks: Source::ALL.into_iter().map(|source| (source, rows(source))).collect(),
            facts: self.size(Shelf::Facts)?,
            entities: self.all_entities()?.len() as u64,
            embedded: on(Shelf::Chunks).map(|total| total.vectors.unsigned_abs()).sum(),
            cache_entries: cached.unsigned_abs(),
            dims: self.dims(),
        })
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let wanted = missing(docs, &*self.facts.borrow());
        if !wanted.is_empty() {
            self.read_facts("e.doc = ANY ($3::int8[])", &[&wanted], &Filter::default())?;
            // Where that took the room of others that are asked for, all of them are read.
            if wanted.len() < docs.len() && !missing(docs, &*self.facts.borrow()).is_empty() {
                let all: Vec<i64> = docs.iter().map(|doc| doc.0).collect();
                self.read_facts("e.doc = ANY ($3::int8[])", &[&all], &Filter::default())?;
            }
        }
        let (found, unknown) = (self.facts.borrow(), |doc: &Doc| self.damaged(format!("no fact {}", doc.0)));
        docs.iter().map(|doc| found.get(doc).cloned().ok_or_else(|| unknown(doc))).collect()
    }

    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let filter = &self.moment.narrowed(Shelf::Facts, filter);
        match query {
            FactQuery::All => Ok(vec![self.all_facts(filter, limit)?]),
            FactQuery::Ids(ids) => self.facts_by(("fact_id", |fields| Some(&fields.id)), ids, filter, limit),
            FactQuery::Keys(keys) => {
                self.facts_by(("key", |fields| fields.key.as_ref()), keys, filter, limit)
            }
            FactQuery::Naming(names) => self.last_naming(names, filter, limit),
            FactQuery::Sharing(terms) => {
                let mut found = self.sharing(terms)?;
                if !filter.is_empty() {
                    found = self.admitted(Shelf::Facts, &found, filter)?;
                }
                found.truncate(limit);
                Ok(vec![found])
            }
        }
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        let filter = self.moment.narrowed(Shelf::Facts, filter);
        let entities = match query {
            EntityQuery::All => self.all_entities()?,
            EntityQuery::Named(names) => self.named(names)?,
        };
        if filter.is_empty() { Ok(entities) } else { associate::counted(self, entities, query, &filter) }
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        let filter = self.moment.narrowed(Shelf::Facts, filter);
        if filter.is_empty() {
            return self.first_spellings(names);
        }
        associate::spellings(self, names, &self.known()?.aliases, &filter)
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        self.declared()
    }
}
