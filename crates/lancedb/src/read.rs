//! One generation of the index: the versions of the tables that one head names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::RecordBatch;
use futures_util::TryStreamExt;
use futures_util::future::join_all;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use mindfile_index::associate::FactNames;
use mindfile_index::plan::StoredRow;
use mindfile_index::{
    Alias, CacheKey, ChunkId, Doc, Entity, EntityQuery, Error, FactQuery, Filter, Lexical, NoteQuery,
    NoteRow, QueryTerm, RowQuery, Shelf, Snapshot, Source, Stats, StoredChunk, StoredFact, StoredNote,
    shared_terms, vector,
};

use crate::codec::{self, among};
use crate::columns::Rows;
use crate::rows;
use crate::store::Store;
use crate::tables::{self, Table};
use crate::view::{self, Listing, NAMED, Notes, Number, View, to_named};

/// How many numbers a condition may list.
pub(crate) const AT_ONCE: usize = 2_000;

pub(crate) struct Reader {
    pub(crate) store: Arc<Store>,
    pub(crate) view: Arc<View>,
    pub(crate) until: Option<Instant>,
    /// Keeps the versions being read, if the storage has locks.
    pub(crate) _kept: Option<File>,
}

/// A query of a table.
pub(crate) struct Question<'a> {
    pub(crate) table: Table,
    pub(crate) columns: &'a [&'a str],
    pub(crate) condition: Option<String>,
    /// Whether to return each row's place in the table.
    pub(crate) placed: bool,
}

impl<'a> Question<'a> {
    /// Asks for every row.
    pub(crate) const fn all(table: Table, columns: &'a [&'a str]) -> Self {
        Self { table, columns, condition: None, placed: false }
    }
}

