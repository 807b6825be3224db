//! The query's words in other forms. Most languages bend their words in more ways than their stemmer knows, if they have
//! one here at all: what a chunk says of a thing counts also where it is not spelled as in the question.

use std::collections::HashSet;

use mindfile_index::TermStat;
use mindfile_index::bm25::idf;
use mindfile_note::words::{self, Akin};

use super::rank::Ranked;

/// What two words that follow each other are worth, beside each of them.
const PAIR: f32 = 0.6;

/// What the compared chunks have of the query in other forms; nothing where they were not looked for.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// How many chunks have each term, in whatever form.
    chunks: Vec<usize>,
    /// The weight of all pairs of words, where these count.
    pub(super) pairs: f32,
}

impl Forms {
    /// Looks for them, and writes into each chunk's signals what it has.
    pub(super) fn of(ranked: &mut [Ranked], query: &str, terms: &[TermStat], chunks: usize) -> Self {
        if !terms.iter().any(|stat| words::bends(&stat.term)) {
            return Self::default();
        }
        let akin = Akin::new(terms.iter().map(|stat| stat.term.as_str()));
        let had: Vec<Vec<f32>> = ranked.iter().map(|hit| akin.within(&hit.chunk.text)).collect();
        let count = |at: usize| had.iter().filter(|had| had[at] > 0.0).count();
        let mut forms = Self { chunks: (0..terms.len()).map(count).collect(), pairs: 0.0 };
        for (hit, had) in ranked.iter_mut().zip(&had) {
            let other = had.iter().enumerate().filter(|(_, share)| **share < 1.0);
            hit.signals.forms = other.map(|(at, share)| share * forms.weight(terms, at, chunks)).sum();
        }
        if words::is_vietnamese(query) {
            forms.pairs = pair(ranked, query, chunks);
        }
        forms
    }

    /// Whether a note has the term in any form.
    pub(super) fn is_heard(&self, terms: &[TermStat], at: usize) -> bool {
        terms[at].chunks > 0 || self.chunks.get(at).is_some_and(|chunks| *chunks > 0)
    }

    /// How rare a term is; of one that notes have in other forms only, by how many have these.
    pub(super) fn weight(&self, terms: &[TermStat], at: usize, chunks: usize) -> f32 {
        match (terms[at].chunks, self.chunks.get(at)) {
            (0, Some(found @ 1..)) => idf(chunks, *found),
            _ => terms[at].idf,
        }
    }
}

/// A Vietnamese syllable alone says little: a word is mostly two that follow each other. Gives the weight of all pairs.
fn pair(ranked: &mut [Ranked], query: &str, chunks: usize) -> f32 {
    let had: Vec<HashSet<Pair>> = ranked.iter().map(|hit| pairs(&hit.chunk.text)).collect();
    let mut whole = 0.0;
    for pair in pairs(query) {
        let has = |had: &HashSet<Pair>| had.contains(&pair);
        let weight = PAIR * idf(chunks, had.iter().filter(|had| has(had)).count());
        whole += weight;
        for (hit, _) in ranked.iter_mut().zip(&had).filter(|(_, had)| has(had)) {
            hit.signals.forms += weight;
        }
    }
    whole
}

type Pair = (String, String);

fn pairs(text: &str) -> HashSet<Pair> {
    let terms = words::asked(text);
    terms.iter().cloned().zip(terms.iter().skip(1).cloned()).collect()
}
