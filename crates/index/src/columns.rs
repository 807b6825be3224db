//! What ranking needs of every chunk, as parallel arrays: sources, origins, dates and lengths.

use std::sync::Arc;

use mindfile_note::Origin;

use crate::record::{Doc, Part, Shelf, Source};

/// An entry for each row of a shelf, ordered by row number.
#[derive(Debug, Clone)]
pub struct Columns {
    shelf: Shelf,
    part: Part,
    pub rows: Vec<u32>,
    pub sources: Vec<u8>,
    pub origins: Vec<u8>,
    /// The day the chunk's note speaks of, or the day its file changed for an evergreen note.
    pub days: Vec<i32>,
    /// Terms in the chunk.
    pub lengths: Vec<u32>,
    pub total_length: u64,
    /// How many chunks are untrusted.
    pub untrusted: usize,
}

impl Columns {
    /// The columns of an empty shelf.
    pub fn of(shelf: Shelf, part: Part) -> Self {
        Self {
            shelf,
            part,
            rows: Vec::new(),
            sources: Vec::new(),
            origins: Vec::new(),
            days: Vec::new(),
            lengths: Vec::new(),
            total_length: 0,
            untrusted: 0,
        }
    }

    /// The row's number, if it is of this shelf and part.
    fn own(&self, doc: Doc) -> Option<u32> {
        ((doc.shelf, doc.part) == (self.shelf, self.part)).then_some(doc.row)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn doc(&self, position: usize) -> Doc {
        Doc { shelf: self.shelf, part: self.part, row: self.rows[position] }
    }

    pub fn position(&self, doc: Doc) -> Option<usize> {
        self.own(doc).and_then(|row| self.rows.binary_search(&row).ok())
    }

    /// The position of a chunk at `from` or later, most likely near `from`.
    pub fn position_from(&self, from: usize, doc: Doc) -> Option<usize> {
        let row = self.own(doc)?;
        // If no chunk is missing in between, positions differ as numbers do.
        let ahead = row.checked_sub(*self.rows.get(from)?)? as usize;
        if self.rows.get(from.wrapping_add(ahead)) == Some(&row) {
            return Some(from + ahead);
        }
        let mut step = 1;
        let mut low = from;
        while self.rows.get(low + step).is_some_and(|&other| other < row) {
            low += step;
            step *= 2;
        }
        let high = (low + step + 1).min(self.rows.len());
        self.rows.get(low..high)?.binary_search(&row).ok().map(|at| low + at)
    }

    /// The positions of those that are here. Fastest if they come in order.
    pub fn positions(&self, docs: impl Iterator<Item = Doc>) -> impl Iterator<Item = usize> {
        let mut from = 0;
        docs.filter_map(move |doc| {
            let position = self.position_from(from, doc).or_else(|| self.position(doc))?;
            from = position;
            Some(position)
        })
    }

    pub fn mean_length(&self) -> f32 {
        if self.rows.is_empty() { 1.0 } else { (self.total_length as f32 / self.rows.len() as f32).max(1.0) }
    }

    pub fn with_room(shelf: Shelf, part: Part, chunks: usize) -> Self {
        let mut columns = Self::of(shelf, part);
        columns.rows.reserve(chunks);
        columns.sources.reserve(chunks);
        columns.origins.reserve(chunks);
        columns.days.reserve(chunks);
        columns.lengths.reserve(chunks);
        columns
    }

    pub fn push(&mut self, doc: Doc, column: Column) {
        self.append(&[(doc, column)]);
    }

    /// Gives rows, in ascending order, the columns that they have now; `None` for a row that is no more. Returns where those stood.
    /// New rows come behind all others: `None` where one does not.
    pub fn edit(&mut self, edits: &[(Doc, Option<Column>)]) -> Option<Vec<usize>> {
        let mut gone = Vec::new();
        for (doc, column) in edits {
            match (self.position(*doc), column) {
                (Some(at), Some(column)) => self.set(at, *column),
                (Some(at), None) => gone.push(at),
                (None, Some(column)) if self.rows.last().is_none_or(|last| *last < doc.row) => {
                    self.push(*doc, *column);
                }
                (None, Some(_)) => return None,
                (None, None) => {}
            }
        }
        for at in gone.iter().rev() {
            self.set(*at, Column { source: Source::Memory, origin: Origin::Owner, day: 0, length: 0 });
            self.rows.remove(*at);
            self.sources.remove(*at);
            self.origins.remove(*at);
            self.days.remove(*at);
            self.lengths.remove(*at);
        }
        Some(gone)
    }

    fn set(&mut self, at: usize, column: Column) {
        let is_untrusted = |origin: u8| usize::from(origin == Origin::Untrusted as u8);
        self.total_length = self.total_length + u64::from(column.length) - u64::from(self.lengths[at]);
        self.untrusted = self.untrusted + is_untrusted(column.origin as u8) - is_untrusted(self.origins[at]);
        self.sources[at] = column.source as u8;
        self.origins[at] = column.origin as u8;
        self.days[at] = column.day;
        self.lengths[at] = column.length;
    }

    /// Appends chunks, in the order of their numbers.
    pub fn append(&mut self, chunks: &[(Doc, Column)]) {
        self.rows.extend(chunks.iter().map(|(doc, _)| doc.row));
        let columns = chunks.iter().map(|(_, column)| column);
        self.sources.extend(columns.clone().map(|column| column.source as u8));
        self.origins.extend(columns.clone().map(|column| column.origin as u8));
        self.days.extend(columns.clone().map(|column| column.day));
        self.lengths.extend(columns.clone().map(|column| column.length));
        self.total_length += columns.clone().map(|column| u64::from(column.length)).sum::<u64>();
        self.untrusted += columns.filter(|column| !column.origin.is_trusted()).count();
    }
}

/// One chunk's entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    pub source: Source,
    pub origin: Origin,
    pub day: i32,
    pub length: u32,
}

