//! The result of an import.

use std::path::Path;

/// Bad rows that are named one by one; the others are counted.
const NAMED: usize = 50;
const SHOWN: usize = 20;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub notes: Tally,
    pub turns: Tally,
    pub facts: Tally,
    /// Conversations that have new turns.
    pub conversations: usize,
    /// Where the first few new things are, or would be.
    pub shown: Vec<String>,
    /// Rows that could not be read, the first of them by name.
    pub bad: Vec<BadRow>,
    pub bad_rows: usize,
    /// What was left as it is, and why.
    pub notices: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub new: usize,
    /// Here already.
    pub known: usize,
    /// Something else stands in its place, or it was changed since; what is here stays.
    pub kept: usize,
    /// Forgotten on request, or not allowed.
    pub refused: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    pub path: String,
    /// None: the whole file.
    pub line: Option<usize>,
    pub what: String,
}

impl Report {
    pub(super) fn is_anything_new(&self) -> bool {
        self.notes.new + self.turns.new + self.facts.new > 0
    }

    pub(super) fn bad(&mut self, path: &Path, line: Option<usize>, what: impl ToString) {
        self.bad_rows += 1;
        if self.bad.len() < NAMED {
            self.bad.push(BadRow { path: path.display().to_string(), line, what: what.to_string() });
        }
    }

    pub(super) fn show(&mut self, what: String) {
        if self.shown.len() < SHOWN {
            self.shown.push(what);
        }
    }
}
