//! Writes a batch's notes and rows with a few statements, however many there are.

use std::collections::BTreeMap;

use mindfile_index::plan::{NoteState, StoredRow};
use mindfile_index::{ChunkTerms, Doc, FactFields, StoredChunk, StoredNote};
use mindfile_note::hash::Digest;

use crate::before::RowsBefore;
use crate::codec::{self, int, named, stored};
use crate::columns::Columns;
use crate::error::StepError;
use crate::write::Writer;

/// A row to insert.
struct NewRow<'a> {
    row: &'a StoredRow,
    words: ChunkTerms,
}

/// Entities are joined by a character that no tag contains: `unnest` would flatten an array of arrays.
const ENTRIES: &str = r"entries AS (INSERT INTO entries (agent, part, model, updated_at, doc, shelf, id, path, source,
    start_line, end_line, hash, day, origin, length, state, context, text, tokens, sum, fact_id, kind, salience, confidence,
    key, line, entities)
  SELECT $1, $2, $3, $4, n.doc, n.shelf, n.id, n.path, n.source, n.start_line, n.end_line, n.hash, n.day, n.origin, n.length,
    n.state, n.context, n.text, n.tokens, n.sum, n.fact_id, n.kind, n.salience, n.confidence, n.key, n.line,
    string_to_array(n.entities, E'\n')
  FROM unnest($5::int8[], $6::int2[], $7::text[], $8::text[], $9::int2[], $10::int4[], $11::int4[], $12::text[], $13::int4[],
    $14::int2[], $15::int4[], $16::int2[], $17::text[], $18::text[], $19::bytea[], $20::text[], $21::text[], $22::text[],
    $23::real[], $24::real[], $25::text[], $26::text[], $27::text[]) n(doc, shelf, id, path, source, start_line, end_line,
    hash, day, origin, length, state, context, text, tokens, sum, fact_id, kind, salience, confidence, key, line, entities))";
const NAMES: &str = "names AS (INSERT INTO names (agent, part, name, doc, ord, tag)
  SELECT $1, $2, * FROM unnest($28::text[], $29::int8[], $30::int2[], $31::text[]))";

/// Inserts vectors, which are passed as one flat array. `first` is the number of their first parameter.
fn vectors_statement(first: usize) -> String {
    let [docs, shelves, flat, dims] = [first, first + 1, first + 2, first + 3];
    format!(
        "INSERT INTO vectors (agent, part, doc, shelf, embedding)
         SELECT $1, $2, n.doc, n.shelf, (${flat}::real[])[(n.at - 1) * ${dims} + 1 : n.at * ${dims}]
         FROM unnest(${docs}::int8[], ${shelves}::int2[]) WITH ORDINALITY n(doc, shelf, at)"
    )
}

const PUT_NOTES: &str = "INSERT INTO notes (agent, part, path, source, hash, mtime, ctime, size, inode, racy, changed)
    SELECT $1, $2, * FROM unnest($36::text[], $37::int2[], $38::text[], $39::int8[], $40::int8[], $41::int8[], $42::int8[],
      $43::bool[], $44::int4[])
    ON CONFLICT (agent, part, path) DO UPDATE SET source = excluded.source, hash = excluded.hash, mtime = excluded.mtime,
      ctime = excluded.ctime, size = excluded.size, inode = excluded.inode, racy = excluded.racy, changed = excluded.changed";

/// Deletes entries with their vectors and names.
fn gone_statements() -> String {
    let own = |table: &str| {
        format!(
            "gone_{table} AS (DELETE FROM {table} WHERE agent = $1 AND part = $2 AND doc = ANY ($45::int8[]))"
        )
    };
    ["entries", "vectors", "names"].map(own).join(", ")
}

/// Updates rows and deletes the vectors that are about to be replaced.
const CHANGED: &str = "WITH gone AS (DELETE FROM vectors WHERE agent = $1 AND part = $2 AND doc = ANY ($9::int8[]))
    UPDATE entries e SET id = n.id, path = n.path, day = n.day, state = n.state, model = n.model
    FROM unnest($3::int8[], $4::text[], $5::text[], $6::int4[], $7::int2[], $8::text[]) n(doc, id, path, day, state, model)
    WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";

/// Writes the plan.
pub(crate) fn write(
    writer: &mut Writer<'_>,
    before: &RowsBefore,
    notes: &BTreeMap<String, Option<NoteState>>,
    rows: &BTreeMap<Doc, Option<StoredRow>>,
) -> Result<(), StepError> {
    let mut fresh = Vec::new();
    let mut gone = Vec::new();
    let mut changed = Vec::new();
    for (doc, after) in rows {
        match (before.rows.get(doc), after) {
            (Some(known), Some(row)) => changed.push((known, row)),
            (Some(known), None) => {
                // The postings of a row follow from its text.
                writer.count(known, &words(known), -1);
                gone.push(codec::doc(*doc));
            }
            (None, Some(row)) => {
                let words = words(row);
                writer.count(row, &words, 1);
                fresh.push(NewRow { row, words });
            }
            (None, None) => {}
        }
    }
    change(writer, &changed)?;
    let known: Vec<&StoredNote> = notes.values().flatten().map(|state| &state.note).collect();
    if !(fresh.is_empty() && gone.is_empty() && known.is_empty()) {
        put(writer, &fresh, gone, &known)?;
    }
    let left = notes.iter().filter(|(_, state)| state.is_none());
    let left: Vec<String> = left.map(|(path, _)| stored(path).into_owned()).collect();
    if !left.is_empty() {
        let sql = "DELETE FROM notes WHERE agent = $1 AND part = $2 AND path = ANY ($3::text[])";
        writer.run(sql, &[&left])?;
    }
    declare(writer, before, notes)
}

