//! Reads the notes that a batch is about and their rows, all at once, so that the rest is worked out in memory.

use std::collections::HashMap;
use std::sync::Arc;

use mindfile_index::plan::{Before, NoteState, Reach, StoredRow};
use mindfile_index::{Alias, Doc, Error};
use postgres::Row;

use crate::codec::{self, int, plain, stored};
use crate::error::StepError;
use crate::pool::Params;
use crate::rows::{self, to_note};
use crate::write::Writer;

#[derive(Default)]
pub(crate) struct RowsBefore {
    pub(crate) notes: HashMap<String, NoteState>,
    pub(crate) rows: HashMap<Doc, StoredRow>,
    by_path: HashMap<String, Vec<Doc>>,
}

const NOTES: &str = "SELECT n.path, n.source, n.hash, n.mtime, n.ctime, n.size, n.inode, n.racy,
      ARRAY(SELECT alias FROM aliases a WHERE a.agent = n.agent AND a.part = n.part AND a.path = n.path ORDER BY alias, name),
      ARRAY(SELECT name FROM aliases a WHERE a.agent = n.agent AND a.part = n.part AND a.path = n.path ORDER BY alias, name)
    FROM notes n WHERE n.agent = $1 AND n.part = $2 AND n.path = ANY ($3::text[])";
/// Whether there is a vector is enough: the vector itself is never written back.
const VECTOR: &str = "CASE WHEN e.state = 2 THEN '{}'::real[] END";
const OF_NOTES: &str = "unnest($3::text[], $4::int4[]) w(path, line)
    JOIN entries e ON e.agent = $1 AND e.part = $2 AND e.path = w.path AND e.start_line >= w.line";
const OF_DOCS: &str = "entries e WHERE e.agent = $1 AND e.part = $2 AND e.doc = ANY ($3::int8[])";

impl RowsBefore {
    pub(crate) fn read(writer: &mut Writer<'_>, reach: &Reach<'_>) -> Result<Self, StepError> {
        let mut before = Self::default();
        if !reach.notes.is_empty() {
            let paths: Vec<String> = reach.notes.keys().map(|path| stored(path).into_owned()).collect();
            for row in &writer.rows(NOTES, &[&paths])? {
                let note = to_note(writer.agent, row)?;
                before.notes.insert(note.path.clone(), NoteState { note, aliases: aliases(row) });
            }
            let lines: Vec<i32> = reach.notes.values().map(|line| int(*line)).collect();
            for doc in before.add(writer, OF_NOTES, &[&paths, &lines])? {
                let path = before.rows[&doc].chunk.path.clone();
                before.by_path.entry(path).or_default().push(doc);
            }
        }
        if !reach.docs.is_empty() {
            let docs: Vec<i64> = reach.docs.iter().map(|doc| codec::doc(*doc)).collect();
            before.add(writer, OF_DOCS, &[&docs])?;
        }
        Ok(before)
    }

    fn add(&mut self, writer: &mut Writer<'_>, found: &str, more: Params<'_>) -> Result<Vec<Doc>, StepError> {
        let sql = format!("SELECT {}, {VECTOR}, {}, e.model FROM {found}", rows::ENTRY, rows::FACT);
        let mut docs = Vec::new();
        for row in &writer.rows(&sql, more)? {
            let chunk = rows::to_chunk(writer.agent, row)?;
            let is_fact = row.get::<_, Option<&str>>(14).is_some();
            let fields = if is_fact { Some(rows::to_fields(writer.agent, row)?) } else { None };
            docs.push(chunk.doc);
            let chunk = Arc::new(chunk);
            self.rows.insert(chunk.doc, StoredRow { chunk, fields, model: row.get(21), created_ms: 0 });
        }
        Ok(docs)
    }
}

fn aliases(row: &Row) -> Vec<Alias> {
    let aliases: Vec<String> = row.get(8);
    let names: Vec<String> = row.get(9);
    let pairs = aliases.into_iter().zip(names);
    pairs.map(|(alias, name)| Alias { alias: plain(alias), name: plain(name) }).collect()
}

impl Before for RowsBefore {
    fn note(&self, path: &str) -> Result<Option<NoteState>, Error> {
        Ok(self.notes.get(path).cloned())
    }

    fn rows_from(&self, path: &str, line: u32) -> Result<Vec<Doc>, Error> {
        let docs = self.by_path.get(path).into_iter().flatten().copied();
        Ok(docs.filter(|doc| self.rows[doc].chunk.start_line >= line).collect())
    }

    fn row(&self, doc: Doc) -> Option<&StoredRow> {
        self.rows.get(&doc)
    }
}
