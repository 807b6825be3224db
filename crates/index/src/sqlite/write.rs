//! Applying one batch inside one transaction.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use mindfile_note::hash::Digest;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::blocks::Trouble;
use super::checksum::{add, negated};
use super::graph::{self, Graph};
use super::rows::{self, File, Filed, Members, Row, cache_sum, stored};
use super::shelf::{Tables, tables};
use super::stack::Stack;
use super::state::State;
use crate::alias::Aliases;
use crate::columns::Column;
use crate::record::{
    Alias, Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, FORGOTTEN, FactFields, NewChunk,
    NewNote, Shelf, StoredNote, Uses,
};
use crate::vector;

#[derive(Debug)]
pub(super) enum WriteError {
    Sqlite(rusqlite::Error),
    Dimensions { expected: usize, found: usize },
    NotFinite,
    Damaged(String),
    Superseded,
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
            Self::Superseded => crate::Error::Superseded,
            Self::Damaged(what) => crate::Error::Damaged { path: path.to_owned(), what },
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, WriteError>;

pub(super) fn apply(transaction: &Transaction<'_>, batch: &Batch) -> Result<u64> {
    let state = State::read(transaction)?
        .ok_or_else(|| WriteError::Damaged("its state line is missing or unreadable".to_owned()))?;
    if batch.only_at.is_some_and(|generation| generation != state.generation) {
        return Ok(state.generation);
    }
    if let Some(read_at) = batch.read_at
        && read_at != forgotten(transaction)?
    {
        return Err(WriteError::Superseded);
    }
    if batch.changes.iter().any(Change::is_of_a_note) {
        transaction.prepare_cached("DELETE FROM meta WHERE key = ?1")?.execute([CENSUS])?;
    }
    let mut writer = Writer {
        db: transaction,
        batch,
        state,
        chunks: Stack::of(Shelf::Chunks, state.chunks),
        facts: Stack::of(Shelf::Facts, state.facts),
        graph: Graph::default(),
        aliases: None,
    };
    for change in &batch.changes {
        writer.change(change)?;
    }
    writer.finish()
}

/// How often something was forgotten.
fn forgotten(db: &Connection) -> Result<u64> {
    let mut statement = db.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    let text: Option<String> = statement.query_row([FORGOTTEN], |row| row.get(0)).optional()?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or(0))
}

struct Writer<'a> {
    db: &'a Connection,
    batch: &'a Batch,
    state: State,
    chunks: Stack,
    facts: Stack,
    graph: Graph,
    /// Read when first asked for.
    aliases: Option<Aliases>,
}

