//! A batch becomes changes of tables. They are worked out in memory first, so that each table is changed once, however many
//! notes there are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mindfile_index::{
    Alias, Batch, CENSUS, CacheKey, Change, ChunkId, ChunkTerms, Doc, Embedding, Error, FORGOTTEN,
    FactFields, NewChunk, NewNote, Shelf, Snapshot, StoredChunk, StoredNote, Uses, vector,
};
use mindfile_note::hash::Digest;

use crate::codec;
use crate::head::Part;
use crate::read::Reader;
use crate::rows::Row;
use crate::tables::{CacheRow, NoteRow};

pub(crate) struct Writer<'a> {
    pub(crate) reader: &'a Reader,
    batch: &'a Batch,
    pub(crate) part: Part,
    /// Rows as they were, of the notes that the batch is about.
    known: HashMap<Doc, Row>,
    /// Rows, notes and values as they will be; none where they go.
    pub(crate) rows: BTreeMap<Doc, Option<Row>>,
    pub(crate) notes: BTreeMap<String, Option<NoteRow>>,
    pub(crate) meta: BTreeMap<String, Option<String>>,
    pub(crate) cache: BTreeMap<CacheKey, Option<CacheRow>>,
    pub(crate) uses: BTreeMap<String, Option<Uses>>,
}

