//! Ranking by words: BM25 over the postings of the query's terms.
//!
//! SQLite's own `bm25()` is not used: its constants are fixed, it says nothing of its parts, and it visits every
//! position of every match. Here a term's postings are plain arrays that a warm index keeps, and the
//! same function ranks for every backend.

use std::sync::Arc;

use crate::columns::{Columns, Filter};
use crate::record::Doc;
use crate::top::top;

pub const K1: f32 = 0.9;
pub const B: f32 = 0.75;

/// Where a term occurs: positions in `Columns`, ascending, and how often.
#[derive(Debug, Default, PartialEq)]
pub struct Postings {
    pub positions: Vec<u32>,
    pub counts: Vec<f32>,
}

impl Postings {
    pub fn with_room(chunks: usize) -> Self {
        Self { positions: Vec::with_capacity(chunks), counts: Vec::with_capacity(chunks) }
    }

    pub fn push(&mut self, position: usize, count: u32) {
        self.positions.push(u32::try_from(position).unwrap_or(u32::MAX));
        self.counts.push(count as f32);
    }
}

/// What a term is worth: how many chunks have it, and the weight that follows.
#[derive(Debug, Clone, PartialEq)]
pub struct TermStat {
    pub term: String,
    pub chunks: u32,
    pub idf: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LexicalHit {
    pub doc: Doc,
    pub score: f32,
    /// The share of the query's weight (idf) that the chunk's words cover, 0 to 1.
    pub coverage: f32,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lexical {
    /// Best first; equals by number.
    pub hits: Vec<LexicalHit>,
    pub terms: Vec<TermStat>,
    /// Chunks in the index, of the source that is asked.
    pub chunks: usize,
}

/// Ranks the chunks that have at least one of the terms.
pub fn rank(
    terms: &[String],
    postings: &[Arc<Postings>],
    columns: &Columns,
    filter: &Filter,
    limit: usize,
) -> Lexical {
    rank_beside(terms, postings, columns, filter, limit, &Lexical::default())
}

/// The same for chunks that stand beside others: how rare a word is counts over both, so that the scores of the two can be
/// put into one order. `others` is what those gave for the same terms.
pub(crate) fn rank_beside(
    terms: &[String],
    postings: &[Arc<Postings>],
    columns: &Columns,
    filter: &Filter,
    limit: usize,
    others: &Lexical,
) -> Lexical {
    let own = Own::of(columns, filter);
    let also = |at: usize| others.terms.get(at).map_or(0, |stat| stat.chunks as usize);
    let found = postings.iter().enumerate().map(|(at, postings)| own.found(postings) + also(at));
    let weights = Weights::of(terms, found, own.count() + others.chunks, own.mean_length());
    rank_by(weights, postings, columns, filter, limit)
}

/// What the terms of a question are worth among rows of which not all need be at hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    pub terms: Vec<TermStat>,
    /// Rows that are asked, of whatever day.
    pub chunks: usize,
    pub mean_length: f32,
}

impl Weights {
    /// Of terms that are in so many of the rows.
    pub fn of(terms: &[String], found: impl Iterator<Item = usize>, chunks: usize, mean_length: f32) -> Self {
        let terms = terms.iter().zip(found).map(|(term, found)| stat(term, found, chunks)).collect();
        Self { terms, chunks, mean_length }
    }
}

/// Ranks the rows that are at hand, those with at least one of the terms, by weights that count over all of them.
pub fn rank_by(
    weights: Weights,
    postings: &[Arc<Postings>],
    columns: &Columns,
    filter: &Filter,
    limit: usize,
) -> Lexical {
    let Weights { terms: stats, chunks, mean_length: mean } = weights;
    let mass: f32 = stats.iter().map(|stat| stat.idf).sum();
    let mut scores = vec![0.0_f32; columns.len()];
    let mut covered = vec![0.0_f32; columns.len()];
    for (postings, stat) in postings.iter().zip(&stats) {
        accumulate(postings, (stat.idf, mean), columns, &mut scores, &mut covered);
    }
    let open = filter.is_open(columns);
    let hits = top(&scores, 0.0, limit, |position| open || filter.admits(columns, position))
        .into_iter()
        .map(|position| {
            let position = position as usize;
            let coverage = if mass > 0.0 { covered[position] / mass } else { 0.0 };
            LexicalHit { doc: columns.doc(position), score: scores[position], coverage }
        })
        .collect();
    Lexical { hits, terms: stats, chunks }
}

/// The chunks that are asked, of whatever day: how rare a word is among notes does not depend on what was said in
/// conversations, nor on what somebody else put there.
struct Own<'a> {
    columns: &'a Columns,
    /// None: all of them.
    filter: Option<&'a Filter>,
}

impl<'a> Own<'a> {
    fn of(columns: &'a Columns, filter: &'a Filter) -> Self {
        let narrow = filter.source.is_some() || (filter.trusted && columns.untrusted > 0);
        Self { columns, filter: narrow.then_some(filter) }
    }

    fn count(&self) -> usize {
        let of = |filter: &Filter| self.positions(filter).count();
        self.filter.map_or(self.columns.len(), of)
    }

    fn mean_length(&self) -> f32 {
        let Some(filter) = self.filter else { return self.columns.mean_length() };
        let total: u64 = self.positions(filter).map(|at| u64::from(self.columns.lengths[at])).sum();
        (total as f32 / self.count().max(1) as f32).max(1.0)
    }

    fn positions(&self, filter: &Filter) -> impl Iterator<Item = usize> {
        (0..self.columns.len()).filter(|at| filter.admits_word_of(self.columns, *at))
    }

    fn found(&self, postings: &Postings) -> usize {
        let of = |filter: &Filter| {
            let is_own = |position: &&u32| filter.admits_word_of(self.columns, **position as usize);
            postings.positions.iter().filter(is_own).count()
        };
        self.filter.map_or(postings.positions.len(), of)
    }
}

fn stat(term: &str, found: usize, chunks: usize) -> TermStat {
    let idf = idf(chunks, found);
    TermStat { term: term.to_owned(), chunks: u32::try_from(found).unwrap_or(u32::MAX), idf }
}

/// How much a term tells that so many of the chunks have.
pub fn idf(chunks: usize, found: usize) -> f32 {
    (1.0 + (chunks as f32 - found as f32 + 0.5) / (found as f32 + 0.5)).ln()
}

fn accumulate(
    postings: &Postings,
    (idf, mean): (f32, f32),
    columns: &Columns,
    scores: &mut [f32],
    covered: &mut [f32],
) {
    // The length's part of `K1 * (1 - B + B * length / mean)`.
    let per_term = K1 * B / mean;
    for (&position, &count) in postings.positions.iter().zip(&postings.counts) {
        let position = position as usize;
        let norm = K1 * (1.0 - B) + per_term * columns.lengths[position] as f32;
        scores[position] += idf * count * (K1 + 1.0) / (count + norm);
        covered[position] += idf;
    }
}