fn words(row: &StoredRow) -> ChunkTerms {
    ChunkTerms::of(&row.chunk.text, &row.chunk.context)
}

/// Inserts new rows and writes notes, and deletes the rows that are gone.
fn put(
    writer: &mut Writer<'_>,
    fresh: &[NewRow<'_>],
    gone: Vec<i64>,
    notes: &[&StoredNote],
) -> Result<(), StepError> {
    let is_gone = !gone.is_empty();
    let sql = format!(
        "WITH {ENTRIES}, {NAMES}, vectors AS ({}){} {PUT_NOTES}",
        vectors_statement(32),
        if is_gone { format!(", {}", gone_statements()) } else { String::new() },
    );
    let model = writer.model;
    let now_ms = writer.now_ms;
    let vectors: Vec<&StoredRow> = fresh.iter().map(|new| new.row).collect();
    let columns = entries(Columns::default().with(model.to_owned()).with(now_ms), fresh);
    let columns = note_columns(vector_columns(names(columns, fresh), &vectors), notes);
    let columns = if is_gone { columns.with(gone) } else { columns };
    writer.run(&sql, &columns.values())?;
    Ok(())
}

/// Updates rows that have another path, day or vector.
fn change(writer: &mut Writer<'_>, changed: &[(&StoredRow, &StoredRow)]) -> Result<(), StepError> {
    if changed.is_empty() {
        return Ok(());
    }
    let is_embedded = |(known, row): &&(&StoredRow, &StoredRow)| known.chunk.embedding != row.chunk.embedding;
    let embedded: Vec<&StoredRow> = changed.iter().filter(is_embedded).map(|(_, row)| *row).collect();
    for (known, row) in changed {
        let has_vector = |row: &StoredRow| i64::from(row.chunk.embedding.vector().is_some());
        writer.count_vectors(row, has_vector(row) - has_vector(known));
    }
    fn all<T>(changed: &[(&StoredRow, &StoredRow)], value: impl Fn(&StoredRow) -> T) -> Vec<T> {
        changed.iter().map(|(_, row)| value(row)).collect()
    }
    let columns = Columns::default()
        .with(all(changed, |row| codec::doc(row.chunk.doc)))
        .with(all(changed, |row| row.chunk.id.as_str().to_owned()))
        .with(all(changed, |row| text(&row.chunk.path)))
        .with(all(changed, |row| row.chunk.day))
        .with(all(changed, |row| codec::state(&row.chunk.embedding)))
        .with(all(changed, |row| row.model.clone()))
        .with(embedded.iter().map(|row| codec::doc(row.chunk.doc)).collect::<Vec<i64>>());
    writer.run(CHANGED, &columns.values())?;
    let columns = vector_columns(Columns::default(), &embedded);
    writer.run(&vectors_statement(3), &columns.values())?;
    Ok(())
}

/// Writes the aliases of notes where they differ from before.
fn declare(
    writer: &mut Writer<'_>,
    before: &RowsBefore,
    notes: &BTreeMap<String, Option<NoteState>>,
) -> Result<(), StepError> {
    let of = |state: Option<&NoteState>| state.map(|state| state.aliases.clone()).unwrap_or_default();
    let differ = |path: &String, state: &Option<NoteState>| of(before.notes.get(path)) != of(state.as_ref());
    let changed: Vec<_> = notes.iter().filter(|(path, state)| differ(path, state)).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let paths: Vec<String> = changed.iter().map(|(path, _)| text(path)).collect();
    let sql = "DELETE FROM aliases WHERE agent = $1 AND part = $2 AND path = ANY ($3::text[])";
    writer.run(sql, &[&paths])?;
    let mut at = Vec::new();
    let mut aliases = Vec::new();
    let mut names = Vec::new();
    for state in changed.iter().filter_map(|(_, state)| state.as_ref()) {
        for declared in &state.aliases {
            at.push(text(&state.note.path));
            aliases.push(text(&declared.alias));
            names.push(text(&declared.name));
        }
    }
    let sql = "INSERT INTO aliases SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[])";
    writer.run(sql, &[&at, &aliases, &names])?;
    Ok(())
}

fn note_columns(columns: Columns, notes: &[&StoredNote]) -> Columns {
    fn all<T>(notes: &[&StoredNote], value: impl Fn(&StoredNote) -> T) -> Vec<T> {
        notes.iter().map(|note| value(note)).collect()
    }
    columns
        .with(all(notes, |note| text(&note.path)))
        .with(all(notes, |note| codec::source(note.source)))
        .with(all(notes, |note| note.hash.to_string()))
        .with(all(notes, |note| note.stat.mtime_ns))
        .with(all(notes, |note| note.stat.ctime_ns))
        .with(all(notes, |note| note.stat.size.cast_signed()))
        .with(all(notes, |note| note.stat.inode.cast_signed()))
        .with(all(notes, |note| note.racy))
        .with(all(notes, StoredNote::changed_day))
}

fn vector_columns(columns: Columns, rows: &[&StoredRow]) -> Columns {
    let vectors = || rows.iter().filter_map(|row| Some((row.chunk.doc, row.chunk.embedding.vector()?)));
    let dims = vectors().next().map_or(0, |(_, vector)| i64::try_from(vector.len()).unwrap_or(i64::MAX));
    columns
        .with(vectors().map(|(doc, _)| codec::doc(doc)).collect::<Vec<i64>>())
        .with(vectors().map(|(doc, _)| codec::shelf(doc.shelf)).collect::<Vec<i16>>())
        .with(vectors().flat_map(|(_, vector)| vector.iter().copied()).collect::<Vec<f32>>())
        .with(dims)
}

fn text(text: &str) -> String {
    stored(text).into_owned()
}

fn entries(columns: Columns, fresh: &[NewRow<'_>]) -> Columns {
    fn all<'a, T>(fresh: &'a [NewRow<'a>], value: impl Fn(&'a StoredRow) -> T) -> Vec<T> {
        fresh.iter().map(|new| value(new.row)).collect()
    }
    /// The value of a column that only facts have.
    fn facts<'a, T>(fresh: &'a [NewRow<'a>], value: impl Fn(&'a FactFields) -> T) -> Vec<Option<T>> {
        fresh.iter().map(|new| new.row.fields.as_ref().map(&value)).collect()
    }
    columns
        .with(all(fresh, |row| codec::doc(row.chunk.doc)))
        .with(all(fresh, |row| codec::shelf(row.chunk.doc.shelf)))
        .with(all(fresh, |row| row.chunk.id.as_str().to_owned()))
        .with(all(fresh, |row| text(&row.chunk.path)))
        .with(all(fresh, |row| codec::source(row.chunk.source)))
        .with(all(fresh, |row| int(row.chunk.start_line)))
        .with(all(fresh, |row| int(row.chunk.end_line)))
        .with(all(fresh, |row| row.chunk.hash.to_string()))
        .with(all(fresh, |row| row.chunk.day))
        .with(all(fresh, |row| codec::origin(row.chunk.origin)))
        .with(fresh.iter().map(|new| int(new.words.length)).collect::<Vec<i32>>())
        .with(all(fresh, |row| codec::state(&row.chunk.embedding)))
        .with(all(fresh, |row| text(&row.chunk.context)))
        .with(all(fresh, |row| text(&row.chunk.text)))
        .with(all(fresh, |row| codec::tokens(&row.chunk.tokens)))
        .with(all(fresh, |row| sum(&row.chunk, row.fields.as_ref())))
        .with(facts(fresh, |fields| text(&fields.id)))
        .with(facts(fresh, |fields| fields.kind.to_string()))
        .with(facts(fresh, |fields| fields.salience))
        .with(all(fresh, |row| row.fields.as_ref().and_then(|fields| fields.confidence)))
        .with(all(fresh, |row| row.fields.as_ref().and_then(|fields| fields.key.as_deref().map(text))))
        .with(facts(fresh, |fields| text(&fields.line)))
        .with(facts(fresh, |fields| text(&fields.entities.join("\n"))))
}

