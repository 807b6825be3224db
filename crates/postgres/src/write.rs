//! A batch becomes rows: one transaction, one writer of an agent at a time, and a key that says whether it was done.

use std::collections::{BTreeMap, HashSet};

use mindfile_index::{
    Batch, CENSUS, CacheKey, Change, ChunkId, Doc, Embedding, Error, FORGOTTEN, NewNote, Shelf, StoredNote,
    Uses, vector,
};
use mindfile_note::hash::Digest;

use crate::codec::{self, stored};
use crate::error::Said;
use crate::pool::Connection;
use crate::put::Group;

/// Which rows are meant: those in use, or those of a rebuild.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Current,
    Aside(i32),
}

/// How long the keys of batches are kept: far longer than anybody tries again.
const KEPT: &str = "DELETE FROM batches WHERE agent = $1 AND at < now() - interval '1 day'";
/// How many batches are applied between two looks at old keys.
const LOOK: i64 = 256;

/// One attempt. `again`: an earlier attempt of the same key may have been done.
pub(crate) fn apply(
    db: &mut Connection,
    agent: &str,
    part: Part,
    (batch, key): (&Batch, &str),
    again: bool,
) -> Result<u64, Said> {
    db.batch("BEGIN")?;
    let part = lock(db, agent, part)?;
    if again && let Some(done) = done(db, agent, key)? {
        db.batch("ROLLBACK")?;
        return Ok(done);
    }
    let mut writer = Writer::begin(db, agent, part, batch)?;
    if batch.only_at.is_some_and(|generation| generation.cast_signed() != writer.state.generation) {
        let generation = writer.state.generation.unsigned_abs();
        db.batch("ROLLBACK")?;
        return Ok(generation);
    }
    if let Some(read_at) = batch.read_at
        && read_at != writer.forgotten()?
    {
        return Err(Error::Superseded.into());
    }
    writer.all(&batch.changes)?;
    let generation = writer.finish(batch)?;
    db.run("INSERT INTO batches (agent, key, generation) VALUES ($1, $2, $3)", &[&agent, &key, &generation])?;
    if generation % LOOK == 0 {
        db.run(KEPT, &[&agent])?;
    }
    db.batch("COMMIT")?;
    Ok(generation.unsigned_abs())
}

/// Makes every other writer of these rows wait.
fn lock(db: &mut Connection, agent: &str, part: Part) -> Result<i32, Said> {
    match part {
        Part::Current => {
            let row = db.row("SELECT current FROM agents WHERE agent = $1 FOR UPDATE", &[&agent])?;
            let row = row.ok_or_else(|| Error::Moved { path: agent.into() })?;
            Ok(row.get(0))
        }
        Part::Aside(part) => Ok(part),
    }
}

fn done(db: &mut Connection, agent: &str, key: &str) -> Result<Option<u64>, Said> {
    let row = db.row("SELECT generation FROM batches WHERE agent = $1 AND key = $2", &[&agent, &key])?;
    Ok(row.map(|row| row.get::<_, i64>(0).unsigned_abs()))
}

/// What the whole part is known by.
pub(crate) struct State {
    pub(crate) generation: i64,
    pub(crate) dims: Option<i32>,
    last: [i64; 2],
}

pub(crate) struct Writer<'a> {
    pub(crate) db: &'a mut Connection,
    pub(crate) agent: &'a str,
    pub(crate) part: i32,
    pub(crate) state: State,
    pub(crate) model: &'a str,
    pub(crate) now_ms: i64,
    totals: BTreeMap<Kin, [i64; 3]>,
}

/// Rows of one shelf, source and origin.
pub(crate) type Kin = (i16, i16, i16);

/// What a row counts for in the totals, with its length and whether it has a vector.
pub(crate) struct Counted {
    pub(crate) of: Kin,
    pub(crate) length: i32,
    pub(crate) vector: bool,
}

