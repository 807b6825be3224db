use std::collections::BTreeMap;

use serde::Serialize;

use super::{Tally, Verdicts};

/// The result as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetectorReport {
    positives: BTreeMap<&'static str, Tally>,
    negatives: BTreeMap<&'static str, Tally>,
    /// Shares, 0 to 1.
    pub recall: f64,
    pub false_positives: f64,
}

impl DetectorReport {
    pub fn new(verdicts: &Verdicts) -> Self {
        let share = |tally: Tally| tally.right as f64 / tally.all.max(1) as f64;
        Self {
            positives: verdicts.positives.clone(),
            negatives: verdicts.negatives.clone(),
            recall: share(verdicts.found()),
            false_positives: 1.0 - share(verdicts.left_alone()),
        }
    }
}