/// The checksum of a row, compared by `verify`.
pub(crate) fn sum(chunk: &StoredChunk, fields: Option<&FactFields>) -> String {
    let StoredChunk { context, text, tokens, .. } = chunk;
    let mut digest = Digest::of(context.as_bytes()).then(text.as_bytes()).then(&codec::tokens(tokens));
    if let Some(FactFields { id, kind, salience, confidence, key, entities, line }) = fields {
        let bits = confidence.map(f32::to_bits);
        let whole = (id, kind.to_string(), salience.to_bits(), bits, key, entities, line);
        digest = digest.then(format!("{whole:?}").as_bytes());
    }
    let mut sum = digest.to_string();
    sum.truncate(16);
    sum
}

fn names(columns: Columns, fresh: &[NewRow<'_>]) -> Columns {
    let mut names: Vec<String> = Vec::new();
    let mut docs: Vec<i64> = Vec::new();
    let mut ords: Vec<i16> = Vec::new();
    let mut tags: Vec<String> = Vec::new();
    for row in fresh.iter().map(|new| new.row) {
        let entities = row.fields.as_ref().map(|fields| fields.entities.as_slice()).unwrap_or_default();
        for ((name, tag), ord) in named(entities).into_iter().zip(0..) {
            names.push(text(&name));
            docs.push(codec::doc(row.chunk.doc));
            ords.push(ord);
            tags.push(text(tag));
        }
    }
    columns.with(names).with(docs).with(ords).with(tags)
}
