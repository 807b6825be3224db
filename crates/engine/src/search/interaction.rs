//! Soft late interaction: every word of the query looks for its nearest word in the chunk.
//!
//! Twice: in the whole chunk, and in the best window of it, so that words that stand together count more than words
//! that are scattered over a page.

use std::collections::HashMap;

use mindfile_index::{StoredChunk, TermStat};
use mindfile_model::{Embedded, Interaction, TokenId};
use mindfile_note::words;

const WINDOW: usize = 48;
const WINDOW_SHARE: f32 = 0.5;

/// The query's tokens with their weights, ready to be compared.
pub(super) struct Tokens {
    interaction: Interaction,
    weights: Vec<f32>,
}

impl Tokens {
    pub(super) fn new(query: &str, terms: &[TermStat]) -> Self {
        let table = Embedded::open();
        let weighted = weigh(query, table, terms);
        let total: f32 = weighted.iter().map(|(_, weight)| weight).sum();
        let weights =
            weighted.iter().map(|(_, weight)| if total > 0.0 { weight / total } else { 0.0 }).collect();
        Self { interaction: Interaction::new(&table, &weighted), weights }
    }

    /// How near the chunk comes to the query's words, about 0 to 1.
    pub(super) fn nearness(&mut self, chunk: &StoredChunk) -> f32 {
        let tokens: Vec<TokenId> = chunk.tokens.iter().filter_map(|&id| TokenId::new(id)).collect();
        let halves: Vec<Vec<f32>> =
            tokens.chunks(WINDOW / 2).map(|half| self.interaction.score(half).best).collect();
        let Some(first) = halves.first() else { return 0.0 };
        let mut whole = first.clone();
        let mut best_window = self.mean(first.iter().copied());
        for pair in halves.windows(2) {
            let window = pair[0].iter().zip(&pair[1]).map(|(a, b)| a.max(*b));
            best_window = best_window.max(self.mean(window));
            whole.iter_mut().zip(&pair[1]).for_each(|(most, found)| *most = most.max(*found));
        }
        (1.0 - WINDOW_SHARE) * self.mean(whole.into_iter()) + WINDOW_SHARE * best_window
    }

    /// How near a short text comes, such as a line of a chunk.
    pub(super) fn nearness_of(&mut self, text: &str) -> f32 {
        self.interaction.score(&Embedded::open().tokens(text)).mean
    }

    fn mean(&self, best: impl Iterator<Item = f32>) -> f32 {
        best.zip(&self.weights).map(|(best, weight)| best * weight).sum()
    }
}

/// A token weighs what its word weighs: rare words decide, stop words do not count.
fn weigh(query: &str, table: Embedded, terms: &[TermStat]) -> Vec<(TokenId, f32)> {
    let idf: HashMap<&str, f32> = terms.iter().map(|stat| (stat.term.as_str(), stat.idf)).collect();
    let mut weighted: Vec<(TokenId, f32)> = table
        .tokens_with_spans(query)
        .into_iter()
        .map(|(token, span)| (token, word_weight(word_around(query, span), &idf)))
        .collect();
    if weighted.iter().all(|(_, weight)| *weight == 0.0) {
        weighted.iter_mut().for_each(|(_, weight)| *weight = 1.0);
    }
    weighted.retain(|(_, weight)| *weight > 0.0);
    weighted
}

fn word_weight(word: &str, idf: &HashMap<&str, f32>) -> f32 {
    words::terms(word)
        .iter()
        .filter_map(|term| idf.get(term.as_str()))
        .fold(0.0, |most, weight| most.max(*weight))
}

/// The run of letters and digits that a token is a piece of.
fn word_around(text: &str, span: std::ops::Range<usize>) -> &str {
    let start = text[..span.start].char_indices().rev().take_while(|(_, c)| c.is_alphanumeric()).last();
    let end = text[span.end..].char_indices().find(|(_, c)| !c.is_alphanumeric());
    &text[start.map_or(span.start, |(at, _)| at)..end.map_or(text.len(), |(at, _)| span.end + at)]
}
