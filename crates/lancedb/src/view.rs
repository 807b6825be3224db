//! What is in memory of one generation: numbers of every row, names of notes and entities. Texts, vectors and words stay in
//! their tables and are read on demand. What a batch did not touch is shared with the generation before.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use mindfile_index::associate::{FactNames, NamedFact};
use mindfile_index::bm25::Postings;
use mindfile_index::columns::{Column, Columns};
use mindfile_index::{Alias, Aliases, Doc, Shelf, StoredNote};

use crate::codec;
use crate::columns::Rows;
use crate::head::Part;
use crate::rows::{self, ReadRows};
use crate::tables::{NumberedNote, Table};

/// Filled on first use.
type Slot<T> = Arc<OnceLock<T>>;
/// Postings by shelf and term.
pub(crate) type KnownWords = Mutex<HashMap<(Shelf, String), Arc<Postings>>>;

pub(crate) struct View {
    /// The number of the head.
    pub(crate) commit: u64,
    /// The folder of the tables.
    pub(crate) folder: String,
    pub(crate) part: Part,
    pub(crate) opened: [Slot<lancedb::Table>; Table::ALL.len()],
    pub(crate) notes: Slot<Notes>,
    pub(crate) chunks: Slot<Listing>,
    pub(crate) facts: Slot<Listing>,
    pub(crate) named: Slot<FactNames>,
    pub(crate) meta: Slot<BTreeMap<String, String>>,
    pub(crate) postings: Arc<KnownWords>,
    pub(crate) spots: Slot<Spots>,
    rows: [Arc<ReadRows>; 2],
    codes: [Slot<Codes>; 2],
    /// Codes of the generation before, until this one has copied them.
    earlier: [Mutex<Option<EarlierShelf>>; 2],
}

/// A shelf in an earlier generation.
#[derive(Clone)]
struct EarlierShelf {
    listed: Slot<Listing>,
    codes: Slot<Codes>,
}

impl View {
    pub(crate) fn new(commit: u64, folder: String, part: Part, before: Option<&Self>) -> Self {
        let before = before.filter(|before| before.folder == folder);
        let same = |tables: &[Table]| {
            before
                .filter(|before| tables.iter().all(|table| before.version(*table) == version(&part, *table)))
        };
        let numbers = |shelf: Shelf| same(&[Table::Notes, Table::of(shelf)]);
        let texts = [Table::Notes, Table::Chunks, Table::Facts];
        let words = [Table::Notes, Table::Chunks, Table::Facts, Table::Terms];
        Self {
            commit,
            opened: Table::ALL.map(|table| shared(same(&[table]), |before| &before.opened[table as usize])),
            notes: shared(same(&[Table::Notes]), |before| &before.notes),
            chunks: shared(numbers(Shelf::Chunks), |before| &before.chunks),
            facts: shared(numbers(Shelf::Facts), |before| &before.facts),
            named: shared(same(&texts), |before| &before.named),
            meta: shared(same(&[Table::Meta]), |before| &before.meta),
            postings: shared(same(&words), |before| &before.postings),
            spots: shared(same(&[Table::Terms]), |before| &before.spots),
            rows: Shelf::ALL
                .map(|shelf| shared(same(&[Table::of(shelf)]), |before| &before.rows[shelf as usize])),
            codes: Shelf::ALL
                .map(|shelf| shared(same(&[Table::of(shelf)]), |before| &before.codes[shelf as usize])),
            earlier: Shelf::ALL.map(|shelf| Mutex::new(before.and_then(|before| before.as_earlier(shelf)))),
            folder,
            part,
        }
    }

    pub(crate) fn version(&self, table: Table) -> Option<u64> {
        version(&self.part, table)
    }

    pub(crate) fn rows(&self, shelf: Shelf) -> &ReadRows {
        &self.rows[shelf as usize]
    }

    pub(crate) fn codes(&self, shelf: Shelf) -> &Slot<Codes> {
        &self.codes[shelf as usize]
    }

