//! The measures: a mean over questions each, and their table.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::QuestionScores;
use super::dataset::Evidence;
use mindfile::search::{Hit, Sure};

/// The first six results are what an agent gets by default.
const SHOWN: usize = 6;
/// Whoever reads only the lines that answer reads so many.
const ANSWERED: usize = 3;
/// So much of the evidence must be visible.
const VISIBLE: usize = 60;

/// One question. All but `rank` between 0 and 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scores {
    /// The rank of the first hit that holds evidence, counted from 1.
    pub rank: Option<usize>,
    /// The share of the evidence among the first five, and the first ten hits.
    pub recall_at_5: f64,
    pub recall_at_10: f64,
    /// The share of the notes with evidence among the notes of the first ten hits.
    pub notes_at_10: f64,
    pub ndcg_at_10: f64,
    /// Whether all evidence is among the first ten hits.
    pub all_at_10: f64,
    /// The share of the evidence that can be read in the first six snippets.
    pub seen_at_6: f64,
    /// The share of the evidence that is the line that answers best of the first three hits.
    pub answer_at_3: f64,
    /// Whether nothing came back that is more than weak.
    pub silent: f64,
    pub answerable: bool,
}

pub(super) fn measure(hits: &[Hit], gold: &[Evidence]) -> Scores {
    let silent = f64::from(u8::from(hits.iter().all(|hit| hit.sure == Sure::Weak)));
    if gold.is_empty() {
        return Scores { silent, answerable: false, ..Scores::default() };
    }
    let ranks: Vec<Option<usize>> =
        gold.iter().map(|gold| hits.iter().position(|hit| holds(hit, gold))).collect();
    let within =
        |limit: usize| share(ranks.iter().filter(|rank| rank.is_some_and(|r| r < limit)).count(), gold.len());
    let notes: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    let wanted: std::collections::BTreeSet<&str> = gold.iter().map(|gold| gold.path.as_str()).collect();
    Scores {
        rank: ranks.iter().flatten().min().map(|rank| rank + 1),
        recall_at_5: within(5),
        recall_at_10: within(10),
        notes_at_10: share(wanted.iter().filter(|path| notes.contains(path)).count(), wanted.len()),
        ndcg_at_10: ndcg(hits, gold),
        all_at_10: if ranks.iter().all(|rank| rank.is_some_and(|rank| rank < 10)) { 1.0 } else { 0.0 },
        seen_at_6: seen(hits, gold),
        answer_at_3: share(gold.iter().filter(|gold| is_answer(hits, gold)).count(), gold.len()),
        silent,
        answerable: true,
    }
}

fn holds(hit: &Hit, gold: &Evidence) -> bool {
    hit.path == gold.path && gold.line.is_none_or(|line| hit.start_line <= line && line <= hit.end_line)
}

fn is_answer(hits: &[Hit], gold: &Evidence) -> bool {
    let is = |hit: &Hit| hit.path == gold.path && gold.line.is_none_or(|line| line == hit.answer.line);
    hits.iter().take(ANSWERED).any(is)
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A piece of evidence counts once, at the first hit that holds it.
fn ndcg(hits: &[Hit], gold: &[Evidence]) -> f64 {
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let found =
        gold.iter().filter_map(|gold| hits.iter().position(|hit| holds(hit, gold))).map(gain).sum::<f64>();
    let ideal: f64 = (0..gold.len().min(10)).map(gain).sum();
    (found / ideal).min(1.0)
}

fn seen(hits: &[Hit], gold: &[Evidence]) -> f64 {
    let shown = plain(&hits.iter().take(SHOWN).map(|hit| hit.snippet.as_str()).collect::<Vec<_>>().join(" "));
    let visible = |text: &str| shown.contains(plain(text).chars().take(VISIBLE).collect::<String>().trim());
    let with_text: Vec<&str> = gold.iter().filter_map(|gold| gold.text.as_deref()).collect();
    share(with_text.iter().filter(|text| visible(text)).count(), with_text.len())
}

/// Letters and digits in lower case, everything else one space.
fn plain(text: &str) -> String {
    let spaced: String =
        text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { ' ' }).collect();
    spaced.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A mean's name in JSON, and what it is the mean of.
type Metric = (&'static str, fn(&Scores) -> f64);

const METRICS: [Metric; 8] = [
    ("recallAt5", |scores| scores.recall_at_5),
    ("recallAt10", |scores| scores.recall_at_10),
    ("notesAt10", |scores| scores.notes_at_10),
    ("ndcgAt10", |scores| scores.ndcg_at_10),
    ("allAt10", |scores| scores.all_at_10),
    ("seenAt6", |scores| scores.seen_at_6),
    ("answerAt3", |scores| scores.answer_at_3),
    ("silent", |scores| scores.silent),
];

/// The headings of a table of means.
pub const COLUMNS: [&str; 10] = [
    "category", "questions", "recall@5", "recall@10", "notes@10", "ndcg@10", "all@10", "seen@6", "answer@3",
    "silent",
];

/// The means of one category, each 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct CategoryMeans {
    pub category: String,
    pub questions: usize,
    pub means: [f64; METRICS.len()],
}

impl CategoryMeans {
    fn of(category: &str, measured: &[&Scores]) -> Self {
        let mean = |(_, value): Metric| {
            measured.iter().map(|measured| value(measured)).sum::<f64>() / measured.len().max(1) as f64
        };
        Self { category: category.to_owned(), questions: measured.len(), means: METRICS.map(mean) }
    }

    /// A row of the table; `questions` is their number as it is shown.
    pub fn cells(&self, questions: String) -> [String; COLUMNS.len()] {
        let [a, b, c, d, e, f, g, h] = self.means.map(|mean| format!("{mean:.3}"));
        [self.category.clone(), questions, a, b, c, d, e, f, g, h]
    }
}

impl Serialize for CategoryMeans {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("category", &self.category)?;
        map.serialize_entry("questions", &self.questions)?;
        for ((name, _), mean) in METRICS.iter().zip(self.means) {
            // Four decimals are what a mean over some hundred questions is good for.
            map.serialize_entry(name, &((mean * 1e4).round() / 1e4))?;
        }
        map.end()
    }
}

/// One row a category, then one over all answerable questions.
#[derive(Debug, Clone, PartialEq)]
pub struct MeansTable {
    pub rows: Vec<CategoryMeans>,
    pub all: CategoryMeans,
}

impl MeansTable {
    pub fn of(outcomes: &[QuestionScores]) -> Self {
        let mut categories: BTreeMap<&str, Vec<&Scores>> = BTreeMap::new();
        for outcome in outcomes {
            categories.entry(&outcome.category).or_default().push(&outcome.measured);
        }
        let rows =
            categories.iter().map(|(category, measured)| CategoryMeans::of(category, measured)).collect();
        let answerable: Vec<&Scores> =
            outcomes.iter().map(|outcome| &outcome.measured).filter(|measured| measured.answerable).collect();
        Self { rows, all: CategoryMeans::of("all answerable", &answerable) }
    }
}
