//! One generation of the index: a read-only transaction that sees one moment of the database.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{
    Alias, Aliases, CacheKey, ChunkId, Doc, Embedding, Entity, Error, FileStat, Filter, Lexical, Origin,
    Said as FactSaid, Shelf, Snapshot, Source, Stats, StoredChunk, StoredFact, StoredNote, vector,
};
use mindfile_note::fact::Kind;
use mindfile_note::hash::Digest;
use tokio_postgres::Row;

use crate::codec::{self, int, plain, stored, to_origin, to_source, to_tokens};
use crate::error::{Said, damaged};
use crate::pool::{Connection, Lent, Params};
use crate::write::Part;

/// The columns of a row as `chunk` reads them.
const ENTRY: &str =
    "e.doc, e.id, e.path, e.source, e.start_line, e.end_line, e.hash, e.context, e.text, e.tokens, e.day,
    e.origin, e.state, v.embedding";
const ENTRIES: &str =
    "FROM entries e LEFT JOIN vectors v ON v.agent = e.agent AND v.part = e.part AND v.doc = e.doc
    WHERE e.agent = $1 AND e.part = $2";

pub(crate) struct Reader<'a> {
    /// None once it went back.
    db: RefCell<Option<Lent<'a>>>,
    pub(crate) agent: &'a str,
    pub(crate) part: i32,
    place: &'a str,
    generation: u64,
    dims: Option<usize>,
    /// Whether vectors are compared here at all.
    pub(crate) by_meaning: bool,
    pub(crate) exact_up_to: u64,
    until: Option<Instant>,
    aliases: OnceCell<Known>,
}

/// What names mean.
pub(crate) struct Known {
    pub(crate) aliases: Aliases,
    /// Every name that means another one, and which.
    pub(crate) meant: Vec<(String, String)>,
}

/// How a snapshot is to be read.
pub(crate) struct Wanted<'a> {
    pub(crate) agent: &'a str,
    pub(crate) part: Part,
    pub(crate) place: &'a str,
    pub(crate) by_meaning: bool,
    pub(crate) exact_up_to: u64,
    pub(crate) until: Option<Instant>,
}

