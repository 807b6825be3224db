//! The tables of a part, and the rows of those that are not shelves.

use arrow_array::RecordBatch;
use mindfile_index::plan::NoteState;
use mindfile_index::{Access, Alias, CacheKey, FileStat, Shelf, StoredNote};
use mindfile_note::hash::Digest;

use crate::codec::{self, number};
use crate::columns::{Columns, Rows};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Table {
    Notes,
    Chunks,
    Facts,
    /// Which rows have a term, and how often.
    Terms,
    Meta,
    Uses,
    Cache,
}

impl Table {
    pub(crate) const ALL: [Self; 7] =
        [Self::Notes, Self::Chunks, Self::Facts, Self::Terms, Self::Meta, Self::Uses, Self::Cache];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Notes => "notes",
            Self::Chunks => "chunks",
            Self::Facts => "facts",
            Self::Terms => "words",
            Self::Meta => "meta",
            Self::Uses => "uses",
            Self::Cache => "cache",
        }
    }

    /// The column that rows are deleted by.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Chunks | Self::Facts => "doc",
            Self::Notes | Self::Terms | Self::Meta | Self::Uses | Self::Cache => "number",
        }
    }

    pub(crate) const fn of(shelf: Shelf) -> Self {
        match shelf {
            Shelf::Chunks => Self::Chunks,
            Shelf::Facts => Self::Facts,
        }
    }
}

/// A note with the number that it is deleted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberedNote {
    pub(crate) number: i64,
    pub(crate) state: NoteState,
}

pub(crate) fn notes(rows: &[NumberedNote]) -> lancedb::Result<RecordBatch> {
    let long = |value: fn(&StoredNote) -> i64| rows.iter().map(move |row| value(&row.state.note));
    let aliases = |row: &NumberedNote| {
        let pairs: Vec<(&str, &str)> =
            row.state.aliases.iter().map(|a| (a.alias.as_str(), a.name.as_str())).collect();
        serde_json::to_string(&pairs).unwrap_or_default()
    };
    Columns::default()
        .long("number", rows.iter().map(|row| row.number))
        .text("path", rows.iter().map(|row| &row.state.note.path))
        .int("source", rows.iter().map(|row| codec::source(row.state.note.source)))
        .text("hash", rows.iter().map(|row| row.state.note.hash.to_string()))
        .long("mtime", long(|note| note.stat.mtime_ns))
        .long("ctime", long(|note| note.stat.ctime_ns))
        .long("size", long(|note| note.stat.size.cast_signed()))
        .long("inode", long(|note| note.stat.inode.cast_signed()))
        .int("racy", rows.iter().map(|row| i32::from(row.state.note.racy)))
        .text("aliases", rows.iter().map(aliases))
        .batch()
}

pub(crate) fn to_note(rows: Rows<'_>, at: usize) -> Option<NumberedNote> {
    let stat = FileStat {
        mtime_ns: rows.long("mtime", at)?,
        ctime_ns: rows.long("ctime", at)?,
        size: rows.long("size", at)?.cast_unsigned(),
        inode: rows.long("inode", at)?.cast_unsigned(),
    };
    let note = StoredNote {
        path: rows.text("path", at)?.to_owned(),
        source: codec::to_source(rows.small("source", at)?)?,
        hash: Digest::parse(rows.text("hash", at)?)?,
        stat,
        racy: rows.int("racy", at)? != 0,
    };
    let pairs: Vec<(String, String)> = serde_json::from_str(rows.text("aliases", at)?).ok()?;
    let aliases = pairs.into_iter().map(|(alias, name)| Alias { alias, name }).collect();
    Some(NumberedNote { number: rows.long("number", at)?, state: NoteState { note, aliases } })
}

/// A word's postings in the rows of one batch, or in all rows after compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordRow {
    pub(crate) shelf: Shelf,
    pub(crate) term: String,
    /// Numbers of rows above the shelf's floor, ascending.
    pub(crate) docs: Vec<u32>,
    pub(crate) counts: Vec<u32>,
}

pub(crate) fn words(rows: &[WordRow]) -> lancedb::Result<RecordBatch> {
    Columns::default()
        .long("number", rows.iter().map(|row| number(&row.term)))
        .int("shelf", rows.iter().map(|row| codec::shelf(row.shelf)))
        .text("term", rows.iter().map(|row| &row.term))
        .bytes("docs", rows.iter().map(|row| codec::numbers(&row.docs)))
        .bytes("counts", rows.iter().map(|row| codec::numbers(&row.counts)))
        .batch()
}

pub(crate) fn to_word(rows: Rows<'_>, at: usize) -> Option<WordRow> {
    let row = WordRow {
        shelf: codec::to_shelf(rows.small("shelf", at)?)?,
        term: rows.text("term", at)?.to_owned(),
        docs: codec::to_numbers(rows.bytes("docs", at)?).collect(),
        counts: codec::to_numbers(rows.bytes("counts", at)?).collect(),
    };
    (row.docs.len() == row.counts.len()).then_some(row)
}

pub(crate) fn meta(rows: &[(&str, &str)]) -> lancedb::Result<RecordBatch> {
    Columns::default()
        .long("number", rows.iter().map(|(key, _)| number(key)))
        .text("key", rows.iter().map(|(key, _)| key))
        .text("value", rows.iter().map(|(_, value)| value))
        .batch()
}

pub(crate) fn uses(rows: &[(&str, Access)]) -> lancedb::Result<RecordBatch> {
    Columns::default()
        .long("number", rows.iter().map(|(id, _)| number(id)))
        .text("fact_id", rows.iter().map(|(id, _)| id))
        .long("access_count", rows.iter().map(|(_, uses)| i64::from(uses.count)))
        .maybe_long("last_accessed_ms", rows.iter().map(|(_, uses)| uses.last_ms))
        .batch()
}

/// An embedding of an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CacheRow {
    pub(crate) key: CacheKey,
    pub(crate) vector: Vec<f32>,
    pub(crate) updated_ms: i64,
}

pub(crate) fn cache_number(key: &CacheKey) -> i64 {
    number(&format!("{}\n{}\n{}\n{}", key.provider, key.model, key.provider_key, key.hash))
}

pub(crate) fn cache(rows: &[&CacheRow]) -> lancedb::Result<RecordBatch> {
    let text = |value: fn(&CacheKey) -> &String| rows.iter().map(move |row| value(&row.key));
    Columns::default()
        .long("number", rows.iter().map(|row| cache_number(&row.key)))
        .text("provider", text(|key| &key.provider))
        .text("model", text(|key| &key.model))
        .text("provider_key", text(|key| &key.provider_key))
        .text("hash", rows.iter().map(|row| row.key.hash.to_string()))
        .int("dims", rows.iter().map(|row| i32::try_from(row.vector.len()).unwrap_or(i32::MAX)))
        .bytes("embedding", rows.iter().map(|row| mindfile_index::vector::to_bytes(&row.vector)))
        .long("updated_at", rows.iter().map(|row| row.updated_ms))
        .batch()
}

pub(crate) fn to_cache_key(rows: Rows<'_>, at: usize) -> Option<CacheKey> {
    Some(CacheKey {
        provider: rows.text("provider", at)?.to_owned(),
        model: rows.text("model", at)?.to_owned(),
        provider_key: rows.text("provider_key", at)?.to_owned(),
        hash: Digest::parse(rows.text("hash", at)?)?,
    })
}
