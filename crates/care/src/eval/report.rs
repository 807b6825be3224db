//! The measurements as JSON.

use serde::Serialize;

use super::{CategoryMeans, Dataset, MeansTable, QuestionScores};
use mindfile::search::Mode;

/// The figures of one data set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    pub dataset: String,
    pub modes: Vec<ModeReport>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModeReport {
    pub mode: &'static str,
    /// One row a category, then one over all answerable questions.
    pub rows: Vec<CategoryMeans>,
    pub all: CategoryMeans,
    /// If each question was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<Vec<QuestionRank>>,
}

/// At which rank the evidence for one question came back, counted from 1; null where none of the first ten hits holds it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionRank {
    pub id: String,
    pub category: String,
    pub rank: Option<usize>,
    /// Whether nothing came back that is more than weak.
    pub silent: bool,
}

impl Report {
    pub fn new(dataset: &Dataset, measured: &[(Mode, Vec<QuestionScores>)], each: bool) -> Self {
        let modes = measured.iter().map(|(mode, outcomes)| ModeReport::new(*mode, outcomes, each)).collect();
        Self { dataset: dataset.name.clone(), modes }
    }
}

impl ModeReport {
    fn new(mode: Mode, outcomes: &[QuestionScores], each: bool) -> Self {
        let MeansTable { rows, all } = MeansTable::of(outcomes);
        Self {
            mode: mode.as_str(),
            rows,
            all,
            questions: each.then(|| outcomes.iter().map(QuestionRank::new).collect()),
        }
    }
}

impl QuestionRank {
    fn new(outcome: &QuestionScores) -> Self {
        let measured = &outcome.measured;
        Self {
            id: outcome.id.clone(),
            category: outcome.category.clone(),
            rank: measured.rank,
            silent: measured.silent > 0.0,
        }
    }
}