impl<'a> Reader<'a> {
    pub(crate) fn begin(mut db: Lent<'a>, wanted: Wanted<'a>) -> Result<Self, Said> {
        let Wanted { agent, part, place, by_meaning, exact_up_to, until } = wanted;
        let left = until.map(|until| until.saturating_duration_since(Instant::now()).as_millis().max(1));
        let limit = left.map_or_else(String::new, |left| format!("; SET LOCAL statement_timeout TO {left}"));
        let begun = db.batch(&format!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY{limit}"));
        let found = begun.and_then(|()| Self::state(&mut db, agent, part));
        match found {
            Ok((part, generation, dims)) => {
                let (db, aliases) = (RefCell::new(Some(db)), OnceCell::new());
                Ok(Self { db, agent, part, place, generation, dims, by_meaning, exact_up_to, until, aliases })
            }
            Err(error) => {
                end(db);
                Err(error)
            }
        }
    }

    fn state(db: &mut Connection, agent: &str, part: Part) -> Result<(i32, u64, Option<usize>), Said> {
        let aside = match part {
            Part::Current => None,
            Part::Aside(part) => Some(part),
        };
        let sql = "SELECT p.part, p.generation, p.dims FROM agents a
            JOIN parts p ON p.agent = a.agent AND p.part = coalesce($2, a.current) WHERE a.agent = $1";
        let row = db.row(sql, &[&agent, &aside])?.ok_or_else(|| Error::Moved { path: agent.into() })?;
        let dims: Option<i32> = row.get(2);
        let generation: i64 = row.get(1);
        Ok((row.get(0), generation.unsigned_abs(), dims.and_then(|dims| usize::try_from(dims).ok())))
    }

    /// Rows of a query; the agent and the part are its first two values.
    pub(crate) fn ask(&self, sql: &str, more: Params<'_>) -> Result<Vec<Row>, Error> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Error::Deadline);
        }
        let mut db = self.db.borrow_mut();
        let db = db.as_mut().ok_or_else(|| damaged(self.place, "the snapshot has ended"))?;
        let own: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&self.agent, &self.part];
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
        self.dims
    }

    fn docs(&self, sql: &str, more: Params<'_>) -> Result<Vec<Doc>, Error> {
        Ok(self.ask(sql, more)?.iter().map(|row| Doc(row.get(0))).collect())
    }

    pub(crate) fn known(&self) -> Result<&Known, Error> {
        if let Some(known) = self.aliases.get() {
            return Ok(known);
        }
        let declared: Vec<Alias> = self.declared()?.into_iter().map(|(_, alias)| alias).collect();
        let aliases = Aliases::of(&declared);
        let names: HashSet<&str> = declared.iter().map(|alias| alias.alias.as_str()).collect();
        let meaning = |name: &&str| Some((name.to_string(), aliases.resolve(name).to_owned()));
        let mut meant: Vec<(String, String)> = names.iter().filter_map(meaning).collect();
        meant.sort();
        Ok(self.aliases.get_or_init(|| Known { aliases, meant }))
    }
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
        self.generation
    }

    fn meta(&self, key: &str) -> Result<Option<String>, Error> {
        let rows = self.ask("SELECT value FROM meta WHERE agent = $1 AND part = $2 AND key = $3", &[&key])?;
        Ok(rows.first().map(|row| plain(row.get(0))))
    }

    fn notes(&self) -> Result<Vec<StoredNote>, Error> {
        let sql = "SELECT path, source, hash, mtime, ctime, size, inode, racy FROM notes
            WHERE agent = $1 AND part = $2 ORDER BY path";
        self.ask(sql, &[])?.iter().map(|row| self.to_note(row)).collect()
    }

    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error> {
        let sql = "SELECT path, source, hash, mtime, ctime, size, inode, racy FROM notes
            WHERE agent = $1 AND part = $2 AND path = $3";
        self.ask(sql, &[&stored(path)])?.first().map(|row| self.to_note(row)).transpose()
    }

    fn finished(&self, path: &str) -> Result<HashSet<(Shelf, ChunkId)>, Error> {
        let sql = "SELECT doc, id FROM entries WHERE agent = $1 AND part = $2 AND path = $3 AND state <> 0";
        let rows = self.ask(sql, &[&stored(path)])?;
        Ok(rows.iter().map(|row| (Doc(row.get(0)).shelf(), ChunkId::stored(row.get(1)))).collect())
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        self.by_words(shelf, terms, filter, limit)
    }

    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let Some(dims) = self.dims else { return Ok(Vec::new()) };
        vector::check(query, dims)?;
        self.near(shelf, query, filter, limit, also)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        let numbers: Vec<i64> = docs.iter().map(|doc| doc.0).collect();
        let rows =
            self.ask(&format!("SELECT {ENTRY} {ENTRIES} AND e.doc = ANY ($3::int8[])"), &[&numbers])?;
        let mut found = HashMap::new();
        for row in &rows {
            found.insert(row.get::<_, i64>(0), Arc::new(self.to_chunk(row)?));
        }
        let unknown = |doc: &Doc| self.damaged(format!("no row {}", doc.0));
        docs.iter().map(|doc| found.get(&doc.0).cloned().ok_or_else(|| unknown(doc))).collect()
    }

    fn locate(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        let sql = "SELECT doc FROM entries WHERE agent = $1 AND part = $2 AND path = $3 AND shelf = 0
            AND start_line <= $4 AND end_line >= $4 ORDER BY start_line, doc";
        self.docs(sql, &[&stored(path), &int(line)])
    }

    fn last_line(&self, path: &str) -> Result<Option<u32>, Error> {
        let sql =
            "SELECT max(start_line) FROM entries WHERE agent = $1 AND part = $2 AND path = $3 AND shelf = 0";
        let rows = self.ask(sql, &[&stored(path)])?;
        let last: Option<i32> = rows.first().and_then(|row| row.get(0));
        Ok(last.map(i32::unsigned_abs))
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
        let sql = "SELECT shelf, source, sum(rows)::int8, sum(vectors)::int8 FROM totals
            WHERE agent = $1 AND part = $2 GROUP BY shelf, source";
        let totals: Vec<(i16, i16, i64, i64)> =
            self.ask(sql, &[])?.iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3))).collect();
        let sql = "SELECT source, count(*) FROM notes WHERE agent = $1 AND part = $2 GROUP BY source";
        let notes: Vec<(i16, i64)> = self.ask(sql, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect();
        let sql = "SELECT count(*) FROM cache WHERE agent = $1 AND $2::int4 IS NOT NULL";
        let cached = self.ask(sql, &[])?.first().map_or(0, |row| row.get::<_, i64>(0));
        let rows = |shelf: i16, source: i16| {
            totals.iter().filter(|t| t.0 == shelf && t.1 == source).map(|t| t.2.unsigned_abs()).sum::<u64>()
        };
        let of = |source: Source| notes.iter().find(|n| n.0 == codec::source(source)).map_or(0, |n| n.1);
        Ok(Stats {
            notes: Source::ALL.into_iter().map(|source| (source, of(source).unsigned_abs())).collect(),
            chunks: Source::ALL.into_iter().map(|source| (source, rows(0, codec::source(source)))).collect(),
            facts: self.size(Shelf::Facts)?,
            entities: self.entities()?.len() as u64,
            embedded: totals.iter().filter(|t| t.0 == 0).map(|t| t.3.unsigned_abs()).sum(),
            cache_entries: cached.unsigned_abs(),
            dims: self.dims,
        })
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        let sql =
            "SELECT coalesce(sum(rows), 0)::int8 FROM totals WHERE agent = $1 AND part = $2 AND shelf = $3";
        let rows = self.ask(sql, &[&codec::shelf(shelf)])?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
    }

    fn admitted(&self, shelf: Shelf, docs: &[Doc], filter: &Filter) -> Result<Vec<Doc>, Error> {
        let numbers: Vec<i64> = docs.iter().map(|doc| doc.0).collect();
        let sql = format!(
            "SELECT e.doc FROM entries e JOIN notes n ON n.agent = e.agent AND n.part = e.part AND n.path = e.path
             WHERE e.agent = $1 AND e.part = $2 AND e.doc = ANY ($3::int8[]) AND e.shelf = $4 {}",
            condition(filter)
        );
        let admitted: HashSet<Doc> =
            self.docs(&sql, &[&numbers, &codec::shelf(shelf)])?.into_iter().collect();
        Ok(docs.iter().copied().filter(|doc| admitted.contains(doc)).collect())
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let chunks = self.chunks(docs)?;
        let numbers: Vec<i64> = docs.iter().map(|doc| doc.0).collect();
        let sql = "SELECT doc, fact_id, kind, salience, confidence, key, entities, line FROM entries
            WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[]) AND fact_id IS NOT NULL";
        let mut said = HashMap::new();
        for row in &self.ask(sql, &[&numbers])? {
            said.insert(row.get::<_, i64>(0), self.to_said(row)?);
        }
        let aliases = &self.known()?.aliases;
        let fact = |chunk: Arc<StoredChunk>| {
            let said =
                said.get(&chunk.doc.0).ok_or_else(|| self.damaged(format!("no fact {}", chunk.doc.0)))?;
            let names = aliases.names(&said.entities);
            Ok(Arc::new(StoredFact { chunk, said: said.clone(), names }))
        };
        chunks.into_iter().map(fact).collect()
    }

    fn all_facts(&self) -> Result<Vec<Doc>, Error> {
        let sql = "SELECT doc FROM entries WHERE agent = $1 AND part = $2 AND fact_id IS NOT NULL
            ORDER BY path, start_line, doc";
        self.docs(sql, &[])
    }

    fn facts_with_id(&self, id: &str) -> Result<Vec<Doc>, Error> {
        let sql = "SELECT doc FROM entries WHERE agent = $1 AND part = $2 AND fact_id = $3
            ORDER BY path, start_line, doc";
        self.docs(sql, &[&stored(id)])
    }

    fn facts_with_key(&self, key: &str) -> Result<Vec<Doc>, Error> {
        let sql = "SELECT doc FROM entries WHERE agent = $1 AND part = $2 AND key = $3 ORDER BY path, start_line, doc";
        self.docs(sql, &[&stored(key)])
    }

    fn facts_like(&self, terms: &[String], limit: usize) -> Result<Vec<Doc>, Error> {
        self.alike(terms, limit)
    }

    fn facts_of(&self, name: &str) -> Result<Arc<[Doc]>, Error> {
        let (_, spelled) = self.spellings(name)?;
        let sql = "SELECT DISTINCT doc FROM names WHERE agent = $1 AND part = $2 AND name = ANY ($3::text[])
            ORDER BY doc";
        Ok(self.docs(sql, &[&spelled])?.into())
    }

    fn entities(&self) -> Result<Vec<Entity>, Error> {
        self.all_entities()
    }

    fn entity(&self, name: &str) -> Result<Option<Entity>, Error> {
        self.one_entity(name)
    }

    fn neighbours(&self, name: &str) -> Result<Arc<[(Entity, u32)]>, Error> {
        self.met(name)
    }

    fn spelling(&self, name: &str) -> Result<Option<String>, Error> {
        self.first_spelling(name)
    }

    fn declared(&self) -> Result<Vec<(String, Alias)>, Error> {
        let sql =
            "SELECT path, alias, name FROM aliases WHERE agent = $1 AND part = $2 ORDER BY path, alias, name";
        let rows = self.ask(sql, &[])?;
        let one =
            |row: &Row| (plain(row.get(0)), Alias { alias: plain(row.get(1)), name: plain(row.get(2)) });
        Ok(rows.iter().map(one).collect())
    }
}

