use serde::Serialize;

use super::measure::rounded;
use super::{Answer, SetScores, Side, by_category};
use crate::seeds::Seeds;

/// The answers of each side as JSON.
#[derive(Debug, Serialize)]
pub struct WorldsReport {
    seeds: [u64; 2],
    pub sides: Vec<SideReport>,
}

#[derive(Debug, Serialize)]
pub struct SideReport {
    pub side: &'static str,
    pub all: SetScores,
    categories: Vec<CategoryReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<QuestionReport>>,
}

#[derive(Debug, Serialize)]
struct CategoryReport {
    category: String,
    #[serde(flatten)]
    scores: SetScores,
}

#[derive(Debug, Serialize)]
struct QuestionReport {
    seed: u64,
    category: String,
    question: String,
    returned: usize,
    #[serde(serialize_with = "rounded")]
    precision: f64,
    #[serde(serialize_with = "rounded")]
    recall: f64,
}

impl WorldsReport {
    pub fn new(seeds: Seeds, sides: &[(Side, Vec<Answer>)], each: bool) -> Self {
        let sides = sides.iter().map(|(side, answers)| SideReport::new(*side, answers, each)).collect();
        Self { seeds: [seeds.first, seeds.last], sides }
    }
}

impl SideReport {
    fn new(side: Side, answers: &[Answer], each: bool) -> Self {
        let categories = by_category(answers).into_iter();
        Self {
            side: side.as_str(),
            all: SetScores::of(answers),
            categories: categories.map(|(category, scores)| CategoryReport { category, scores }).collect(),
            questions: each.then(|| answers.iter().map(QuestionReport::new).collect()),
        }
    }
}

impl QuestionReport {
    fn new(answer: &Answer) -> Self {
        Self {
            seed: answer.seed,
            category: answer.question.category.clone(),
            question: answer.question.text.clone(),
            returned: answer.returned.len(),
            precision: answer.precision(),
            recall: answer.recall(),
        }
    }
}