/// Which chunks a query may see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// `None` for every source.
    pub source: Option<Source>,
    /// First and last day, inclusive, in days since 1970-01-01.
    pub since: Option<i32>,
    pub until: Option<i32>,
    /// Whether what is untrusted is left out.
    pub trusted: bool,
    /// Rows that the viewer may not see. They count for nothing.
    pub hidden: Hidden,
}

/// Rows in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hidden(Arc<[Doc]>);

impl Hidden {
    pub fn new(docs: impl IntoIterator<Item = Doc>) -> Self {
        let mut docs: Vec<Doc> = docs.into_iter().collect();
        docs.sort_unstable();
        Self(docs.into())
    }

    pub fn has(&self, doc: Doc) -> bool {
        self.0.binary_search(&doc).is_ok()
    }

    pub fn on(&self, shelf: Shelf) -> impl Iterator<Item = Doc> {
        self.0.iter().copied().filter(move |doc| doc.shelf == shelf)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Filter {
    /// Whether every one of these chunks is admitted.
    pub fn is_open(&self, columns: &Columns) -> bool {
        Self { trusted: self.trusted && columns.untrusted > 0, ..self.clone() } == Self::default()
    }

    /// Whether the filter admits any row there could be.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The first `limit` of these that are admitted.
    pub fn first(&self, columns: &Columns, docs: impl IntoIterator<Item = Doc>, limit: usize) -> Vec<Doc> {
        let admitted = docs.into_iter().filter(|doc| self.is_empty() || self.admits_doc(columns, *doc));
        admitted.take(limit).collect()
    }

    pub fn admits_doc(&self, columns: &Columns, doc: Doc) -> bool {
        columns.position(doc).is_some_and(|at| self.admits(columns, at))
    }

    pub fn admits(&self, columns: &Columns, position: usize) -> bool {
        self.admits_word_of(columns, position)
            && self.since.is_none_or(|day| columns.days[position] >= day)
            && self.until.is_none_or(|day| columns.days[position] <= day)
    }

    /// Whether the chunk's source and origin are admitted and the viewer may see it, whatever its day.
    pub fn admits_word_of(&self, columns: &Columns, position: usize) -> bool {
        let trusted = !self.trusted || columns.origins[position] != Origin::Untrusted as u8;
        let shown = self.hidden.is_empty() || !self.hidden.has(columns.doc(position));
        trusted && shown && self.source.is_none_or(|source| columns.sources[position] == source as u8)
    }
}
