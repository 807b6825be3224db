//! Pairs of words. A Vietnamese syllable alone says little: a word is mostly two that follow each other.

use std::collections::HashSet;

use mindfile_index::bm25::idf;
use mindfile_note::words;

use super::rank::Ranked;

/// What a pair is worth, beside each of the two.
const WEIGHT: f32 = 0.6;

/// Counts the query's pairs that each chunk has among its words, and gives the weight of all of them.
pub(super) fn count(ranked: &mut [Ranked], query: &str, chunks: usize) -> f32 {
    let had: Vec<HashSet<Pair>> = ranked.iter().map(|hit| pairs(&hit.chunk.text)).collect();
    let mut whole = 0.0;
    for pair in pairs(query) {
        let has = |had: &HashSet<Pair>| had.contains(&pair);
        let weight = WEIGHT * idf(chunks, had.iter().filter(|had| has(had)).count());
        whole += weight;
        for (hit, _) in ranked.iter_mut().zip(&had).filter(|(_, had)| has(had)) {
            *hit.signals.words.get_or_insert_default() += weight;
        }
    }
    whole
}

type Pair = (String, String);

fn pairs(text: &str) -> HashSet<Pair> {
    let terms = words::asked(text);
    terms.iter().cloned().zip(terms.iter().skip(1).cloned()).collect()
}
