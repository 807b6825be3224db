//! Answers from one generation.

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use rusqlite::{Connection, Params, params};

use super::blocks::{self, Block, SLOTS};
use super::checksum::{self, add};
use super::memo::{Codes, Memo};
use super::rows::{File, Row, cache_sum};
use super::shelf::{Tables, tables};
use super::sql::{self, Fault, run};
use super::state::State;
use super::{SqliteIndex, VectorEngine, WARM_KIB, cache, graph, lock, postings};
use crate::bm25::{self, Lexical, Postings};
use crate::columns::{Columns, Filter};
use crate::query::{EntityQuery, FactQuery, NoteQuery, RowQuery};
use crate::query_term::QueryTerm;
use crate::record::{
    Alias, CacheKey, ChunkId, Doc, Entity, NoteRow, Part, Shelf, Source, Stats, StoredChunk, StoredFact,
    StoredNote,
};
use crate::vector::CodedQuery;
use crate::{Error, Snapshot, associate, codec, vector};

/// How many steps of SQLite's virtual machine pass between checks of the deadline.
const STEPS: i32 = 10_000;
/// How many rows that may tie with the last to fetch from sqlite-vec, which does not report ties.
const MOST_TIES: usize = 64;
/// Who asks for so many facts at once walks through all of them: they take no place in the cache.
const WALKED: usize = 512;
/// How many values of a kind to cache: what questions read again and again, not all there is.
const MOST_KEPT: usize = 4_096;

/// Cosines by position, filled block by block.
struct Scores<'a> {
    query: &'a CodedQuery,
    columns: &'a Columns,
    scores: Vec<f32>,
    /// The position at which to look for the next chunk: blocks come in order.
    from: usize,
    found: u64,
}

impl Scores<'_> {
    /// `None` if the block holds a chunk that the columns do not know, or codes of another size.
    fn add(&mut self, number: i64, bytes: &[u8]) -> Option<()> {
        let mut found = [vector::NO_VECTOR; SLOTS];
        let entries = blocks::entries(bytes, self.query.entry())?;
        vector::score_run(self.query, entries, &mut found);
        if self.is_next(number) {
            self.scores[self.from..self.from + SLOTS].copy_from_slice(&found);
            self.from += SLOTS;
            self.found += found.iter().filter(|score| **score > vector::NO_VECTOR).count() as u64;
            return Some(());
        }
        for (slot, score) in found.into_iter().enumerate().filter(|(_, score)| *score > vector::NO_VECTOR) {
            let position = self.columns.position_from(self.from, blocks::doc(number, slot))?;
            self.scores[position] = score;
            self.from = position + 1;
            self.found += 1;
        }
        Some(())
    }

    /// Whether the next columns are exactly the chunks of the block.
    fn is_next(&self, number: i64) -> bool {
        let last = self.from + SLOTS - 1;
        last < self.columns.len()
            && [self.from, last].map(|at| self.columns.doc(at))
                == [0, SLOTS - 1].map(|slot| blocks::doc(number, slot))
    }
}