impl Reader {
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        self.store.target.place.damaged(what)
    }

    /// `None` if the table has no rows yet.
    pub(crate) fn table(&self, table: Table) -> Result<Option<lancedb::Table>, Error> {
        if self.view.version(table).is_none() {
            return Ok(None);
        }
        let slot = &self.view.opened[table as usize];
        if slot.get().is_none() {
            self.open_all(table)?;
        }
        Ok(slot.get().cloned())
    }

    /// Opens all tables at once: they are needed soon, and in a bucket each takes several requests.
    fn open_all(&self, wanted: Table) -> Result<(), Error> {
        let part = self.store.part(&self.view.folder)?;
        let missing = |table: &Table| self.view.opened[*table as usize].get().is_none();
        let versions = Table::ALL.into_iter().filter(missing);
        let versions: Vec<(Table, u64)> =
            versions.filter_map(|table| Some((table, self.view.version(table)?))).collect();
        let opening = versions.into_iter().map(move |(table, version)| {
            let open = part.open_table(table.name()).version(version).execute();
            async move { (table, open.await) }
        });
        let all = self.store.reading(self.until, async move { Ok(join_all(opening).await) })?;
        for (table, result) in all {
            match result {
                Ok(open) => {
                    self.view.opened[table as usize].get_or_init(|| open);
                }
                Err(error) if table == wanted => {
                    return self.asked(Err(self.store.target.place.reading(&error)));
                }
                // Whoever needs that table gets the error.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Tells damage from files that are gone because the tables were rewritten.
    pub(crate) fn asked<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        let Err(error @ Error::Damaged { .. }) = result else { return result };
        match self.store.newest_number()? {
            Some(number) if number == self.view.commit => Err(error),
            Some(_) | None => {
                Err(self.store.target.place.unavailable("the tables were made anew while they were read"))
            }
        }
    }

    pub(crate) fn ask(&self, question: &Question<'_>) -> Result<Vec<RecordBatch>, Error> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            return Err(Error::Deadline);
        }
        let Some(table) = self.table(question.table)? else { return Ok(Vec::new()) };
        let mut query = table.query().select(Select::columns(question.columns));
        if let Some(condition) = &question.condition {
            query = query.only_if(condition);
        }
        if question.placed {
            query = query.with_row_id();
        }
        let asking = async move { query.execute().await?.try_collect::<Vec<_>>().await };
        self.asked(self.store.reading(self.until, asking))
    }

    /// What `read` makes of each row.
    pub(crate) fn all<T>(
        &self,
        question: &Question<'_>,
        read: impl Fn(Rows<'_>, usize) -> Option<T>,
    ) -> Result<Vec<T>, Error> {
        let name = question.table.name();
        let mut all = Vec::new();
        for batch in &self.ask(question)? {
            let rows = Rows(batch);
            for at in 0..rows.len() {
                all.push(
                    read(rows, at).ok_or_else(|| self.damaged(format!("a row of {name} is not whole")))?,
                );
            }
        }
        Ok(all)
    }

    /// The same for rows with one of these numbers.
    fn with<T>(
        &self,
        (table, column): (Table, &str),
        columns: &[&str],
        numbers: &[i64],
        read: impl Fn(Rows<'_>, usize) -> Option<T>,
    ) -> Result<Vec<T>, Error> {
        let mut all = Vec::new();
        for numbers in numbers.chunks(AT_ONCE) {
            let condition = Some(among(column, numbers));
            all.extend(self.all(&Question { condition, ..Question::all(table, columns) }, &read)?);
        }
        Ok(all)
    }

    /// Rows of words, by their places.
    pub(crate) fn words_at(&self, places: &[i64]) -> Result<Vec<tables::WordRow>, Error> {
        let columns = ["shelf", "term", "docs", "counts"];
        self.with((Table::Terms, "_rowid"), &columns, places, tables::to_word)
    }

    /// Rows of a table that is no shelf, by the numbers of their texts.
    pub(crate) fn some<T>(
        &self,
        table: Table,
        columns: &[&str],
        numbers: &[i64],
        read: impl Fn(Rows<'_>, usize) -> Option<T>,
    ) -> Result<Vec<T>, Error> {
        self.with((table, table.key()), columns, numbers, read)
    }

    /// Rows of a shelf, read by their places, without a scan of the table.
    pub(crate) fn placed<T>(
        &self,
        shelf: Shelf,
        columns: &[&str],
        docs: &[Doc],
        read: impl Fn(Rows<'_>, usize) -> Option<T>,
    ) -> Result<Vec<T>, Error> {
        let listed = self.listed(shelf)?;
        let place = |doc: &Doc| Some(listed.places[listed.columns.position(*doc)?]);
        let places: Vec<i64> = docs.iter().filter_map(place).collect();
        self.with((Table::of(shelf), "_rowid"), columns, &places, read)
    }

    /// Whole rows, by their numbers.
    pub(crate) fn rows(&self, docs: &[Doc]) -> Result<HashMap<Doc, StoredRow>, Error> {
        let mut found = HashMap::with_capacity(docs.len());
        for shelf in Shelf::ALL {
            let own: Vec<Doc> = docs.iter().filter(|doc| doc.shelf == shelf).copied().collect();
            let names = self.names_of(shelf);
            let read = |rows: Rows<'_>, at: usize| rows::to_row(rows, at, shelf);
            let rows = self.placed(shelf, &names, &own, read)?;
            found.extend(rows.into_iter().map(|row| (row.chunk.doc, row)));
        }
        Ok(found)
    }

    pub(crate) fn names_of(&self, shelf: Shelf) -> Vec<&'static str> {
        let mut names = vec![
            "doc", "id", "path", "source", "start_line", "end_line", "hash", "context", "text", "tokens",
            "state", "day", "origin", "model", "created_at", "sum",
        ];
        if shelf == Shelf::Facts {
            names.extend(["fact_id", "category", "importance", "confidence", "key", "entities", "line"]);
        }
        if self.view.part.dims.is_some() {
            names.push("vector");
        }
        names
    }

    pub(crate) fn known_notes(&self) -> Result<&Notes, Error> {
        if let Some(notes) = self.view.notes.get() {
            return Ok(notes);
        }
        let columns =
            ["number", "path", "source", "hash", "mtime", "ctime", "size", "inode", "racy", "aliases"];
        let question = Question::all(Table::Notes, &columns);
        let all = self.all(&question, tables::to_note)?;
        let notes = Notes(all.into_iter().map(|row| (row.state.note.path.clone(), row)).collect());
        Ok(self.view.notes.get_or_init(|| notes))
    }

    pub(crate) fn listed(&self, shelf: Shelf) -> Result<&Listing, Error> {
        let slot = self.view.listed(shelf);
        if let Some(listed) = slot.get() {
            return Ok(listed);
        }
        let question = Question { placed: true, ..Question::all(Table::of(shelf), &Number::COLUMNS) };
        let listed = Listing::of(shelf, self.all(&question, Number::read)?, self.known_notes()?);
        Ok(slot.get_or_init(|| listed))
    }

    pub(crate) fn names(&self) -> Result<&FactNames, Error> {
        if let Some(named) = self.view.named.get() {
            return Ok(named);
        }
        let facts = self.all(&Question::all(Table::Facts, &NAMED), to_named)?;
        let named = view::names(facts, self.listed(Shelf::Facts)?, self.known_notes()?);
        Ok(self.view.named.get_or_init(|| named))
    }

    pub(crate) fn metas(&self) -> Result<&BTreeMap<String, String>, Error> {
        if let Some(meta) = self.view.meta.get() {
            return Ok(meta);
        }
        let question = Question::all(Table::Meta, &["key", "value"]);
        let pair = |rows: Rows<'_>, at: usize| {
            Some((rows.text("key", at)?.to_owned(), rows.text("value", at)?.to_owned()))
        };
        let meta: BTreeMap<String, String> = self.all(&question, pair)?.into_iter().collect();
        Ok(self.view.meta.get_or_init(|| meta))
    }

    /// The keys of the cache with the time each was last used.
    pub(crate) fn cache_keys(&self) -> Result<Vec<(i64, CacheKey)>, Error> {
        let columns = ["provider", "model", "provider_key", "hash", "updated_at"];
        let question = Question::all(Table::Cache, &columns);
        self.all(&question, |rows, at| Some((rows.long("updated_at", at)?, tables::to_cache_key(rows, at)?)))
    }

    pub(crate) fn cache_rows(&self) -> Result<Vec<tables::CacheRow>, Error> {
        let columns = ["provider", "model", "provider_key", "hash", "updated_at", "embedding"];
        let question = Question::all(Table::Cache, &columns);
        self.all(&question, |rows, at| {
            Some(tables::CacheRow {
                key: tables::to_cache_key(rows, at)?,
                vector: vector::from_bytes(rows.bytes("embedding", at)?)?,
                updated_ms: rows.long("updated_at", at)?,
            })
        })
    }

    /// The total number of values in the cache.
    pub(crate) fn cached_values(&self) -> Result<u64, Error> {
        let question = Question::all(Table::Cache, &["dims"]);
        Ok(self.all(&question, |rows, at| rows.whole("dims", at))?.into_iter().map(u64::from).sum())
    }

    pub(crate) fn count(&self, table: Table) -> Result<u64, Error> {
        let Some(open) = self.table(table)? else { return Ok(0) };
        let counted = self.store.reading(self.until, async move { open.count_rows(None).await });
        Ok(self.asked(counted)? as u64)
    }

    /// Rows of a shelf, by their positions in its list.
    fn note_rows(&self, shelf: Shelf, mut places: Vec<usize>) -> Result<Vec<NoteRow>, Error> {
        let listed = self.listed(shelf)?;
        places.sort_by_key(|at| (listed.lines[*at].0, *at));
        let docs: Vec<Doc> = places.iter().map(|at| listed.columns.doc(*at)).collect();
        let id = |rows: Rows<'_>, at: usize| {
            let id = ChunkId::stored(rows.text("id", at)?.to_owned());
            Some((codec::to_doc(rows.long("doc", at)?), id))
        };
        let mut ids: HashMap<Doc, ChunkId> =
            self.placed(shelf, &["doc", "id"], &docs, id)?.into_iter().collect();
        let row = |at: usize| {
            let doc = listed.columns.doc(at);
            let (start_line, end_line) = listed.lines[at];
            let id = ids.remove(&doc).ok_or_else(|| self.damaged(format!("no row {doc}")))?;
            Ok(NoteRow { doc, id, start_line, end_line, is_pending: listed.states[at] == codec::PENDING })
        };
        places.into_iter().map(row).collect()
    }
}

impl Snapshot for Reader {
    fn generation(&self) -> u64 {
        self.view.part.generation
    }

    fn size(&self, shelf: Shelf) -> Result<u64, Error> {
        Ok(self.listed(shelf)?.columns.len() as u64)
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        Ok(self.metas()?.get(key).map(|value| value.as_str().into()))
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        let known = &self.known_notes()?.0;
        Ok(match query {
            NoteQuery::All => known.values().map(|row| row.state.note.clone()).collect(),
            NoteQuery::At(paths) => {
                let paths: BTreeSet<&str> = paths.iter().copied().collect();
                paths.into_iter().filter_map(|path| Some(known.get(path)?.state.note.clone())).collect()
            }
        })
    }

    fn rows_of(&self, path: &str, query: RowQuery) -> Result<Vec<NoteRow>, Error> {
        let listed = self.listed(Shelf::Chunks)?;
        let chunks = listed.docs_of(path).map(|(at, _)| at);
        match query {
            RowQuery::All => {
                let facts = self.listed(Shelf::Facts)?.docs_of(path).map(|(at, _)| at).collect();
                let mut rows = self.note_rows(Shelf::Chunks, chunks.collect())?;
                rows.extend(self.note_rows(Shelf::Facts, facts)?);
                Ok(rows)
            }
            RowQuery::ChunksAt(line) => {
                let holds = |at: &usize| listed.lines[*at].0 <= line && line <= listed.lines[*at].1;
                self.note_rows(Shelf::Chunks, chunks.filter(holds).collect())
            }
            RowQuery::LastChunks => {
                let all: Vec<usize> = chunks.collect();
                let last = all.iter().map(|at| listed.lines[*at].0).max();
                let is_last = |at: &usize| Some(listed.lines[*at].0) == last;
                self.note_rows(Shelf::Chunks, all.into_iter().filter(is_last).collect())
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
        self.by_words(shelf, terms, filter, limit)
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
        let Some(dims) = self.view.part.dims else { return Ok(Vec::new()) };
        vector::check(query, dims)?;
        self.near(shelf, query, filter, limit, also)
    }

    fn chunks(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredChunk>>, Error> {
        let found = self.known_rows(docs)?;
        let chunk = |doc: &Doc| found.get(doc).map(|known| Arc::clone(&known.chunk));
        let unknown = |doc: &Doc| self.damaged(format!("no row {doc}"));
        docs.iter().map(|doc| chunk(doc).ok_or_else(|| unknown(doc))).collect()
    }

    fn unembedded(&self, limit: usize) -> Result<Vec<Doc>, Error> {
        let mut all = Vec::new();
        for shelf in Shelf::ALL {
            let listed = self.listed(shelf)?;
            let pending = listed.states.iter().enumerate().filter(|(_, state)| **state == codec::PENDING);
            all.extend(pending.map(|(at, _)| listed.columns.doc(at)).take(limit - all.len()));
        }
        Ok(all)
    }

    fn cached(&self, keys: &[CacheKey]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        let numbers: Vec<i64> = keys.iter().map(tables::cache_number).collect();
        let columns = ["provider", "model", "provider_key", "hash", "embedding"];
        let read = |rows: Rows<'_>, at: usize| {
            Some((tables::to_cache_key(rows, at)?, vector::from_bytes(rows.bytes("embedding", at)?)?))
        };
        let found: BTreeMap<CacheKey, Vec<f32>> =
            self.some(Table::Cache, &columns, &numbers, read)?.into_iter().collect();
        Ok(keys.iter().map(|key| found.get(key).cloned()).collect())
    }

    fn stats(&self) -> Result<Stats, Error> {
        let notes = self.known_notes()?;
        let chunks = self.listed(Shelf::Chunks)?;
        let of =
            |source: Source| notes.0.values().filter(|row| row.state.note.source == source).count() as u64;
        let rows = |source: Source| chunks.columns.sources.iter().filter(|s| **s == source as u8).count();
        Ok(Stats {
            notes: Source::ALL.into_iter().map(|source| (source, of(source))).collect(),
            chunks: Source::ALL.into_iter().map(|source| (source, rows(source) as u64)).collect(),
            facts: self.size(Shelf::Facts)?,
            entities: self.entities(EntityQuery::All, &Filter::default())?.len() as u64,
            embedded: chunks.states.iter().filter(|state| **state == codec::VECTOR).count() as u64,
            cache_entries: self.count(Table::Cache)?,
            dims: self.view.part.dims,
        })
    }

    fn facts(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let found = self.known_rows(docs)?;
        let aliases = self.names()?.aliases();
        let fact = |doc: &Doc| {
            let known =
                found.get(doc).and_then(|known| Some((Arc::clone(&known.chunk), known.fields.clone()?)));
            let (chunk, fields) = known.ok_or_else(|| self.damaged(format!("no fact {doc}")))?;
            let names = aliases.names(&fields.entities);
            Ok(Arc::new(StoredFact { chunk, fields, names }))
        };
        docs.iter().map(fact).collect()
    }

    fn find_facts(
        &self,
        query: FactQuery<'_>,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let columns = &self.listed(Shelf::Facts)?.columns;
        self.names()?.find(query, columns, (filter, limit), |terms| {
            Ok(shared_terms::find_in(terms, &self.postings(Shelf::Facts, terms)?, columns))
        })
    }

    fn entities(&self, query: EntityQuery<'_>, filter: &Filter) -> Result<Vec<Entity>, Error> {
        Ok(self.names()?.entities(query, &self.listed(Shelf::Facts)?.columns, filter))
    }

    fn spellings(&self, names: &[&str], filter: &Filter) -> Result<Vec<Option<String>>, Error> {
        Ok(self.names()?.spellings(names, &self.listed(Shelf::Facts)?.columns, filter))
    }

    fn aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        let all = self.known_notes()?.declared();
        Ok(all.map(|(path, alias)| (path.clone(), alias.clone())).collect())
    }
}
