//! Rows as they are stored, each with the checksum that says whether it is still what was written.

use mindfile_note::fact::{self, Kind};
use mindfile_note::hash::Digest;
use mindfile_note::{FileStat, Origin};
use rusqlite::types::Value;
use rusqlite::{Connection, ToSql};

use super::checksum::{self, RowSum, add};
use super::shelf::tables;
use crate::codec;
use crate::record::{
    Alias, Batch, CacheKey, ChunkId, Doc, Embedding, FactFields, Identity, NewChunk, NewNote, Shelf, Source,
    StoredNote,
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
    pub(super) chunks: i64,
    pub(super) facts: i64,
    pub(super) sum: i64,
}

impl Members {
    pub(super) fn add(&mut self, doc: Doc, id: &str) {
        match doc.shelf {
            Shelf::Chunks => self.chunks += 1,
            Shelf::Facts => self.facts += 1,
        }
        self.sum = add(self.sum, checksum::member(codec::doc(doc), id));
    }

    pub(super) fn remove(&mut self, doc: Doc, id: &str) {
        match doc.shelf {
            Shelf::Chunks => self.chunks -= 1,
            Shelf::Facts => self.facts -= 1,
        }
        self.sum = add(self.sum, checksum::negated(checksum::member(codec::doc(doc), id)));
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

    /// None when the row is not what was stored.
    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Self>> {
        let (source, hash): (String, String) = (row.get(1)?, row.get(2)?);
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
        let file =
            Self { note, members: Members { chunks: row.get(8)?, facts: row.get(9)?, sum: row.get(10)? } };
        let sum: i64 = row.get(11)?;
        Ok((file.sum() == sum).then_some(file))
    }

    pub(super) fn sum(&self) -> i64 {
        let note = &self.note;
        RowSum::default()
            .bytes(note.path.as_bytes())
            .bytes(note.source.as_str().as_bytes())
            .bytes(note.hash.as_bytes())
            .number(note.stat.mtime_ns)
            .number(note.stat.size.cast_signed())
            .number(note.stat.ctime_ns)
            .number(note.stat.inode.cast_signed())
            .number(note.racy.into())
            .number(self.members.chunks)
            .number(self.members.facts)
            .number(self.members.sum)
            .finish()
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

/// What a row of `chunks` and one of `facts` have in common, as stored.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) path: String,
    pub(super) source: String,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) hash: String,
    pub(super) model: String,
    pub(super) day: Option<i32>,
    pub(super) embedding: Option<Vec<u8>>,
    pub(super) tokens: Vec<u8>,
    pub(super) context: String,
    pub(super) text: String,
    pub(super) origin: String,
}

impl Row {
    pub(super) fn new(id: &ChunkId, note: &NewNote, chunk: &NewChunk, batch: &Batch) -> Self {
        Self {
            id: id.as_str().to_owned(),
            path: note.note.path.clone(),
            source: note.note.source.as_str().to_owned(),
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash.to_string(),
            model: if chunk.embedding.is_pending() { String::new() } else { batch.model.clone() },
            day: note.day,
            embedding: stored(&chunk.embedding),
            tokens: codec::tokens(&chunk.tokens),
            context: chunk.context.clone(),
            text: chunk.text.clone(),
            origin: chunk.origin.as_str().to_owned(),
        }
    }

    /// The row and the checksum stored with it.
    pub(super) fn read(db: &Connection, doc: Doc) -> rusqlite::Result<(Self, i64)> {
        db.prepare_cached(tables(doc.shelf).select)?.query_row([doc], Self::of)
    }

    fn of(row: &rusqlite::Row<'_>) -> rusqlite::Result<(Self, i64)> {
        let stored = Self {
            id: row.get(0)?,
            path: row.get(1)?,
            source: row.get(2)?,
            start_line: row.get(3)?,
            end_line: row.get(4)?,
            hash: row.get(5)?,
            model: row.get(6)?,
            day: row.get(7)?,
            embedding: row.get(8)?,
            tokens: row.get(9)?,
            context: row.get(10)?,
            text: row.get(11)?,
            origin: row.get(13)?,
        };
        Ok((stored, row.get(12)?))
    }

    /// `fields` is what only a fact has.
    pub(super) fn insert(
        &self,
        db: &Connection,
        doc: Doc,
        now_ms: i64,
        fields: Option<&Filed<'_>>,
    ) -> rusqlite::Result<()> {
        let sum = self.sum(doc);
        let mut values: Vec<&dyn ToSql> = vec![
            &doc,
            &self.id,
            &self.path,
            &self.source,
            &self.start_line,
            &self.end_line,
            &self.hash,
            &self.model,
            &self.day,
            &now_ms,
            &self.embedding,
            &self.tokens,
            &self.context,
            &self.text,
            &sum,
            &self.origin,
        ];
        let only = fields.map(|filed| filed.columns(doc));
        if let Some(only) = &only {
            values.extend(only.iter().map(|value| -> &dyn ToSql { value }));
        }
        db.prepare_cached(tables(doc.shelf).insert)?.execute(&*values)?;
        Ok(())
    }