impl Writer<'_> {
    fn change(&mut self, change: &Change) -> Result<()> {
        match change {
            Change::Put(note) => self.put(note),
            Change::Grow { note, from } => self.grow(note, *from),
            Change::Rename { from, to } => self.rename(from, to),
            Change::Touch(note) => self.touch(note),
            Change::Remove { path } => self.remove(path),
            Change::Embed { model, embeddings } => {
                embeddings.iter().try_for_each(|(doc, id, embedding)| self.embed(*doc, id, model, embedding))
            }
            Change::Meta { key, value } => self.set_meta(key, value),
            Change::Cache { key, vector, now_ms } => self.remember(key, vector, *now_ms),
            Change::Use { facts } => facts.iter().try_for_each(|(id, uses)| self.note_use(id, uses)),
            Change::PruneCache { keep, most } => self.prune(*keep, *most),
            Change::Compact => self.compact(),
            Change::Forget { hashes, ids } => self.forget(hashes, ids),
        }
    }

    fn finish(mut self) -> Result<u64> {
        self.state.chunks = self.chunks.finish(self.db)?;
        self.state.facts = self.facts.finish(self.db)?;
        self.graph.write(self.db)?;
        let changes = &self.batch.changes;
        if changes.is_empty() || changes.iter().any(Change::is_answered) {
            self.state.generation += 1;
            self.state.write(self.db)?;
        }
        Ok(self.state.generation)
    }

    fn stack(&mut self, doc: Doc) -> &mut Stack {
        match doc.shelf {
            Shelf::Chunks => &mut self.chunks,
            Shelf::Facts => &mut self.facts,
        }
    }

    fn put(&mut self, new: &NewNote) -> Result<()> {
        let stored = self.stored_rows(&new.note.path)?;
        let aliases = self.set_aliases(&new.note.path, &new.aliases)?;
        let mut members = Members::default();
        self.place(new, stored, &mut members)?;
        members.add_aliases(&aliases);
        self.write_file(&new.note, members)
    }

    fn grow(&mut self, new: &NewNote, from: u32) -> Result<()> {
        let Some(File { note: known, mut members }) = self.stored_file(&new.note.path)? else {
            return Ok(());
        };
        if new.day.is_none() && known.changed_day() != new.note.changed_day() {
            let rows = self.stored_rows(&new.note.path)?;
            self.move_days(rows.values(), &new.note)?;
        }
        let mut stored = BTreeMap::new();
        for shelf in Shelf::ALL {
            self.each_row(shelf, &new.note.path, from, |id, doc| {
                members.remove(doc, &id);
                stored.insert(member_key(shelf, &id), doc);
            })?;
        }
        self.place(new, stored, &mut members)?;
        self.write_file(&new.note, members)
    }

    /// Puts the chunks and facts of a note in the place of stored ones; those that stay as they were are kept. What is gone
    /// goes first, and its numbers are taken again: the words that a chunk still has keep their entries.
    fn place(
        &mut self,
        new: &NewNote,
        mut stored: BTreeMap<String, Doc>,
        members: &mut Members,
    ) -> Result<()> {
        let (mut seen, mut wanted) = (HashSet::new(), Vec::new());
        let chunks = new.chunks.iter().map(|chunk| (chunk, None));
        let facts = new.facts.iter().map(|fact| (&fact.chunk, Some(&fact.fields)));
        for (chunk, fields) in chunks.chain(facts) {
            let id = ChunkId::new(new.note.source, &new.note.path, chunk);
            let shelf = if fields.is_some() { Shelf::Facts } else { Shelf::Chunks };
            let kept = stored.remove(&member_key(shelf, id.as_str()));
            // Equal pieces of one long line are one chunk: same place, same text.
            if seen.insert((fields.is_some(), id.clone())) {
                wanted.push((id, chunk, fields, kept));
            }
        }
        stored.into_values().try_for_each(|gone| self.delete(gone))?;
        for (id, chunk, fields, kept) in wanted {
            let doc = match kept {
                Some(kept) => self.keep(kept, &id, new, chunk)?,
                None => self.insert(&id, new, chunk, fields)?,
            };
            members.add(doc, id.as_str());
        }
        Ok(())
    }

    /// Calls `visit` with the rows of a note that begin at a line or later.
    fn each_row(
        &self,
        shelf: Shelf,
        path: &str,
        from: u32,
        mut visit: impl FnMut(String, Doc),
    ) -> Result<()> {
        let Tables { rows: table, id, .. } = tables(shelf);
        let sql = format!("SELECT {id}, rowid FROM {table} WHERE path = ?1 AND start_line >= ?2");
        let mut statement = self.db.prepare_cached(&sql)?;
        let mut found = statement.query(params![path, from])?;
        while let Some(row) = found.next()? {
            visit(row.get(0)?, row.get(1)?);
        }
        Ok(())
    }

    /// All rows of a note on both shelves, and exactly those that its row in `files` knows of.
    fn stored_rows(&self, path: &str) -> Result<BTreeMap<String, Doc>> {
        let (mut rows, mut members) = (BTreeMap::new(), Members::default());
        for shelf in Shelf::ALL {
            self.each_row(shelf, path, 0, |id, doc| {
                members.add(doc, &id);
                rows.insert(member_key(shelf, &id), doc);
            })?;
        }
        members.add_aliases(&graph::aliases_of(self.db, path)?);
        let known = self.stored_file(path)?.map_or_else(Members::default, |file| file.members);
        if members != known {
            return Err(WriteError::Damaged(format!("the chunks of {path} are not those that were stored")));
        }
        Ok(rows)
    }

    fn stored_file(&self, path: &str) -> Result<Option<File>> {
        let sql = format!("SELECT {} FROM files WHERE path = ?1", File::COLUMNS);
        let found = self.db.prepare_cached(&sql)?.query_row([path], File::read).optional()?;
        found.map(|file| file.ok_or(Trouble::Damaged("files").into())).transpose()
    }

    fn keep(&mut self, doc: Doc, id: &ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<Doc> {
        if !chunk.embedding.is_pending() {
            let sql = format!("SELECT embedding IS NULL FROM {} WHERE rowid = ?1", tables(doc.shelf).rows);
            let pending: bool = self.db.prepare_cached(&sql)?.query_row([doc], |row| row.get(0))?;
            if pending {
                self.embed(doc, id, &self.batch.model, &chunk.embedding)?;
            }
        }
        let db = self.db;
        self.stack(doc).move_day(db, doc, filter_day(new.day, &new.note))?;
        Ok(doc)
    }

    fn insert(
        &mut self,
        id: &ChunkId,
        new: &NewNote,
        chunk: &NewChunk,
        fields: Option<&FactFields>,
    ) -> Result<Doc> {
        self.check_dims(chunk.embedding.vector())?;
        let row = Row::new(id, new, chunk, self.batch);
        let day = filter_day(new.day, &new.note);
        let column = Column { source: new.note.source, origin: chunk.origin, day, length: 0 };
        let (db, now_ms) = (self.db, self.batch.now_ms);
        let filed = fields.map(|fields| Filed { fields, agent: &self.batch.agent, day: new.day });
        let stack = if fields.is_some() { &mut self.facts } else { &mut self.chunks };
        let doc = stack.insert(db, &row, column, now_ms, filed.as_ref())?;
        stack.set_code(db, doc, chunk.embedding.vector())?;
        if let Some(fields) = fields {
            self.link(doc, fields)?;
        }
        Ok(doc)
    }

    fn delete(&mut self, doc: Doc) -> Result<()> {
        let row = self.row(doc)?;
        match doc.shelf {
            Shelf::Chunks => {}
            Shelf::Facts => self.unlink(doc)?,
        }
        let db = self.db;
        self.stack(doc).delete(db, doc, &row)
    }

    fn link(&mut self, doc: Doc, fields: &FactFields) -> Result<()> {
        let aliases = self.aliases()?;
        let mut spelled: Vec<(String, String)> = Vec::new();
        for name in aliases.names(&fields.entities) {
            let first = fields.entities.iter().find(|entity| aliases.resolve(&entity.to_lowercase()) == name);
            let first = first.map_or_else(|| name.clone(), Clone::clone);
            spelled.push((name, first));
        }
        Ok(self.graph.link(self.db, doc, &spelled)?)
    }

    fn unlink(&mut self, doc: Doc) -> Result<()> {
        let fields = self.fields(doc)?;
        let names = self.aliases()?.names(&fields.entities);
        Ok(self.graph.unlink(self.db, doc, &names)?)
    }

    fn fields(&self, doc: Doc) -> Result<FactFields> {
        let fields = rows::read_fields(self.db, doc)?;
        fields.ok_or_else(|| WriteError::Damaged(format!("fact {doc} does not match its checksum")))
    }

    fn aliases(&mut self) -> Result<&Aliases> {
        match &mut self.aliases {
            Some(aliases) => Ok(aliases),
            none => Ok(none.insert(Aliases::of(&graph::all_aliases(self.db)?))),
        }
    }

    /// Makes these the names that a note declares, and counts the facts they concern anew. Returns them as stored.
    fn set_aliases(&mut self, path: &str, declared: &[Alias]) -> Result<Vec<Alias>> {
        let mut wanted = declared.to_vec();
        wanted.sort();
        wanted.dedup();
        if graph::aliases_of(self.db, path)? == wanted {
            return Ok(wanted);
        }
        let before = self.aliases()?.clone();
        graph::set_aliases(self.db, path, &wanted)?;
        let after = Aliases::of(&graph::all_aliases(self.db)?);
        let mut concerned: HashMap<Doc, FactFields> = HashMap::new();
        for name in before.changed(&after) {
            for doc in self.graph.facts(self.db, name)? {
                concerned.insert(doc, self.fields(doc)?);
            }
        }
        for doc in concerned.keys() {
            self.unlink(*doc)?;
        }
        self.aliases = Some(after);
        for (doc, fields) in &concerned {
            self.link(*doc, fields)?;
        }
        Ok(wanted)
    }

    fn note_use(&self, id: &str, uses: &Uses) -> Result<()> {
        let last = uses.last_ms.map(|ms| ms.div_euclid(1000));
        self.db
            .prepare_cached(
                "INSERT OR REPLACE INTO fact_uses (fact_id, access_count, last_accessed_at)
                 VALUES (?1, ?2, datetime(?3, 'unixepoch'))",
            )?
            .execute(params![id, uses.count, last])?;
        self.db
            .prepare_cached(
                "UPDATE facts SET access_count = ?2, last_accessed_at = datetime(?3, 'unixepoch') WHERE fact_id = ?1",
            )?
            .execute(params![id, uses.count, last])?;
        Ok(())
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
        for doc in self.stored_rows(path)?.into_values() {
            self.delete(doc)?;
        }
        self.set_aliases(path, &[])?;
        self.delete_file(path)
    }

    fn touch(&mut self, note: &StoredNote) -> Result<()> {
        let Some(file) = self.stored_file(&note.path)? else { return Ok(()) };
        let rows = self.stored_rows(&note.path)?;
        if file.note.changed_day() != note.changed_day() {
            self.move_days(rows.values(), note)?;
        }
        self.write_file(note, file.members)
    }

    fn move_days<'a>(&mut self, rows: impl Iterator<Item = &'a Doc>, note: &StoredNote) -> Result<()> {
        for &doc in rows {
            let day = filter_day(self.row(doc)?.day, note);
            let db = self.db;
            self.stack(doc).move_day(db, doc, day)?;
        }
        Ok(())
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
        let (mut members, mut docs) = (Members::default(), Vec::new());
        for doc in self.stored_rows(from)?.into_values() {
            let id = self.update_row(doc, |row| {
                row.path.clone_from(&to.path);
                row.id = row.derived_id().unwrap_or_default();
            })?;
            members.add(doc, &id);
            docs.push(doc);
        }
        let aliases = graph::aliases_of(self.db, from)?;
        self.set_aliases(from, &[])?;
        members.add_aliases(&self.set_aliases(&to.path, &aliases)?);
        self.delete_file(from)?;
        self.move_days(docs.iter(), to)?;
        self.write_file(to, members)
    }

    fn embed(&mut self, doc: Doc, id: &ChunkId, model: &str, embedding: &Embedding) -> Result<()> {
        let Tables { rows, id: column, .. } = tables(doc.shelf);
        let found: Option<String> = self
            .db
            .prepare_cached(&format!("SELECT {column} FROM {rows} WHERE rowid = ?1"))?
            .query_row([doc], |row| row.get(0))
            .optional()?;
        if found.as_deref() != Some(id.as_str()) {
            return Ok(());
        }
        self.check_dims(embedding.vector())?;
        self.update_row(doc, |row| {
            row.embedding = stored(embedding);
            model.clone_into(&mut row.model);
        })?;
        let db = self.db;
        self.stack(doc).set_code(db, doc, embedding.vector())
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

    fn forget(&self, hashes: &[Digest], ids: &[String]) -> Result<()> {
        let mut statement = self.db.prepare_cached("DELETE FROM embedding_cache WHERE hash = ?1")?;
        for hash in hashes {
            statement.execute([hash.to_string()])?;
        }
        let mut statement = self.db.prepare_cached("DELETE FROM fact_uses WHERE fact_id = ?1")?;
        for id in ids {
            statement.execute([id])?;
        }
        self.set_meta(FORGOTTEN, &(forgotten(self.db)? + 1).to_string())
    }

    fn compact(&self) -> Result<()> {
        for fts in Shelf::ALL.map(|shelf| tables(shelf).fts) {
            self.db.execute(&format!("INSERT INTO {fts} ({fts}) VALUES ('optimize')"), [])?;
        }
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
                "INSERT INTO files ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
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
                members.facts,
                members.sum,
                file.sum()
            ])?;
        Ok(())
    }

    fn row(&self, doc: Doc) -> Result<Row> {
        let (row, sum) = Row::read(self.db, doc)?;
        if row.sum(doc) != sum {
            let one = tables(doc.shelf).one;
            return Err(WriteError::Damaged(format!("{one} {doc} does not match its checksum")));
        }
        Ok(row)
    }

    /// Changes a row and gives the id that it has then.
    fn update_row(&self, doc: Doc, change: impl FnOnce(&mut Row)) -> Result<String> {
        let mut row = self.row(doc)?;
        change(&mut row);
        let Tables { rows, id, .. } = tables(doc.shelf);
        self.db
            .prepare_cached(&format!(
                "UPDATE {rows} SET {id} = ?2, path = ?3, model = ?4, embedding = ?5, sum = ?6 WHERE rowid = ?1"
            ))?
            .execute(params![doc, row.id, row.path, row.model, row.embedding, row.sum(doc)])?;
        Ok(row.id)
    }
}

/// The day that `--since` compares: the note's own, or the day its file changed.
fn filter_day(day: Option<i32>, note: &StoredNote) -> i32 {
    day.unwrap_or_else(|| note.changed_day())
}

/// A chunk and a fact of one line may have the same place, text and context.
fn member_key(shelf: Shelf, id: &str) -> String {
    match shelf {
        Shelf::Chunks => id.to_owned(),
        Shelf::Facts => format!("fact {id}"),
    }
}
