//! What single changes do to the rows of a part.

use std::collections::{BTreeMap, HashSet};

use mindfile_index::{CacheKey, Change, ChunkId, Doc, Embedding, FORGOTTEN, NewNote, StoredNote};
use mindfile_note::hash::Digest;

use crate::codec::{self, plain, stored};
use crate::error::StepError;
use crate::insert::{note_columns, notes_statement};
use crate::postings;
use crate::put::Group;
use crate::totals::Kin;
use crate::value::Value;
use crate::write::{Part, Writer, show_uses};

impl Writer<'_> {
    pub(crate) fn one(&mut self, change: &Change) -> Result<(), StepError> {
        match change {
            Change::Put(note) => self.put(&[note]),
            Change::Grow { note, from } => self.grow(note, *from),
            Change::Rename { from, to } => self.rename(from, to),
            Change::Touch(note) => self.touch(&[note]),
            Change::Remove { path } => self.remove(path),
            Change::Embed { model, embeddings } => self.embed(model, embeddings),
            Change::Meta { key, value } => self.meta(key, value),
            Change::Cache { key, vector, now_ms } => self.cache(key, vector, *now_ms),
            Change::PruneCache { keep, most } => self.prune(*keep, *most),
            Change::Use { facts } => show_uses(self.db, self.agent, Part::Aside(self.part), facts).map(drop),
            Change::Compact => postings::put_together(self.db, (self.agent, self.part)),
            Change::Forget { hashes, ids } => self.forget(hashes, ids),
        }
    }

    /// Notes with different paths are written by one set of statements.
    pub(crate) fn put(&mut self, notes: &[&NewNote]) -> Result<(), StepError> {
        let paths: Vec<&str> = notes.iter().map(|note| note.note.path.as_str()).collect();
        Group::read(self, &paths, None)?.place(self, notes)?;
        self.declare(&paths, notes)
    }

    fn grow(&mut self, note: &NewNote, from: u32) -> Result<(), StepError> {
        let group = Group::read(self, &[&note.note.path], Some(from))?;
        match group.hash_of(&note.note.path) {
            Some(_) => group.place(self, &[note]),
            None => Ok(()),
        }
    }

    fn remove(&mut self, path: &str) -> Result<(), StepError> {
        Group::read(self, &[path], None)?.drop_all(self)?;
        let sql = "WITH named AS (DELETE FROM aliases WHERE agent = $1 AND part = $2 AND path = $3)
            DELETE FROM notes WHERE agent = $1 AND part = $2 AND path = $3";
        self.db.run(sql, &[&self.agent, &self.part, &stored(path)])?;
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<(), StepError> {
        let group = Group::read(self, &[from], None)?;
        if group.hash_of(from) != Some(&to.hash.to_string()) {
            return Ok(());
        }
        self.remove(&to.path)?;
        group.rename(self, to)?;
        let sql = "WITH named AS (UPDATE aliases SET path = $4 WHERE agent = $1 AND part = $2 AND path = $3)
            DELETE FROM notes WHERE agent = $1 AND part = $2 AND path = $3 AND $4::text IS NOT NULL";
        self.db.run(sql, &[&self.agent, &self.part, &stored(from), &stored(&to.path)])?;
        self.notes(&[to])
    }

    /// Those of the notes that are known.
    pub(crate) fn touch(&mut self, notes: &[&StoredNote]) -> Result<(), StepError> {
        let paths: Vec<String> = notes.iter().map(|note| stored(&note.path).into_owned()).collect();
        let sql = "SELECT path FROM notes WHERE agent = $1 AND part = $2 AND path = ANY ($3::text[])";
        let rows = self.db.rows(sql, &[&self.agent, &self.part, &paths])?;
        let known: HashSet<String> = rows.iter().map(|row| plain(row.get(0))).collect();
        // Of a note that is touched twice the last word counts.
        let mut last: BTreeMap<&String, &StoredNote> = BTreeMap::new();
        last.extend(notes.iter().filter(|note| known.contains(&note.path)).map(|note| (&note.path, *note)));
        self.notes(&last.into_values().collect::<Vec<_>>())
    }

    fn notes(&mut self, notes: &[&StoredNote]) -> Result<(), StepError> {
        let columns = note_columns(notes);
        let own: [&dyn Value; 2] = [&self.agent, &self.part];
        let params: Vec<&dyn Value> = own.into_iter().chain(columns.values()).collect();
        self.db.run(&notes_statement(3), &params)?;
        Ok(())
    }

    fn declare(&mut self, paths: &[&str], notes: &[&NewNote]) -> Result<(), StepError> {
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

    fn embed(&mut self, model: &str, embeddings: &[(Doc, ChunkId, Embedding)]) -> Result<(), StepError> {
        for (_, _, embedding) in embeddings {
            self.check(embedding)?;
        }
        let docs: Vec<i64> = embeddings.iter().map(|(doc, _, _)| codec::doc(*doc)).collect();
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
            let Some((_, of, before)) =
                known.get(&codec::doc(*doc)).filter(|(known, _, _)| known == id.as_str())
            else {
                continue;
            };
            let now = codec::state(embedding);
            let change = i64::from(now == codec::VECTOR) - i64::from(*before == codec::VECTOR);
            self.totals.entry(*of).or_default()[2] += change;
            vectors.extend(embedding.vector().map(|vector| (codec::doc(*doc), of.0, vector)));
            changed.push(codec::doc(*doc));
            states.push(now);
        }
        let sql =
            "WITH gone AS (DELETE FROM vectors WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[]))
            UPDATE entries e SET state = n.state, model = $5 FROM unnest($3::int8[], $4::int2[]) n(doc, state)
            WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
        self.db.run(sql, &[&self.agent, &self.part, &changed, &states, &model])?;
        self.vectors(&vectors)
    }

    fn meta(&mut self, key: &str, value: &str) -> Result<(), StepError> {
        let sql = "INSERT INTO meta VALUES ($1, $2, $3, $4)
            ON CONFLICT (agent, part, key) DO UPDATE SET value = excluded.value";
        self.db.run(sql, &[&self.agent, &self.part, &key, &stored(value)])?;
        Ok(())
    }

    fn cache(&mut self, key: &CacheKey, vector: &[f32], now_ms: i64) -> Result<(), StepError> {
        let CacheKey { provider, model, provider_key, hash } = key;
        let sql = "INSERT INTO cache VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (agent, provider, model, provider_key, hash)
            DO UPDATE SET embedding = excluded.embedding, updated_at = excluded.updated_at";
        let hash = hash.to_string();
        self.db.run(sql, &[&self.agent, provider, model, provider_key, &hash, &vector, &now_ms])?;
        Ok(())
    }

    fn prune(&mut self, keep: u64, most: u64) -> Result<(), StepError> {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql = "DELETE FROM cache WHERE agent = $1 AND (provider, model, provider_key, hash) IN (
            SELECT provider, model, provider_key, hash FROM cache WHERE agent = $1
            ORDER BY updated_at, provider, model, provider_key, hash
            LIMIT greatest(0, least($3, (SELECT count(*) FROM cache WHERE agent = $1) - $2)))";
        self.db.run(sql, &[&self.agent, &whole(keep), &whole(most)])?;
        Ok(())
    }

    fn forget(&mut self, hashes: &[Digest], ids: &[String]) -> Result<(), StepError> {
        let hashes: Vec<String> = hashes.iter().map(Digest::to_string).collect();
        let ids: Vec<String> = ids.iter().map(|id| stored(id).into_owned()).collect();
        let sql = "WITH made AS (DELETE FROM cache WHERE agent = $1 AND hash = ANY ($4::text[]))
            DELETE FROM uses WHERE agent = $1 AND part = $2 AND fact_id = ANY ($3::text[])";
        self.db.run(sql, &[&self.agent, &self.part, &ids, &hashes])?;
        let count = self.forgotten();
        self.meta(FORGOTTEN, &count.to_string())
    }
}
