//! Reads rows of the tables.

use mindfile_index::{ChunkId, Embedding, Error, FactFields, FileStat, NoteRow, StoredChunk, StoredNote};
use mindfile_note::fact::Kind;
use mindfile_note::hash::Digest;
use postgres::Row;

use crate::codec::{self, plain, to_origin, to_source, to_tokens};
use crate::error::damaged;
use crate::value::{Floats, Vectors};

pub(crate) const ENTRY: &str =
    "e.doc, e.id, e.path, e.source, e.start_line, e.end_line, e.hash, e.context, e.text, e.tokens, e.day,
    e.origin, e.state";
/// The columns that only facts have.
pub(crate) const FACT: &str = "e.fact_id, e.kind, e.salience, e.confidence, e.key, e.entities, e.line";
pub(crate) const VECTORS: &str =
    "LEFT JOIN vectors v ON v.agent = e.agent AND v.part = e.part AND v.doc = e.doc";

/// The columns of a row as [`to_chunk`] reads them.
pub(crate) fn entry(vectors: Vectors) -> String {
    format!("{ENTRY}, {}", vectors.column())
}

pub(crate) fn to_chunk(place: &str, row: &Row) -> Result<StoredChunk, Error> {
    let doc = codec::to_doc(row.get(0));
    let odd = |what: &str| damaged(place, format!("row {doc} has no {what}"));
    let line = |at: usize| row.get::<_, i32>(at).unsigned_abs();
    let embedding = match (row.get::<_, i16>(12), row.get::<_, Option<Floats>>(13)) {
        (codec::PENDING, None) => Embedding::Pending,
        (codec::BLANK, None) => Embedding::Blank,
        (codec::VECTOR, Some(Floats(vector))) => Embedding::Vector(vector),
        (_, _) => return Err(odd("vector where it should, or one where it should not")),
    };
    Ok(StoredChunk {
        doc,
        id: ChunkId::stored(row.get(1)),
        path: plain(row.get(2)),
        source: to_source(row.get(3)).ok_or_else(|| odd("source"))?,
        start_line: line(4),
        end_line: line(5),
        hash: Digest::parse(row.get(6)).ok_or_else(|| odd("hash"))?,
        context: plain(row.get(7)),
        text: plain(row.get(8)),
        tokens: to_tokens(row.get(9)),
        embedding,
        day: row.get(10),
        origin: to_origin(row.get(11)).ok_or_else(|| odd("origin"))?,
    })
}

/// Reads the fields of a fact, which follow the columns of an entry.
pub(crate) fn to_fields(place: &str, row: &Row) -> Result<FactFields, Error> {
    let odd = |what: &str| damaged(place, format!("fact {} has no {what}", row.get::<_, i64>(0)));
    let id: Option<String> = row.get(14);
    let kind: Option<String> = row.get(15);
    let kind = kind.and_then(|kind| kind.chars().next()).and_then(Kind::of_letter);
    let entities: Option<Vec<String>> = row.get(19);
    let line: Option<String> = row.get(20);
    Ok(FactFields {
        id: plain(id.ok_or_else(|| odd("id"))?),
        kind: kind.ok_or_else(|| odd("kind"))?,
        salience: row.get::<_, Option<f32>>(16).ok_or_else(|| odd("salience"))?,
        confidence: row.get(17),
        key: row.get::<_, Option<String>>(18).map(plain),
        entities: entities.ok_or_else(|| odd("entities"))?.into_iter().map(plain).collect(),
        line: plain(line.ok_or_else(|| odd("line"))?),
    })
}

/// Reads the columns `doc`, `id`, `start_line`, `end_line` and `state`.
pub(crate) fn to_note_row(row: &Row) -> NoteRow {
    NoteRow {
        doc: codec::to_doc(row.get(0)),
        id: ChunkId::stored(row.get(1)),
        start_line: row.get::<_, i32>(2).unsigned_abs(),
        end_line: row.get::<_, i32>(3).unsigned_abs(),
        is_pending: row.get::<_, i16>(4) == codec::PENDING,
    }
}

pub(crate) fn to_note(place: &str, row: &Row) -> Result<StoredNote, Error> {
    let path: String = plain(row.get(0));
    let number = |at: usize| row.get::<_, i64>(at);
    let odd = |what: &str| damaged(place, format!("note {path} has no {what}"));
    Ok(StoredNote {
        source: to_source(row.get(1)).ok_or_else(|| odd("source"))?,
        hash: Digest::parse(row.get(2)).ok_or_else(|| odd("hash"))?,
        stat: FileStat {
            mtime_ns: number(3),
            ctime_ns: number(4),
            size: number(5).cast_unsigned(),
            inode: number(6).cast_unsigned(),
        },
        racy: row.get(7),
        path,
    })
}