/// How often something was forgotten.
pub(crate) fn forgotten(reader: &Reader) -> Result<u64, Error> {
    Ok(reader.meta(FORGOTTEN)?.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// The rows that the changes may keep or alter.
fn touched(reader: &Reader, changes: &[Change]) -> Result<Vec<Doc>, Error> {
    let mut docs = BTreeSet::new();
    let mut paths: BTreeSet<&str> = BTreeSet::new();
    for change in changes {
        match change {
            Change::Put(note) | Change::Grow { note, .. } => paths.extend([note.note.path.as_str()]),
            Change::Rename { from, to } => paths.extend([from.as_str(), to.path.as_str()]),
            Change::Embed { embeddings, .. } => docs.extend(embeddings.iter().map(|(doc, _, _)| *doc)),
            Change::Remove { .. }
            | Change::Touch(_)
            | Change::Meta { .. }
            | Change::Cache { .. }
            | Change::PruneCache { .. }
            | Change::Use { .. }
            | Change::Compact
            | Change::Forget { .. } => {}
        }
    }
    for shelf in Shelf::ALL {
        let listed = reader.listed(shelf)?;
        docs.extend(paths.iter().flat_map(|path| listed.docs_of(path).map(|(_, doc)| doc)));
    }
    Ok(docs.into_iter().collect())
}

impl<'a> Writer<'a> {
    /// What the batch makes of the rows, the notes and the values.
    pub(crate) fn of(reader: &'a Reader, batch: &'a Batch) -> Result<Self, Error> {
        let mut writer = Self {
            reader,
            batch,
            part: reader.view.part.clone(),
            known: reader.rows(&touched(reader, &batch.changes)?)?,
            rows: BTreeMap::new(),
            notes: BTreeMap::new(),
            meta: BTreeMap::new(),
            cache: BTreeMap::new(),
            uses: BTreeMap::new(),
        };
        if batch.changes.iter().any(Change::is_of_a_note) {
            writer.meta.insert(CENSUS.to_owned(), None);
        }
        batch.changes.iter().try_for_each(|change| writer.change(change))?;
        if batch.changes.is_empty() || batch.changes.iter().any(Change::is_answered) {
            writer.part.generation += 1;
        }
        Ok(writer)
    }

    fn change(&mut self, change: &Change) -> Result<(), Error> {
        match change {
            Change::Put(note) => self.put(note),
            Change::Grow { note, from } => self.grow(note, *from),
            Change::Rename { from, to } => self.rename(from, to),
            Change::Touch(note) => self.touch(note),
            Change::Remove { path } => self.remove(path),
            Change::Embed { model, embeddings } => self.embed(model, embeddings),
            Change::Meta { key, value } => {
                self.meta.insert(key.clone(), Some(value.clone()));
                Ok(())
            }
            Change::Cache { key, vector, now_ms } => {
                let row = CacheRow { key: key.clone(), vector: vector.clone(), updated_ms: *now_ms };
                self.cache.insert(key.clone(), Some(row));
                Ok(())
            }
            Change::PruneCache { keep, most } => self.prune(*keep, *most),
            Change::Use { facts } => {
                self.uses.extend(facts.iter().map(|(id, uses)| (id.clone(), Some(*uses))));
                Ok(())
            }
            Change::Compact => Ok(()),
            Change::Forget { hashes, ids } => self.forget(hashes, ids),
        }
    }

    fn note(&self, path: &str) -> Result<Option<NoteRow>, Error> {
        match self.notes.get(path) {
            Some(known) => Ok(known.clone()),
            None => Ok(self.reader.known_notes()?.0.get(path).cloned()),
        }
    }

    fn set_note(&mut self, note: &StoredNote, aliases: Vec<Alias>) -> Result<(), Error> {
        let number = match self.note(&note.path)? {
            Some(known) => known.number,
            None => {
                self.part.last_note += 1;
                self.part.last_note
            }
        };
        self.notes.insert(note.path.clone(), Some(NoteRow { number, note: note.clone(), aliases }));
        Ok(())
    }

    /// The rows of a note that begin at line `from` or later.
    fn docs_of(&self, path: &str, from: u32) -> Result<Vec<Doc>, Error> {
        let mut docs = Vec::new();
        for shelf in Shelf::ALL {
            let listed = self.reader.listed(shelf)?;
            let stays =
                |(at, doc): &(usize, Doc)| listed.lines[*at].0 >= from && !self.rows.contains_key(doc);
            docs.extend(listed.docs_of(path).filter(stays).map(|(_, doc)| doc));
        }
        let changed = self.rows.values().flatten().map(|row| &row.chunk);
        docs.extend(
            changed.filter(|chunk| chunk.path == path && chunk.start_line >= from).map(|chunk| chunk.doc),
        );
        Ok(docs)
    }

    fn row(&self, doc: Doc) -> Option<&Row> {
        match self.rows.get(&doc) {
            Some(changed) => changed.as_ref(),
            None => self.known.get(&doc),
        }
    }

    fn put(&mut self, note: &NewNote) -> Result<(), Error> {
        let old = self.docs_of(&note.note.path, 0)?;
        self.place(note, old)?;
        let mut aliases = note.aliases.clone();
        aliases.sort();
        aliases.dedup();
        self.set_note(&note.note, aliases)
    }

    fn grow(&mut self, note: &NewNote, from: u32) -> Result<(), Error> {
        let Some(known) = self.note(&note.note.path)? else { return Ok(()) };
        let old = self.docs_of(&note.note.path, from)?;
        self.place(note, old)?;
        self.set_note(&note.note, known.aliases)
    }

    /// Puts rows in the place of old ones; those that stay as they were keep their numbers and vectors.
    fn place(&mut self, note: &NewNote, old: Vec<Doc>) -> Result<(), Error> {
        let mut left: BTreeMap<(Shelf, ChunkId), Doc> = BTreeMap::new();
        for doc in old {
            let row = self.row(doc).ok_or_else(|| self.reader.damaged(format!("no row {doc}")))?;
            left.insert((doc.shelf, row.chunk.id.clone()), doc);
        }
        let mut placed: BTreeSet<(Shelf, ChunkId)> = BTreeSet::new();
        for (shelf, chunk, fields) in members(note) {
            let place = (shelf, ChunkId::new(note.note.source, &note.note.path, chunk));
            if !placed.insert(place.clone()) {
                continue;
            }
            match left.remove(&place) {
                Some(doc) => self.renew(doc, note, chunk)?,
                None => self.add(place, note, chunk, fields)?,
            }
        }
        self.rows.extend(left.into_values().map(|doc| (doc, None)));
        Ok(())
    }

    /// A row that stays may have waited for its vector, and its note may speak of another day.
    fn renew(&mut self, doc: Doc, note: &NewNote, chunk: &NewChunk) -> Result<(), Error> {
        let Some(mut row) = self.row(doc).cloned() else { return Ok(()) };
        let filled = row.chunk.embedding.is_pending() && !chunk.embedding.is_pending();
        if filled {
            self.check(&chunk.embedding)?;
            row.chunk.embedding = chunk.embedding.clone();
            row.model.clone_from(&self.batch.model);
        }
        if filled || row.chunk.day != note.day {
            row.chunk.day = note.day;
            self.rows.insert(doc, Some(row));
        }
        Ok(())
    }

    fn add(
        &mut self,
        (shelf, id): (Shelf, ChunkId),
        note: &NewNote,
        chunk: &NewChunk,
        fields: Option<&FactFields>,
    ) -> Result<(), Error> {
        self.check(&chunk.embedding)?;
        let doc = self.next_doc(shelf);
        let stored = StoredChunk {
            doc,
            id,
            path: note.note.path.clone(),
            source: note.note.source,
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash,
            context: chunk.context.clone(),
            text: chunk.text.clone(),
            tokens: chunk.tokens.clone(),
            embedding: chunk.embedding.clone(),
            day: note.day,
            origin: chunk.origin,
        };
        let length = ChunkTerms::of(&chunk.text, &chunk.context).length;
        let (model, created_ms) = (self.batch.model.clone(), self.batch.now_ms);
        self.rows
            .insert(doc, Some(Row { chunk: stored, fields: fields.cloned(), length, model, created_ms }));
        Ok(())
    }

    fn next_doc(&mut self, shelf: Shelf) -> Doc {
        let last = match shelf {
            Shelf::Chunks => &mut self.part.last[0],
            Shelf::Facts => &mut self.part.last[1],
        };
        *last += 1;
        codec::to_doc(*last)
    }

    fn remove(&mut self, path: &str) -> Result<(), Error> {
        let docs = self.docs_of(path, 0)?;
        self.rows.extend(docs.into_iter().map(|doc| (doc, None)));
        self.notes.insert(path.to_owned(), None);
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<(), Error> {
        let Some(known) = self.note(from)?.filter(|known| known.note.hash == to.hash) else { return Ok(()) };
        self.remove(&to.path)?;
        for doc in self.docs_of(from, 0)? {
            let Some(mut row) = self.row(doc).cloned() else { continue };
            row.chunk.path.clone_from(&to.path);
            row.chunk.id = ChunkId::of_stored(&row.chunk);
            self.rows.insert(doc, Some(row));
        }
        self.notes.insert(from.to_owned(), None);
        self.set_note(to, known.aliases)
    }

    fn touch(&mut self, note: &StoredNote) -> Result<(), Error> {
        match self.note(&note.path)? {
            Some(known) => self.set_note(note, known.aliases),
            None => Ok(()),
        }
    }

    fn embed(&mut self, model: &str, embeddings: &[(Doc, ChunkId, Embedding)]) -> Result<(), Error> {
        for (doc, id, embedding) in embeddings {
            self.check(embedding)?;
            if let Some(mut row) = self.row(*doc).filter(|row| row.chunk.id == *id).cloned() {
                row.chunk.embedding = embedding.clone();
                model.clone_into(&mut row.model);
                self.rows.insert(*doc, Some(row));
            }
        }
        Ok(())
    }

    /// The first vector says how long all of them are.
    fn check(&mut self, embedding: &Embedding) -> Result<(), Error> {
        match embedding.vector() {
            Some(values) => vector::check(values, *self.part.dims.get_or_insert(values.len())),
            None => Ok(()),
        }
    }

    /// The keys of the cache as they will be, with their times.
    fn cache_keys(&self) -> Result<BTreeMap<CacheKey, i64>, Error> {
        let mut all: BTreeMap<CacheKey, i64> =
            self.reader.cache_keys()?.into_iter().map(|(at, key)| (key, at)).collect();
        for (key, row) in &self.cache {
            match row {
                Some(row) => all.insert(key.clone(), row.updated_ms),
                None => all.remove(key),
            };
        }
        Ok(all)
    }

    fn prune(&mut self, keep: u64, most: u64) -> Result<(), Error> {
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let mut ages: Vec<(i64, CacheKey)> =
            self.cache_keys()?.into_iter().map(|(key, at)| (at, key)).collect();
        ages.sort();
        let gone = ages.len().saturating_sub(whole(keep)).min(whole(most));
        self.cache.extend(ages.into_iter().take(gone).map(|(_, key)| (key, None)));
        Ok(())
    }

    fn forget(&mut self, hashes: &[Digest], ids: &[String]) -> Result<(), Error> {
        if !hashes.is_empty() {
            let keys = self.cache_keys()?.into_keys().filter(|key| hashes.contains(&key.hash));
            self.cache.extend(keys.map(|key| (key, None)));
        }
        self.uses.extend(ids.iter().map(|id| (id.clone(), None)));
        let before = match self.meta.get(FORGOTTEN) {
            Some(changed) => changed.as_ref().and_then(|text| text.parse().ok()).unwrap_or(0),
            None => forgotten(self.reader)?,
        };
        self.meta.insert(FORGOTTEN.to_owned(), Some((before + 1).to_string()));
        Ok(())
    }
}

fn members(note: &NewNote) -> impl Iterator<Item = (Shelf, &NewChunk, Option<&FactFields>)> {
    let chunks = note.chunks.iter().map(|chunk| (Shelf::Chunks, chunk, None));
    chunks.chain(note.facts.iter().map(|fact| (Shelf::Facts, &fact.chunk, Some(&fact.fields))))
}