impl<'a> Writer<'a> {
    fn begin(db: &'a mut Connection, agent: &'a str, part: i32, batch: &'a Batch) -> Result<Self, Said> {
        let sql = "SELECT generation, dims, last_chunk, last_fact FROM parts WHERE agent = $1 AND part = $2 FOR UPDATE";
        let row = db.row(sql, &[&agent, &part])?.ok_or_else(|| Error::Moved { path: agent.into() })?;
        let state = State { generation: row.get(0), dims: row.get(1), last: [row.get(2), row.get(3)] };
        let (model, now_ms, totals) = (batch.model.as_str(), batch.now_ms, BTreeMap::new());
        Ok(Self { db, agent, part, state, model, now_ms, totals })
    }

    fn all(&mut self, changes: &[Change]) -> Result<(), Said> {
        if changes.iter().any(Change::is_of_a_note) {
            let sql = "DELETE FROM meta WHERE agent = $1 AND part = $2 AND key = $3";
            self.db.run(sql, &[&self.agent, &self.part, &CENSUS])?;
        }
        let mut rest = changes;
        while let Some(change) = rest.first() {
            let together = puts(rest);
            if together.is_empty() {
                self.one(change)?;
                rest = &rest[1..];
            } else {
                self.put(&together)?;
                rest = &rest[together.len()..];
            }
        }
        Ok(())
    }

    /// Notes with different paths are written by one set of statements.
    fn put(&mut self, notes: &[&NewNote]) -> Result<(), Said> {
        let paths: Vec<&str> = notes.iter().map(|note| note.note.path.as_str()).collect();
        Group::read(self, &paths, None)?.place(self, notes)?;
        self.declare(&paths, notes)
    }

    fn one(&mut self, change: &Change) -> Result<(), Said> {
        match change {
            Change::Put(note) => self.put(&[note]),
            Change::Grow { note, from } => self.grow(note, *from),
            Change::Rename { from, to } => self.rename(from, to),
            Change::Touch(note) => self.touch(note),
            Change::Remove { path } => self.remove(path),
            Change::Embed { model, embeddings } => self.embed(model, embeddings),
            Change::Meta { key, value } => self.meta(key, value),
            Change::Cache { key, vector, now_ms } => self.cache(key, vector, *now_ms),
            Change::PruneCache { keep, most } => self.prune(*keep, *most),
            Change::Use { facts } => self.show_uses(facts),
            Change::Compact => Ok(()),
            Change::Forget { hashes, ids } => self.forget(hashes, ids),
        }
    }

    fn grow(&mut self, note: &NewNote, from: u32) -> Result<(), Said> {
        let path = note.note.path.as_str();
        if self.hash_of(path)?.is_none() {
            return Ok(());
        }
        Group::read(self, &[path], Some(from))?.place(self, &[note])
    }

    fn hash_of(&mut self, path: &str) -> Result<Option<String>, Said> {
        let sql = "SELECT hash FROM notes WHERE agent = $1 AND part = $2 AND path = $3";
        let row = self.db.row(sql, &[&self.agent, &self.part, &stored(path)])?;
        Ok(row.map(|row| row.get(0)))
    }

