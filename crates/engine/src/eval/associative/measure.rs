//! Sets of facts against gold.

use std::collections::BTreeMap;

use super::world::Question;

/// What came back for one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub seed: u64,
    pub question: Question,
    /// Positions of facts.
    pub returned: Vec<usize>,
}

impl Outcome {
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
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
    }
}

/// Means over questions, each 0 to 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// Questions that have an answer.
    pub questions: usize,
    pub precision: f64,
    pub recall: f64,
    pub f1: f64,
    /// Rightly empty: questions about what the world has not, and about what nobody said of what it has.
    pub empty: f64,
    pub near_miss: f64,
}

impl Measured {
    pub fn of(outcomes: &[Outcome]) -> Self {
        let answerable: Vec<&Outcome> =
            outcomes.iter().filter(|outcome| !outcome.question.gold.is_empty()).collect();
        let mean = |value: fn(&Outcome) -> f64| {
            answerable.iter().map(|outcome| value(outcome)).sum::<f64>() / answerable.len().max(1) as f64
        };
        Self {
            questions: answerable.len(),
            precision: mean(Outcome::precision),
            recall: mean(Outcome::recall),
            f1: mean(Outcome::f1),
            empty: empty(outcomes, "unanswerable"),
            near_miss: empty(outcomes, "near-miss"),
        }
    }
}

fn empty(outcomes: &[Outcome], category: &str) -> f64 {
    let asked: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| outcome.question.category == category).collect();
    asked.iter().filter(|outcome| outcome.returned.is_empty()).count() as f64 / asked.len().max(1) as f64
}

/// The same for each category.
pub fn by_category(outcomes: &[Outcome]) -> BTreeMap<String, Measured> {
    let mut categories: BTreeMap<String, Vec<Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        categories.entry(outcome.question.category.clone()).or_default().push(outcome.clone());
    }
    categories.into_iter().map(|(category, outcomes)| (category, Measured::of(&outcomes))).collect()
}
