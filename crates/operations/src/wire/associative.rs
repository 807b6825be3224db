//! `eval associative --json`

use mindfile::eval::associative::{Measured, Outcome, Side, by_category};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Associative {
    seeds: [u64; 2],
    sides: Vec<OneSide>,
}

#[derive(Debug, Serialize)]
struct OneSide {
    side: &'static str,
    all: Means,
    categories: Vec<Category>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<Question>>,
}

#[derive(Debug, Serialize)]
struct Category {
    category: String,
    #[serde(flatten)]
    means: Means,
}

/// Each 0 to 1.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Means {
    questions: usize,
    precision: f64,
    recall: f64,
    f1: f64,
    empty: f64,
    near_miss_empty: f64,
}

#[derive(Debug, Serialize)]
struct Question {
    seed: u64,
    category: String,
    question: String,
    returned: usize,
    precision: f64,
    recall: f64,
}

impl Associative {
    pub fn new(seeds: [u64; 2], measured: &[(Side, Vec<Outcome>)], each: bool) -> Self {
        let one = |(side, outcomes): &(Side, Vec<Outcome>)| OneSide {
            side: side.as_str(),
            all: Means::new(&Measured::of(outcomes)),
            categories: by_category(outcomes)
                .iter()
                .map(|(category, measured)| Category {
                    category: category.clone(),
                    means: Means::new(measured),
                })
                .collect(),
            questions: each.then(|| outcomes.iter().map(Question::new).collect()),
        };
        Self { seeds, sides: measured.iter().map(one).collect() }
    }
}

impl Means {
    fn new(measured: &Measured) -> Self {
        Self {
            questions: measured.questions,
            precision: rounded(measured.precision),
            recall: rounded(measured.recall),
            f1: rounded(measured.f1),
            empty: rounded(measured.empty),
            near_miss_empty: rounded(measured.near_miss),
        }
    }
}

impl Question {
    fn new(outcome: &Outcome) -> Self {
        Self {
            seed: outcome.seed,
            category: outcome.question.category.clone(),
            question: outcome.question.text.clone(),
            returned: outcome.returned.len(),
            precision: rounded(outcome.precision()),
            recall: rounded(outcome.recall()),
        }
    }
}

fn rounded(mean: f64) -> f64 {
    (mean * 1e4).round() / 1e4
}
