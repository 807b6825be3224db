//! Applying one batch inside one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::blocks::{Blocks, Column, Trouble, code_slot, has_code};
use super::checksum::{self, add, negated};
use super::rows::{File, Members, Row, cache_sum, stored};
use crate::record::{
    Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, NewChunk, NewNote, StoredNote,
};
use crate::vector;
use crate::words::Words;

/// How many terms a batch holds back before it writes them: a note of nothing but new words must not fill the memory.
const MOST_TERMS: usize = 1 << 17;

#[derive(Debug)]
pub(super) enum WriteError {
    Sqlite(rusqlite::Error),
    Dimensions { expected: usize, found: usize },
    NotFinite,
    Damaged(String),
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Trouble> for WriteError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Sqlite(error) => Self::Sqlite(error),
            Trouble::Damaged(table) => {
                Self::Damaged(format!("the table {table} does not match its checksum"))
            }
        }
    }
}

impl WriteError {
    pub(super) fn at(self, path: &Path) -> crate::Error {
        match self {
            Self::Sqlite(error) => super::classify(path, error),
            Self::Dimensions { expected, found } => crate::Error::Dimensions { expected, found },
            Self::NotFinite => crate::Error::NotFinite,
            Self::Damaged(what) => crate::Error::Damaged { path: path.to_owned(), what },
        }
    }
}

type Result<T> = std::result::Result<T, WriteError>;

/// What the whole index is known by. Stored in `meta` as one line of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct State {
    pub(super) generation: u64,
    pub(super) chunks: u64,
    pub(super) dims: usize,
    /// How many chunks have a code in `chunks_vec`.
    pub(super) vectors: u64,
    /// The sums of all rows of `files`, added up.
    pub(super) files: i64,
}

impl State {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Option<Self>> {
        let line: Option<String> = connection
            .prepare_cached("SELECT value FROM meta WHERE key = 'state'")?
            .query_row([], |row| row.get(0))
            .optional()?;
        Ok(line.as_deref().and_then(Self::parse))
    }

    fn parse(line: &str) -> Option<Self> {
        let mut numbers = line.split(' ');
        let state = Self {
            generation: numbers.next()?.parse().ok()?,
            chunks: numbers.next()?.parse().ok()?,
            dims: numbers.next()?.parse().ok()?,
            vectors: numbers.next()?.parse().ok()?,
            files: numbers.next()?.parse().ok()?,
        };
        numbers.next().is_none().then_some(state)
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let Self { generation, chunks, dims, vectors, files } = self;
        let line = format!("{generation} {chunks} {dims} {vectors} {files}");
        connection
            .prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES ('state', ?1)")?
            .execute([line])?;
        Ok(())
    }
}

pub(super) fn initialise(connection: &Connection) -> rusqlite::Result<()> {
    State::default().write(connection)
}

pub(super) fn generation(connection: &Connection) -> rusqlite::Result<u64> {
    Ok(State::read(connection)?.unwrap_or_default().generation)
}

pub(super) fn raise_generation(connection: &mut Connection, generation: u64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut state = State::read(&transaction)?.unwrap_or_default();
    state.generation = state.generation.max(generation);
    state.write(&transaction)?;
    transaction.commit()
}

pub(super) fn apply(transaction: &Transaction<'_>, batch: &Batch) -> Result<u64> {
    let state = State::read(transaction)?
        .ok_or_else(|| WriteError::Damaged("its state line is missing or unreadable".to_owned()))?;
    if batch.only_at.is_some_and(|generation| generation != state.generation) {
        return Ok(state.generation);
    }
    if batch.changes.iter().any(Change::is_of_a_note) {
        transaction.prepare_cached("DELETE FROM meta WHERE key = ?1")?.execute([CENSUS])?;
    }
    let mut writer = Writer {
        db: transaction,
        batch,
        state,
        terms: HashMap::new(),
        columns: Blocks::of("chunks_columns"),
        codes: Blocks::of("chunks_vec"),
        next: None,
    };
    for change in &batch.changes {
        writer.change(change)?;
    }
    writer.finish()
}

#[derive(Clone, Copy, Default)]
struct TermChange {
    chunks: i64,
    sum: i64,
}

struct Writer<'a> {
    db: &'a Connection,
    batch: &'a Batch,
    state: State,
    /// What the batch does to `terms`, written when there are many, and at the end.
    terms: HashMap<String, TermChange>,
    columns: Blocks,
    codes: Blocks,
    /// The number of the next new chunk, once it was asked for.
    next: Option<i64>,
}

