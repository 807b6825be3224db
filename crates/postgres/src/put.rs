//! Notes and what they are made of: rows that stay as they were keep their numbers and vectors, the others go, new ones
//! come, each by a few statements however many notes there are.

use std::collections::{BTreeMap, HashSet};

use mindfile_index::{
    ChunkId, Embedding, MOST_ENTITIES, NewChunk, NewNote, Said as FactSaid, Shelf, StoredNote, Words,
};
use mindfile_note::hash::Digest;
use tokio_postgres::Row;

use crate::codec::{self, int, plain, stored};
use crate::error::Said;
use crate::write::{Counted, Writer};

/// The rows of some notes as they are.
pub(crate) struct Group {
    old: BTreeMap<(String, i16, String), Old>,
}

struct Old {
    doc: i64,
    day: Option<i32>,
    pending: bool,
    counted: Counted,
}

/// A row that comes.
struct New<'a> {
    doc: i64,
    shelf: Shelf,
    id: ChunkId,
    note: &'a NewNote,
    chunk: &'a NewChunk,
    said: Option<&'a FactSaid>,
    words: Words,
}

impl Group {
    /// With what begins at line `from` or later.
    pub(crate) fn read(writer: &mut Writer<'_>, paths: &[&str], from: Option<u32>) -> Result<Self, Said> {
        let paths: Vec<String> = paths.iter().map(|path| stored(path).into_owned()).collect();
        let sql = "SELECT path, shelf, id, doc, day, source, origin, length, state FROM entries
            WHERE agent = $1 AND part = $2 AND path = ANY ($3::text[]) AND start_line >= $4";
        let from = from.map_or(i32::MIN, int);
        let rows = writer.db.rows(sql, &[&writer.agent, &writer.part, &paths, &from])?;
        Ok(Self { old: rows.iter().map(Old::read).collect() })
    }

    /// Puts the notes' rows in the place of these.
    pub(crate) fn place(mut self, writer: &mut Writer<'_>, notes: &[&NewNote]) -> Result<(), Said> {
        let (mut fresh, mut filled, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        for note in notes {
            let mut placed = HashSet::new();
            for (shelf, chunk, said) in members(note) {
                let id = ChunkId::new(note.note.source, &note.note.path, chunk);
                if !placed.insert((shelf, id.clone())) {
                    continue;
                }
                let place = (note.note.path.clone(), codec::shelf(shelf), id.as_str().to_owned());
                match self.old.remove(&place) {
                    Some(old) => {
                        if old.day != note.day {
                            moved.push((old.doc, note.day));
                        }
                        if old.pending && !chunk.embedding.is_pending() {
                            writer.check(&chunk.embedding)?;
                            filled.push((old, chunk));
                        }
                    }
                    None => {
                        writer.check(&chunk.embedding)?;
                        let (doc, words) = (writer.next_doc(shelf), Words::of(&chunk.text, &chunk.context));
                        fresh.push(New { doc, shelf, id, note, chunk, said, words });
                    }
                }
            }
        }
        self.drop_all(writer)?;
        move_days(writer, &moved)?;
        fill(writer, filled)?;
        insert(writer, &fresh)?;
        let notes: Vec<&StoredNote> = notes.iter().map(|note| &note.note).collect();
        writer.notes(&notes)
    }

    /// Leaves nothing of these rows.
    pub(crate) fn drop_all(self, writer: &mut Writer<'_>) -> Result<(), Said> {
        if self.old.is_empty() {
            return Ok(());
        }
        let docs: Vec<i64> = self.old.values().map(|old| old.doc).collect();
        self.old.values().for_each(|old| writer.count(&old.counted, -1));
        let sql = "DELETE FROM entries WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])
            RETURNING doc, shelf, text, context";
        let gone = writer.db.rows(sql, &[&writer.agent, &writer.part, &docs])?;
        drop_postings(writer, &gone)?;
        for sql in [
            "DELETE FROM vectors WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])",
            "DELETE FROM names WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])",
        ] {
            writer.db.run(sql, &[&writer.agent, &writer.part, &docs])?;
        }
        Ok(())
    }

    /// The same rows under another name, which is part of what they go by.
    pub(crate) fn rename(self, writer: &mut Writer<'_>, to: &StoredNote) -> Result<(), Said> {
        let docs: Vec<i64> = self.old.values().map(|old| old.doc).collect();
        let sql = "SELECT doc, start_line, end_line, hash, context, origin FROM entries
            WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])";
        let rows = writer.db.rows(sql, &[&writer.agent, &writer.part, &docs])?;
        let (mut docs, mut ids) = (Vec::new(), Vec::new());
        for row in &rows {
            docs.push(row.get::<_, i64>(0));
            ids.push(crate::read::renamed(row, to)?.as_str().to_owned());
        }
        let sql = "UPDATE entries e SET path = $5, id = n.id FROM unnest($3::int8[], $4::text[]) n(doc, id)
            WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
        writer.db.run(sql, &[&writer.agent, &writer.part, &docs, &ids, &stored(&to.path)])?;
        Ok(())
    }
}