    /// What the next generation can copy: from this one, or from the one before if nobody used this one.
    fn as_earlier(&self, shelf: Shelf) -> Option<EarlierShelf> {
        let listed = self.listed(shelf);
        let codes = self.codes(shelf);
        if listed.get().is_some() && codes.get().is_some() {
            return Some(EarlierShelf { listed: Arc::clone(listed), codes: Arc::clone(codes) });
        }
        self.earlier(shelf).clone()
    }

    /// Drops the earlier generation.
    pub(crate) fn let_go(&self, shelf: Shelf) {
        *self.earlier(shelf) = None;
    }

    fn earlier(&self, shelf: Shelf) -> MutexGuard<'_, Option<EarlierShelf>> {
        self.earlier[shelf as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies the codes of rows that have not moved, and returns the other rows with a vector.
    pub(crate) fn taken_over(
        &self,
        shelf: Shelf,
        listed: &Listing,
        codes: &mut Codes,
        size: usize,
    ) -> Vec<Doc> {
        let earlier = self.earlier(shelf).clone();
        let earlier =
            earlier.as_ref().and_then(|earlier| Some((earlier.listed.get()?, earlier.codes.get()?)));
        let earlier = earlier.filter(|(before, codes)| codes.0.len() == size * before.columns.len());
        let mut missing = Vec::new();
        let filled = listed.states.iter().enumerate().filter(|(_, state)| **state == codec::VECTOR);
        for at in filled.map(|(at, _)| at) {
            let doc = listed.columns.doc(at);
            let same = |(before, codes): (&Listing, &'_ Codes)| {
                let was =
                    before.columns.position(doc).filter(|was| before.places[*was] == listed.places[at])?;
                Some(codes.at(was, size).to_vec())
            };
            match earlier.and_then(same) {
                Some(code) => codes.at_mut(at, size).copy_from_slice(&code),
                None => missing.push(doc),
            }
        }
        missing
    }

    pub(crate) fn listed(&self, shelf: Shelf) -> &Slot<Listing> {
        match shelf {
            Shelf::Chunks => &self.chunks,
            Shelf::Facts => &self.facts,
        }
    }
}

/// What the generation before holds, if there is one to share with; else an empty one.
fn shared<T: Default>(before: Option<&View>, slot: impl FnOnce(&View) -> &Arc<T>) -> Arc<T> {
    before.map(|before| Arc::clone(slot(before))).unwrap_or_default()
}

fn version(part: &Part, table: Table) -> Option<u64> {
    part.tables.get(table.name()).copied()
}

/// Every note, by path.
#[derive(Default)]
pub(crate) struct Notes(pub(crate) BTreeMap<String, NumberedNote>);

impl Notes {
    /// Aliases, in the order of the notes that declare them.
    pub(crate) fn declared(&self) -> impl Iterator<Item = (&String, &Alias)> {
        self.0.iter().flat_map(|(path, row)| row.state.aliases.iter().map(move |alias| (path, alias)))
    }
}

/// The numbers of a shelf's rows, by row number.
pub(crate) struct Listing {
    pub(crate) columns: Columns,
    pub(crate) lines: Vec<(u32, u32)>,
    pub(crate) states: Vec<i16>,
    /// The place of each in its table.
    pub(crate) places: Vec<i64>,
    /// The positions of a note's rows.
    pub(crate) by_path: BTreeMap<String, Vec<usize>>,
}

/// One row while they are collected.
pub(crate) struct Number {
    pub(crate) doc: Doc,
    path: String,
    column: Column,
    dated: bool,
    lines: (u32, u32),
    state: i16,
    place: i64,
}

impl Number {
    /// The columns that are read for it.
    pub(crate) const COLUMNS: [&'static str; 9] =
        ["doc", "path", "source", "origin", "day", "length", "start_line", "end_line", "state"];

    pub(crate) fn read(rows: Rows<'_>, at: usize) -> Option<Self> {
        let day = rows.int("day", at);
        let column = Column {
            source: codec::to_source(rows.small("source", at)?)?,
            origin: codec::to_origin(rows.small("origin", at)?)?,
            day: day.unwrap_or_default(),
            length: rows.whole("length", at)?,
        };
        Some(Self {
            doc: codec::to_doc(rows.long("doc", at)?),
            path: rows.text("path", at)?.to_owned(),
            column,
            dated: day.is_some(),
            lines: (rows.whole("start_line", at)?, rows.whole("end_line", at)?),
            state: rows.small("state", at)?,
            place: rows.place(at)?,
        })
    }
}

impl Listing {
    pub(crate) fn of(shelf: Shelf, mut all: Vec<Number>, notes: &Notes) -> Self {
        all.sort_by_key(|one| one.doc);
        let mut listed = Self {
            columns: Columns::with_room(shelf, mindfile_index::Part::Main, all.len()),
            lines: Vec::with_capacity(all.len()),
            states: Vec::with_capacity(all.len()),
            places: Vec::with_capacity(all.len()),
            by_path: BTreeMap::new(),
        };
        for (position, one) in all.into_iter().enumerate() {
            let changed = || notes.0.get(&one.path).map_or(0, |row| StoredNote::changed_day(&row.state.note));
            let day = if one.dated { one.column.day } else { changed() };
            listed.columns.push(one.doc, Column { day, ..one.column });
            listed.lines.push(one.lines);
            listed.states.push(one.state);
            listed.places.push(one.place);
            listed.by_path.entry(one.path).or_default().push(position);
        }
        listed
    }

