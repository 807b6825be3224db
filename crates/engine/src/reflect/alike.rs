//! When two facts say the same, and when they say the opposite.

use std::collections::BTreeSet;

use mindfile_note::words;

use mindfile_ranking::fact::FactRecord;

/// The share of common words from which two facts say the same.
const SAME: f32 = 0.8;
/// The same for facts that differ in a negation.
pub const OPPOSITE: f32 = 0.6;

const NEGATIONS: &str = "not no never none without dont doesnt didnt isnt arent wasnt wont cannot cant stopped nor \
    neither hardly";
/// Words that turn a taste around, each with its opposite.
const TURNS: [(&str, &str); 7] = [
    ("likes", "dislikes"),
    ("loves", "hates"),
    ("prefers", "avoids"),
    ("wants", "refuses"),
    ("enjoys", "dislikes"),
    ("trusts", "distrusts"),
    ("agrees", "disagrees"),
];

/// How two facts stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Same,
    Opposite,
    Apart,
}

/// Compares what two facts say. Facts about different entities, with different numbers, or of different keys are apart.
pub fn relation(a: &FactRecord, b: &FactRecord) -> Relation {
    if a.kind != b.kind || a.key != b.key {
        return Relation::Apart;
    }
    if a.key.is_some() {
        return if plain(&a.text) == plain(&b.text) { Relation::Same } else { Relation::Opposite };
    }
    if !share_an_entity(a, b) {
        return Relation::Apart;
    }
    let (left, right) = (Statement::of(&a.text), Statement::of(&b.text));
    let common = left.common(&right);
    match left.turned == right.turned {
        _ if left.numbers != right.numbers => Relation::Apart,
        true if common >= SAME => Relation::Same,
        false if common >= OPPOSITE => Relation::Opposite,
        true | false => Relation::Apart,
    }
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

/// A statement: its content words, its numbers, and whether it is turned around.
struct Statement {
    words: BTreeSet<String>,
    numbers: BTreeSet<String>,
    turned: bool,
}

impl Statement {
    fn of(text: &str) -> Self {
        let (mut words, mut turned) = (BTreeSet::new(), false);
        for word in plain(&text.replace(['\'', '’'], "")).split_whitespace() {
            let opposite = TURNS.iter().find(|(_, opposite)| *opposite == word);
            turned ^= NEGATIONS.split_whitespace().any(|other| other == word) || opposite.is_some();
            let positive = TURNS.iter().any(|(positive, _)| *positive == word);
            if opposite.is_some() || positive {
                words.insert("taste".to_owned());
            } else if !words::is_stop(word) && !NEGATIONS.split_whitespace().any(|other| other == word) {
                words.extend(words::terms(word));
            }
        }
        let numbers = words.iter().filter(|word| word.chars().all(|c| c.is_ascii_digit())).cloned().collect();
        Self { words, numbers, turned }
    }

    /// The share of common words among all.
    fn common(&self, other: &Self) -> f32 {
        let both = self.words.intersection(&other.words).count();
        let any = self.words.len() + other.words.len() - both;
        if any == 0 { 0.0 } else { both as f32 / any as f32 }
    }
}
