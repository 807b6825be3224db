//! New rows of notes: entries, their names and vectors, and the notes themselves, by one statement however many there
//! are.

use mindfile_index::{ChunkId, ChunkTerms, FactFields, NewChunk, NewNote, StoredNote};
use mindfile_note::hash::Digest;

use crate::codec::{self, int, named, stored};
use crate::columns::Columns;
use crate::error::StepError;
use crate::totals::{Counted, Kin};
use crate::value::Value;
use crate::write::Writer;

/// A row that comes.
pub(crate) struct New<'a> {
    pub(crate) doc: i64,
    pub(crate) id: ChunkId,
    pub(crate) note: &'a NewNote,
    pub(crate) chunk: &'a NewChunk,
    pub(crate) fields: Option<&'a FactFields>,
    pub(crate) words: ChunkTerms,
}

impl New<'_> {
    fn of(&self) -> Kin {
        let shelf = codec::to_doc(self.doc).shelf;
        (codec::shelf(shelf), codec::source(self.note.note.source), codec::origin(self.chunk.origin))
    }
}

/// Entities are joined by a character that no tag has: an array of arrays would have to be text.
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

/// Vectors are all of one length, one after the other. `first` is the number of the statement's value with which they
/// begin.
fn vectors_statement(first: usize) -> String {
    let [docs, shelves, flat, dims] = [first, first + 1, first + 2, first + 3];
    format!(
        "INSERT INTO vectors (agent, part, doc, shelf, embedding)
         SELECT $1, $2, n.doc, n.shelf, (${flat}::real[])[(n.at - 1) * ${dims} + 1 : n.at * ${dims}]
         FROM unnest(${docs}::int8[], ${shelves}::int2[]) WITH ORDINALITY n(doc, shelf, at)"
    )
}

pub(crate) fn notes_statement(first: usize) -> String {
    let kinds = ["text", "int2", "text", "int8", "int8", "int8", "int8", "bool", "int4"];
    let arrays: Vec<String> =
        kinds.iter().zip(first..).map(|(kind, at)| format!("${at}::{kind}[]")).collect();
    format!(
        "INSERT INTO notes (agent, part, path, source, hash, mtime, ctime, size, inode, racy, changed)
         SELECT $1, $2, * FROM unnest({})
         ON CONFLICT (agent, part, path) DO UPDATE SET source = excluded.source, hash = excluded.hash,
           mtime = excluded.mtime, ctime = excluded.ctime, size = excluded.size, inode = excluded.inode,
           racy = excluded.racy, changed = excluded.changed",
        arrays.join(", ")
    )
}

pub(crate) fn note_columns(notes: &[&StoredNote]) -> Columns {
    fn all<T>(notes: &[&StoredNote], value: impl Fn(&StoredNote) -> T) -> Vec<T> {
        notes.iter().map(|note| value(note)).collect()
    }
    Columns::default()
        .with(all(notes, |note| stored(&note.path).into_owned()))
        .with(all(notes, |note| codec::source(note.source)))
        .with(all(notes, |note| note.hash.to_string()))
        .with(all(notes, |note| note.stat.mtime_ns))
        .with(all(notes, |note| note.stat.ctime_ns))
        .with(all(notes, |note| note.stat.size.cast_signed()))
        .with(all(notes, |note| note.stat.inode.cast_signed()))
        .with(all(notes, |note| note.racy))
        .with(all(notes, StoredNote::changed_day))
}

/// Deletes entries, and what hangs on them; their numbers are the statement's value of that number.
pub(crate) fn gone_statements(docs: usize) -> String {
    let own = |table: &&str| {
        format!(
            "gone_{table} AS (DELETE FROM {table} WHERE agent = $1 AND part = $2 AND doc = ANY (${docs}::int8[]))"
        )
    };
    ["entries", "vectors", "names"].iter().map(own).collect::<Vec<_>>().join(", ")
}

/// Puts the rows and the notes that they are of, in the place of those that are gone.
pub(crate) fn insert(
    writer: &mut Writer<'_>,
    fresh: &[New<'_>],
    notes: &[&StoredNote],
    gone: Option<Columns>,
) -> Result<(), StepError> {
    for new in fresh {
        let (of, length) = (new.of(), int(new.words.length));
        writer.count(&Counted { of, length, vector: new.chunk.embedding.vector().is_some() }, 1);
        writer.words.add(of, new.doc, &new.words);
        writer.count_names(new.fields.map_or(&[], |fields| &fields.entities), 1);
    }
    let (entries, names) = (entries(fresh), names(fresh));
    let meaning = |new: &'_ New<'_>| Some((new.doc, new.of().0, new.chunk.embedding.vector()?.to_vec()));
    let meaning: Vec<(i64, i16, Vec<f32>)> = fresh.iter().filter_map(meaning).collect();
    let meaning: Vec<(i64, i16, &[f32])> =
        meaning.iter().map(|(doc, shelf, vector)| (*doc, *shelf, vector.as_slice())).collect();
    let (vectors, notes) = (vector_columns(&meaning), note_columns(notes));
    let sql = format!(
        "WITH {ENTRIES}, {NAMES}, vectors AS ({}) {} {}",
        vectors_statement(32),
        gone.as_ref().map_or_else(String::new, |_| format!(", {}", gone_statements(45))),
        notes_statement(36)
    );
    let gone = gone.unwrap_or_default();
    let own: [&dyn Value; 4] = [&writer.agent, &writer.part, &writer.model, &writer.now_ms];
    let columns = entries.values().chain(names.values()).chain(vectors.values());
    let columns = columns.chain(notes.values()).chain(gone.values());
    let params: Vec<&dyn Value> = own.into_iter().chain(columns).collect();
    writer.db.run(&sql, &params)?;
    Ok(())
}

impl Writer<'_> {
    /// Vectors of rows that are there.
    pub(crate) fn vectors(&mut self, vectors: &[(i64, i16, &[f32])]) -> Result<(), StepError> {
        if vectors.is_empty() {
            return Ok(());
        }
        let columns = vector_columns(vectors);
        let own: [&dyn Value; 2] = [&self.agent, &self.part];
        let params: Vec<&dyn Value> = own.into_iter().chain(columns.values()).collect();
        self.db.run(&vectors_statement(3), &params)?;
        Ok(())
    }
}