    pub(crate) fn docs_of(&self, path: &str) -> impl Iterator<Item = (usize, Doc)> {
        let positions = self.by_path.get(path).map(Vec::as_slice).unwrap_or_default();
        positions.iter().map(|at| (*at, self.columns.doc(*at)))
    }

    /// By path and line.
    pub(crate) fn in_order(&self) -> Vec<Doc> {
        let one = |positions: &Vec<usize>| {
            let mut rows: Vec<(u32, Doc)> =
                positions.iter().map(|at| (self.lines[*at].0, self.columns.doc(*at))).collect();
            rows.sort_unstable();
            rows.into_iter().map(|(_, doc)| doc).collect::<Vec<_>>()
        };
        self.by_path.values().flat_map(one).collect()
    }
}

/// The 8-bit codes of a shelf's vectors, one entry for each row in the order of [`Listing`]; zeros where there is none.
#[derive(Default)]
pub(crate) struct Codes(pub(crate) Vec<u8>);

impl Codes {
    pub(crate) fn at(&self, position: usize, size: usize) -> &[u8] {
        &self.0[position * size..(position + 1) * size]
    }

    pub(crate) fn at_mut(&mut self, position: usize, size: usize) -> &mut [u8] {
        &mut self.0[position * size..(position + 1) * size]
    }
}

/// The places of words' rows in their table, by the word's number.
#[derive(Default)]
pub(crate) struct Spots(Vec<(i64, i64)>);

impl Spots {
    pub(crate) fn of(mut all: Vec<(i64, i64)>) -> Self {
        all.sort_unstable();
        Self(all)
    }

    pub(crate) fn of_word(&self, number: i64) -> impl Iterator<Item = i64> {
        let from = self.0.partition_point(|(known, _)| *known < number);
        self.0[from..].iter().take_while(move |(known, _)| *known == number).map(|(_, place)| *place)
    }
}

/// The columns that identify and connect a fact.
pub(crate) const NAMED: [&str; 4] = ["doc", "fact_id", "key", "entities"];

pub(crate) fn to_named(rows: Rows<'_>, at: usize) -> Option<NamedFact> {
    Some(NamedFact {
        doc: codec::to_doc(rows.long("doc", at)?),
        id: rows.text("fact_id", at)?.to_owned(),
        key: rows.text("key", at).map(str::to_owned),
        entities: rows::to_entities(rows, at)?,
    })
}

/// The names of facts, which come in any order.
pub(crate) fn names(facts: Vec<NamedFact>, listed: &Listing, notes: &Notes) -> FactNames {
    let aliases = Aliases::of(notes.declared().map(|(_, alias)| alias));
    let mut by_doc: HashMap<Doc, NamedFact> = facts.into_iter().map(|fact| (fact.doc, fact)).collect();
    FactNames::of(aliases, listed.in_order().iter().filter_map(|doc| by_doc.remove(doc)).collect())
}
