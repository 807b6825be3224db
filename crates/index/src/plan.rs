//! Works out in memory what a batch makes of notes and their rows, for engines that write many rows at once.
//!
//! The engine first reads the rows that the batch may keep or alter, which [`Batch::reach`] names. An unchanged row keeps its
//! number and its vector.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::record::{
    Alias, Batch, Change, ChunkId, Doc, Embedding, FactFields, NewChunk, NewNote, Shelf, StoredChunk,
    StoredNote,
};
use crate::{Error, codec, vector};

/// A row with everything that is stored of it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRow {
    pub chunk: Arc<StoredChunk>,
    /// The fields of a fact.
    pub fields: Option<FactFields>,
    pub model: String,
    pub created_ms: i64,
}

/// A note with the names that it declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteState {
    pub note: StoredNote,
    pub aliases: Vec<Alias>,
}

/// The state before a batch.
pub trait Before {
    fn note(&self, path: &str) -> Result<Option<NoteState>, Error>;
    /// The rows of a note that begin at a line or later.
    fn rows_from(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error>;
    /// A row within the batch's reach.
    fn row(&self, doc: Doc) -> Option<&StoredRow>;
}

/// What a batch may keep or alter.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reach<'a> {
    /// Notes, each with the line from which its rows are meant; `u32::MAX` if none are.
    pub notes: BTreeMap<&'a str, u32>,
    pub docs: Vec<Doc>,
}

impl Batch {
    pub fn reach(&self) -> Reach<'_> {
        let mut reach = Reach::default();
        for change in &self.changes {
            match change {
                Change::Put(note) => reach.add(&note.note.path, 0),
                Change::Grow { note, from } => reach.add(&note.note.path, *from),
                Change::Rename { from, to } => {
                    reach.add(from, 0);
                    reach.add(&to.path, 0);
                }
                Change::Touch(note) => reach.add(&note.path, u32::MAX),
                Change::Remove { path } => reach.add(path, 0),
                Change::Embed { embeddings, .. } => reach.docs.extend(embeddings.iter().map(|one| one.0)),
                Change::Meta { .. }
                | Change::Cache { .. }
                | Change::PruneCache { .. }
                | Change::Use { .. }
                | Change::Compact
                | Change::Forget { .. } => {}
            }
        }
        reach
    }
}

impl<'a> Reach<'a> {
    fn add(&mut self, path: &'a str, line: u32) {
        let from = self.notes.entry(path).or_insert(line);
        *from = line.min(*from);
    }
}

/// Notes and rows as they will be; `None` for those that are deleted.
pub struct Plan<'a> {
    before: &'a dyn Before,
    batch: &'a Batch,
    pub notes: BTreeMap<String, Option<NoteState>>,
    pub rows: BTreeMap<Doc, Option<StoredRow>>,
    /// The dimensions of vectors, which the first one sets.
    pub dims: Option<usize>,
    /// The last numbers given to a chunk and to a fact.
    pub last: [i64; 2],
}

impl<'a> Plan<'a> {
    pub fn of(
        before: &'a dyn Before,
        batch: &'a Batch,
        dims: Option<usize>,
        last: [i64; 2],
    ) -> Result<Self, Error> {
        let mut plan = Self { before, batch, notes: BTreeMap::new(), rows: BTreeMap::new(), dims, last };
        batch.changes.iter().try_for_each(|change| plan.change(change))?;
        Ok(plan)
    }

    fn change(&mut self, change: &Change) -> Result<(), Error> {
        match change {
            Change::Put(note) => {
                self.place(note, 0)?;
                self.set_note(&note.note, note.declared());
            }
            Change::Grow { note, from } => {
                if let Some(known) = self.note(&note.note.path)? {
                    self.place(note, *from)?;
                    self.set_note(&note.note, known.aliases);
                }
            }
            Change::Rename { from, to } => self.rename(from, to)?,
            Change::Touch(note) => {
                if let Some(known) = self.note(&note.path)? {
                    self.set_note(note, known.aliases);
                }
            }
            Change::Remove { path } => self.remove(path)?,
            Change::Embed { model, embeddings } => {
                for (doc, id, embedding) in embeddings {
                    self.embed(model, *doc, id, embedding)?;
                }
            }
            Change::Meta { .. }
            | Change::Cache { .. }
            | Change::PruneCache { .. }
            | Change::Use { .. }
            | Change::Compact
            | Change::Forget { .. } => {}
        }
        Ok(())
    }

    fn note(&self, path: &str) -> Result<Option<NoteState>, Error> {
        match self.notes.get(path) {
            Some(planned) => Ok(planned.clone()),
            None => self.before.note(path),
        }
    }

