//! Soft late interaction: how well a chunk answers each word of a query, not only all of them on average.
//!
//! Every query token looks for its nearest token in the chunk, by cosine of the static token vectors, and the
//! maxima are averaged with the query tokens' weights. A vocabulary token is compared with the query once,
//! however many chunks contain it.

use super::kernel::{LANES, Lanes, Wide, dots, highest};
use super::table::TABLE;
use super::{EmbeddedTable, TokenId};

/// How many different tokens a few dozen chunks have.
const USUAL_TOKENS: usize = 4096;

/// Below every cosine.
const LOWEST: f32 = -2.0;

/// How well a chunk answers as a whole, and how well its best part does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WindowScores {
    pub whole: f32,
    /// Of two neighbouring halves; of the whole, where there is but one.
    pub best: f32,
}

/// A query, and what is known so far about the tokens that were compared with it.
pub struct Interaction {
    query: Vec<QueryToken>,
    /// The query tokens' shares, in lanes; the unused ones have none.
    shares: Vec<Lanes>,
    wide: Vec<Wide>,
    /// For each token of the vocabulary, one more than its place in `similarities`; zero when not yet compared.
    places: Vec<u16>,
    /// `blocks` entries for each compared token.
    similarities: Vec<Lanes>,
    blocks: usize,
    /// Tokens of this chunk that have not been compared yet, and their dot products.
    fresh: Vec<TokenId>,
    products: Vec<i32>,
}

#[derive(Clone, Copy)]
struct QueryToken {
    inverse_norm: f32,
    /// Its share of the weight of the query.
    share: f32,
}

/// How well a chunk answers a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryMatch {
    /// The weighted mean of `best`; zero for a query without weight and for a chunk without tokens.
    pub mean: f32,
    /// For each query token, the cosine of the chunk's nearest token.
    pub best: Vec<f32>,
}

impl Interaction {
    /// Weights, such as inverse document frequencies, must be finite and not negative.
    pub fn new(table: &EmbeddedTable, query: &[(TokenId, f32)]) -> Self {
        debug_assert!(query.iter().all(|(_, weight)| weight.is_finite() && *weight >= 0.0));
        let total: f32 = query.iter().map(|(_, weight)| weight).sum();
        let share = |weight: f32| if total > 0.0 { weight / total } else { 0.0 };
        let (query, wide): (Vec<_>, Vec<_>) = query
            .iter()
            .map(|(token, weight)| (table.row(*token), share(*weight)))
            .map(|(row, share)| {
                (QueryToken { inverse_norm: row.inverse_norm, share }, row.values.map(i16::from))
            })
            .unzip();
        let blocks = query.len().div_ceil(LANES);
        let mut shares = vec![[0.0; LANES]; blocks];
        shares.as_flattened_mut().iter_mut().zip(&query).for_each(|(lane, query)| *lane = query.share);
        Self {
            places: vec![0; EmbeddedTable::VOCABULARY],
            similarities: Vec::with_capacity(USUAL_TOKENS * blocks),
            blocks,
            fresh: Vec::new(),
            products: Vec::new(),
            query,
            shares,
            wide,
        }
    }

    /// Compares the query with a chunk.
    pub fn score(&mut self, chunk: &[TokenId]) -> QueryMatch {
        let mut best = vec![[if chunk.is_empty() { 0.0 } else { LOWEST }; LANES]; self.blocks];
        self.meet(chunk);
        self.raise(&mut best, chunk);
        let mean = self.mean(&best);
        QueryMatch { mean, best: best.as_flattened()[..self.query.len()].to_vec() }
    }

    /// Compares the query with a chunk and with every window of two halves, each `half` tokens long.
    pub fn score_windows(&mut self, chunk: &[TokenId], half: usize) -> WindowScores {
        self.meet(chunk);
        let lowest = vec![[LOWEST; LANES]; self.blocks];
        let mut whole = lowest.clone();
        let mut before = lowest.clone();
        let mut now = lowest.clone();
        let mut best = None;
        for (at, tokens) in chunk.chunks(half.max(1)).enumerate() {
            now.copy_from_slice(&lowest);
            self.raise(&mut now, tokens);
            raise(&mut whole, &now);
            raise(&mut before, &now);
            // The first half is no window yet, unless there is no second.
            let single = at == 0 && chunk.len() > half;
            best = if single { best } else { Some(self.mean(&before).max(best.unwrap_or(LOWEST))) };
            std::mem::swap(&mut before, &mut now);
        }
        best.map_or_else(WindowScores::default, |best| WindowScores { whole: self.mean(&whole), best })
    }

    /// The similarities of tokens that have been compared before.
    fn raise(&self, best: &mut [Lanes], tokens: &[TokenId]) {
        highest(best, tokens, &self.places, &self.similarities);
    }

    fn mean(&self, best: &[Lanes]) -> f32 {
        let shares = self.shares.as_flattened();
        best.as_flattened().iter().zip(shares).map(|(best, share)| best * share).sum()
    }

    /// Compares the tokens that have not been compared yet.
    fn meet(&mut self, tokens: &[TokenId]) {
        let Some(mut count) = self.similarities.len().checked_div(self.blocks) else { return };
        self.fresh.clear();
        for &token in tokens {
            let place = &mut self.places[token.index()];
            if *place == 0 {
                count += 1;
                *place = count as u16;
                self.fresh.push(token);
            }
        }
        if !self.fresh.is_empty() {
            self.add();
        }
    }

    fn add(&mut self) {
        dots(&self.fresh, &self.wide, &mut self.products);
        let mut place = self.similarities.len();
        self.similarities.resize(place + self.fresh.len() * self.blocks, [LOWEST; LANES]);
        for (token, products) in self.fresh.iter().zip(self.products.chunks_exact(self.query.len())) {
            let (_, inverse_norm) = TABLE.measures(*token);
            let found = self.similarities[place..].as_flattened_mut();
            for (found, (dot, query)) in found.iter_mut().zip(products.iter().zip(&self.query)) {
                *found = *dot as f32 * inverse_norm * query.inverse_norm;
            }
            place += self.blocks;
        }
    }
}

/// Keeps the higher of two values, lane by lane.
#[inline]
fn raise(best: &mut [Lanes], found: &[Lanes]) {
    for (best, found) in best.iter_mut().zip(found) {
        for (best, found) in best.iter_mut().zip(found) {
            *best = if *found > *best { *found } else { *best };
        }
    }
}