impl Old {
    fn read(row: &Row) -> ((String, i16, String), Self) {
        let (shelf, state): (i16, i16) = (row.get(1), row.get(8));
        let of = (shelf, row.get(5), row.get(6));
        let counted = Counted { of, length: row.get(7), vector: state == codec::VECTOR };
        let old = Self { doc: row.get(3), day: row.get(4), pending: state == codec::PENDING, counted };
        ((plain(row.get(0)), shelf, row.get(2)), old)
    }
}

fn members(note: &NewNote) -> impl Iterator<Item = (Shelf, &NewChunk, Option<&FactSaid>)> {
    let chunks = note.chunks.iter().map(|chunk| (Shelf::Chunks, chunk, None));
    chunks.chain(note.facts.iter().map(|fact| (Shelf::Facts, &fact.chunk, Some(&fact.said))))
}

/// Which postings a row has follows from its text.
fn drop_postings(writer: &mut Writer<'_>, gone: &[Row]) -> Result<(), Said> {
    let (mut shelves, mut terms, mut docs): (Vec<i16>, Vec<String>, Vec<i64>) = Default::default();
    for row in gone {
        let words = Words::of(&plain(row.get(2)), &plain(row.get(3)));
        for term in words.counts.keys() {
            docs.push(row.get(0));
            shelves.push(row.get(1));
            terms.push(stored(term).into_owned());
        }
    }
    let sql = "DELETE FROM postings p USING unnest($3::int2[], $4::text[], $5::int8[]) d(shelf, term, doc)
        WHERE p.agent = $1 AND p.part = $2 AND p.shelf = d.shelf AND p.term = d.term AND p.doc = d.doc";
    writer.db.run(sql, &[&writer.agent, &writer.part, &shelves, &terms, &docs])?;
    Ok(())
}

fn move_days(writer: &mut Writer<'_>, moved: &[(i64, Option<i32>)]) -> Result<(), Said> {
    for (doc, day) in moved {
        let sql = "UPDATE entries SET day = $4 WHERE agent = $1 AND part = $2 AND doc = $3";
        writer.db.run(sql, &[&writer.agent, &writer.part, doc, day])?;
    }
    Ok(())
}

/// Rows that waited for a vector and come with one.
fn fill(writer: &mut Writer<'_>, filled: Vec<(Old, &NewChunk)>) -> Result<(), Said> {
    let mut vectors = Vec::new();
    let (mut docs, mut states) = (Vec::new(), Vec::new());
    for (old, chunk) in &filled {
        let vector = chunk.embedding.vector();
        let Counted { of, length, .. } = old.counted;
        writer.count(&old.counted, -1);
        writer.count(&Counted { of, length, vector: vector.is_some() }, 1);
        vectors.extend(vector.map(|vector| (old.doc, of.0, vector)));
        docs.push(old.doc);
        states.push(codec::state(&chunk.embedding));
    }
    if docs.is_empty() {
        return Ok(());
    }
    let sql =
        "UPDATE entries e SET state = n.state, model = $5 FROM unnest($3::int8[], $4::int2[]) n(doc, state)
        WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
    writer.db.run(sql, &[&writer.agent, &writer.part, &docs, &states, &writer.model])?;
    writer.vectors(&vectors)
}

