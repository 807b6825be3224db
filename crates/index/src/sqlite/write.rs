//! Applies a batch inside a transaction.

use std::collections::{BTreeMap, HashMap, HashSet};

use mindfile_note::hash::Digest;
use rusqlite::{Connection, Transaction, params};

use super::checksum::{add, negated};
use super::graph::{self, Graph};
use super::log::Touched;
use super::rows::{self, FactColumns, File, Members, Row, cache_sum};
use super::shelf::{Tables, tables};
use super::sql::{Fault, each, one, run};
use super::stack::Stack;
use super::state::State;
use crate::alias::Aliases;
use crate::record::{
    Access, Alias, Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, FORGOTTEN, FactFields, NewChunk,
    NewNote, Shelf, StoredNote,
};
use crate::{Error, vector};

pub(super) type Result<T> = std::result::Result<T, Fault>;

pub(super) fn apply(transaction: &Transaction<'_>, batch: &Batch) -> Result<u64> {
    let state = State::read(transaction)?.ok_or_else(State::missing)?;
    if batch.only_at.is_some_and(|generation| generation != state.generation) {
        return Ok(state.generation);
    }
    if let Some(read_at) = batch.read_at
        && read_at != forgotten(transaction)?
    {
        return Err(Error::Superseded.into());
    }
    if batch.clears_census() {
        run(transaction, "DELETE FROM meta WHERE key = ?1", [CENSUS])?;
    }
    let mut writer = Writer {
        db: transaction,
        batch,
        state,
        stacks: Shelf::ALL.map(|shelf| Stack::of(shelf, state.on(shelf))),
        graph: Graph::default(),
        aliases: None,
        touched: Touched::default(),
    };
    for change in &batch.changes {
        writer.change(change)?;
    }
    writer.finish()
}

