//! Pairs of words. A Vietnamese syllable alone says little: a word is mostly two that follow each other.

use std::collections::BTreeSet;

use mindfile_index::bm25::idf;
use mindfile_note::words;

/// What a pair is worth, beside each of the two.
const WEIGHT: f32 = 0.6;

/// The pairs of a question's words.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// The weight of those that each text has, in the order of the texts.
    pub(crate) had: Vec<f32>,
    /// The weight of all of them.
    pub(crate) whole: f32,
}

impl Pairs {
    /// Those of a question, in texts that are the best of so many. None where pairs do not count.
    pub(crate) fn of<'a>(question: &str, texts: impl Iterator<Item = &'a str>, all: usize) -> Option<Self> {
        if !words::is_vietnamese(question) {
            return None;
        }
        let said: Vec<BTreeSet<Pair>> = texts.map(pairs).collect();
        let mut counted = Self { had: vec![0.0; said.len()], whole: 0.0 };
        for pair in pairs(question) {
            let weight = WEIGHT * idf(all, said.iter().filter(|said| said.contains(&pair)).count());
            counted.whole += weight;
            for (had, _) in counted.had.iter_mut().zip(&said).filter(|(_, said)| said.contains(&pair)) {
                *had += weight;
            }
        }
        Some(counted)
    }
}

type Pair = (String, String);

fn pairs(text: &str) -> BTreeSet<Pair> {
    let terms = words::asked(text);
    terms.iter().cloned().zip(terms.iter().skip(1).cloned()).collect()
}
