//! Notes and what they are made of: rows that stay as they were keep their numbers and vectors, the others go, new ones
//! come, each by a few statements however many notes there are.

use std::collections::{BTreeMap, HashSet};

use mindfile_index::{ChunkId, ChunkTerms, FactFields, NewChunk, NewNote, Shelf, StoredNote};
use tokio_postgres::Row;

use crate::codec::{self, int, plain, stored};
use crate::columns::Columns;
use crate::error::StepError;
use crate::insert::{New, gone_statements, insert};
use crate::totals::Counted;
use crate::value::Value;
use crate::write::Writer;

/// The rows of some notes as they are.
pub(crate) struct Group {
    /// The notes that are known, with their content.
    notes: BTreeMap<String, String>,
    old: BTreeMap<(String, i16, String), Old>,
}

struct Old {
    doc: i64,
    day: Option<i32>,
    pending: bool,
    counted: Counted,
    text: String,
    context: String,
    entities: Vec<String>,
}

impl Group {
    /// With what begins at line `from` or later.
    pub(crate) fn read(
        writer: &mut Writer<'_>,
        paths: &[&str],
        from: Option<u32>,
    ) -> Result<Self, StepError> {
        let paths: Vec<String> = paths.iter().map(|path| stored(path).into_owned()).collect();
        let sql = "SELECT n.path, n.hash, e.shelf, e.id, e.doc, e.day, e.source, e.origin, e.length, e.state, e.text, e.context, e.entities
            FROM notes n LEFT JOIN entries e ON e.agent = n.agent AND e.part = n.part AND e.path = n.path AND e.start_line >= $4
            WHERE n.agent = $1 AND n.part = $2 AND n.path = ANY ($3::text[])";
        let from = from.map_or(i32::MIN, int);
        let rows = writer.db.rows(sql, &[&writer.agent, &writer.part, &paths, &from])?;
        let notes = rows.iter().map(|row| (plain(row.get(0)), row.get(1))).collect();
        Ok(Self { notes, old: rows.iter().filter_map(Old::read).collect() })
    }

    /// What a note's content was; none where it is not known.
    pub(crate) fn hash_of(&self, path: &str) -> Option<&String> {
        self.notes.get(path)
    }

    /// Puts the notes' rows in the place of these.
    pub(crate) fn place(mut self, writer: &mut Writer<'_>, notes: &[&NewNote]) -> Result<(), StepError> {
        let (mut fresh, mut filled, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        for note in notes {
            let mut placed = HashSet::new();
            for (shelf, chunk, fields) in members(note) {
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
                        let (doc, words) =
                            (writer.next_doc(shelf), ChunkTerms::of(&chunk.text, &chunk.context));
                        fresh.push(New { doc, id, note, chunk, fields, words });
                    }
                }
            }
        }
        let gone = self.gone(writer);
        move_days(writer, &moved)?;
        fill(writer, filled)?;
        let notes: Vec<&StoredNote> = notes.iter().map(|note| &note.note).collect();
        insert(writer, &fresh, &notes, gone)
    }

    /// Leaves nothing of these rows.
    pub(crate) fn drop_all(self, writer: &mut Writer<'_>) -> Result<(), StepError> {
        let Some(gone) = self.gone(writer) else { return Ok(()) };
        let own: [&dyn Value; 2] = [&writer.agent, &writer.part];
        let params: Vec<&dyn Value> = own.into_iter().chain(gone.values()).collect();
        writer.db.run(&format!("WITH {} SELECT", gone_statements(3)), &params)?;
        Ok(())
    }

    /// What has to be deleted, counted; none where there is nothing.
    fn gone(&self, writer: &mut Writer<'_>) -> Option<Columns> {
        let docs: Vec<i64> = self.old.values().map(|old| old.doc).collect();
        for old in self.old.values() {
            writer.count(&old.counted, -1);
            // Which postings a row has follows from its text.
            writer.words.remove(old.counted.of, old.doc, &ChunkTerms::of(&old.text, &old.context));
            writer.count_names(&old.entities, -1);
        }
        (!docs.is_empty()).then(|| Columns::default().with(docs))
    }

    /// The same rows under another name, which is part of what they go by.
    pub(crate) fn rename(self, writer: &mut Writer<'_>, to: &StoredNote) -> Result<(), StepError> {
        let docs: Vec<i64> = self.old.values().map(|old| old.doc).collect();
        let sql = "SELECT doc, start_line, end_line, hash, context, origin FROM entries
            WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[])";
        let rows = writer.db.rows(sql, &[&writer.agent, &writer.part, &docs])?;
        let (mut docs, mut ids) = (Vec::new(), Vec::new());
        for row in &rows {
            docs.push(row.get::<_, i64>(0));
            ids.push(crate::rows::renamed(row, to)?.as_str().to_owned());
        }
        let sql = "UPDATE entries e SET path = $5, id = n.id FROM unnest($3::int8[], $4::text[]) n(doc, id)
            WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
        writer.db.run(sql, &[&writer.agent, &writer.part, &docs, &ids, &stored(&to.path)])?;
        Ok(())
    }
}

impl Old {
    /// None for a note that has no rows there.
    fn read(row: &Row) -> Option<((String, i16, String), Self)> {
        let doc: i64 = row.get::<_, Option<i64>>(4)?;
        let (shelf, state): (i16, i16) = (row.get(2), row.get(9));
        let of = (shelf, row.get(6), row.get(7));
        let counted = Counted { of, length: row.get(8), vector: state == codec::VECTOR };
        let (day, pending) = (row.get(5), state == codec::PENDING);
        let (text, context) = (plain(row.get(10)), plain(row.get(11)));
        let entities: Option<Vec<String>> = row.get(12);
        let entities = entities.unwrap_or_default().into_iter().map(plain).collect();
        let old = Self { doc, day, pending, counted, text, context, entities };
        Some(((plain(row.get(0)), shelf, row.get(3)), old))
    }
}

fn members(note: &NewNote) -> impl Iterator<Item = (Shelf, &NewChunk, Option<&FactFields>)> {
    let chunks = note.chunks.iter().map(|chunk| (Shelf::Chunks, chunk, None));
    chunks.chain(note.facts.iter().map(|fact| (Shelf::Facts, &fact.chunk, Some(&fact.fields))))
}

fn move_days(writer: &mut Writer<'_>, moved: &[(i64, Option<i32>)]) -> Result<(), StepError> {
    if moved.is_empty() {
        return Ok(());
    }
    let (docs, days): (Vec<i64>, Vec<Option<i32>>) = moved.iter().copied().unzip();
    let sql = "UPDATE entries e SET day = n.day FROM unnest($3::int8[], $4::int4[]) n(doc, day)
        WHERE e.agent = $1 AND e.part = $2 AND e.doc = n.doc";
    writer.db.run(sql, &[&writer.agent, &writer.part, &docs, &days])?;
    Ok(())
}

/// Rows that waited for a vector and come with one.
fn fill(writer: &mut Writer<'_>, filled: Vec<(Old, &NewChunk)>) -> Result<(), StepError> {
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
