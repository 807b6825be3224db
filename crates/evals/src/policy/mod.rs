//! Measures how well the policy's detectors tell a key from a commit, on a labelled set generated from a seed, so that
//! no text that looks like anyone's key is stored.
//!
//! A positive is a value of a known format in a sentence, a setting or a line of code; it counts as found when all of it
//! is. A negative is a text without any; every finding in it, of any class, is false.

mod checked;
mod report;
mod table;
mod texts;
mod values;

use std::collections::BTreeMap;

use mindfile::policy::{Policy, Rules};
use serde::Serialize;

pub use report::DetectorReport;
pub use table::text;

use crate::error::Error;
use crate::random::Random;
use crate::seeds::Seeds;

/// Values of each format and texts of each kind, for one seed.
const OF_FORMAT: usize = 20;
const OF_KIND: usize = 100;

/// A value in its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Positive {
    /// The detector that knows it.
    pub rule: &'static str,
    pub text: String,
    pub value: String,
}

/// A text without any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negative {
    pub kind: &'static str,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledSet {
    pub positives: Vec<Positive>,
    pub negatives: Vec<Negative>,
}

/// How many of a sort were judged, and how many correctly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    pub all: usize,
    pub right: usize,
}

/// The result for a set, by format and by kind of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdicts {
    pub positives: BTreeMap<&'static str, Tally>,
    pub negatives: BTreeMap<&'static str, Tally>,
    /// Values that were missed, and texts with false findings.
    pub missed: Vec<Positive>,
    pub mistaken: Vec<(Negative, String)>,
}

/// The set of a seed number: so many values of each format, and so many texts of each kind.
pub fn set(seed: u64, of_format: usize, of_kind: usize) -> LabelledSet {
    let mut random = Random::new(seed);
    let positives = values::FORMATS.iter().flat_map(|(rule, make)| {
        (0..of_format).map(|_| values::placed(rule, &make(&mut random), &mut random)).collect::<Vec<_>>()
    });
    let positives = positives.collect();
    let negatives = texts::KINDS.iter().flat_map(|(kind, make)| {
        (0..of_kind).map(|_| Negative { kind, text: make(&mut random) }).collect::<Vec<_>>()
    });
    LabelledSet { positives, negatives: negatives.collect() }
}

/// Judges the sets of all seeds by the built-in rules.
pub fn run(seeds: Seeds) -> Result<Verdicts, Error> {
    let mut whole = LabelledSet { positives: Vec::new(), negatives: Vec::new() };
    for seed in seeds.numbers() {
        let more = set(seed, OF_FORMAT, OF_KIND);
        whole.positives.extend(more.positives);
        whole.negatives.extend(more.negatives);
    }
    let folder = tempfile::tempdir().map_err(Error::scratch)?;
    Ok(judge(&Policy::new(&Rules::default(), folder.path()), &whole))
}

pub fn judge(policy: &Policy, set: &LabelledSet) -> Verdicts {
    let mut verdicts = Verdicts::default();
    for positive in &set.positives {
        let found = is_found(policy, positive);
        verdicts.positives.entry(positive.rule).or_default().add(found);
        if !found {
            verdicts.missed.push(positive.clone());
        }
    }
    for negative in &set.negatives {
        let finding = policy.judge_all(&negative.text).into_iter().next();
        verdicts.negatives.entry(negative.kind).or_default().add(finding.is_none());
        if let Some(finding) = finding {
            verdicts.mistaken.push((negative.clone(), finding.rule));
        }
    }
    verdicts
}

fn is_found(policy: &Policy, positive: &Positive) -> bool {
    let Some(start) = positive.text.find(&positive.value) else { return false };
    let end = start + positive.value.len();
    let found = policy.judge_all(&positive.text);
    found.iter().any(|finding| finding.span.start <= start && end <= finding.span.end)
}

impl Tally {
    fn add(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }
}

impl Verdicts {
    pub fn found(&self) -> Tally {
        sum(&self.positives)
    }

    pub fn left_alone(&self) -> Tally {
        sum(&self.negatives)
    }
}

fn sum(counts: &BTreeMap<&'static str, Tally>) -> Tally {
    counts.values().fold(Tally::default(), |sum, count| Tally {
        all: sum.all + count.all,
        right: sum.right + count.right,
    })
}
