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
    /// The tokens at hand.
    scratch: Vec<TokenId>,
}

impl Tokens {
    pub(super) fn new(query: &str, terms: &[TermStat]) -> Self {
        let table = Embedded::open();
        let weighted = weigh(query, table, terms);
        Self { interaction: Interaction::new(&table, &weighted), scratch: Vec::new() }
    }

    /// How near the chunk comes to the query's words, about 0 to 1.
    pub(super) fn nearness(&mut self, chunk: &StoredChunk) -> f32 {
        self.take(&chunk.tokens);
        let found = self.interaction.score_windows(&self.scratch, WINDOW / 2);
        (1.0 - WINDOW_SHARE) * found.whole + WINDOW_SHARE * found.best
    }

    /// How near a part of a chunk comes.
    pub(super) fn nearness_of(&mut self, tokens: &[u16]) -> f32 {
        self.take(tokens);
        self.interaction.score_windows(&self.scratch, usize::MAX).whole
    }

    fn take(&mut self, tokens: &[u16]) {
        self.scratch.clear();
        self.scratch.extend(tokens.iter().filter_map(|&id| TokenId::new(id)));
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
