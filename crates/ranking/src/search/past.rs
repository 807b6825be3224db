//! Lines of a chunk that do not hold: superseded, expired, only proposed.
//!
//! A chunk has many lines, and most of them hold. So it is decided line by line: such a line is marked wherever it is shown,
//! and a chunk counts less the more it is such a line that answers.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use mindfile_index::{Access, Snapshot, Source, StoredChunk, Uses};
use mindfile_note::chunk;

use super::plan::Plan;
use crate::error::Error;
use crate::fact::FactRecord;
use crate::fact::load::{self, LineRef};

/// What a line has to have in order not to hold.
const SIGNS: [&str; 5] = ["key=", "until=", "by=", "ttl=", "proposed"];

/// The lines of a text that do not hold, counted from its first, each with what is said of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PastLines(BTreeMap<u32, String>);

impl PastLines {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn mark(&self, line: u32) -> Option<&str> {
        self.0.get(&line).map(String::as_str)
    }

    /// A text with what is said of its lines before them.
    pub(super) fn marked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let line = |(number, line): (usize, &str)| match self.mark(number as u32) {
            Some(mark) => format!("({mark}) {line}"),
            None => line.to_owned(),
        };
        Cow::Owned(text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n"))
    }

    fn of(facts: &[FactRecord], start_line: u32, plan: &Plan) -> Self {
        let mark = |fact: &FactRecord| Some((fact.line - start_line, plan.on.mark(fact)?));
        Self(facts.iter().filter_map(mark).collect())
    }

    /// As far as the lines themselves say it.
    pub(super) fn of_text(source: Source, place: LineRef<'_>, text: &str, plan: &Plan) -> Self {
        Self::of(&facts(source, place, text), place.line, plan)
    }
}

/// The lines of each chunk that do not hold. Which value of a key is in force, only all of its values tell.
pub(super) fn find(
    snapshot: &dyn Snapshot,
    chunks: &[&StoredChunk],
    plan: &Plan,
) -> Result<Vec<PastLines>, Error> {
    let in_chunk = |chunk: &&StoredChunk| {
        facts(chunk.source, LineRef { path: &chunk.path, line: chunk.start_line }, &chunk.text)
    };
    let mut all: Vec<Vec<FactRecord>> = chunks.iter().map(in_chunk).collect();
    let keys: BTreeSet<String> = all.iter().flatten().filter_map(|fact| fact.key.clone()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let values = load::all_values(snapshot, &keys, &Uses::new())?.concat();
    for fact in all.iter_mut().flatten().filter(|fact| fact.key.is_some()) {
        let settled = values.iter().find(|value| (&value.path, value.line) == (&fact.path, fact.line));
        if let Some(settled) = settled {
            fact.clone_from(settled);
        }
    }
    let lines = all.iter().zip(chunks).map(|(facts, chunk)| PastLines::of(facts, chunk.start_line, plan));
    Ok(lines.collect())
}

/// The fact lines of a text, which begins at a place. Few texts have one that might not hold.
fn facts(source: Source, place: LineRef<'_>, text: &str) -> Vec<FactRecord> {
    if source != Source::Memory || !SIGNS.iter().any(|sign| text.contains(sign)) {
        return Vec::new();
    }
    let placed = chunk::facts(text).into_iter();
    placed
        .map(|placed| {
            let LineRef { path, line } = place;
            let at = LineRef { path, line: line + placed.line - 1 };
            load::of_line(&placed.fact, at, Vec::new(), Access::default())
        })
        .collect()
}
