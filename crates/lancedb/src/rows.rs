//! Chunks and facts as rows of their tables. A fact's row is also an entry of LanceDB's own memory extension: `id`, `text`,
//! `vector`, `importance` (salience), `category` (kind) and `created_at`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use arrow_array::RecordBatch;
use mindfile_index::plan::StoredRow;
use mindfile_index::{ChunkId, ChunkTerms, Doc, Embedding, FactFields, Shelf, StoredChunk, vector};
use mindfile_note::fact::Kind;
use mindfile_note::hash::Digest;

use crate::codec::{self, int};
use crate::columns::{Columns, Rows};

/// A row to write, with the terms of its text and context.
pub(crate) struct WordedRow<'a> {
    pub(crate) row: &'a StoredRow,
    pub(crate) words: ChunkTerms,
}

impl<'a> WordedRow<'a> {
    pub(crate) fn of(row: &'a StoredRow) -> Self {
        Self { row, words: ChunkTerms::of(&row.chunk.text, &row.chunk.context) }
    }
}

/// Cached rows of a shelf.
pub(crate) type ReadRows = Mutex<HashMap<Doc, StoredRow>>;

/// Without any vector there are no columns for vectors and codes.
pub(crate) fn batch(
    shelf: Shelf,
    dims: Option<usize>,
    rows: &[&WordedRow<'_>],
) -> lancedb::Result<RecordBatch> {
    let chunks = || rows.iter().map(|one| &*one.row.chunk);
    let columns = Columns::default()
        .long("doc", chunks().map(|chunk| codec::doc(chunk.doc)))
        .text("id", chunks().map(|chunk| chunk.id.as_str()))
        .text("path", chunks().map(|chunk| &chunk.path))
        .int("source", chunks().map(|chunk| codec::source(chunk.source)))
        .int("start_line", chunks().map(|chunk| int(chunk.start_line)))
        .int("end_line", chunks().map(|chunk| int(chunk.end_line)))
        .text("hash", chunks().map(|chunk| chunk.hash.to_string()))
        .text("context", chunks().map(|chunk| &chunk.context))
        .text("text", chunks().map(|chunk| &chunk.text))
        .bytes("tokens", chunks().map(|chunk| codec::tokens(&chunk.tokens)))
        .int("state", chunks().map(|chunk| codec::state(&chunk.embedding)))
        .maybe_int("day", chunks().map(|chunk| chunk.day))
        .int("origin", chunks().map(|chunk| codec::origin(chunk.origin)))
        .int("length", rows.iter().map(|one| int(one.words.length)))
        .text("model", rows.iter().map(|one| &one.row.model))
        .long("created_at", rows.iter().map(|one| one.row.created_ms))
        .text("sum", rows.iter().map(|one| sum(one.row)));
    let columns = match shelf {
        Shelf::Chunks => columns,
        Shelf::Facts => facts(columns, rows),
    };
    let vectors = || chunks().map(|chunk| chunk.embedding.vector());
    match dims {
        Some(dims) => columns
            .vectors("vector", dims, vectors())
            .maybe_bytes("code", vectors().map(|vector| vector.map(vector::entry))),
        None => columns,
    }
    .batch()
}

fn facts(columns: Columns, rows: &[&WordedRow<'_>]) -> Columns {
    let fields = || rows.iter().map(|one| one.row.fields.as_ref());
    let entities = |fields: &FactFields| serde_json::to_string(&fields.entities).unwrap_or_default();
    columns
        .maybe_text("fact_id", fields().map(|fields| fields.map(|fields| &fields.id)))
        .maybe_text("category", fields().map(|fields| fields.map(|fields| category(fields.kind))))
        .maybe_real("importance", fields().map(|fields| fields.map(|fields| fields.salience)))
        .maybe_real("confidence", fields().map(|fields| fields.and_then(|fields| fields.confidence)))
        .maybe_text("key", fields().map(|fields| fields.and_then(|fields| fields.key.as_ref())))
        .maybe_text("entities", fields().map(|fields| fields.map(entities)))
        .maybe_text("line", fields().map(|fields| fields.map(|fields| &fields.line)))
}

const fn category(kind: Kind) -> &'static str {
    match kind {
        Kind::World => "world",
        Kind::Experience => "experience",
        Kind::Opinion => "opinion",
        Kind::Summary => "summary",
    }
}

pub(crate) fn to_row(rows: Rows<'_>, at: usize, shelf: Shelf) -> Option<StoredRow> {
    let embedding = match (rows.small("state", at)?, rows.vector("vector", at)) {
        (codec::PENDING, None) => Embedding::Pending,
        (codec::BLANK, None) => Embedding::Blank,
        (codec::VECTOR, Some(vector)) => Embedding::Vector(vector),
        (_, _) => return None,
    };
    let chunk = StoredChunk {
        doc: codec::to_doc(rows.long("doc", at)?),
        id: ChunkId::stored(rows.text("id", at)?.to_owned()),
        path: rows.text("path", at)?.to_owned(),
        source: codec::to_source(rows.small("source", at)?)?,
        start_line: rows.whole("start_line", at)?,
        end_line: rows.whole("end_line", at)?,
        hash: Digest::parse(rows.text("hash", at)?)?,
        context: rows.text("context", at)?.to_owned(),
        text: rows.text("text", at)?.to_owned(),
        tokens: codec::to_tokens(rows.bytes("tokens", at)?),
        embedding,
        day: rows.int("day", at),
        origin: codec::to_origin(rows.small("origin", at)?)?,
    };
    let fields = match shelf {
        Shelf::Chunks => None,
        Shelf::Facts => Some(to_fields(rows, at)?),
    };
    let model = rows.text("model", at)?.to_owned();
    Some(StoredRow { chunk: Arc::new(chunk), fields, model, created_ms: rows.long("created_at", at)? })
}

fn to_fields(rows: Rows<'_>, at: usize) -> Option<FactFields> {
    let kind = rows.text("category", at)?;
    Some(FactFields {
        id: rows.text("fact_id", at)?.to_owned(),
        kind: Kind::ALL.into_iter().find(|known| category(*known) == kind)?,
        salience: rows.real("importance", at)?,
        confidence: rows.real("confidence", at),
        key: rows.text("key", at).map(str::to_owned),
        entities: to_entities(rows, at)?,
        line: rows.text("line", at)?.to_owned(),
    })
}

pub(crate) fn to_entities(rows: Rows<'_>, at: usize) -> Option<Vec<String>> {
    serde_json::from_str(rows.text("entities", at)?).ok()
}

/// The checksum of a row, compared by `verify`.
pub(crate) fn sum(row: &StoredRow) -> String {
    let StoredChunk { context, text, tokens, .. } = &*row.chunk;
    let fields = row.fields.as_ref().map(|fields| {
        let FactFields { id, kind, salience, confidence, key, entities, line } = fields;
        format!("{id}\n{}\n{salience}\n{confidence:?}\n{key:?}\n{entities:?}\n{line}", category(*kind))
    });
    let whole = format!("{}\n{context}\n{}\n{text}\n{tokens:?}\n{fields:?}", context.len(), text.len());
    let mut digest = Digest::of(whole.as_bytes()).to_string();
    digest.truncate(16);
    digest
}

/// The stored checksum.
pub(crate) fn stored_sum(rows: Rows<'_>, at: usize) -> Option<&str> {
    rows.text("sum", at)
}
