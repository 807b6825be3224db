//! Rows as they are stored, each with the checksum that says whether it is still what was written.

use std::collections::BTreeMap;

use mindfile_note::hash::Digest;
use rusqlite::Connection;

use super::checksum::{self, RowSum, add};
use crate::record::{
    Batch, CacheKey, ChunkId, Doc, Embedding, FileStat, NewChunk, NewNote, Source, StoredNote,
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

/// Which chunks belong to a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Members {
    pub(super) chunks: i64,
    pub(super) sum: i64,
}

impl Members {
    pub(super) fn of(chunks: &BTreeMap<String, Doc>) -> Self {
        let mut members = Self::default();
        chunks.iter().for_each(|(id, doc)| members.add(*doc, id));
        members
    }

    pub(super) fn add(&mut self, doc: Doc, id: &str) {
        self.chunks += 1;
        self.sum = add(self.sum, checksum::member(doc.0, id));
    }
}

/// One row of `files`.
pub(super) struct File {
    pub(super) note: StoredNote,
    pub(super) members: Members,
}

impl File {
    pub(super) const COLUMNS: &str =
        "path, source, hash, mtime, size, ctime, inode, racy, chunks, members, sum";

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
        let file = Self { note, members: Members { chunks: row.get(8)?, sum: row.get(9)? } };
        let sum: i64 = row.get(10)?;
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

/// One row of `chunks`, as stored.
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
            tokens: chunk.tokens.iter().flat_map(|token| token.to_le_bytes()).collect(),
            context: chunk.context.clone(),
            text: chunk.text.clone(),
        }
    }

    /// The row and the checksum stored with it.
    pub(super) fn read(db: &Connection, doc: Doc) -> rusqlite::Result<(Self, i64)> {
        db.prepare_cached(
            "SELECT id, path, source, start_line, end_line, hash, model, day, embedding, tokens, context, text, sum
             FROM chunks WHERE doc = ?1",
        )?
        .query_row([doc.0], |row| {
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
            };
            Ok((stored, row.get(12)?))
        })
    }

    pub(super) fn sum(&self, doc: Doc) -> i64 {
        RowSum::default()
            .number(doc.0)
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
            .finish()
    }

    pub(super) fn derived_id(&self) -> String {
        ChunkId::derive(&self.source, &self.path, (self.start_line, self.end_line), &self.hash, &self.context)
    }
}
