//! Rows as they are stored, each with the checksum that says whether it is still what was written.

use std::ops::Range;

use mindfile_note::fact::{self, Kind};
use mindfile_note::hash::Digest;
use mindfile_note::{FileStat, Origin};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params};

use super::checksum::{self, RowSum, add, negated};
use super::shelf::{Tables, tables};
use super::sql::run;
use crate::codec;
use crate::record::{
    Alias, CacheKey, ChunkId, Doc, Embedding, FactFields, Shelf, Source, StoredChunk, StoredNote,
};
use crate::vector;

/// The column `embedding`: NULL while pending, no bytes for a chunk without meaning.
pub(super) fn stored(embedding: &Embedding) -> Option<Vec<u8>> {
    match embedding {
        Embedding::Pending => None,
        Embedding::Blank => Some(Vec::new()),
        Embedding::Vector(vector) => Some(vector::to_bytes(vector)),
    }
}

/// What belongs to a note: its chunks, its facts and the other names that it declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Members {
    /// Chunks and facts.
    pub(super) rows: [i64; 2],
    pub(super) sum: i64,
}

impl Members {
    pub(super) fn add(&mut self, doc: Doc, id: &ChunkId) {
        self.rows[doc.shelf as usize] += 1;
        self.sum = add(self.sum, checksum::member(codec::doc(doc), id.as_str()));
    }

    pub(super) fn remove(&mut self, doc: Doc, id: &ChunkId) {
        self.rows[doc.shelf as usize] -= 1;
        self.sum = add(self.sum, negated(checksum::member(codec::doc(doc), id.as_str())));
    }

    pub(super) fn add_aliases(&mut self, aliases: &[Alias]) {
        for Alias { alias, name } in aliases {
            self.sum = add(self.sum, checksum::alias(alias, name));
        }
    }
}

/// One row of `files`.
pub(super) struct File {
    pub(super) note: StoredNote,
    pub(super) members: Members,
}

impl File {
    pub(super) const COLUMNS: &str =
        "path, source, hash, mtime, size, ctime, inode, racy, chunks, facts, members, sum";
    const SUM: usize = 11;

    /// None when the row is not what was stored.
    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Self>> {
        if sum_as_stored(RowSum::default(), row, 0..Self::SUM)? != row.get::<_, i64>(Self::SUM)? {
            return Ok(None);
        }
        let source: String = row.get(1)?;
        let hash: String = row.get(2)?;
        let (Some(source), Some(hash)) = (Source::parse(&source), Digest::parse(&hash)) else {
            return Ok(None);
        };
        let stat = FileStat {
            mtime_ns: row.get(3)?,
            size: row.get::<_, i64>(4)?.cast_unsigned(),
            ctime_ns: row.get(5)?,
            inode: row.get::<_, i64>(6)?.cast_unsigned(),
        };
        let note = StoredNote { path: row.get(0)?, source, hash, stat, racy: row.get(7)? };
        let members = Members { rows: [row.get(8)?, row.get(9)?], sum: row.get(10)? };
        Ok(Some(Self { note, members }))
    }

    fn values(&self) -> [ToSqlOutput<'_>; Self::SUM] {
        let Self { note, members } = self;
        [
            note.path.as_str().into(),
            note.source.as_str().into(),
            note.hash.to_string().into(),
            note.stat.mtime_ns.into(),
            note.stat.size.cast_signed().into(),
            note.stat.ctime_ns.into(),
            note.stat.inode.cast_signed().into(),
            note.racy.into(),
            members.rows[0].into(),
            members.rows[1].into(),
            members.sum.into(),
        ]
    }

    pub(super) fn sum(&self) -> i64 {
        sum_of(RowSum::default(), &self.values())
    }

    pub(super) fn insert(&self, db: &Connection) -> rusqlite::Result<()> {
        let sql =
            format!("INSERT INTO files ({}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)", Self::COLUMNS);
        let values = self.values();
        let sum = self.sum();
        let all: Vec<&dyn ToSql> =
            values.iter().map(|value| -> &dyn ToSql { value }).chain([&sum as &dyn ToSql]).collect();
        run(db, &sql, &*all).map(drop)
    }
}

/// Over one row of `embedding_cache`.
pub(super) fn cache_sum(key: &CacheKey, embedding: &[u8]) -> i64 {
    RowSum::default()
        .bytes(key.provider.as_bytes())
        .bytes(key.model.as_bytes())
        .bytes(key.provider_key.as_bytes())
        .bytes(key.hash.to_string().as_bytes())
        .bytes(embedding)
        .finish()
}

