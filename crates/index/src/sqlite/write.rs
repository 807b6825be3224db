//! Applying one batch inside one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::blocks::{Blocks, Column, Trouble, code_slot};
use super::checksum::{self, RowSum};
use crate::record::{Batch, CacheKey, Change, ChunkId, Doc, Embedding, NewChunk, NewNote, StoredNote};
use crate::vector;
use crate::words::Words;

/// Sums of checksums are kept below 2^62, so that SQLite adds them without overflow.
const SUM_MASK: i64 = (1 << 62) - 1;

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
        };
        numbers.next().is_none().then_some(state)
    }

    fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        let line = format!("{} {} {}", self.generation, self.chunks, self.dims);
        connection
            .prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES ('state', ?1)")?
            .execute([line])?;
        Ok(())
    }
}

pub(super) fn add(sum: i64, part: i64) -> i64 {
    (sum + (part & SUM_MASK)) & SUM_MASK
}

fn negated(part: i64) -> i64 {
    (SUM_MASK + 1 - (part & SUM_MASK)) & SUM_MASK
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
    let mut writer = Writer {
        db: transaction,
        batch,
        state,
        terms: HashMap::new(),
        columns: Blocks::of("chunks_columns"),
        codes: Blocks::of("chunks_vec"),
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
    /// What the batch does to `terms`, written once at the end.
    terms: HashMap<String, TermChange>,
    columns: Blocks,
    codes: Blocks,
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
            Change::PruneCache { keep } => self.prune(*keep),
        }
    }

    fn finish(mut self) -> Result<u64> {
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
        self.columns.write(self.db)?;
        self.codes.write(self.db)?;
        self.state.generation += 1;
        self.state.write(self.db)?;
        Ok(self.state.generation)
    }

    fn put(&mut self, new: &NewNote) -> Result<()> {
        let mut stored = self.stored_chunks(&new.note.path)?;
        let mut seen = HashSet::new();
        for chunk in &new.chunks {
            let id = ChunkId::new(new.note.source, &new.note.path, chunk);
            // Equal pieces of one long line are one chunk: same place, same text.
            if !seen.insert(id.clone()) {
                continue;
            }
            match stored.remove(id.as_str()) {
                Some(kept) => self.keep(kept, &id, new, chunk)?,
                None => self.insert(&id, new, chunk)?,
            }
        }
        for gone in stored.into_values() {
            self.delete(gone)?;
        }
        self.write_file(&new.note)
    }

    fn stored_chunks(&self, path: &str) -> Result<BTreeMap<String, Doc>> {
        let mut statement = self.db.prepare_cached("SELECT id, doc FROM chunks WHERE path = ?1")?;
        let rows = statement.query_map([path], |row| Ok((row.get(0)?, Doc(row.get(1)?))))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn keep(&mut self, doc: Doc, id: &ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<()> {
        if !chunk.embedding.is_pending() {
            let pending: bool = self
                .db
                .prepare_cached("SELECT embedding IS NULL FROM chunks WHERE doc = ?1")?
                .query_row([doc.0], |row| row.get(0))?;
            if pending {
                self.embed(doc, id, &self.batch.model, &chunk.embedding)?;
            }
        }
        self.move_day(doc, filter_day(new.day, &new.note))
    }

    fn insert(&mut self, id: &ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<()> {
        let words = Words::of(&chunk.text, &chunk.context);
        let row = Row::new(id, new, chunk, self.batch);
        self.check_dims(chunk.embedding.vector())?;
        self.db
            .prepare_cached(
                "INSERT INTO chunks (id, path, source, start_line, end_line, hash, model, day, updated_at, embedding,
                 tokens, context, text, sum) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)",
            )?
            .execute(params![
                row.id, row.path, row.source, row.start_line, row.end_line, row.hash, row.model, row.day,
                self.batch.now_ms, row.embedding, row.tokens, row.context, row.text, row.sum()
            ])?;
        let doc = self.db.last_insert_rowid();
        self.db
            .prepare_cached("INSERT INTO chunks_fts (rowid, text) VALUES (?1, ?2)")?
            .execute(params![doc, words.joined])?;
        let day = filter_day(new.day, &new.note);
        let column = Column { source: new.note.source, day, length: words.length };
        self.columns.set(self.db, doc, Some(&column.to_slot()))?;
        let code = chunk.embedding.vector().map(code_slot);
        self.codes.set(self.db, doc, code.as_deref())?;
        self.count_terms(doc, &words, 1);
        self.state.chunks += 1;
        Ok(())
    }

    fn delete(&mut self, doc: Doc) -> Result<()> {
        let (text, context): (String, String) = self
            .db
            .prepare_cached("SELECT text, context FROM chunks WHERE doc = ?1")?
            .query_row([doc.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
        self.count_terms(doc.0, &Words::of(&text, &context), -1);
        self.columns.set(self.db, doc.0, None)?;
        self.codes.set(self.db, doc.0, None)?;
        self.db.prepare_cached("DELETE FROM chunks_fts WHERE rowid = ?1")?.execute([doc.0])?;
        self.db.prepare_cached("DELETE FROM chunks WHERE doc = ?1")?.execute([doc.0])?;
        self.state.chunks = self.state.chunks.saturating_sub(1);
        Ok(())
    }

    fn count_terms(&mut self, doc: i64, words: &Words, sign: i64) {
        for (term, count) in &words.counts {
            let sum = checksum::posting(doc, *count);
            let change = match self.terms.get_mut(term) {
                Some(change) => change,
                None => self.terms.entry(term.clone()).or_default(),
            };
            change.chunks += sign;
            change.sum = add(change.sum, if sign > 0 { sum } else { negated(sum) });
        }
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
        self.db.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path])?;
        Ok(())
    }

    fn touch(&mut self, note: &StoredNote) -> Result<()> {
        for doc in self.stored_chunks(&note.path)?.into_values() {
            let day: Option<i32> = self
                .db
                .prepare_cached("SELECT day FROM chunks WHERE doc = ?1")?
                .query_row([doc.0], |row| row.get(0))?;
            self.move_day(doc, filter_day(day, note))?;
        }
        self.write_file(note)
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<()> {
        self.remove(&to.path)?;
        for doc in self.stored_chunks(from)?.into_values() {
            self.update_row(doc, |row| {
                row.path.clone_from(&to.path);
                row.id = row.derived_id();
            })?;
        }
        self.db.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([from])?;
        self.touch(to)
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
        let code = embedding.vector().map(code_slot);
        Ok(self.codes.set(self.db, doc.0, code.as_deref())?)
    }

    fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        self.db
            .prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)")?
            .execute([key, value])?;
        Ok(())
    }

    fn remember(&self, key: &CacheKey, vector: &[f32], now_ms: i64) -> Result<()> {
        self.db
            .prepare_cached("INSERT OR REPLACE INTO embedding_cache VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
            .execute(params![
                key.provider,
                key.model,
                key.provider_key,
                key.hash.to_string(),
                vector::to_bytes(vector),
                vector.len() as i64,
                now_ms
            ])?;
        Ok(())
    }

    fn prune(&self, keep: u64) -> Result<()> {
        self.db
            .prepare_cached(
                "DELETE FROM embedding_cache WHERE (provider, model, provider_key, hash) IN (
                   SELECT provider, model, provider_key, hash FROM embedding_cache
                   ORDER BY updated_at, provider, model, provider_key, hash
                   LIMIT max(0, (SELECT count(*) FROM embedding_cache) - ?1))",
            )?
            .execute([i64::try_from(keep).unwrap_or(i64::MAX)])?;
        Ok(())
    }

    fn write_file(&self, note: &StoredNote) -> Result<()> {
        self.db
            .prepare_cached(
                "INSERT OR REPLACE INTO files (path, source, hash, mtime, size, ctime, inode, racy)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                note.path,
                note.source.as_str(),
                note.hash.to_string(),
                note.stat.mtime_ns,
                note.stat.size.cast_signed(),
                note.stat.ctime_ns,
                note.stat.inode.cast_signed(),
                note.racy
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

    fn update_row(&self, doc: Doc, change: impl FnOnce(&mut Row)) -> Result<()> {
        let (mut row, sum) = Row::read(self.db, doc)?;
        if row.sum() != sum {
            return Err(WriteError::Damaged(format!("chunk {} does not match its checksum", doc.0)));
        }
        change(&mut row);
        self.db
            .prepare_cached(
                "UPDATE chunks SET id = ?2, path = ?3, model = ?4, embedding = ?5, sum = ?6 WHERE doc = ?1",
            )?
            .execute(params![doc.0, row.id, row.path, row.model, row.embedding, row.sum()])?;
        Ok(())
    }
}

/// The day that `--since` compares: the note's own, or the day its file changed.
fn filter_day(day: Option<i32>, note: &StoredNote) -> i32 {
    day.unwrap_or_else(|| note.changed_day())
}

/// The column `embedding`: NULL while pending, no bytes for a chunk without meaning.
fn stored(embedding: &Embedding) -> Option<Vec<u8>> {
    match embedding {
        Embedding::Pending => None,
        Embedding::Blank => Some(Vec::new()),
        Embedding::Vector(vector) => Some(vector::to_bytes(vector)),
    }
}

/// One row of `chunks`, as stored.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) path: String,
    pub(super) source: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) hash: String,
    pub(super) model: String,
    pub(super) day: Option<i32>,
    pub(super) embedding: Option<Vec<u8>>,
    pub(super) tokens: Vec<u8>,
    pub(super) context: String,
    pub(super) text: String,
}