    pub(super) fn sum(&self, doc: Doc) -> i64 {
        RowSum::default()
            .number(codec::doc(doc))
            .bytes(self.id.as_bytes())
            .bytes(self.path.as_bytes())
            .bytes(self.source.as_bytes())
            .number(i64::from(self.start_line))
            .number(i64::from(self.end_line))
            .bytes(self.hash.as_bytes())
            .bytes(self.model.as_bytes())
            .number(self.day.map_or(i64::MIN, i64::from))
            .bytes(self.embedding.as_deref().unwrap_or(&[]))
            .bytes(&self.tokens)
            .bytes(self.context.as_bytes())
            .bytes(self.text.as_bytes())
            .bytes(self.origin.as_bytes())
            .finish()
    }

    /// The id that follows from the columns; none if the origin is none that was ever written.
    pub(super) fn derived_id(&self) -> Option<String> {
        let identity = Identity {
            source: &self.source,
            path: &self.path,
            lines: (self.start_line, self.end_line),
            hash: &self.hash,
            context: &self.context,
            origin: Origin::parse(&self.origin)?,
        };
        Some(identity.digest())
    }
}

/// What a fact says, whose it is, and on which day its note was written.
pub(super) struct Filed<'a> {
    pub(super) fields: &'a FactFields,
    pub(super) agent: &'a str,
    pub(super) day: Option<i32>,
}

impl Filed<'_> {
    /// What only a fact's row has.
    fn columns(&self, doc: Doc) -> [Value; 11] {
        let fields = self.fields;
        let text = |text: &str| Value::Text(text.to_owned());
        // When it came to be known: what the line says, else the day of its note.
        let seen = fact::read(&fields.line).and_then(|line| line.seen()).map(|day| day.to_string());
        [
            text(&fields.id),
            text(&fields.kind.to_string()),
            number(fields.salience).into(),
            fields.confidence.map(number).into(),
            fields.key.clone().into(),
            joined(&fields.entities).into(),
            text(&fields.line),
            said_sum(doc, fields).into(),
            text(self.agent),
            seen.into(),
            self.day.into(),
        ]
    }
}

/// A fact's row, the checksum stored with it, and what only a fact has; none when that is not what was stored.
pub(super) fn read_fact(db: &Connection, doc: Doc) -> rusqlite::Result<(Row, i64, Option<FactFields>)> {
    db.prepare_cached(tables(Shelf::Facts).select)?.query_row([doc], |row| {
        let (stored, sum) = Row::of(row)?;
        Ok((stored, sum, fields_of(doc, row)?))
    })
}

/// What only a fact has, without the rest of its row.
pub(super) fn read_fields(db: &Connection, doc: Doc) -> rusqlite::Result<Option<FactFields>> {
    db.prepare_cached(tables(Shelf::Facts).select)?.query_row([doc], |row| fields_of(doc, row))
}

fn fields_of(doc: Doc, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<FactFields>> {
    let kind: String = row.get(15)?;
    let Some(kind) = kind.chars().next().and_then(Kind::of_letter) else { return Ok(None) };
    let entities: String = row.get(19)?;
    let fields = FactFields {
        id: row.get(14)?,
        kind,
        salience: row.get::<_, f64>(16)? as f32,
        confidence: row.get::<_, Option<f64>>(17)?.map(|c| c as f32),
        key: row.get(18)?,
        entities: entities.split_whitespace().map(|tag| tag.trim_start_matches('@').to_owned()).collect(),
        line: row.get(20)?,
    };
    let sum: i64 = row.get(21)?;
    Ok((said_sum(doc, &fields) == sum).then_some(fields))
}

fn joined(entities: &[String]) -> String {
    entities.iter().map(|entity| format!("@{entity}")).collect::<Vec<_>>().join(" ")
}

/// As people write it: 0.95, not 0.949999988079071.
fn number(value: f32) -> f64 {
    (f64::from(value) * 1e6).round() / 1e6
}

fn said_sum(doc: Doc, fields: &FactFields) -> i64 {
    let bits = |value: f32| i64::from(value.to_bits());
    RowSum::default()
        .number(codec::doc(doc))
        .bytes(fields.id.as_bytes())
        .bytes(fields.kind.to_string().as_bytes())
        .number(bits(number(fields.salience) as f32))
        .number(fields.confidence.map_or(-1, |value| bits(number(value) as f32)))
        .bytes(fields.key.as_deref().unwrap_or("").as_bytes())
        .bytes(joined(&fields.entities).as_bytes())
        .bytes(fields.line.as_bytes())
        .finish()
}