    fn set_note(&mut self, note: &StoredNote, aliases: Vec<Alias>) {
        self.notes.insert(note.path.clone(), Some(NoteState { note: note.clone(), aliases }));
    }

    fn row(&self, doc: Doc) -> Option<&StoredRow> {
        match self.rows.get(&doc) {
            Some(planned) => planned.as_ref(),
            None => self.before.row(doc),
        }
    }

    /// The rows of a note that begin at a line or later, with the changes planned so far.
    fn rows_from(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        let mut docs = self.before.rows_from(path, line)?;
        // For a note that the batch has not changed yet, at most vectors are planned.
        if self.notes.contains_key(path) {
            docs.retain(|doc| !self.rows.contains_key(doc));
            let planned = self.rows.values().flatten().map(|row| &row.chunk);
            let own = planned.filter(|chunk| chunk.path == path && chunk.start_line >= line);
            docs.extend(own.map(|chunk| chunk.doc));
        }
        Ok(docs)
    }

    /// Replaces the rows of a note that begin at a line or later.
    fn place(&mut self, note: &NewNote, from: u32) -> Result<(), Error> {
        let mut left: BTreeMap<(Shelf, ChunkId), Doc> = BTreeMap::new();
        for doc in self.rows_from(&note.note.path, from)? {
            if let Some(row) = self.row(doc) {
                left.insert((doc.shelf, row.chunk.id.clone()), doc);
            }
        }
        let mut placed: BTreeSet<(Shelf, ChunkId)> = BTreeSet::new();
        for (shelf, chunk, fields) in note.rows() {
            let key = (shelf, ChunkId::new(note.note.source, &note.note.path, chunk));
            // Equal pieces of one long line are one chunk: same place, same text.
            if !placed.insert(key.clone()) {
                continue;
            }
            match left.remove(&key) {
                Some(doc) => self.renew(doc, note, chunk)?,
                None => self.add(key, note, chunk, fields)?,
            }
        }
        self.rows.extend(left.into_values().map(|doc| (doc, None)));
        Ok(())
    }

    /// Updates an unchanged row: it may have waited for its vector, and its note may be of another day.
    fn renew(&mut self, doc: Doc, note: &NewNote, chunk: &NewChunk) -> Result<(), Error> {
        let Some(row) = self.row(doc) else { return Ok(()) };
        let is_filled = row.chunk.embedding.is_pending() && !chunk.embedding.is_pending();
        if !is_filled && row.chunk.day == note.day {
            return Ok(());
        }
        let mut row = row.clone();
        let renewed = Arc::make_mut(&mut row.chunk);
        renewed.day = note.day;
        if is_filled {
            self.check(&chunk.embedding)?;
            renewed.embedding = chunk.embedding.clone();
            row.model.clone_from(&self.batch.model);
        }
        self.rows.insert(doc, Some(row));
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
        let last = &mut self.last[shelf as usize];
        *last += 1;
        let doc = codec::to_doc(*last);
        let row = StoredRow {
            chunk: Arc::new(note.stored(doc, id, chunk)),
            fields: fields.cloned(),
            model: self.batch.model.clone(),
            created_ms: self.batch.now_ms,
        };
        self.rows.insert(doc, Some(row));
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), Error> {
        let docs = self.rows_from(path, 0)?;
        self.rows.extend(docs.into_iter().map(|doc| (doc, None)));
        self.notes.insert(path.to_owned(), None);
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &StoredNote) -> Result<(), Error> {
        let Some(known) = self.note(from)?.filter(|known| known.note.hash == to.hash) else { return Ok(()) };
        self.remove(&to.path)?;
        for doc in self.rows_from(from, 0)? {
            let Some(mut row) = self.row(doc).cloned() else { continue };
            let moved = Arc::make_mut(&mut row.chunk);
            moved.path.clone_from(&to.path);
            moved.id = ChunkId::of_stored(moved);
            self.rows.insert(doc, Some(row));
        }
        self.notes.insert(from.to_owned(), None);
        self.set_note(to, known.aliases);
        Ok(())
    }

    fn embed(&mut self, model: &str, doc: Doc, id: &ChunkId, embedding: &Embedding) -> Result<(), Error> {
        self.check(embedding)?;
        if let Some(mut row) = self.row(doc).filter(|row| row.chunk.id == *id).cloned() {
            Arc::make_mut(&mut row.chunk).embedding = embedding.clone();
            model.clone_into(&mut row.model);
            self.rows.insert(doc, Some(row));
        }
        Ok(())
    }

    fn check(&mut self, embedding: &Embedding) -> Result<(), Error> {
        match embedding.vector() {
            Some(values) => vector::check(values, *self.dims.get_or_insert(values.len())),
            None => Ok(()),
        }
    }
}
