//! When two facts say the same, and when they say the opposite.

use std::collections::{BTreeSet, HashMap};

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

/// The content words that facts are compared by, as numbers, so that many facts are compared by them in no time.
#[derive(Debug, Default)]
pub struct Vocabulary {
    terms: HashMap<String, u32>,
    /// The terms of each word that was met.
    words: HashMap<String, Vec<u32>>,
}

impl Vocabulary {
    /// The content words of a text, each once, by number.
    pub fn of(&mut self, text: &str) -> Vec<u32> {
        let mut found = Vec::new();
        for word in said(text).split_whitespace() {
            match self.words.get(word) {
                Some(known) => found.extend(known),
                None => {
                    let terms: Vec<u32> = content(word).map(|term| self.number(term)).collect();
                    found.extend(&terms);
                    self.words.insert(word.to_owned(), terms);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn number(&mut self, term: String) -> u32 {
        let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        *self.terms.entry(term).or_insert(next)
    }
}

/// Whether two texts have enough of their content words in common to say the same.
pub fn may_say_the_same(one: &[u32], other: &[u32]) -> bool {
    let (mut at, mut both) = (0, 0);
    for word in one {
        at += other[at..].iter().take_while(|other| *other < word).count();
        both += usize::from(other.get(at) == Some(word));
    }
    share(both, one.len(), other.len()) >= SAME
}

fn share(both: usize, one: usize, other: usize) -> f32 {
    let any = one + other - both;
    if any == 0 { 0.0 } else { both as f32 / any as f32 }
}

fn said(text: &str) -> String {
    plain(&text.replace(['\'', '’'], ""))
}

/// The terms of a word that is more than grammar.
fn content(word: &str) -> impl Iterator<Item = String> {
    let terms = if words::is_stop(word) { Vec::new() } else { words::terms(word) };
    terms.into_iter()
}

/// A statement: its content words, its numbers, and whether it says that something is not so.
struct Statement {
    words: BTreeSet<String>,
    numbers: BTreeSet<String>,
    is_negated: bool,
}

impl Statement {
    fn of(text: &str) -> Self {
        let words: BTreeSet<String> = said(text).split_whitespace().flat_map(content).collect();
        let numbers = words.iter().filter(|word| word.chars().all(|c| c.is_ascii_digit())).cloned().collect();
        Self { words, numbers, is_negated: agree::Statement::of(text).is_negated() }
    }

    /// The share of common words among all.
    fn common(&self, other: &Self) -> f32 {
        share(self.words.intersection(&other.words).count(), self.words.len(), other.words.len())
    }
}
