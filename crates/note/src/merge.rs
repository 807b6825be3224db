//! Three versions of a note become one: what two branches or two machines made of the same text.
//!
//! Facts are merged by their ids, wherever they stand, and all other lines as lines are: a fact that one side added is added,
//! one that a side changed is changed field by field, one that a side deleted is gone unless the other gave it other words.
//! Where both gave it other words, both values stand there. Lines that both changed differently stand between the marks of a
//! conflict, and no fact does.

mod build;
mod place;
mod split;
mod version;

use crate::chunk::{self, PlacedFact};
use crate::date;
use crate::reflected::JOURNAL;

/// What two versions came from, and the two.
#[derive(Debug, Clone, Copy)]
pub struct Sides<'a> {
    pub base: &'a str,
    pub ours: &'a str,
    pub theirs: &'a str,
}

/// How a note is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// The note is only ever added to: what both sides added at one place stays, ours first.
    pub append_only: bool,
    /// Characters of a conflict's mark.
    pub marker: usize,
}

impl Rules {
    /// Those for the note of this name.
    pub fn of(path: &str, marker: usize) -> Self {
        let is_journal = path == JOURNAL || path.ends_with(&format!("/{JOURNAL}"));
        Self { append_only: is_journal || date::of_path(path).is_some(), marker }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub text: String,
    /// Places that stand between marks.
    pub conflicts: usize,
}

/// Every fact of the merged text is there once; where that cannot be had, because a line of one side makes code of the facts
/// of the other, the whole note is merged as lines and is a conflict.
pub fn merge(sides: Sides<'_>, rules: Rules) -> Merged {
    let Sides { base, ours, theirs } = sides;
    let mut versions = [base, ours, theirs].map(version::read);
    split::follow(&mut versions);
    let (merged, mut expected) = place::merge(&versions, rules);
    let text = merged.text.strip_prefix(version::MARK).unwrap_or(&merged.text);
    let id = |placed: &PlacedFact<'_>| placed.fact.id_or_derived().into_owned();
    let mut found: Vec<String> = chunk::facts(text).iter().map(id).collect();
    found.sort_unstable();
    expected.sort_unstable();
    if found == expected {
        return merged;
    }
    let (merged, _) = place::merge(&[base, ours, theirs].map(version::read_plain), rules);
    Merged { conflicts: merged.conflicts.max(1), ..merged }
}

#[cfg(test)]
mod tests;