impl Writer<'_> {
    fn change(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::Put(note) => self.put(note),
            Change::Rename { from, to } => self.rename(from, to),
            Change::Touch(note) => self.touch(note),
            Change::Remove { path } => self.remove(path),
            Change::Embed { model, embeddings } => {
                embeddings.iter().try_for_each(|(doc, id, embedding)| self.embed(*doc, id, model, embedding))
            }
            Change::Meta { key, value } => self.set_meta(key, value),
            Change::Cache { key, vector, now_ms } => self.remember(key, vector, *now_ms),
            Change::PruneCache { keep, most } => self.prune(*keep, *most),
            Change::Compact => self.compact(),
        }
    }

    fn finish(mut self) -> Result<u64> {
        self.write_terms()?;
        self.columns.write(self.db)?;
        self.codes.write(self.db)?;
        self.state.generation += 1;
        self.state.write(self.db)?;
        Ok(self.state.generation)
    }

    fn write_terms(&mut self) -> Result<()> {
        let changes: BTreeMap<String, TermChange> = std::mem::take(&mut self.terms).into_iter().collect();
        let mut raise = self.db.prepare_cached(
            "INSERT INTO terms (term, chunks, sum) VALUES (?1, ?2, ?3) ON CONFLICT (term) DO UPDATE
             SET chunks = chunks + excluded.chunks, sum = (sum + excluded.sum) & 4611686018427387903",
        )?;
        let mut clear = self.db.prepare_cached("DELETE FROM terms WHERE term = ?1 AND chunks = 0")?;
        for (term, change) in &changes {
            if change.chunks != 0 || change.sum != 0 {
                raise.execute(params![term, change.chunks, change.sum])?;
            }
            if change.chunks < 0 {
                clear.execute([term])?;
            }
        }
        Ok(())
    }

    fn put(&mut self, new: &NewNote) -> Result<()> {
        let mut stored = self.stored_chunks(&new.note.path)?;
        let mut seen = HashSet::new();
        let mut members = Members::default();
        for chunk in &new.chunks {
            let id = ChunkId::new(new.note.source, &new.note.path, chunk);
            // Equal pieces of one long line are one chunk: same place, same text.
            if !seen.insert(id.clone()) {
                continue;
            }
            let doc = match stored.remove(id.as_str()) {
                Some(kept) => self.keep(kept, &id, new, chunk)?,
                None => self.insert(&id, new, chunk)?,
            };
            members.add(doc, id.as_str());
        }
        for gone in stored.into_values() {
            self.delete(gone)?;
        }
        self.write_file(&new.note, members)
    }

    /// All chunks of a note, and exactly those that its row in `files` knows of.
    fn stored_chunks(&self, path: &str) -> Result<BTreeMap<String, Doc>> {
        let mut statement = self.db.prepare_cached("SELECT id, doc FROM chunks WHERE path = ?1")?;
        let rows = statement.query_map([path], |row| Ok((row.get(0)?, Doc(row.get(1)?))))?;
        let chunks: BTreeMap<String, Doc> = rows.collect::<rusqlite::Result<_>>()?;
        let known = self.stored_file(path)?.map_or_else(Members::default, |file| file.members);
        if Members::of(&chunks) != known {
            return Err(WriteError::Damaged(format!("the chunks of {path} are not those that were stored")));
        }
        Ok(chunks)
    }

    fn stored_file(&self, path: &str) -> Result<Option<File>> {
        let sql = format!("SELECT {} FROM files WHERE path = ?1", File::COLUMNS);
        let found = self.db.prepare_cached(&sql)?.query_row([path], File::read).optional()?;
        found.map(|file| file.ok_or(Trouble::Damaged("files").into())).transpose()
    }

    fn keep(&mut self, doc: Doc, id: &ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<Doc> {
        if !chunk.embedding.is_pending() {
            let pending: bool = self
                .db
                .prepare_cached("SELECT embedding IS NULL FROM chunks WHERE doc = ?1")?
                .query_row([doc.0], |row| row.get(0))?;
            if pending {
                self.embed(doc, id, &self.batch.model, &chunk.embedding)?;
            }
        }
        self.move_day(doc, filter_day(new.day, &new.note))?;
        Ok(doc)
    }

    fn next_doc(&mut self) -> Result<Doc> {
        let next = match self.next {
            Some(next) => next,
            None => {
                self.db.query_row("SELECT coalesce(max(doc), 0) + 1 FROM chunks", [], |row| row.get(0))?
            }
        };
        self.next = Some(next.saturating_add(1));
        Ok(Doc(next))
    }

    fn insert(&mut self, id: &ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<Doc> {
        let words = Words::of(&chunk.text, &chunk.context);
        let row = Row::new(id, new, chunk, self.batch);
        self.check_dims(chunk.embedding.vector())?;
        let doc = self.next_doc()?;
        self.db
            .prepare_cached(
                "INSERT INTO chunks (doc, id, path, source, start_line, end_line, hash, model, day, updated_at,
                 embedding, tokens, context, text, sum) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)",
            )?
            .execute(params![
                doc.0, row.id, row.path, row.source, row.start_line, row.end_line, row.hash, row.model, row.day,
                self.batch.now_ms, row.embedding, row.tokens, row.context, row.text, row.sum(doc)
            ])?;
        self.db
            .prepare_cached("INSERT INTO chunks_fts (rowid, text) VALUES (?1, ?2)")?
            .execute(params![doc.0, words.joined])?;
        let day = filter_day(new.day, &new.note);
        let column = Column { source: new.note.source, day, length: words.length };
        self.columns.set(self.db, doc.0, Some(&column.to_slot()))?;
        self.set_code(doc, chunk.embedding.vector())?;
        self.count_terms(doc, &words, 1)?;
        self.state.chunks += 1;
        Ok(doc)
    }

    fn set_code(&mut self, doc: Doc, vector: Option<&[f32]>) -> Result<()> {
        let before = self.codes.get(self.db, doc.0)?;
        let after = vector.map(code_slot);
        let count = |slot: &Option<Vec<u8>>| u64::from(slot.as_deref().is_some_and(has_code));
        self.state.vectors = (self.state.vectors + count(&after)).saturating_sub(count(&before));
        Ok(self.codes.set(self.db, doc.0, after.as_deref())?)
    }

    fn delete(&mut self, doc: Doc) -> Result<()> {
        let row = self.row(doc)?;
        self.count_terms(doc, &Words::of(&row.text, &row.context), -1)?;
        self.columns.set(self.db, doc.0, None)?;
        self.set_code(doc, None)?;
        self.db.prepare_cached("DELETE FROM chunks_fts WHERE rowid = ?1")?.execute([doc.0])?;
        self.db.prepare_cached("DELETE FROM chunks WHERE doc = ?1")?.execute([doc.0])?;
        self.state.chunks = self.state.chunks.saturating_sub(1);
        Ok(())
    }

    fn count_terms(&mut self, doc: Doc, words: &Words, sign: i64) -> Result<()> {
        for (term, count) in &words.counts {
            let sum = checksum::posting(doc.0, *count);
            let change = match self.terms.get_mut(term) {
                Some(change) => change,
                None => self.terms.entry(term.clone()).or_default(),
            };
            change.chunks += sign;
            change.sum = add(change.sum, if sign > 0 { sum } else { negated(sum) });
        }
        if self.terms.len() > MOST_TERMS { self.write_terms() } else { Ok(()) }
    }

    fn check_dims(&mut self, vector: Option<&[f32]>) -> Result<()> {
        let Some(vector) = vector else { return Ok(()) };
        if vector.iter().any(|value| !value.is_finite()) {
            return Err(WriteError::NotFinite);
        }
        if self.state.dims == 0 {
            self.state.dims = vector.len();
        }
        if vector.len() != self.state.dims {
            return Err(WriteError::Dimensions { expected: self.state.dims, found: vector.len() });
        }
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<()> {
        for doc in self.stored_chunks(path)?.into_values() {
            self.delete(doc)?;
        }
        self.delete_file(path)
    }

    fn touch(&mut self, note: &StoredNote) -> Result<()> {
        if self.known_hash(&note.path)?.is_none() {
            return Ok(());
        }
        let chunks = self.stored_chunks(&note.path)?;
        self.move_days(&chunks, note)?;
        self.write_file(note, Members::of(&chunks))
    }

    fn move_days(&mut self, chunks: &BTreeMap<String, Doc>, note: &StoredNote) -> Result<()> {
        chunks.values().try_for_each(|&doc| {
            let day = self.row(doc)?.day;
            self.move_day(doc, filter_day(day, note))
        })
    }

    fn known_hash(&self, path: &str) -> Result<Option<String>> {
        let mut statement = self.db.prepare_cached("SELECT hash FROM files WHERE path = ?1")?;
        Ok(statement.query_row([path], |row| row.get(0)).optional()?)
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<()> {
        if self.known_hash(from)? != Some(to.hash.to_string()) {
            return Ok(());
        }
        self.remove(&to.path)?;
        let mut chunks = BTreeMap::new();
        for doc in self.stored_chunks(from)?.into_values() {
            let id = self.update_row(doc, |row| {
                row.path.clone_from(&to.path);
                row.id = row.derived_id();
            })?;
            chunks.insert(id, doc);
        }
        self.delete_file(from)?;
        self.move_days(&chunks, to)?;
        self.write_file(to, Members::of(&chunks))
    }

    fn embed(&mut self, doc: Doc, id: &ChunkId, model: &str, embedding: &Embedding) -> Result<()> {
        let found: Option<String> = self
            .db
            .prepare_cached("SELECT id FROM chunks WHERE doc = ?1")?
            .query_row([doc.0], |row| row.get(0))
            .optional()?;
        if found.as_deref() != Some(id.as_str()) {
            return Ok(());
        }
        self.check_dims(embedding.vector())?;
        self.update_row(doc, |row| {
            row.embedding = stored(embedding);
            model.clone_into(&mut row.model);
        })?;
        self.set_code(doc, embedding.vector())
    }

    fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        self.db
            .prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)")?
            .execute([key, value])?;
        Ok(())
    }

    fn remember(&self, key: &CacheKey, vector: &[f32], now_ms: i64) -> Result<()> {
        let bytes = vector::to_bytes(vector);
        self.db
            .prepare_cached("INSERT OR REPLACE INTO embedding_cache VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?
            .execute(params![
                key.provider,
                key.model,
                key.provider_key,
                key.hash.to_string(),
                bytes,
                vector.len() as i64,
                now_ms,
                cache_sum(key, &bytes)
            ])?;
        Ok(())
    }

    fn prune(&self, keep: u64, most: u64) -> Result<()> {
        self.db
            .prepare_cached(
                "DELETE FROM embedding_cache WHERE (provider, model, provider_key, hash) IN (
                   SELECT provider, model, provider_key, hash FROM embedding_cache
                   ORDER BY updated_at, provider, model, provider_key, hash
                   LIMIT max(0, min(?2, (SELECT count(*) FROM embedding_cache) - ?1)))",
            )?
            .execute([keep, most].map(|n| i64::try_from(n).unwrap_or(i64::MAX)))?;
        Ok(())
    }

    fn compact(&self) -> Result<()> {
        self.db.execute("INSERT INTO chunks_fts (chunks_fts) VALUES ('optimize')", [])?;
        Ok(())
    }

    fn delete_file(&mut self, path: &str) -> Result<()> {
        if let Some(file) = self.stored_file(path)? {
            self.state.files = add(self.state.files, negated(file.sum()));
            self.db.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path])?;
        }
        Ok(())
    }

    fn write_file(&mut self, note: &StoredNote, members: Members) -> Result<()> {
        self.delete_file(&note.path)?;
        let file = File { note: note.clone(), members };
        self.state.files = add(self.state.files, file.sum());
        self.db
            .prepare_cached(&format!(
                "INSERT INTO files ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                File::COLUMNS
            ))?
            .execute(params![
                note.path,
                note.source.as_str(),
                note.hash.to_string(),
                note.stat.mtime_ns,
                note.stat.size.cast_signed(),
                note.stat.ctime_ns,
                note.stat.inode.cast_signed(),
                note.racy,
                members.chunks,
                members.sum,
                file.sum()
            ])?;
        Ok(())
    }

    fn move_day(&mut self, doc: Doc, day: i32) -> Result<()> {
        let slot = self.columns.get(self.db, doc.0)?;
        let column = slot.as_deref().and_then(Column::parse).ok_or(Trouble::Damaged("chunks_columns"))?;
        if column.day != day {
            self.columns.set(self.db, doc.0, Some(&Column { day, ..column }.to_slot()))?;
        }
        Ok(())
    }

    fn row(&self, doc: Doc) -> Result<Row> {
        let (row, sum) = Row::read(self.db, doc)?;
        if row.sum(doc) != sum {
            return Err(WriteError::Damaged(format!("chunk {} does not match its checksum", doc.0)));
        }
        Ok(row)
    }

    /// Changes a row and gives the id that it has then.
    fn update_row(&self, doc: Doc, change: impl FnOnce(&mut Row)) -> Result<String> {
        let mut row = self.row(doc)?;
        change(&mut row);
        self.db
            .prepare_cached(
                "UPDATE chunks SET id = ?2, path = ?3, model = ?4, embedding = ?5, sum = ?6 WHERE doc = ?1",
            )?
            .execute(params![doc.0, row.id, row.path, row.model, row.embedding, row.sum(doc)])?;
        Ok(row.id)
    }
}

/// The day that `--since` compares: the note's own, or the day its file changed.
fn filter_day(day: Option<i32>, note: &StoredNote) -> i32 {
    day.unwrap_or_else(|| note.changed_day())
}
