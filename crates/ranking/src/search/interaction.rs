//! Soft late interaction: every word of the query looks for its nearest word in the chunk.
//!
//! Twice: in the whole chunk, and in the best window of it, so that words that stand together count more than words
//! that are scattered over a page.

use std::collections::{HashMap, HashSet};

use mindfile_index::{StoredChunk, TermStat};
use mindfile_model::{EmbeddedTable, Interaction, TokenId};
use mindfile_note::words;

const WINDOW: usize = 64;
const WINDOW_SHARE: f32 = 0.5;
/// How long the rows of ordinary words of content are.
const USUAL_LENGTH: f32 = 80.0;

/// The query's tokens with their weights, ready to be compared.
pub(super) struct Tokens {
    interaction: Interaction,
    /// Of the terms that are one word of the table, how much that word tells.
    telling: HashMap<String, f32>,
    /// How much the words that are asked for tell together.
    told: f32,
    /// Its tokens that follow each other.
    pairs: HashSet<[u16; 2]>,
    /// The tokens at hand.
    scratch: Vec<TokenId>,
}

impl Tokens {
    pub(super) fn new(query: &str, terms: &[TermStat]) -> Self {
        let table = EmbeddedTable::open();
        let asked = words_of(query, table);
        let telling = telling(&asked, table);
        let weighted = weigh(&asked, terms, &telling);
        Self {
            told: weighted.iter().map(|(_, weight)| weight).sum(),
            interaction: Interaction::new(&table, &weighted),
            pairs: pairs_of(&asked),
            telling,
            scratch: Vec::new(),
        }
    }

    /// How much the query tells: about the number of its words of content.
    pub(super) fn told(&self) -> f32 {
        self.told
    }

    /// How much a term tells in general, about 1 for a usual word of content and less for one that stands everywhere.
    /// None where the table does not know it as a word: it cannot say what is near it.
    pub(super) fn telling(&self, term: &str) -> Option<f32> {
        self.telling.get(term).copied()
    }

    /// How near the chunk comes to the query's words, about 0 to 1.
    pub(super) fn nearness(&mut self, chunk: &StoredChunk) -> f32 {
        self.take(&chunk.tokens);
        let found = self.interaction.score_windows(&self.scratch, WINDOW / 2);
        (1.0 - WINDOW_SHARE) * found.whole + WINDOW_SHARE * found.best
    }

    /// The share of the query's neighbouring tokens that stand side by side.
    pub(super) fn pairs(&self, tokens: &[u16]) -> f32 {
        let had: HashSet<[u16; 2]> =
            tokens.array_windows().filter(|pair| self.pairs.contains(*pair)).copied().collect();
        had.len() as f32 / self.pairs.len().max(1) as f32
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

/// A word of the query, and what the table makes of it.
struct QueryWord<'a> {
    text: &'a str,
    terms: Vec<String>,
    tokens: Vec<TokenId>,
}

/// The words in order. Marks between them ask for nothing.
fn words_of(query: &str, table: EmbeddedTable) -> Vec<QueryWord<'_>> {
    let mut found: Vec<(usize, QueryWord<'_>)> = Vec::new();
    for (token, span) in table.tokens_with_spans(query) {
        if !query[span.clone()].contains(char::is_alphanumeric) {
            continue;
        }
        let (start, text) = word_around(query, span);
        match found.last_mut().filter(|(before, _)| *before == start) {
            Some((_, word)) => word.tokens.push(token),
            None => found.push((start, QueryWord { text, terms: words::terms(text), tokens: vec![token] })),
        }
    }
    found.into_iter().map(|(_, word)| word).collect()
}

fn pairs_of(asked: &[QueryWord<'_>]) -> HashSet<[u16; 2]> {
    let tokens: Vec<u16> = asked.iter().flat_map(|word| &word.tokens).map(|token| token.get()).collect();
    tokens.array_windows().copied().collect()
}

/// The terms of a text that are one word of the table, and how much that word tells.
pub(crate) fn known_words(text: &str) -> HashMap<String, f32> {
    let table = EmbeddedTable::open();
    telling(&words_of(text, table), table)
}

/// The rows of words that stand everywhere are short, those of rare ones long.
fn telling(asked: &[QueryWord<'_>], table: EmbeddedTable) -> HashMap<String, f32> {
    let known = asked.iter().filter_map(|word| match word.tokens[..] {
        [token] if has_english_letters(word.text) => {
            let row = table.row(token);
            Some((&word.terms, row.scale / row.inverse_norm / USUAL_LENGTH))
        }
        _ => None,
    });
    known.flat_map(|(terms, tells)| terms.iter().map(move |term| (term.clone(), tells))).collect()
}

/// As far as a word can be told by its letters; of other scripts the table has but these.
fn has_english_letters(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The tokens of a word share what it tells in general: a word that is rare in these notes, and ordinary elsewhere, must
/// not stand for the whole question. Stop words do not count.
fn weigh(asked: &[QueryWord<'_>], terms: &[TermStat], telling: &HashMap<String, f32>) -> Vec<(TokenId, f32)> {
    let wanted: HashSet<&str> = terms.iter().map(|stat| stat.term.as_str()).collect();
    let is_wanted = |word: &QueryWord<'_>| word.terms.iter().any(|term| wanted.contains(term.as_str()));
    let weight = |word: &QueryWord<'_>| {
        let known = word.terms.iter().filter_map(|term| telling.get(term)).copied().reduce(f32::max);
        known.unwrap_or(1.0) / word.tokens.len() as f32
    };
    let any = asked.iter().any(is_wanted);
    let counted = asked.iter().filter(|word| !any || is_wanted(word));
    counted
        .map(|word| (word, weight(word)))
        .flat_map(|(word, weight)| word.tokens.iter().map(move |token| (*token, weight)))
        .collect()
}

/// The run of letters and digits that a token is a piece of, and where it starts.
fn word_around(text: &str, span: std::ops::Range<usize>) -> (usize, &str) {
    let start = text[..span.start].char_indices().rev().take_while(|(_, c)| c.is_alphanumeric()).last();
    let start = start.map_or(span.start, |(at, _)| at);
    let end = text[span.end..].char_indices().find(|(_, c)| !c.is_alphanumeric());
    (start, &text[start..end.map_or(text.len(), |(at, _)| span.end + at)])
}
