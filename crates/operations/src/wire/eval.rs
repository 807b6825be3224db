//! `eval --json`

use mindfile::eval::{Dataset, Outcome, Row, Table};
use mindfile::search::Mode;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Evaluated {
    dataset: String,
    modes: Vec<Measured>,
}

#[derive(Debug, Serialize)]
struct Measured {
    mode: &'static str,
    rows: Vec<Means>,
    all: Means,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<Question>>,
}

/// The means of one category, each 0 to 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Means {
    category: String,
    questions: usize,
    recall_at5: f64,
    recall_at10: f64,
    notes_at10: f64,
    ndcg_at10: f64,
    all_at10: f64,
    seen_at6: f64,
    empty: f64,
}

/// The rank is counted from 1; null where no hit among the first ten holds evidence.
#[derive(Debug, Serialize)]
struct Question {
    id: String,
    category: String,
    rank: Option<usize>,
    empty: bool,
}

impl Evaluated {
    pub fn new(dataset: &Dataset, measured: &[(Mode, Vec<Outcome>)], each: bool) -> Self {
        let modes = measured.iter().map(|(mode, outcomes)| Measured::new(*mode, outcomes, each)).collect();
        Self { dataset: dataset.name.clone(), modes }
    }
}

impl Measured {
    fn new(mode: Mode, outcomes: &[Outcome], each: bool) -> Self {
        let table = Table::of(outcomes);
        Self {
            mode: mode.as_str(),
            rows: table.rows.iter().map(Means::new).collect(),
            all: Means::new(&table.all),
            questions: each.then(|| outcomes.iter().map(Question::new).collect()),
        }
    }
}

impl Means {
    fn new(row: &Row) -> Self {
        let rounded = |mean: f64| (mean * 1e4).round() / 1e4;
        Self {
            category: row.category.clone(),
            questions: row.questions,
            recall_at5: rounded(row.recall_at_5),
            recall_at10: rounded(row.recall_at_10),
            notes_at10: rounded(row.notes_at_10),
            ndcg_at10: rounded(row.ndcg_at_10),
            all_at10: rounded(row.all_at_10),
            seen_at6: rounded(row.seen_at_6),
            empty: rounded(row.empty),
        }
    }
}

impl Question {
    fn new(outcome: &Outcome) -> Self {
        let measured = &outcome.measured;
        Self {
            id: outcome.id.clone(),
            category: outcome.category.clone(),
            rank: measured.rank,
            empty: measured.empty > 0.0,
        }
    }
}
