//! Sets of facts against gold.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::world::Question;

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub seed: u64,
    pub question: Question,
    /// Positions of facts.
    pub returned: Vec<usize>,
}

impl Answer {
    fn right(&self) -> f64 {
        self.returned.iter().filter(|fact| self.question.gold.contains(fact)).count() as f64
    }

    pub fn precision(&self) -> f64 {
        if self.returned.is_empty() { 0.0 } else { self.right() / self.returned.len() as f64 }
    }

    pub fn recall(&self) -> f64 {
        if self.question.gold.is_empty() { 0.0 } else { self.right() / self.question.gold.len() as f64 }
    }

    pub fn f1(&self) -> f64 {
        let precision = self.precision();
        let recall = self.recall();
        if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
    }
}

/// Means over questions, each 0 to 1.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetScores {
    /// Questions that have an answer.
    pub questions: usize,
    #[serde(serialize_with = "rounded")]
    pub precision: f64,
    #[serde(serialize_with = "rounded")]
    pub recall: f64,
    #[serde(serialize_with = "rounded")]
    pub f1: f64,
    /// Rightly empty answers: to questions about things outside the world, and about things nobody said.
    #[serde(serialize_with = "rounded")]
    pub empty: f64,
    #[serde(serialize_with = "rounded")]
    pub near_miss_empty: f64,
}

impl SetScores {
    pub fn of(answers: &[Answer]) -> Self {
        let answerable: Vec<&Answer> =
            answers.iter().filter(|answer| !answer.question.gold.is_empty()).collect();
        let mean = |value: fn(&Answer) -> f64| {
            answerable.iter().map(|answer| value(answer)).sum::<f64>() / answerable.len().max(1) as f64
        };
        Self {
            questions: answerable.len(),
            precision: mean(Answer::precision),
            recall: mean(Answer::recall),
            f1: mean(Answer::f1),
            empty: empty(answers, "unanswerable"),
            near_miss_empty: empty(answers, "near-miss"),
        }
    }
}

fn empty(answers: &[Answer], category: &str) -> f64 {
    let asked: Vec<&Answer> = answers.iter().filter(|answer| answer.question.category == category).collect();
    asked.iter().filter(|answer| answer.returned.is_empty()).count() as f64 / asked.len().max(1) as f64
}

/// Four decimals.
pub(super) fn rounded<S: Serializer>(mean: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((mean * 1e4).round() / 1e4)
}

/// The same for each category.
pub fn by_category(answers: &[Answer]) -> BTreeMap<String, SetScores> {
    let mut categories: BTreeMap<String, Vec<Answer>> = BTreeMap::new();
    for answer in answers {
        categories.entry(answer.question.category.clone()).or_default().push(answer.clone());
    }
    categories.into_iter().map(|(category, answers)| (category, SetScores::of(&answers))).collect()
}