fn vector_columns(vectors: &[(i64, i16, &[f32])]) -> Columns {
    let dims = vectors.first().map_or(0, |(_, _, vector)| i64::try_from(vector.len()).unwrap_or(i64::MAX));
    Columns::default()
        .with(vectors.iter().map(|(doc, _, _)| *doc).collect::<Vec<i64>>())
        .with(vectors.iter().map(|(_, shelf, _)| *shelf).collect::<Vec<i16>>())
        .with(vectors.iter().flat_map(|(_, _, vector)| vector.iter().copied()).collect::<Vec<f32>>())
        .with(dims)
}

fn text(text: &str) -> String {
    stored(text).into_owned()
}

fn entries(fresh: &[New<'_>]) -> Columns {
    fn all<'a, T>(fresh: &'a [New<'a>], value: impl Fn(&'a New<'a>) -> T) -> Vec<T> {
        fresh.iter().map(value).collect()
    }
    /// What only facts have.
    fn facts<'a, T>(fresh: &'a [New<'a>], value: impl Fn(&'a FactFields) -> T) -> Vec<Option<T>> {
        fresh.iter().map(|new| new.fields.map(&value)).collect()
    }
    let sum = |new: &New<'_>| sum(&new.chunk.context, &new.chunk.text, &new.chunk.tokens, new.fields);
    Columns::default()
        .with(all(fresh, |new| new.doc))
        .with(all(fresh, |new| new.of().0))
        .with(all(fresh, |new| new.id.as_str().to_owned()))
        .with(all(fresh, |new| text(&new.note.note.path)))
        .with(all(fresh, |new| new.of().1))
        .with(all(fresh, |new| int(new.chunk.start_line)))
        .with(all(fresh, |new| int(new.chunk.end_line)))
        .with(all(fresh, |new| new.chunk.hash.to_string()))
        .with(all(fresh, |new| new.note.day))
        .with(all(fresh, |new| new.of().2))
        .with(all(fresh, |new| int(new.words.length)))
        .with(all(fresh, |new| codec::state(&new.chunk.embedding)))
        .with(all(fresh, |new| text(&new.chunk.context)))
        .with(all(fresh, |new| text(&new.chunk.text)))
        .with(all(fresh, |new| codec::tokens(&new.chunk.tokens)))
        .with(all(fresh, sum))
        .with(facts(fresh, |fields| text(&fields.id)))
        .with(facts(fresh, |fields| fields.kind.to_string()))
        .with(facts(fresh, |fields| fields.salience))
        .with(all(fresh, |new| new.fields.and_then(|fields| fields.confidence)))
        .with(all(fresh, |new| new.fields.and_then(|fields| fields.key.as_deref().map(text))))
        .with(facts(fresh, |fields| text(&fields.line)))
        .with(facts(fresh, |fields| text(&fields.entities.join("\n"))))
}

/// What a row says, in a few letters: compared when everything is checked.
pub(crate) fn sum(context: &str, text: &str, tokens: &[u16], fields: Option<&FactFields>) -> String {
    let mut digest = Digest::of(context.as_bytes()).then(text.as_bytes()).then(&codec::tokens(tokens));
    if let Some(FactFields { id, kind, salience, confidence, key, entities, line }) = fields {
        let told =
            (id, kind.to_string(), salience.to_bits(), confidence.map(f32::to_bits), key, entities, line);
        digest = digest.then(format!("{told:?}").as_bytes());
    }
    let mut sum = digest.to_string();
    sum.truncate(16);
    sum
}

fn names(fresh: &[New<'_>]) -> Columns {
    let (mut names, mut docs, mut ords, mut tags): (Vec<String>, Vec<i64>, Vec<i16>, Vec<String>) =
        Default::default();
    for (doc, fields) in fresh.iter().filter_map(|new| Some((new.doc, new.fields?))) {
        for ((name, tag), ord) in named(&fields.entities).into_iter().zip(0..) {
            names.push(text(&name));
            docs.push(doc);
            ords.push(ord);
            tags.push(text(tag));
        }
    }
    Columns::default().with(names).with(docs).with(ords).with(tags)
}
