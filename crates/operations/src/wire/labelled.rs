//! `eval policy --json`

use std::collections::BTreeMap;

use mindfile::eval::policy::{Count, Outcome};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Labelled {
    positives: BTreeMap<&'static str, Counted>,
    negatives: BTreeMap<&'static str, Counted>,
    recall: f64,
    #[serde(rename = "falsePositives")]
    false_positives: f64,
}

#[derive(Debug, Serialize)]
struct Counted {
    all: usize,
    right: usize,
}

impl Labelled {
    pub fn new(outcome: &Outcome) -> Self {
        let counted = |counts: &BTreeMap<&'static str, Count>| {
            counts
                .iter()
                .map(|(name, count)| (*name, Counted { all: count.all, right: count.right }))
                .collect()
        };
        let share = |count: Count| count.right as f64 / count.all.max(1) as f64;
        Self {
            positives: counted(&outcome.positives),
            negatives: counted(&outcome.negatives),
            recall: share(outcome.found()),
            false_positives: 1.0 - share(outcome.left_alone()),
        }
    }
}