impl Row {
    fn new(id: &ChunkId, note: &NewNote, chunk: &NewChunk, batch: &Batch) -> Self {
        Self {
            id: id.as_str().to_owned(),
            path: note.note.path.clone(),
            source: note.note.source.as_str().to_owned(),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash.to_string(),
            model: if chunk.embedding.is_pending() { String::new() } else { batch.model.clone() },
            day: note.day,
            embedding: stored(&chunk.embedding),
            tokens: chunk.tokens.iter().flat_map(|token| token.to_le_bytes()).collect(),
            context: chunk.context.clone(),
            text: chunk.text.clone(),
        }
    }

    /// The row and the checksum stored with it.
    pub(super) fn read(db: &Connection, doc: Doc) -> rusqlite::Result<(Self, i64)> {
        db.prepare_cached(
            "SELECT id, path, source, start_line, end_line, hash, model, day, embedding, tokens, context, text, sum
             FROM chunks WHERE doc = ?1",
        )?
        .query_row([doc.0], |row| {
            let stored = Self {
                id: row.get(0)?,
                path: row.get(1)?,
                source: row.get(2)?,
                start_line: row.get(3)?,
                end_line: row.get(4)?,
                hash: row.get(5)?,
                model: row.get(6)?,
                day: row.get(7)?,
                embedding: row.get(8)?,
                tokens: row.get(9)?,
                context: row.get(10)?,
                text: row.get(11)?,
            };
            Ok((stored, row.get(12)?))
        })
    }

    pub(super) fn sum(&self) -> i64 {
        RowSum::default()
            .bytes(self.id.as_bytes())
            .bytes(self.path.as_bytes())
            .bytes(self.source.as_bytes())
            .number(i64::from(self.start_line))
            .number(i64::from(self.end_line))
            .bytes(self.hash.as_bytes())
            .bytes(self.model.as_bytes())
            .number(self.day.map_or(i64::MIN, i64::from))
            .bytes(self.embedding.as_deref().unwrap_or(&[]))
            .bytes(&self.tokens)
            .bytes(self.context.as_bytes())
            .bytes(self.text.as_bytes())
            .finish()
    }

    fn derived_id(&self) -> String {
        ChunkId::derive(&self.source, &self.path, (self.start_line, self.end_line), &self.hash, &self.context)
    }
}
