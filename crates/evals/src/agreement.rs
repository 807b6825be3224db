//! How well a changed fact is told from one that was added, reworded, or is only alike, on pairs that were written by hand.
//!
//! A pair is right where it is marked by itself and changed, or where it is not marked and did not. What is only doubtful is
//! shown to a person and counts for neither.

use std::collections::BTreeMap;
use std::path::Path;

use mindfile::fact::{Access, Compared, Difference, FactRecord, load};
use mindfile_note::fact::{Kind, Line};
use mindfile_note::word_enum;
use serde::Serialize;

use crate::error::Error;
use crate::table;

word_enum! {
    /// What the second of two facts does to the first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Label {
        /// It takes its place.
        Changed = "changed",
        /// It holds beside it.
        Added = "added",
        /// It says the same.
        Rephrased = "rephrased",
        /// It only looks like it.
        Similar = "similar",
        /// It is about something else, in the same words.
        Other = "other",
    }
}

/// Two facts, and what they are to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub label: Label,
    pub language: String,
    /// Each with what it is about.
    pub older: (String, String),
    pub newer: (String, String),
}

/// What was made of the pairs of one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SortTally {
    pub pairs: usize,
    pub marked: usize,
    pub doubtful: usize,
}

/// The result for a file of pairs.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PairReport {
    /// By language and label.
    pub sorts: BTreeMap<String, SortTally>,
    pub marked: usize,
    /// Of the marked ones, those that changed.
    pub right: usize,
    pub changed: usize,
    /// Changed pairs that were marked, or shown as doubtful.
    pub seen: usize,
    /// Pairs that were marked and did not change.
    pub mistakes: Vec<String>,
}

/// Pairs of a file: a line `# en` begins a language, `label | about | older | newer` is a pair, `about > other` two subjects.
pub fn load_pairs(path: &Path) -> Result<Vec<Pair>, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
    let mut language = String::new();
    let mut pairs = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(name) => name.clone_into(&mut language),
            None => pairs.push(pair(line, &language).ok_or_else(|| Error::Dataset {
                path: path.to_owned(),
                what: format!("{line:?} is no pair: label | about | older | newer"),
            })?),
        }
    }
    Ok(pairs)
}

fn pair(line: &str, language: &str) -> Option<Pair> {
    let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let [label, about, older, newer] = parts[..] else { return None };
    let (first, second) = about.split_once(" > ").unwrap_or((about, about));
    Some(Pair {
        label: Label::parse(label)?,
        language: language.to_owned(),
        older: (first.to_owned(), older.to_owned()),
        newer: (second.to_owned(), newer.to_owned()),
    })
}

/// Compares the two facts of each pair as the memory does.
pub fn judge(pairs: &[Pair]) -> PairReport {
    let mut report = PairReport::default();
    for pair in pairs {
        let difference = difference(pair);
        let marked = difference == Some(Difference::Certain);
        let tally = report.sorts.entry(format!("{} {}", pair.language, pair.label.as_str())).or_default();
        tally.pairs += 1;
        tally.marked += usize::from(marked);
        tally.doubtful += usize::from(difference == Some(Difference::Doubtful));
        let changed = pair.label == Label::Changed;
        report.marked += usize::from(marked);
        report.right += usize::from(marked && changed);
        report.changed += usize::from(changed);
        report.seen += usize::from(changed && difference.is_some());
        if marked && !changed {
            let (label, older, newer) = (pair.label.as_str(), &pair.older.1, &pair.newer.1);
            report.mistakes.push(format!("{label}: {older} / {newer}"));
        }
    }
    report
}

fn difference(pair: &Pair) -> Option<Difference> {
    let (older, newer) = (record(&pair.older, 1)?, record(&pair.newer, 2)?);
    Compared::of(&newer).difference(&Compared::of(&older))
}

/// A fact as somebody would retain it: of the usual kind, with what it is about.
fn record((about, text): &(String, String), number: u32) -> Option<FactRecord> {
    let mut line = Line::new(Kind::World, [about], text)?;
    line.set_id(Some(&format!("f{number}")));
    let place = load::LineRef { path: "memory/2026-01-02.md", line: number };
    Some(load::of_line(&line, place, vec![about.to_lowercase()], Access::default()))
}

/// The report as a table.
pub fn text(report: &PairReport) -> String {
    let head = ["pairs", "all", "marked", "doubtful"].map(str::to_owned);
    let row = |(name, tally): (&String, &SortTally)| {
        let SortTally { pairs, marked, doubtful } = *tally;
        [name.clone(), pairs.to_string(), marked.to_string(), doubtful.to_string()]
    };
    let rows: Vec<[String; 4]> = std::iter::once(head).chain(report.sorts.iter().map(row)).collect();
    let PairReport { marked, right, changed, seen, .. } = report;
    let own: usize =
        report.sorts.iter().filter(|(name, _)| name.ends_with("changed")).map(|(_, t)| t.marked).sum();
    let share = 100.0 * *right as f64 / (*marked).max(1) as f64;
    let mut text = table::text(&rows);
    text.push_str(&format!("  {right} of {marked} that are marked by themselves changed ({share:.1} %)\n"));
    text.push_str(&format!(
        "  of {changed} that changed {own} are marked and {} are shown as doubtful\n",
        seen - own
    ));
    text.extend(report.mistakes.iter().map(|mistake| format!("  wrong: {mistake}\n")));
    text
}