impl Reader<'_> {
    fn to_note(&self, row: &Row) -> Result<StoredNote, Error> {
        let path: String = plain(row.get(0));
        let number = |at: usize| row.get::<_, i64>(at);
        let odd = |what: &str| self.damaged(format!("note {path} has no {what}"));
        Ok(StoredNote {
            source: to_source(row.get(1)).ok_or_else(|| odd("source"))?,
            hash: Digest::parse(row.get(2)).ok_or_else(|| odd("hash"))?,
            stat: FileStat {
                mtime_ns: number(3),
                ctime_ns: number(4),
                size: number(5).cast_unsigned(),
                inode: number(6).cast_unsigned(),
            },
            racy: row.get(7),
            path,
        })
    }

    pub(crate) fn to_chunk(&self, row: &Row) -> Result<StoredChunk, Error> {
        let doc = Doc(row.get(0));
        let odd = |what: &str| self.damaged(format!("row {} has no {what}", doc.0));
        let line = |at: usize| row.get::<_, i32>(at).unsigned_abs();
        let embedding = match (row.get::<_, i16>(12), row.get::<_, Option<Vec<f32>>>(13)) {
            (codec::PENDING, None) => Embedding::Pending,
            (codec::BLANK, None) => Embedding::Blank,
            (codec::VECTOR, Some(vector)) => Embedding::Vector(vector),
            (_, _) => return Err(odd("vector where it should, or one where it should not")),
        };
        Ok(StoredChunk {
            doc,
            id: ChunkId::stored(row.get(1)),
            path: plain(row.get(2)),
            source: to_source(row.get(3)).ok_or_else(|| odd("source"))?,
            start_line: line(4),
            end_line: line(5),
            hash: Digest::parse(row.get(6)).ok_or_else(|| odd("hash"))?,
            context: plain(row.get(7)),
            text: plain(row.get(8)),
            tokens: to_tokens(row.get(9)),
            embedding,
            day: row.get(10),
            origin: to_origin(row.get(11)).ok_or_else(|| odd("origin"))?,
        })
    }

    pub(crate) fn to_said(&self, row: &Row) -> Result<FactSaid, Error> {
        let odd = |what: &str| self.damaged(format!("fact {} has no {what}", row.get::<_, i64>(0)));
        let kind: Option<String> = row.get(2);
        let kind = kind.and_then(|kind| kind.chars().next()).and_then(Kind::of_letter);
        let entities: Option<Vec<String>> = row.get(6);
        let line: Option<String> = row.get(7);
        Ok(FactSaid {
            id: plain(row.get(1)),
            kind: kind.ok_or_else(|| odd("kind"))?,
            salience: row.get::<_, Option<f32>>(3).ok_or_else(|| odd("salience"))?,
            confidence: row.get(4),
            key: row.get::<_, Option<String>>(5).map(plain),
            entities: entities.ok_or_else(|| odd("entities"))?.into_iter().map(plain).collect(),
            line: plain(line.ok_or_else(|| odd("line"))?),
        })
    }

    /// What rows say, in a few letters.
    pub(crate) fn sums(&self, docs: &[i64]) -> Result<HashMap<i64, String>, Error> {
        let sql = "SELECT doc, sum FROM entries WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])";
        Ok(self.ask(sql, &[&docs])?.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    /// Every row, a page at a time, by number.
    pub(crate) fn page(&self, after: i64, limit: i64) -> Result<Vec<StoredChunk>, Error> {
        let sql = format!("SELECT {ENTRY} {ENTRIES} AND e.doc > $3 ORDER BY e.doc LIMIT $4");
        self.ask(&sql, &[&after, &limit])?.iter().map(|row| self.to_chunk(row)).collect()
    }
}

/// What the filter asks of a row `e` and its note `n`. Numbers alone are in it.
pub(crate) fn condition(filter: &Filter) -> String {
    let mut all = own_condition(filter);
    if let Some(since) = filter.since {
        all.push_str(&format!(" AND coalesce(e.day, n.changed) >= {since}"));
    }
    if let Some(until) = filter.until {
        all.push_str(&format!(" AND coalesce(e.day, n.changed) <= {until}"));
    }
    all
}

/// The same whatever the day: how rare a word is does not depend on it.
pub(crate) fn own_condition(filter: &Filter) -> String {
    let source = filter.source.map(|source| format!(" AND e.source = {}", codec::source(source)));
    let trusted = filter.trusted.then(|| format!(" AND e.origin <> {}", codec::origin(Origin::Untrusted)));
    source.unwrap_or_default() + &trusted.unwrap_or_default()
}

/// What a row goes by in a note of another name.
pub(crate) fn renamed(row: &Row, to: &StoredNote) -> Result<ChunkId, Said> {
    let odd = || damaged(&to.path, "a row has no hash or no origin");
    Ok(ChunkId::of_stored(&StoredChunk {
        doc: Doc(row.get(0)),
        id: ChunkId::stored(String::new()),
        path: to.path.clone(),
        source: to.source,
        start_line: row.get::<_, i32>(1).unsigned_abs(),
        end_line: row.get::<_, i32>(2).unsigned_abs(),
        hash: Digest::parse(row.get(3)).ok_or_else(odd)?,
        context: plain(row.get(4)),
        text: String::new(),
        tokens: Vec::new(),
        embedding: Embedding::Pending,
        day: None,
        origin: to_origin(row.get(5)).ok_or_else(odd)?,
    }))
}