/// What a row of `chunks` and one of `facts` have in common.
pub(super) struct Row {
    pub(super) chunk: StoredChunk,
    pub(super) model: String,
}

/// The columns as [`tables`] lists them. Behind them stand their checksum and, in a fact's row, what only a fact has.
const COLUMNS: usize = 13;
const SUM: usize = COLUMNS;
/// The columns of a fact's fields. Their checksum follows.
const FIELDS: Range<usize> = 14..21;

/// The checksum of some columns, as they are stored.
fn sum_as_stored(mut sum: RowSum, row: &rusqlite::Row<'_>, columns: Range<usize>) -> rusqlite::Result<i64> {
    for at in columns {
        sum = summed(sum, row.get_ref(at)?);
    }
    Ok(sum.finish())
}

/// The checksum of values that are about to be stored.
fn sum_of(sum: RowSum, values: &[ToSqlOutput<'_>]) -> i64 {
    let add = |sum: RowSum, value: &ToSqlOutput<'_>| match value {
        ToSqlOutput::Borrowed(value) => summed(sum, *value),
        ToSqlOutput::Owned(value) => summed(sum, value.into()),
        ToSqlOutput::ZeroBlob(_) | _ => sum,
    };
    values.iter().fold(sum, add).finish()
}

fn summed(sum: RowSum, value: ValueRef<'_>) -> RowSum {
    match value {
        ValueRef::Null => sum.number(i64::MIN),
        ValueRef::Integer(number) => sum.number(number),
        ValueRef::Real(number) => sum.number(number.to_bits().cast_signed()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => sum.bytes(bytes),
    }
}

impl Row {
    /// None when the row is not what was stored.
    fn of(doc: Doc, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Self>> {
        let sum = sum_as_stored(RowSum::default().number(codec::doc(doc)), row, 0..COLUMNS)?;
        if sum == row.get::<_, i64>(SUM)? { Self::parse(doc, row) } else { Ok(None) }
    }

    fn parse(doc: Doc, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Self>> {
        let text = |at: usize| -> rusqlite::Result<&str> { Ok(row.get_ref(at)?.as_str()?) };
        let source = Source::parse(text(2)?);
        let hash = Digest::parse(text(5)?);
        let embedding = match row.get_ref(8)?.as_blob_or_null()? {
            None => Some(Embedding::Pending),
            Some([]) => Some(Embedding::Blank),
            Some(bytes) => vector::from_bytes(bytes).map(Embedding::Vector),
        };
        let origin = Origin::parse(text(12)?);
        let (Some(source), Some(hash), Some(embedding), Some(origin)) = (source, hash, embedding, origin)
        else {
            return Ok(None);
        };
        let chunk = StoredChunk {
            doc,
            id: ChunkId::stored(row.get(0)?),
            path: row.get(1)?,
            source,
            start_line: row.get(3)?,
            end_line: row.get(4)?,
            hash,
            context: row.get(10)?,
            text: row.get(11)?,
            tokens: codec::to_tokens(row.get_ref(9)?.as_blob()?),
            embedding,
            day: row.get(7)?,
            origin,
        };
        Ok(Some(Self { chunk, model: row.get(6)? }))
    }

    pub(super) fn read(db: &Connection, doc: Doc) -> rusqlite::Result<Option<Self>> {
        db.prepare_cached(tables(doc.shelf).select)?.query_row([doc], |row| Self::of(doc, row))
    }

    fn values(&self) -> [ToSqlOutput<'_>; COLUMNS] {
        let Self { chunk, model } = self;
        [
            chunk.id.as_str().into(),
            chunk.path.as_str().into(),
            chunk.source.as_str().into(),
            chunk.start_line.into(),
            chunk.end_line.into(),
            chunk.hash.to_string().into(),
            model.as_str().into(),
            ToSqlOutput::Owned(chunk.day.into()),
            ToSqlOutput::Owned(stored(&chunk.embedding).into()),
            codec::tokens(&chunk.tokens).into(),
            chunk.context.as_str().into(),
            chunk.text.as_str().into(),
            chunk.origin.as_str().into(),
        ]
    }

    /// `fields` is what only a fact has.
    pub(super) fn insert(
        &self,
        db: &Connection,
        now_ms: i64,
        fields: Option<&FactColumns<'_>>,
    ) -> rusqlite::Result<()> {
        let doc = self.chunk.doc;
        let values = self.values();
        let sum = self.sum();
        let fact = fields.map(|fields| fields.values(doc));
        let mut all: Vec<&dyn ToSql> = vec![&doc];
        all.extend(values.iter().map(|value| -> &dyn ToSql { value }));
        all.extend([&sum as &dyn ToSql, &now_ms]);
        all.extend(fact.iter().flatten().map(|value| -> &dyn ToSql { value }));
        run(db, tables(doc.shelf).insert, &*all).map(drop)
    }

    /// Writes what can change of a row that stays.
    pub(super) fn update(&self, db: &Connection) -> rusqlite::Result<()> {
        let Self { chunk, model } = self;
        let Tables { rows, id, .. } = tables(chunk.doc.shelf);
        let sql = format!(
            "UPDATE {rows} SET {id} = ?2, path = ?3, model = ?4, embedding = ?5, sum = ?6 WHERE rowid = ?1"
        );
        let embedding = stored(&chunk.embedding);
        let values = params![chunk.doc, chunk.id.as_str(), chunk.path, model, embedding, self.sum()];
        run(db, &sql, values).map(drop)
    }

    fn sum(&self) -> i64 {
        sum_of(RowSum::default().number(codec::doc(self.chunk.doc)), &self.values())
    }
}

/// What a fact says, whose it is, and on which day its note was written.
pub(super) struct FactColumns<'a> {
    pub(super) fields: &'a FactFields,
    pub(super) agent: &'a str,
    pub(super) day: Option<i32>,
}

impl FactColumns<'_> {
    fn fields(&self) -> [ToSqlOutput<'_>; FIELDS.end - FIELDS.start] {
        let fields = self.fields;
        [
            fields.id.as_str().into(),
            fields.kind.to_string().into(),
            number(fields.salience).into(),
            ToSqlOutput::Owned(fields.confidence.map(number).into()),
            ToSqlOutput::Owned(fields.key.clone().into()),
            joined(&fields.entities).into(),
            fields.line.as_str().into(),
        ]
    }

    /// What only a fact's row has.
    fn values(&self, doc: Doc) -> Vec<ToSqlOutput<'_>> {
        let mut values = Vec::from(self.fields());
        let sum = sum_of(RowSum::default().number(codec::doc(doc)), &values);
        // When it came to be known: what the line says, else the day of its note.
        let seen = fact::read(&self.fields.line).and_then(|line| line.seen()).map(|day| day.to_string());
        values.extend([sum.into(), self.agent.into()]);
        values.extend([ToSqlOutput::Owned(seen.into()), ToSqlOutput::Owned(self.day.into())]);
        values
    }
}