pub(super) struct Reader<'a> {
    pub(super) index: &'a SqliteIndex,
    /// Returns to the pool when the reader is dropped.
    connection: Option<Connection>,
    /// No query starts after it.
    deadline: Option<Instant>,
    pub(super) state: State,
    /// What it keeps where the index's cache is of a later generation.
    own: Mutex<Memo>,
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        if let Some(mut connection) = self.connection.take()
            && connection.progress_handler(0, None::<fn() -> bool>).is_ok()
            && run(&connection, "COMMIT", []).is_ok()
        {
            self.index.pool.give_back(connection);
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn begin(index: &'a SqliteIndex, connection: Connection) -> Result<Self, Error> {
        run(&connection, "BEGIN", []).map_err(|e| index.error(e))?;
        let state = State::read(&connection).map_err(|e| index.error(e))?;
        let state = state.ok_or_else(|| State::missing().at(&index.path))?;
        let own = Mutex::new(Memo::of(state.generation));
        Ok(Self { index, connection: Some(connection), deadline: None, state, own })
    }

    pub(super) fn until(mut self, deadline: Instant) -> Result<Self, Error> {
        let late = move || Instant::now() >= deadline;
        self.deadline = Some(deadline);
        if let Some(connection) = &mut self.connection {
            connection.progress_handler(STEPS, Some(late)).map_err(|error| self.index.error(error))?;
        }
        Ok(self)
    }

    pub(super) fn db(&self) -> Result<&Connection, Error> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.connection.as_ref().filter(|_| !late).ok_or(Error::Deadline)
    }

    pub(super) fn fault(&self, fault: impl Into<Fault>) -> Error {
        fault.into().at(&self.index.path)
    }

    /// Every row of a statement.
    pub(super) fn list<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        sql::list(self.db()?, sql, params, read).map_err(|error| self.fault(error))
    }

    /// The first row of a statement, if there is one.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        sql::one(self.db()?, sql, params, read).map_err(|error| self.fault(error))
    }

    pub(super) fn each(
        &self,
        sql: &str,
        params: impl Params,
        visit: impl FnMut(&rusqlite::Row<'_>) -> Result<(), Fault>,
    ) -> Result<(), Error> {
        sql::each(self.db()?, sql, params, visit).map_err(|fault| self.fault(fault))
    }

    pub(super) fn docs(&self, sql: &str, params: impl Params) -> Result<Vec<Doc>, Error> {
        self.list(sql, params, |row| row.get(0))
    }

    pub(super) fn count(&self, sql: &str) -> Result<u64, Error> {
        let count: Option<i64> = self.one(sql, [], |row| row.get(0))?;
        Ok(count.map_or(0, i64::unsigned_abs))
    }

    /// The cache, brought to this generation.
    pub(super) fn warm(&self) -> MutexGuard<'_, Memo> {
        let mut warm = lock(&self.index.warm);
        if warm.generation() < self.state.generation {
            warm.follow(self);
        }
        if warm.generation() == self.state.generation { warm } else { lock(&self.own) }
    }

    /// A cached value, or else what `load` reads.
    pub(super) fn kept<K, Q, T: Clone>(
        &self,
        map: impl Fn(&mut Memo) -> &mut HashMap<K, T>,
        key: &Q,
        load: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error>
    where
        K: Borrow<Q> + Hash + Eq,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(known) = map(&mut self.warm()).get(key) {
            return Ok(known.clone());
        }
        let loaded = load()?;
        let mut warm = self.warm();
        let map = map(&mut warm);
        if map.len() >= MOST_KEPT {
            map.clear();
        }
        map.insert(key.to_owned(), loaded.clone());
        Ok(loaded)
    }

    fn columns(&self, shelf: Shelf) -> Result<Arc<Columns>, Error> {
        if let Some(columns) = &self.warm().on(shelf).columns {
            return Ok(Arc::clone(columns));
        }
        let columns = Arc::new(self.load_columns(shelf)?);
        self.warm().on(shelf).columns = Some(Arc::clone(&columns));
        Ok(columns)
    }

    pub(super) fn load_columns(&self, shelf: Shelf) -> Result<Columns, Error> {
        let names = tables(shelf);
        let rows = self.state.on(shelf).rows;
        let mut columns =
            Columns::with_room(shelf, Part::Main, usize::try_from(rows).unwrap_or(0).min(1 << 24));
        self.each_block(names.columns, |number, bytes| {
            Block::parse(number, bytes).and_then(|block| block.load_columns(number, &mut columns))
        })?;
        if columns.len() as u64 != rows {
            return Err(self.wrong_table(names.columns));
        }
        Ok(columns)
    }

    pub(super) fn wrong_table(&self, table: &str) -> Error {
        self.fault(Fault::table(table))
    }

    /// Calls `visit` for each block of a table, in order; it returns `None` for a damaged block.
    pub(super) fn each_block(
        &self,
        table: &str,
        mut visit: impl FnMut(i64, &[u8]) -> Option<()>,
    ) -> Result<(), Error> {
        self.each(&format!("SELECT block, bytes FROM {table} ORDER BY block"), [], |row| {
            let number = row.get(0)?;
            let bytes = row.get_ref(1)?.as_blob().ok();
            bytes.and_then(|bytes| visit(number, bytes)).ok_or_else(|| Fault::table(table))
        })
    }

    /// The cosine of every chunk with the query, as exact as the codes. The first question of a generation streams the codes;
    /// from the second on they stay in memory.
    fn score_codes(&self, shelf: Shelf, query: &[f32], columns: &Columns) -> Result<Vec<f32>, Error> {
        vector::check(query, self.state.dims)?;
        let table = tables(shelf).codes;
        let query = CodedQuery::of(query);
        let none = vec![vector::NO_VECTOR; columns.len()];
        let mut scores = Scores { query: &query, columns, scores: none, from: 0, found: 0 };
        match self.warm_codes(shelf)? {
            Some(codes) => {
                for (number, bytes) in codes.iter() {
                    scores.add(*number, bytes).ok_or_else(|| self.wrong_table(table))?;
                }
            }
            None => self.each_block(table, |number, bytes| {
                Block::parse(number, bytes)?;
                scores.add(number, bytes)
            })?,
        }
        if scores.found != self.state.on(shelf).vectors {
            return Err(self.wrong_table(table));
        }
        Ok(scores.scores)
    }

    fn warm_codes(&self, shelf: Shelf) -> Result<Option<Arc<Codes>>, Error> {
        {
            let mut warm = self.warm();
            let warm = warm.on(shelf);
            if warm.codes.is_some() || !std::mem::replace(&mut warm.asked, true) {
                return Ok(warm.codes.clone());
            }
        }
        cache(self.db()?, WARM_KIB).map_err(|error| self.fault(error))?;
        let mut codes = Codes::new();
        self.each_block(tables(shelf).codes, |number, bytes| {
            Block::parse(number, bytes)?;
            codes.push((number, bytes.into()));
            Some(())
        })?;
        let codes = Arc::new(codes);
        self.warm().on(shelf).codes = Some(Arc::clone(&codes));
        Ok(Some(codes))
    }

    fn postings(&self, shelf: Shelf, term: &str, columns: &Columns) -> Result<Arc<Postings>, Error> {
        let load = || Ok(Arc::new(self.load_postings(shelf, term, columns)?));
        self.kept(|memo| &mut memo.on(shelf).postings, term, load)
    }

    fn load_postings(&self, shelf: Shelf, term: &str, columns: &Columns) -> Result<Postings, Error> {
        let stored = self.stored_term(shelf, term)?;
        let room = usize::try_from(stored.0).unwrap_or(0).min(columns.len());
        let mut postings = Postings::with_room(room);
        let mut sum = 0;
        let mut chunks = 0;
        let mut from = 0;
        let mut strange = false;
        postings::each(self.db()?, tables(shelf).find, term, |doc, count| {
            match columns.position_from(from, doc) {
                Some(position) => {
                    from = position + 1;
                    postings.push(position, count);
                }
                None => strange = true,
            }
            sum = add(sum, checksum::posting(codec::doc(doc), count));
            chunks += 1;
        })
        .map_err(|error| self.fault(error))?;
        if strange || stored != (chunks, sum) {
            return Err(self.wrong_term(term));
        }
        Ok(postings)
    }

    pub(super) fn wrong_term(&self, term: &str) -> Error {
        self.index.damaged(format!("the full-text entries of \"{term}\" do not match their checksum"))
    }

    pub(super) fn stored_term(&self, shelf: Shelf, term: &str) -> Result<(i64, i64), Error> {
        let sql = format!("SELECT chunks, sum FROM {} WHERE term = ?1", tables(shelf).terms);
        Ok(self.one(&sql, [term], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or((0, 0)))
    }

    fn chunk(&self, doc: Doc) -> Result<Arc<StoredChunk>, Error> {
        self.kept(|memo| &mut memo.on(doc.shelf).rows, &doc, || Ok(Arc::new(self.load_chunk(doc)?)))
    }

    pub(super) fn load_chunk(&self, doc: Doc) -> Result<StoredChunk, Error> {
        Ok(self.of_row(doc, Row::read(self.db()?, doc))?.chunk)
    }

    /// Turns a missing row, a wrong checksum and a value of the wrong type into an error: the index is damaged.
    pub(super) fn of_row<T>(&self, doc: Doc, read: rusqlite::Result<Option<T>>) -> Result<T, Error> {
        match read {
            Ok(Some(found)) => Ok(found),
            Err(error @ rusqlite::Error::SqliteFailure(..)) => Err(self.fault(error)),
            Ok(None) | Err(_) => Err(self.fault(Fault::row(doc))),
        }
    }

    fn nearest_by_scan(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        if self.state.dims == 0 {
            return Ok(Vec::new());
        }
        let columns = self.columns(shelf)?;
        let scores = self.score_codes(shelf, query, &columns)?;
        let exact = |docs: &[Doc]| docs.iter().map(|doc| self.cosine(*doc, query)).collect();
        vector::ranked(&scores, &columns, filter, limit, also, exact)
    }

    fn cosine(&self, doc: Doc, query: &[f32]) -> Result<f32, Error> {
        let chunk = self.chunk(doc)?;
        let stored = chunk.embedding.vector().unwrap_or(&[]);
        vector::check(query, stored.len())?;
        Ok(vector::cosine(stored, query))
    }

    fn nearest_by_sqlite_vec(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        if self.state.dims == 0 {
            return Ok(Vec::new());
        }
        vector::check(query, self.state.dims)?;
        let columns = self.columns(shelf)?;
        let most = if filter.is_open(&columns) { limit.saturating_add(MOST_TIES) as i64 } else { -1 };
        let mut docs = self.docs(
            &format!(
                "SELECT rowid FROM {} WHERE length(embedding) > 0
                 ORDER BY vec_distance_cosine(embedding, ?1), rowid LIMIT ?2",
                tables(shelf).rows
            ),
            params![vector::to_bytes(query), most],
        )?;
        docs.retain(|doc| filter.admits_doc(&columns, *doc));
        docs.truncate(limit.saturating_add(MOST_TIES));
        let cosines = docs.into_iter().map(|doc| Ok((doc, self.cosine(doc, query)?)));
        let (mut scored, _) = vector::split_best(cosines.collect::<Result<_, Error>>()?, limit);
        let among: HashSet<Doc> = scored.iter().map(|(doc, _)| *doc).collect();
        for doc in also.iter().filter(|doc| !among.contains(doc)) {
            if self.chunk(*doc)?.embedding.vector().is_some() {
                scored.push((*doc, self.cosine(*doc, query)?));
            }
        }
        Ok(scored)
    }

    /// The first of these facts that the filter admits.
    fn first(
        &self,
        docs: impl IntoIterator<Item = Doc>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Doc>, Error> {
        if filter.is_empty() {
            return Ok(docs.into_iter().take(limit).collect());
        }
        Ok(filter.first(&*self.columns(Shelf::Facts)?, docs, limit))
    }

    fn rows_where(&self, shelf: Shelf, condition: &str, params: impl Params) -> Result<Vec<NoteRow>, Error> {
        let Tables { rows, id, .. } = tables(shelf);
        let sql = format!(
            "SELECT rowid, {id}, start_line, end_line, embedding IS NULL FROM {rows}
             WHERE path = ?1 AND {condition} ORDER BY start_line, rowid"
        );
        self.list(&sql, params, |row| {
            Ok(NoteRow {
                doc: row.get(0)?,
                id: ChunkId::stored(row.get(1)?),
                start_line: row.get(2)?,
                end_line: row.get(3)?,
                is_pending: row.get(4)?,
            })
        })
    }

    fn all_notes(&self) -> Result<Vec<StoredNote>, Error> {
        let mut notes = Vec::new();
        let mut sum = 0;
        let mut held = [0, 0];
        self.each(&format!("SELECT {} FROM files ORDER BY path", File::COLUMNS), [], |row| {
            let file = File::read(row)?.ok_or_else(|| Fault::table("files"))?;
            sum = add(sum, file.sum());
            held[0] += file.members.rows[0];
            held[1] += file.members.rows[1];
            notes.push(file.note);
            Ok(())
        })?;
        let rows = Shelf::ALL.map(|shelf| self.state.on(shelf).rows.cast_signed());
        if sum == self.state.files && held == rows { Ok(notes) } else { Err(self.wrong_table("files")) }
    }

    fn note(&self, path: &str) -> Result<Option<StoredNote>, Error> {
        let sql = format!("SELECT {} FROM files WHERE path = ?1", File::COLUMNS);
        let file = self.one(&sql, [path], File::read)?;
        file.map(|file| file.map(|file| file.note).ok_or_else(|| self.wrong_table("files"))).transpose()
    }

    fn notes_by_source(&self) -> Result<Vec<(Source, u64)>, Error> {
        let count = |source: Source| {
            let sql = "SELECT count(*) FROM files WHERE source = ?1";
            Ok((
                source,
                self.one(sql, [source.as_str()], |row| row.get::<_, i64>(0))?.map_or(0, i64::unsigned_abs),
            ))
        };
        Source::ALL.into_iter().map(count).collect()
    }

    fn chunks_by_source(&self) -> Result<Vec<(Source, u64)>, Error> {
        let columns = self.columns(Shelf::Chunks)?;
        let of = |source: Source| columns.sources.iter().filter(|own| **own == source as u8).count() as u64;
        Ok(Source::ALL.into_iter().map(|source| (source, of(source))).collect())
    }
}

impl Snapshot for Reader<'_> {
    fn generation(&self) -> u64 {
        self.state.generation
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.state.on(shelf).rows)
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        let text = |row: &rusqlite::Row<'_>| Ok(row.get_ref(0)?.as_str().map(Arc::from)?);
        self.one("SELECT value FROM meta WHERE key = ?1", [key], text)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        match query {
            NoteQuery::All => self.all_notes(),
            NoteQuery::At(paths) => {
                let paths: BTreeSet<&str> = paths.iter().copied().collect();
                let found: Result<Vec<Option<StoredNote>>, Error> =
                    paths.into_iter().map(|path| self.note(path)).collect();
                Ok(found?.into_iter().flatten().collect())
            }
        }
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        match query {
            RowQuery::All => {
                let mut rows = self.rows_where(Shelf::Chunks, "true", params![path])?;
                rows.extend(self.rows_where(Shelf::Facts, "true", params![path])?);
                Ok(rows)
            }
            RowQuery::ChunksAt(line) => {
                self.rows_where(Shelf::Chunks, "start_line <= ?2 AND end_line >= ?2", params![path, line])
            }
            RowQuery::LastChunks => {
                let last = "start_line = (SELECT max(start_line) FROM chunks WHERE path = ?1)";
                self.rows_where(Shelf::Chunks, last, params![path])
            }
        }
    }

    fn lexical(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let columns = self.columns(shelf)?;
        let postings = |term: &String| self.postings(shelf, term, &columns);
        let postings: Vec<Arc<Postings>> =
            QueryTerm::spellings(terms).iter().map(postings).collect::<Result<_, _>>()?;
        Ok(bm25::rank(terms, &postings, &columns, filter, limit))
    }

    fn terms_beginning(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let sql = format!("SELECT term FROM {} WHERE term >= ?1 AND term < ?2", tables(shelf).terms);
        let mut found = BTreeSet::new();
        for way in ways {
            found.extend(self.list(&sql, params![way, format!("{way}{}", char::MAX)], |row| row.get(0))?);
        }
        Ok(found)
    }

    fn nearest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        match self.index.engine {
            VectorEngine::Scan => self.nearest_by_scan(shelf, query, filter, limit, also),
            VectorEngine::SqliteVec => self.nearest_by_sqlite_vec(shelf, query, filter, limit, also),
        }
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        docs.iter().map(|&doc| self.chunk(doc)).collect()
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        self.docs(
            "SELECT doc FROM (SELECT doc FROM chunks WHERE embedding IS NULL ORDER BY doc LIMIT ?1) UNION ALL
             SELECT id FROM (SELECT id FROM facts WHERE embedding IS NULL ORDER BY id LIMIT ?1) LIMIT ?1",
            [limit as i64],
        )
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        let sql = "SELECT embedding, sum FROM embedding_cache
            WHERE provider = ?1 AND model = ?2 AND provider_key = ?3 AND hash = ?4";
        let cached = |key: &CacheKey| {
            let wanted = params![key.provider, key.model, key.provider_key, key.hash.to_string()];
            let found =
                self.one(sql, wanted, |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, i64>(1)?)))?;
            let whole = found.filter(|(bytes, sum)| cache_sum(key, bytes) == *sum);
            Ok(whole.and_then(|(bytes, _)| vector::from_bytes(&bytes)))
        };
        keys.iter().map(cached).collect()
    }

    fn stats(&self) -> Result<Stats, Error> {
        Ok(Stats {
            notes: self.notes_by_source()?,
            chunks: self.chunks_by_source()?,
            facts: self.state.on(Shelf::Facts).rows,
            entities: self.count("SELECT count(*) FROM entities")?,
            embedded: self.state.on(Shelf::Chunks).vectors,
            cache_entries: self.count("SELECT count(*) FROM embedding_cache")?,
            dims: (self.state.dims > 0).then_some(self.state.dims),
        })
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        if docs.len() < WALKED { docs.iter().map(|doc| self.fact(*doc)).collect() } else { self.walked(docs) }
    }

    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let with = |column: &str, values: &[&str]| -> Result<Vec<Vec<Doc>>, Error> {
            let sql = format!("SELECT id FROM facts WHERE {column} = ?1 ORDER BY path, start_line, id");
            values.iter().map(|value| self.docs(&sql, [value])).collect()
        };
        let lists = match query {
            FactQuery::All => vec![self.docs("SELECT id FROM facts ORDER BY path, start_line, id", [])?],
            FactQuery::Ids(ids) => with("fact_id", ids)?,
            FactQuery::Keys(keys) => with("key", keys)?,
            FactQuery::Naming(names) => {
                let last = |name: &&str| {
                    let all = self.entity_facts(name)?;
                    self.first(all.iter().rev().copied(), filter, limit)
                };
                return names.iter().map(last).collect();
            }
            FactQuery::Sharing(terms) => vec![self.sharing(terms)?],
        };
        lists.into_iter().map(|docs| self.first(docs, filter, limit)).collect()
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        let entities = match query {
            EntityQuery::All => self.entity_rows()?.into_iter().map(|row| row.entity).collect(),
            EntityQuery::Named(names) => {
                names.iter().map(|name| self.entity(name)).collect::<Result<Vec<_>, _>>()?
            }
        };
        if filter.is_empty() { Ok(entities) } else { associate::counted(self, entities, query, filter) }
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        if !filter.is_empty() {
            return associate::spellings(self, names, &*self.known_aliases()?, filter);
        }
        names.iter().map(|name| self.first_spelling(name)).collect()
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        graph::all_aliases(self.db()?).map_err(|error| self.fault(error))
    }
}