fn insert(writer: &mut Writer<'_>, fresh: &[New<'_>]) -> Result<(), Said> {
    if fresh.is_empty() {
        return Ok(());
    }
    for new in fresh {
        let of =
            (codec::shelf(new.shelf), codec::source(new.note.note.source), codec::origin(new.chunk.origin));
        let counted =
            Counted { of, length: int(new.words.length), vector: new.chunk.embedding.vector().is_some() };
        writer.count(&counted, 1);
    }
    entries(writer, fresh)?;
    said(writer, fresh)?;
    postings(writer, fresh)?;
    names(writer, fresh)?;
    let vector =
        |new: &New<'_>| Some((new.doc, codec::shelf(new.shelf), vector_of(&new.chunk.embedding)?.to_vec()));
    let vectors: Vec<(i64, i16, Vec<f32>)> = fresh.iter().filter_map(vector).collect();
    let vectors: Vec<(i64, i16, &[f32])> =
        vectors.iter().map(|(doc, shelf, v)| (*doc, *shelf, v.as_slice())).collect();
    writer.vectors(&vectors)
}

fn vector_of(embedding: &Embedding) -> Option<&[f32]> {
    embedding.vector()
}

fn entries(writer: &mut Writer<'_>, fresh: &[New<'_>]) -> Result<(), Said> {
    fn all<'a, T>(fresh: &'a [New<'a>], value: impl Fn(&'a New<'a>) -> T) -> Vec<T> {
        fresh.iter().map(value).collect()
    }
    let text = |text: &str| stored(text).into_owned();
    let sql = "INSERT INTO entries (agent, part, doc, shelf, id, path, source, start_line, end_line, hash, day, origin,
          length, state, context, text, tokens, sum, model, updated_at)
        SELECT $1, $2, n.*, $19, $20 FROM unnest($3::int8[], $4::int2[], $5::text[], $6::text[], $7::int2[], $8::int4[],
          $9::int4[], $10::text[], $11::int4[], $12::int2[], $13::int4[], $14::int2[], $15::text[], $16::text[],
          $17::bytea[], $18::text[]) n";
    let (agent, part, model, now_ms) = (writer.agent, writer.part, writer.model, writer.now_ms);
    writer.db.run(
        sql,
        &[
            &agent,
            &part,
            &all(fresh, |new| new.doc),
            &all(fresh, |new| codec::shelf(new.shelf)),
            &all(fresh, |new| new.id.as_str().to_owned()),
            &all(fresh, |new| text(&new.note.note.path)),
            &all(fresh, |new| codec::source(new.note.note.source)),
            &all(fresh, |new| int(new.chunk.start_line)),
            &all(fresh, |new| int(new.chunk.end_line)),
            &all(fresh, |new| new.chunk.hash.to_string()),
            &all(fresh, |new| new.note.day),
            &all(fresh, |new| codec::origin(new.chunk.origin)),
            &all(fresh, |new| int(new.words.length)),
            &all(fresh, |new| codec::state(&new.chunk.embedding)),
            &all(fresh, |new| text(&new.chunk.context)),
            &all(fresh, |new| text(&new.chunk.text)),
            &all(fresh, |new| codec::tokens(&new.chunk.tokens)),
            &all(fresh, |new| sum(&new.chunk.context, &new.chunk.text, &new.chunk.tokens, new.said)),
            &model,
            &now_ms,
        ],
    )?;
    Ok(())
}

/// What a row says, in a few letters: compared when everything is checked.
pub(crate) fn sum(context: &str, text: &str, tokens: &[u16], said: Option<&FactSaid>) -> String {
    let mut digest = Digest::of(context.as_bytes()).then(text.as_bytes()).then(&codec::tokens(tokens));
    if let Some(FactSaid { id, kind, salience, confidence, key, entities, line }) = said {
        let told =
            (id, kind.to_string(), salience.to_bits(), confidence.map(f32::to_bits), key, entities, line);
        digest = digest.then(format!("{told:?}").as_bytes());
    }
    let mut sum = digest.to_string();
    sum.truncate(16);
    sum
}

