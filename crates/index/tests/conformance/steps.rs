//! Random changes, and what they make of the notes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::answers::located;
use super::notes::{note, text, vector};
use crate::{Batch, Change, Embedding, Index, NewNote, NoteQuery, RowQuery, Snapshot, StoredNote};

#[derive(Debug, Clone)]
pub enum Step {
    Put { path: usize, lines: Vec<u64>, embedded: bool },
    Grow { path: usize, lines: Vec<u64>, embedded: bool },
    Remove { path: usize },
    Rename { from: usize, to: usize },
    EmbedPending,
}

/// Any change that an index is asked to make.
pub fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..PATHS, prop::collection::vec(0..40_u64, 0..8), any::<bool>())
            .prop_map(|(path, lines, embedded)| Step::Put { path, lines, embedded }),
        2 => (0..PLAIN, prop::collection::vec(0..40_u64, 0..4), any::<bool>())
            .prop_map(|(path, lines, embedded)| Step::Grow { path, lines, embedded }),
        1 => (0..PATHS).prop_map(|path| Step::Remove { path }),
        1 => (0..PATHS, 0..PATHS).prop_map(|(from, to)| Step::Rename { from, to }),
        1 => Just(Step::EmbedPending),
    ]
}

const PATHS: usize = 6;
/// The first of them declare no aliases.
const PLAIN: usize = 4;

fn path(number: usize) -> String {
    ["memory/a.md", "memory/b.md", "memory/day-1.md", "MEMORY.md", "bank/bob.md", "bank/rob.md"][number]
        .to_owned()
}

/// What the step is for an index that is at this snapshot.
pub fn changes(step: &Step, snapshot: &dyn Snapshot) -> Vec<Change> {
    match step {
        Step::Put { path: number, lines, embedded } => {
            let lines: Vec<String> = lines.iter().map(|&seed| text(seed)).collect();
            vec![Change::Put(note(&path(*number), &lines, *embedded))]
        }
        Step::Grow { path: number, lines, embedded } => {
            let path = path(*number);
            let last = snapshot.rows_of(&path, RowQuery::LastChunks).unwrap();
            let Some(from) = last.first().map(|row| row.start_line) else { return Vec::new() };
            let known = (1..=from).map(|line| {
                let docs = located(snapshot, &path, line);
                snapshot.chunks(&docs).unwrap()[0].text.clone()
            });
            let all: Vec<String> = known.chain(lines.iter().map(|&seed| text(seed))).collect();
            let mut note = note(&path, &all, *embedded);
            note.chunks.retain(|chunk| chunk.start_line >= from);
            note.facts.retain(|fact| fact.chunk.start_line >= from);
            vec![Change::Grow { note, from }]
        }
        Step::Remove { path: number } => vec![Change::Remove { path: path(*number) }],
        Step::Rename { from, to } => {
            let found = snapshot.notes(NoteQuery::At(&[&path(*from)])).unwrap().pop();
            let to = path(*to);
            found
                // Of a note that gets another day nothing is kept.
                .filter(|note| note.path != to && note.path.contains("day") == to.contains("day"))
                .map(|note| Change::Rename { from: note.path.clone(), to: StoredNote { path: to, ..note } })
                .into_iter()
                .collect()
        }
        Step::EmbedPending => {
            let docs = snapshot.unembedded(1000).unwrap();
            let mut chunks = snapshot.chunks(&docs).unwrap();
            // Which are asked for first is the index's own affair.
            chunks.sort_by_key(|chunk| (chunk.doc.shelf as u8, chunk.path.clone(), chunk.start_line));
            let embeddings = chunks
                .iter()
                .take(3)
                .map(|chunk| (chunk.doc, chunk.id.clone(), Embedding::Vector(vector(&chunk.text))));
            vec![Change::Embed { model: "m".to_owned(), embeddings: embeddings.collect() }]
        }
    }
}

pub fn apply(index: &dyn Index, step: &Step) {
    let changes = changes(step, &*index.snapshot().unwrap());
    index.apply(&Batch { changes, model: "m".to_owned(), now_ms: 1, ..Batch::default() }).unwrap();
}

/// The notes as they are after a change.
pub fn follow(notes: &mut BTreeMap<String, NewNote>, change: Change) {
    match change {
        Change::Put(note) => {
            notes.insert(note.note.path.clone(), note);
        }
        Change::Grow { note: new, from } => {
            if let Some(known) = notes.get_mut(&new.note.path) {
                known.chunks.retain(|chunk| chunk.start_line < from);
                known.facts.retain(|fact| fact.chunk.start_line < from);
                known.chunks.extend(new.chunks);
                known.facts.extend(new.facts);
                known.note = new.note;
            }
        }
        Change::Remove { path } => {
            notes.remove(&path);
        }
        Change::Rename { from, to } => {
            if let Some(old) = notes.remove(&from) {
                notes.insert(to.path.clone(), NewNote { note: to, ..old });
            }
        }
        Change::Touch(_)
        | Change::Embed { .. }
        | Change::Meta { .. }
        | Change::Cache { .. }
        | Change::PruneCache { .. }
        | Change::Compact
        | Change::Forget { .. }
        | Change::Use { .. } => {}
    }
}