/// How often something was forgotten.
fn forgotten(db: &Connection) -> Result<u64> {
    let text: Option<String> =
        one(db, "SELECT value FROM meta WHERE key = ?1", [FORGOTTEN], |row| row.get(0))?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// A note's row on its shelf: a chunk and a fact of one line may have the same place, text and context.
type RowKey = (Shelf, ChunkId);

struct Writer<'a> {
    db: &'a Connection,
    batch: &'a Batch,
    state: State,
    stacks: [Stack; 2],
    graph: Graph,
    /// Read when first asked for.
    aliases: Option<Aliases>,
    touched: Touched,
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
        let mut touched = self.touched;
        for (at, stack) in self.stacks.into_iter().enumerate() {
            (self.state.shelves[at], touched.shelves[at]) = stack.finish(self.db)?;
        }
        touched.entities.extend(self.graph.entities());
        self.graph.write(self.db)?;
        if self.batch.is_answered() {
            self.state.generation += 1;
            self.state.write(self.db)?;
            touched.write(self.db, self.state.generation)?;
        }
        Ok(self.state.generation)
    }

    fn stack(&mut self, shelf: Shelf) -> &mut Stack {
        &mut self.stacks[shelf as usize]
    }

    fn put(&mut self, new: &NewNote) -> Result<()> {
        let stored = self.stored_rows(&new.note.path)?;
        let aliases = new.declared();
        self.set_aliases(&new.note.path, &aliases)?;
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
            self.move_days(&rows, &new.note)?;
        }
        let stored = self.rows_from(&new.note.path, from)?;
        stored.iter().for_each(|((_, id), doc)| members.remove(*doc, id));
        self.place(new, stored, &mut members)?;
        self.write_file(&new.note, members)
    }

    /// Replaces stored chunks and facts of a note, and keeps those that are unchanged. Deletes first and reuses the numbers, so
    /// that words which a chunk still has keep their entries.
    fn place(&mut self, new: &NewNote, stored: Vec<(RowKey, Doc)>, members: &mut Members) -> Result<()> {
        let mut stored: BTreeMap<RowKey, Doc> = stored.into_iter().collect();
        let mut seen = HashSet::new();
        let mut wanted = Vec::new();
        for (shelf, chunk, fields) in new.rows() {
            let key = (shelf, ChunkId::new(new.note.source, &new.note.path, chunk));
            let kept = stored.remove(&key);
            // Equal pieces of one long line are one chunk: same place, same text.
            if seen.insert(key.clone()) {
                wanted.push((key.1, chunk, fields, kept));
            }
        }
        stored.into_values().try_for_each(|gone| self.delete(gone))?;
        for (id, chunk, fields, kept) in wanted {
            let doc = match kept {
                Some(kept) => self.keep(kept, &id, new, chunk)?,
                None => self.insert(&id, new, chunk, fields)?,
            };
            members.add(doc, &id);
        }
        Ok(())
    }

    /// The rows of a note that begin at a line or later.
    fn rows_from(&self, path: &str, from: u32) -> Result<Vec<(RowKey, Doc)>> {
        let mut found = Vec::new();
        for shelf in Shelf::ALL {
            let Tables { rows, id, .. } = tables(shelf);
            let sql = format!("SELECT {id}, rowid FROM {rows} WHERE path = ?1 AND start_line >= ?2");
            each(self.db, &sql, params![path, from], |row| -> Result<()> {
                found.push(((shelf, ChunkId::stored(row.get(0)?)), row.get(1)?));
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// All rows of a note on both shelves, checked against its row in `files`.
    fn stored_rows(&self, path: &str) -> Result<Vec<(RowKey, Doc)>> {
        let rows = self.rows_from(path, 0)?;
        let mut members = Members::default();
        rows.iter().for_each(|((_, id), doc)| members.add(*doc, id));
        members.add_aliases(&graph::aliases_of(self.db, path)?);
        let known = self.stored_file(path)?.map_or_else(Members::default, |file| file.members);
        if members != known {
            return Err(Fault::Damaged(format!("the chunks of {path} are not those that were stored")));
        }
        Ok(rows)
    }

    fn stored_file(&self, path: &str) -> Result<Option<File>> {
        let sql = format!("SELECT {} FROM files WHERE path = ?1", File::COLUMNS);
        let found = one(self.db, &sql, [path], File::read)?;
        found.map(|file| file.ok_or_else(|| Fault::table("files"))).transpose()
    }

    fn keep(&mut self, doc: Doc, id: &ChunkId, new: &NewNote, chunk: &NewChunk) -> Result<Doc> {
        if !chunk.embedding.is_pending() {
            let sql = format!("SELECT embedding IS NULL FROM {} WHERE rowid = ?1", tables(doc.shelf).rows);
            if one(self.db, &sql, [doc], |row| row.get(0))? == Some(true) {
                self.embed(doc, id, &self.batch.model, &chunk.embedding)?;
            }
        }
        let db = self.db;
        self.stack(doc.shelf).move_day(db, doc, filter_day(new.day, &new.note))?;
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
        let Batch { model, agent, now_ms, .. } = self.batch;
        let db = self.db;
        let stack = self.stack(if fields.is_some() { Shelf::Facts } else { Shelf::Chunks });
        let doc = stack.next_doc(db)?;
        let model = if chunk.embedding.is_pending() { String::new() } else { model.clone() };
        let row = Row { chunk: new.stored(doc, id.clone(), chunk), model };
        row.insert(db, *now_ms, fields.map(|fields| FactColumns { fields, agent, day: new.day }).as_ref())?;
        stack.add(db, &row.chunk, chunk.terms(), filter_day(new.day, &new.note))?;
        if let Some(fields) = fields {
            self.link(doc, fields)?;
        }
        Ok(doc)
    }

    fn delete(&mut self, doc: Doc) -> Result<()> {
        let row = self.row(doc)?;
        if doc.shelf == Shelf::Facts {
            self.unlink(doc)?;
        }
        let db = self.db;
        self.stack(doc.shelf).delete(db, &row.chunk)
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
        fields.ok_or_else(|| Fault::row(doc))
    }

    fn aliases(&mut self) -> Result<&Aliases> {
        match &mut self.aliases {
            Some(aliases) => Ok(aliases),
            none => Ok(none.insert(graph::meanings(self.db)?)),
        }
    }

    /// Sets the aliases that a note declares, and links the facts concerned again.
    fn set_aliases(&mut self, path: &str, wanted: &[Alias]) -> Result<()> {
        if graph::aliases_of(self.db, path)? == wanted {
            return Ok(());
        }
        self.touched.aliases = true;
        let before = self.aliases()?.clone();
        graph::set_aliases(self.db, path, wanted)?;
        let after = graph::meanings(self.db)?;
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
        Ok(())
    }

    fn note_use(&self, id: &str, uses: &Access) -> Result<()> {
        let last = uses.last_ms.map(|ms| ms.div_euclid(1000));
        for sql in [
            "INSERT OR REPLACE INTO fact_uses (fact_id, access_count, last_accessed_at)
             VALUES (?1, ?2, datetime(?3, 'unixepoch'))",
            "UPDATE facts SET access_count = ?2, last_accessed_at = datetime(?3, 'unixepoch') WHERE fact_id = ?1",
        ] {
            run(self.db, sql, params![id, uses.count, last])?;
        }
        Ok(())
    }

    /// The first vector sets the dimensions of all.
    fn check_dims(&mut self, vector: Option<&[f32]>) -> Result<()> {
        let Some(vector) = vector else { return Ok(()) };
        if self.state.dims == 0 {
            self.state.dims = vector.len();
        }
        Ok(vector::check(vector, self.state.dims)?)
    }

    fn remove(&mut self, path: &str) -> Result<()> {
        for (_, doc) in self.stored_rows(path)? {
            self.delete(doc)?;
        }
        self.set_aliases(path, &[])?;
        self.delete_file(path)
    }

    fn touch(&mut self, note: &StoredNote) -> Result<()> {
        let Some(file) = self.stored_file(&note.path)? else { return Ok(()) };
        if file.note.changed_day() != note.changed_day() {
            let rows = self.stored_rows(&note.path)?;
            self.move_days(&rows, note)?;
        }
        self.write_file(note, file.members)
    }

    fn move_days(&mut self, rows: &[(RowKey, Doc)], note: &StoredNote) -> Result<()> {
        for &(_, doc) in rows {
            let day = filter_day(self.row(doc)?.chunk.day, note);
            let db = self.db;
            self.stack(doc.shelf).move_day(db, doc, day)?;
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<()> {
        let sql = "SELECT hash FROM files WHERE path = ?1";
        let known: Option<String> = one(self.db, sql, [from], |row| row.get(0))?;
        if known != Some(to.hash.to_string()) {
            return Ok(());
        }
        self.remove(&to.path)?;
        let rows = self.stored_rows(from)?;
        let mut members = Members::default();
        for &(_, doc) in &rows {
            let mut row = self.row(doc)?;
            row.chunk.path.clone_from(&to.path);
            row.chunk.id = ChunkId::of_stored(&row.chunk);
            row.update(self.db)?;
            self.stack(doc.shelf).touch(doc);
            members.add(doc, &row.chunk.id);
        }
        let aliases = graph::aliases_of(self.db, from)?;
        self.set_aliases(from, &[])?;
        self.set_aliases(&to.path, &aliases)?;
        members.add_aliases(&aliases);
        self.delete_file(from)?;
        self.move_days(&rows, to)?;
        self.write_file(to, members)
    }

    fn embed(&mut self, doc: Doc, id: &ChunkId, model: &str, embedding: &Embedding) -> Result<()> {
        let Tables { rows, id: column, .. } = tables(doc.shelf);
        let sql = format!("SELECT {column} FROM {rows} WHERE rowid = ?1");
        let found: Option<String> = one(self.db, &sql, [doc], |row| row.get(0))?;
        if found.as_deref() != Some(id.as_str()) {
            return Ok(());
        }
        self.check_dims(embedding.vector())?;
        let mut row = self.row(doc)?;
        row.chunk.embedding = embedding.clone();
        model.clone_into(&mut row.model);
        row.update(self.db)?;
        let db = self.db;
        self.stack(doc.shelf).set_code(db, doc, embedding.vector())
    }

    fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        run(self.db, "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value])?;
        Ok(())
    }

    fn remember(&self, key: &CacheKey, vector: &[f32], now_ms: i64) -> Result<()> {
        let CacheKey { provider, model, provider_key, hash } = key;
        let bytes = vector::to_bytes(vector);
        let sum = cache_sum(key, &bytes);
        run(
            self.db,
            "INSERT OR REPLACE INTO embedding_cache VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![provider, model, provider_key, hash.to_string(), bytes, vector.len() as i64, now_ms, sum],
        )?;
        Ok(())
    }

    fn prune(&self, keep: u64, most: u64) -> Result<()> {
        run(
            self.db,
            "DELETE FROM embedding_cache WHERE (provider, model, provider_key, hash) IN (
               SELECT provider, model, provider_key, hash FROM embedding_cache
               ORDER BY updated_at, provider, model, provider_key, hash
               LIMIT max(0, min(?2, (SELECT count(*) FROM embedding_cache) - ?1)))",
            [keep, most].map(|n| i64::try_from(n).unwrap_or(i64::MAX)),
        )?;
        Ok(())
    }

    fn forget(&self, hashes: &[Digest], ids: &[String]) -> Result<()> {
        for hash in hashes {
            run(self.db, "DELETE FROM embedding_cache WHERE hash = ?1", [hash.to_string()])?;
        }
        for id in ids {
            run(self.db, "DELETE FROM fact_uses WHERE fact_id = ?1", [id])?;
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
            run(self.db, "DELETE FROM files WHERE path = ?1", [path])?;
        }
        Ok(())
    }

    fn write_file(&mut self, note: &StoredNote, members: Members) -> Result<()> {
        self.delete_file(&note.path)?;
        let file = File { note: note.clone(), members };
        self.state.files = add(self.state.files, file.sum());
        Ok(file.insert(self.db)?)
    }

    fn row(&self, doc: Doc) -> Result<Row> {
        Row::read(self.db, doc)?.ok_or_else(|| Fault::row(doc))
    }
}

/// The day that `--since` compares: the note's own, or the day its file changed.
fn filter_day(day: Option<i32>, note: &StoredNote) -> i32 {
    day.unwrap_or_else(|| note.changed_day())
}