/// A fact's row and what only a fact has; none when that is not what was stored.
pub(super) fn read_fact(db: &Connection, doc: Doc) -> rusqlite::Result<Option<(Row, FactFields)>> {
    db.prepare_cached(tables(Shelf::Facts).select)?
        .query_row([doc], |row| Ok(Row::of(doc, row)?.zip(fields_of(doc, row)?)))
}

/// What only a fact has, without the rest of its row.
pub(super) fn read_fields(db: &Connection, doc: Doc) -> rusqlite::Result<Option<FactFields>> {
    db.prepare_cached(tables(Shelf::Facts).select)?.query_row([doc], |row| fields_of(doc, row))
}

fn fields_of(doc: Doc, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<FactFields>> {
    let sum = sum_as_stored(RowSum::default().number(codec::doc(doc)), row, FIELDS)?;
    if sum != row.get::<_, i64>(FIELDS.end)? {
        return Ok(None);
    }
    let kind: String = row.get(15)?;
    let Some(kind) = kind.chars().next().and_then(Kind::of_letter) else { return Ok(None) };
    let entities: String = row.get(19)?;
    Ok(Some(FactFields {
        id: row.get(14)?,
        kind,
        salience: row.get::<_, f64>(16)? as f32,
        confidence: row.get::<_, Option<f64>>(17)?.map(|c| c as f32),
        key: row.get(18)?,
        entities: entities.split_whitespace().map(|tag| tag.trim_start_matches('@').to_owned()).collect(),
        line: row.get(20)?,
    }))
}

fn joined(entities: &[String]) -> String {
    entities.iter().map(|entity| format!("@{entity}")).collect::<Vec<_>>().join(" ")
}

/// As people write it: 0.95, not 0.949999988079071.
fn number(value: f32) -> f64 {
    (f64::from(value) * 1e6).round() / 1e6
}
