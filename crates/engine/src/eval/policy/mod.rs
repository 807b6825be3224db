//! How well the policy's detectors tell a key from a commit: a labelled set that is made from a seed number, so that no
//! text that looks like anyone's key has to be kept.
//!
//! A positive is a value of a known format in a sentence, a setting or a line of code. It counts as found when all of it
//! is. A negative is a text that holds none; any finding in it, of any class, is a false one.

mod checked;
mod texts;
mod values;

use std::collections::BTreeMap;

use super::random::Random;
use crate::policy::Policy;

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
pub struct Set {
    pub positives: Vec<Positive>,
    pub negatives: Vec<Negative>,
}

/// How many of a sort were judged, and how many of them rightly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    pub all: usize,
    pub right: usize,
}

/// What came of judging a set, by format and by kind of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    pub positives: BTreeMap<&'static str, Count>,
    pub negatives: BTreeMap<&'static str, Count>,
    /// Values that were not found, and texts in which something was.
    pub missed: Vec<Positive>,
    pub mistaken: Vec<(Negative, String)>,
}

/// The set of a seed number: so many values of each format, and so many texts of each kind.
pub fn set(seed: u64, of_format: usize, of_kind: usize) -> Set {
    let mut random = Random::new(seed);
    let positives = values::FORMATS.iter().flat_map(|(rule, make)| {
        (0..of_format).map(|_| values::placed(rule, &make(&mut random), &mut random)).collect::<Vec<_>>()
    });
    let positives = positives.collect();
    let negatives = texts::KINDS.iter().flat_map(|(kind, make)| {
        (0..of_kind).map(|_| Negative { kind, text: make(&mut random) }).collect::<Vec<_>>()
    });
    Set { positives, negatives: negatives.collect() }
}

pub fn run(policy: &Policy, set: &Set) -> Outcome {
    let mut outcome = Outcome::default();
    for positive in &set.positives {
        let found = is_found(policy, positive);
        outcome.positives.entry(positive.rule).or_default().add(found);
        if !found {
            outcome.missed.push(positive.clone());
        }
    }
    for negative in &set.negatives {
        let finding = policy.judge_all(&negative.text).into_iter().next();
        outcome.negatives.entry(negative.kind).or_default().add(finding.is_none());
        if let Some(finding) = finding {
            outcome.mistaken.push((negative.clone(), finding.rule));
        }
    }
    outcome
}

fn is_found(policy: &Policy, positive: &Positive) -> bool {
    let Some(start) = positive.text.find(&positive.value) else { return false };
    let end = start + positive.value.len();
    let found = policy.judge_all(&positive.text);
    found.iter().any(|finding| finding.span.start <= start && end <= finding.span.end)
}

impl Count {
    fn add(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }
}

impl Outcome {
    pub fn found(&self) -> Count {
        sum(&self.positives)
    }

    pub fn left_alone(&self) -> Count {
        sum(&self.negatives)
    }
}

fn sum(counts: &BTreeMap<&'static str, Count>) -> Count {
    counts.values().fold(Count::default(), |sum, count| Count {
        all: sum.all + count.all,
        right: sum.right + count.right,
    })
}
