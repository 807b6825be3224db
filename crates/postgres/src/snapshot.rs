//! Answers the questions of a snapshot, each in as few round trips as possible.

use std::collections::BTreeSet;
use std::sync::Arc;

use mindfile_index::{
    Alias, CacheKey, Doc, Entity, EntityQuery, Error, FactQuery, Filter, Lexical, NoteQuery, NoteRow,
    QueryTerm, RowQuery, Shelf, Snapshot, Source, Stats, StoredChunk, StoredFact, StoredNote, associate,
    vector,
};

use crate::codec::{self, all_stored, int, plain, stored};
use crate::moment::Total;
use crate::pool::Params;
use crate::read::Reader;
use crate::rows::{to_note, to_note_row};

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
        rows.iter().map(|row| to_note(&self.index.place, row)).collect()
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
        Ok(self.rows(docs)?.into_iter().map(|row| row.chunk).collect())
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
        let providers = all(|key| &key.provider);
        let models = all(|key| &key.model);
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
        let unknown = |doc: &Doc| self.damaged(format!("no fact {doc}"));
        let rows = docs.iter().zip(self.rows(docs)?);
        rows.map(|(doc, row)| row.fact.ok_or_else(|| unknown(doc))).collect()
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