    fn remove(&mut self, path: &str) -> Result<(), Said> {
        Group::read(self, &[path], None)?.drop_all(self)?;
        for sql in [
            "DELETE FROM aliases WHERE agent = $1 AND part = $2 AND path = $3",
            "DELETE FROM notes WHERE agent = $1 AND part = $2 AND path = $3",
        ] {
            self.db.run(sql, &[&self.agent, &self.part, &stored(path)])?;
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<(), Said> {
        if self.hash_of(from)?.is_none_or(|hash| hash != to.hash.to_string()) {
            return Ok(());
        }
        self.remove(&to.path)?;
        Group::read(self, &[from], None)?.rename(self, to)?;
        let sql = "UPDATE aliases SET path = $4 WHERE agent = $1 AND part = $2 AND path = $3";
        self.db.run(sql, &[&self.agent, &self.part, &stored(from), &stored(&to.path)])?;
        let sql = "DELETE FROM notes WHERE agent = $1 AND part = $2 AND path = $3";
        self.db.run(sql, &[&self.agent, &self.part, &stored(from)])?;
        self.notes(&[to])
    }

    fn touch(&mut self, note: &StoredNote) -> Result<(), Said> {
        match self.hash_of(&note.path)? {
            Some(_) => self.notes(&[note]),
            None => Ok(()),
        }
    }

    pub(crate) fn notes(&mut self, notes: &[&StoredNote]) -> Result<(), Said> {
        let all = |value: fn(&StoredNote) -> i64| notes.iter().map(|note| value(note)).collect::<Vec<_>>();
        let paths: Vec<String> = notes.iter().map(|note| stored(&note.path).into_owned()).collect();
        let sources: Vec<i16> = notes.iter().map(|note| codec::source(note.source)).collect();
        let hashes: Vec<String> = notes.iter().map(|note| note.hash.to_string()).collect();
        let (mtimes, ctimes) = (all(|note| note.stat.mtime_ns), all(|note| note.stat.ctime_ns));
        let (sizes, inodes) =
            (all(|note| note.stat.size.cast_signed()), all(|note| note.stat.inode.cast_signed()));
        let racy: Vec<bool> = notes.iter().map(|note| note.racy).collect();
        let days: Vec<i32> = notes.iter().map(|note| note.changed_day()).collect();
        let sql = "INSERT INTO notes (agent, part, path, source, hash, mtime, ctime, size, inode, racy, changed)
            SELECT $1, $2, * FROM unnest($3::text[], $4::int2[], $5::text[], $6::int8[], $7::int8[], $8::int8[],
              $9::int8[], $10::bool[], $11::int4[])
            ON CONFLICT (agent, part, path) DO UPDATE SET source = excluded.source, hash = excluded.hash,
              mtime = excluded.mtime, ctime = excluded.ctime, size = excluded.size, inode = excluded.inode,
              racy = excluded.racy, changed = excluded.changed";
        let (agent, part) = (self.agent, self.part);
        self.db.run(
            sql,
            &[&agent, &part, &paths, &sources, &hashes, &mtimes, &ctimes, &sizes, &inodes, &racy, &days],
        )?;
        Ok(())
    }

    fn declare(&mut self, paths: &[&str], notes: &[&NewNote]) -> Result<(), Said> {
        let paths: Vec<String> = paths.iter().map(|path| stored(path).into_owned()).collect();
        let sql = "DELETE FROM aliases WHERE agent = $1 AND part = $2 AND path = ANY ($3::text[])";
        self.db.run(sql, &[&self.agent, &self.part, &paths])?;
        let all =
            notes.iter().flat_map(|note| note.aliases.iter().map(move |alias| (&note.note.path, alias)));
        let text = |text: &str| stored(text).into_owned();
        let (mut at, mut alias, mut name) = (Vec::new(), Vec::new(), Vec::new());
        for (path, declared) in all {
            at.push(text(path));
            alias.push(text(&declared.alias));
            name.push(text(&declared.name));
        }
        if at.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO aliases SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[])
            ON CONFLICT DO NOTHING";
        self.db.run(sql, &[&self.agent, &self.part, &at, &alias, &name])?;
        Ok(())
    }

    fn embed(&mut self, model: &str, embeddings: &[(Doc, ChunkId, Embedding)]) -> Result<(), Said> {
        for (_, _, embedding) in embeddings {
            self.check(embedding)?;
        }
        let docs: Vec<i64> = embeddings.iter().map(|(doc, _, _)| doc.0).collect();
        let sql = "SELECT doc, id, shelf, source, origin, state FROM entries
            WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])";
        let rows = self.db.rows(sql, &[&self.agent, &self.part, &docs])?;
        let known: BTreeMap<i64, (String, Kin, i16)> = rows
            .iter()
            .map(|row| (row.get(0), (row.get(1), (row.get(2), row.get(3), row.get(4)), row.get(5))))
            .collect();
        let mut vectors: Vec<(i64, i16, &[f32])> = Vec::new();
        let (mut changed, mut states) = (Vec::new(), Vec::new());
        for (doc, id, embedding) in embeddings {
            let Some((_, of, before)) = known.get(&doc.0).filter(|(known, _, _)| known == id.as_str()) else {
                continue;
            };
            let now = codec::state(embedding);
            let change = i64::from(now == codec::VECTOR) - i64::from(*before == codec::VECTOR);
            self.totals.entry(*of).or_default()[2] += change;
            vectors.extend(embedding.vector().map(|vector| (doc.0, of.0, vector)));
            changed.push(doc.0);
            states.push(now);
        }
        let sql = "UPDATE entries e SET state = n.state, model = $5 FROM unnest($3::int8[], $4::int2[]) n(doc, state)
            WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
        self.db.run(sql, &[&self.agent, &self.part, &changed, &states, &model])?;
        let sql = "DELETE FROM vectors WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])";
        self.db.run(sql, &[&self.agent, &self.part, &changed])?;
        self.vectors(&vectors)
    }

    /// All of one length, one after the other: an array of arrays would have to be text.
    pub(crate) fn vectors(&mut self, vectors: &[(i64, i16, &[f32])]) -> Result<(), Said> {
        let Some(dims) =
            vectors.first().map(|(_, _, vector)| i32::try_from(vector.len()).unwrap_or(i32::MAX))
        else {
            return Ok(());
        };
        let docs: Vec<i64> = vectors.iter().map(|(doc, _, _)| *doc).collect();
        let shelves: Vec<i16> = vectors.iter().map(|(_, shelf, _)| *shelf).collect();
        let flat: Vec<f32> = vectors.iter().flat_map(|(_, _, vector)| vector.iter().copied()).collect();
        let sql = "INSERT INTO vectors (agent, part, doc, shelf, embedding)
            SELECT $1, $2, n.doc, n.shelf, ($5::real[])[(n.at - 1) * $6 + 1 : n.at * $6]
            FROM unnest($3::int8[], $4::int2[]) WITH ORDINALITY n(doc, shelf, at)";
        self.db.run(sql, &[&self.agent, &self.part, &docs, &shelves, &flat, &i64::from(dims)])?;
        Ok(())
    }

    /// The first vector says how long all of them are.
    pub(crate) fn check(&mut self, embedding: &Embedding) -> Result<(), Error> {
        let Some(values) = embedding.vector() else { return Ok(()) };
        let own = i32::try_from(values.len()).unwrap_or(i32::MAX);
        let dims = *self.state.dims.get_or_insert(own);
        vector::check(values, usize::try_from(dims).unwrap_or(usize::MAX))
    }

    pub(crate) fn next_doc(&mut self, shelf: Shelf) -> i64 {
        let last = &mut self.state.last[usize::from(codec::shelf(shelf).unsigned_abs())];
        *last += 1;
        *last
    }

    pub(crate) fn count(&mut self, row: &Counted, times: i64) {
        let total = self.totals.entry(row.of).or_default();
        total[0] += times;
        total[1] += times * i64::from(row.length);
        total[2] += times * i64::from(row.vector);
    }

    fn meta(&mut self, key: &str, value: &str) -> Result<(), Said> {
        let sql = "INSERT INTO meta VALUES ($1, $2, $3, $4)
            ON CONFLICT (agent, part, key) DO UPDATE SET value = excluded.value";
        self.db.run(sql, &[&self.agent, &self.part, &key, &stored(value)])?;
        Ok(())
    }

    fn forgotten(&mut self) -> Result<u64, Said> {
        let sql = "SELECT value FROM meta WHERE agent = $1 AND part = $2 AND key = $3";
        let row = self.db.row(sql, &[&self.agent, &self.part, &FORGOTTEN])?;
        Ok(row.and_then(|row| row.get::<_, String>(0).parse().ok()).unwrap_or(0))
    }

    fn cache(&mut self, key: &CacheKey, vector: &[f32], now_ms: i64) -> Result<(), Said> {
        let CacheKey { provider, model, provider_key, hash } = key;
        let sql = "INSERT INTO cache VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (agent, provider, model, provider_key, hash)
            DO UPDATE SET embedding = excluded.embedding, updated_at = excluded.updated_at";
        let hash = hash.to_string();
        self.db.run(sql, &[&self.agent, provider, model, provider_key, &hash, &vector, &now_ms])?;
        Ok(())
    }

    fn prune(&mut self, keep: u64, most: u64) -> Result<(), Said> {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql = "DELETE FROM cache WHERE agent = $1 AND (provider, model, provider_key, hash) IN (
            SELECT provider, model, provider_key, hash FROM cache WHERE agent = $1
            ORDER BY updated_at, provider, model, provider_key, hash
            LIMIT greatest(0, least($3, (SELECT count(*) FROM cache WHERE agent = $1) - $2)))";
        self.db.run(sql, &[&self.agent, &whole(keep), &whole(most)])?;
        Ok(())
    }

    fn show_uses(&mut self, facts: &[(String, Uses)]) -> Result<(), Said> {
        let mut seen = HashSet::new();
        let last: Vec<&(String, Uses)> =
            facts.iter().rev().filter(|(id, _)| seen.insert(id.as_str())).collect();
        let ids: Vec<String> = last.iter().map(|(id, _)| stored(id).into_owned()).collect();
        let counts: Vec<i64> = last.iter().map(|(_, uses)| i64::from(uses.count)).collect();
        let times: Vec<Option<i64>> = last.iter().map(|(_, uses)| uses.last_ms).collect();
        let sql = "INSERT INTO uses SELECT $1, $2, * FROM unnest($3::text[], $4::int8[], $5::int8[])
            ON CONFLICT (agent, part, fact_id) DO UPDATE
            SET access_count = excluded.access_count, last_accessed_ms = excluded.last_accessed_ms";
        self.db.run(sql, &[&self.agent, &self.part, &ids, &counts, &times])?;
        Ok(())
    }

    fn forget(&mut self, hashes: &[Digest], ids: &[String]) -> Result<(), Said> {
        let hashes: Vec<String> = hashes.iter().map(Digest::to_string).collect();
        self.db
            .run("DELETE FROM cache WHERE agent = $1 AND hash = ANY ($2::text[])", &[&self.agent, &hashes])?;
        let ids: Vec<String> = ids.iter().map(|id| stored(id).into_owned()).collect();
        let sql = "DELETE FROM uses WHERE agent = $1 AND part = $2 AND fact_id = ANY ($3::text[])";
        self.db.run(sql, &[&self.agent, &self.part, &ids])?;
        let count = self.forgotten()? + 1;
        self.meta(FORGOTTEN, &count.to_string())
    }

    /// Writes the numbers that the whole part is known by.
    fn finish(&mut self, batch: &Batch) -> Result<i64, Said> {
        if batch.changes.is_empty() || batch.changes.iter().any(Change::is_answered) {
            self.state.generation += 1;
        }
        let State { generation, dims, last: [chunk, fact] } = &self.state;
        let sql = "UPDATE parts SET generation = $3, dims = $4, last_chunk = $5, last_fact = $6
            WHERE agent = $1 AND part = $2";
        self.db.run(sql, &[&self.agent, &self.part, generation, dims, chunk, fact])?;
        let totals = std::mem::take(&mut self.totals);
        for ((shelf, source, origin), [rows, length, vectors]) in totals {
            let sql = "INSERT INTO totals VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                ON CONFLICT (agent, part, shelf, source, origin) DO UPDATE SET rows = totals.rows + excluded.rows,
                  length = totals.length + excluded.length, vectors = totals.vectors + excluded.vectors";
            let (agent, part) = (self.agent, self.part);
            self.db.run(sql, &[&agent, &part, &shelf, &source, &origin, &rows, &length, &vectors])?;
        }
        Ok(self.state.generation)
    }
}

/// The notes that are put first, up to the one whose path comes again.
fn puts<'a>(changes: &'a [Change]) -> Vec<&'a NewNote> {
    let mut paths = HashSet::new();
    let note = |change: &'a Change| match change {
        Change::Put(note) => Some(note),
        Change::Grow { .. }
        | Change::Rename { .. }
        | Change::Touch(_)
        | Change::Remove { .. }
        | Change::Embed { .. }
        | Change::Meta { .. }
        | Change::Cache { .. }
        | Change::PruneCache { .. }
        | Change::Use { .. }
        | Change::Compact
        | Change::Forget { .. } => None,
    };
    changes.iter().map_while(note).take_while(|note| paths.insert(note.note.path.as_str())).collect()
}