/// What fact lines say. Entities are joined by a character that no tag has: an array of arrays would have to be text.
fn said(writer: &mut Writer<'_>, fresh: &[New<'_>]) -> Result<(), Said> {
    let facts: Vec<(i64, &FactSaid)> = fresh.iter().filter_map(|new| Some((new.doc, new.said?))).collect();
    if facts.is_empty() {
        return Ok(());
    }
    let text = |text: &str| stored(text).into_owned();
    let texts =
        |value: fn(&FactSaid) -> &str| facts.iter().map(|(_, said)| text(value(said))).collect::<Vec<_>>();
    let docs: Vec<i64> = facts.iter().map(|(doc, _)| *doc).collect();
    let kinds: Vec<String> = facts.iter().map(|(_, said)| said.kind.to_string()).collect();
    let saliences: Vec<f32> = facts.iter().map(|(_, said)| said.salience).collect();
    let confidences: Vec<Option<f32>> = facts.iter().map(|(_, said)| said.confidence).collect();
    let keys: Vec<Option<String>> = facts.iter().map(|(_, said)| said.key.as_deref().map(text)).collect();
    let entities: Vec<String> = facts.iter().map(|(_, said)| text(&said.entities.join("\n"))).collect();
    let sql = r"UPDATE entries e SET fact_id = n.fact_id, kind = n.kind, salience = n.salience, confidence = n.confidence,
          key = n.key, entities = string_to_array(n.entities, E'\n'), line = n.line
        FROM unnest($3::int8[], $4::text[], $5::text[], $6::real[], $7::real[], $8::text[], $9::text[], $10::text[])
          n(doc, fact_id, kind, salience, confidence, key, entities, line)
        WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
    let (agent, part, ids, lines) =
        (writer.agent, writer.part, texts(|said| &said.id), texts(|said| &said.line));
    writer.db.run(
        sql,
        &[&agent, &part, &docs, &ids, &kinds, &saliences, &confidences, &keys, &entities, &lines],
    )?;
    Ok(())
}

fn postings(writer: &mut Writer<'_>, fresh: &[New<'_>]) -> Result<(), Said> {
    let (mut shelves, mut terms, mut docs, mut counts): (Vec<i16>, Vec<String>, Vec<i64>, Vec<i32>) =
        Default::default();
    for new in fresh {
        for (term, count) in &new.words.counts {
            shelves.push(codec::shelf(new.shelf));
            terms.push(stored(term).into_owned());
            docs.push(new.doc);
            counts.push(int(*count));
        }
    }
    let sql =
        "INSERT INTO postings SELECT $1, $2, * FROM unnest($3::int2[], $4::text[], $5::int8[], $6::int4[])";
    writer.db.run(sql, &[&writer.agent, &writer.part, &shelves, &terms, &docs, &counts])?;
    Ok(())
}

/// The entities that a fact names, in lower case, each once, in the spelling that comes first.
pub(crate) fn named(said: &FactSaid) -> Vec<(String, &str)> {
    let mut names: Vec<(String, &str)> = Vec::new();
    for tag in &said.entities {
        let name = tag.to_lowercase();
        if names.len() < MOST_ENTITIES && !names.iter().any(|(known, _)| *known == name) {
            names.push((name, tag));
        }
    }
    names
}

fn names(writer: &mut Writer<'_>, fresh: &[New<'_>]) -> Result<(), Said> {
    let (mut names, mut docs, mut ords, mut tags): (Vec<String>, Vec<i64>, Vec<i16>, Vec<String>) =
        Default::default();
    for (doc, said) in fresh.iter().filter_map(|new| Some((new.doc, new.said?))) {
        for ((name, tag), ord) in named(said).into_iter().zip(0..) {
            names.push(stored(&name).into_owned());
            docs.push(doc);
            ords.push(ord);
            tags.push(stored(tag).into_owned());
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let sql =
        "INSERT INTO names SELECT $1, $2, * FROM unnest($3::text[], $4::int8[], $5::int2[], $6::text[])";
    writer.db.run(sql, &[&writer.agent, &writer.part, &names, &docs, &ords, &tags])?;
    Ok(())
}
