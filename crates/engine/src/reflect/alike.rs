//! When two facts say the same, and when they say the opposite.

use std::collections::BTreeSet;

use mindfile_note::agree::{self, Difference};
use mindfile_note::words;
use mindfile_ranking::fact::{Compared, FactRecord};

/// The share of common words from which two facts say the same.
pub const SAME: f32 = 0.8;

/// How two facts stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Same,
    Opposite,
    Apart,
}

/// Compares what two facts say. Facts about different entities or of different keys are apart.
pub fn relation(a: &FactRecord, b: &FactRecord) -> Relation {
    if a.kind != b.kind || a.key != b.key {
        return Relation::Apart;
    }
    if a.key.is_some() {
        return if plain(&a.text) == plain(&b.text) { Relation::Same } else { Relation::Opposite };
    }
    match Compared::of(a).difference(&Compared::of(b)) {
        Some(Difference::Certain) => Relation::Opposite,
        Some(Difference::Doubtful) => Relation::Apart,
        None if say_the_same(a, b) => Relation::Same,
        None => Relation::Apart,
    }
}

/// Whether two facts share an entity, their numbers, and most of their words.
fn say_the_same(a: &FactRecord, b: &FactRecord) -> bool {
    let (left, right) = (Statement::of(&a.text), Statement::of(&b.text));
    share_an_entity(a, b)
        && left.numbers == right.numbers
        && left.is_negated == right.is_negated
        && left.common(&right) >= SAME
}

fn share_an_entity(a: &FactRecord, b: &FactRecord) -> bool {
    (a.entities.is_empty() && b.entities.is_empty()) || a.entities.iter().any(|e| b.entities.contains(e))
}

/// Letters and digits in lower case, words parted by one space.
pub fn plain(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    spaced.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The content words that two facts are compared by.
pub fn content_words(text: &str) -> BTreeSet<String> {
    Statement::of(text).words
}

/// A statement: its content words, its numbers, and whether it says that something is not so.
struct Statement {
    words: BTreeSet<String>,
    numbers: BTreeSet<String>,
    is_negated: bool,
}

impl Statement {
    fn of(text: &str) -> Self {
        let said = plain(&text.replace(['\'', '’'], ""));
        let words: BTreeSet<String> =
            said.split_whitespace().filter(|word| !words::is_stop(word)).flat_map(words::terms).collect();
        let numbers = words.iter().filter(|word| word.chars().all(|c| c.is_ascii_digit())).cloned().collect();
        Self { words, numbers, is_negated: agree::Statement::of(text).is_negated() }
    }

    /// The share of common words among all.
    fn common(&self, other: &Self) -> f32 {
        let both = self.words.intersection(&other.words).count();
        let any = self.words.len() + other.words.len() - both;
        if any == 0 { 0.0 } else { both as f32 / any as f32 }
    }
}
