//! Ranking by words: BM25 over the postings of the query's terms.
//!
//! SQLite's own `bm25()` is not used: its constants are fixed, it says nothing of its parts, and it visits every
//! position of every match. Here a term's postings are plain arrays that a warm index keeps, and the
//! same function ranks for every backend.
//!
//! A chunk that has a term in another form only gets a part of the term's weight, however often it has it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::columns::{Columns, Filter};
use crate::query_term::QueryTerm;
use crate::record::Doc;
use crate::top::top;

pub const K1: f32 = 0.9;
pub const B: f32 = 0.75;

/// Where a term occurs: positions in `Columns`, ascending, and how often.
#[derive(Debug, Default, Clone, PartialEq)]
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

    pub fn has(&self, position: usize) -> bool {
        self.place(position).is_ok()
    }

    /// Says how often the row at a position has the term now; `None` for not at all.
    pub fn set(&mut self, position: usize, count: Option<u32>) {
        match (self.place(position), count) {
            (Ok(at), Some(count)) => self.counts[at] = count as f32,
            (Ok(at), None) => {
                self.positions.remove(at);
                self.counts.remove(at);
            }
            (Err(at), Some(count)) => {
                self.positions.insert(at, u32::try_from(position).unwrap_or(u32::MAX));
                self.counts.insert(at, count as f32);
            }
            (Err(_), None) => {}
        }
    }

    /// The rows at these positions, in ascending order, are no more: those behind them move up.
    pub fn close(&mut self, gone: &[usize]) {
        let mut passed = 0;
        let mut kept = 0;
        for at in 0..self.positions.len() {
            let position = self.positions[at] as usize;
            while gone.get(passed).is_some_and(|gone| *gone < position) {
                passed += 1;
            }
            if gone.get(passed) != Some(&position) {
                self.positions[kept] = u32::try_from(position - passed).unwrap_or(u32::MAX);
                self.counts[kept] = self.counts[at];
                kept += 1;
            }
        }
        self.positions.truncate(kept);
        self.counts.truncate(kept);
    }

    fn place(&self, position: usize) -> Result<usize, usize> {
        self.positions.binary_search(&u32::try_from(position).unwrap_or(u32::MAX))
    }
}

/// What a term is worth: how many chunks have it, and the weight that follows.
#[derive(Debug, Clone, PartialEq)]
pub struct TermStat {
    pub term: String,
    pub chunks: u32,
    /// How many have it in another form, where none has it as asked.
    pub formed: u32,
    pub idf: f32,
}

impl TermStat {
    fn of(term: &str, found: TermCounts, chunks: usize) -> Self {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let idf = idf(chunks, if found.as_asked > 0 { found.as_asked } else { found.formed });
        Self { term: term.to_owned(), chunks: number(found.as_asked), formed: number(found.formed), idf }
    }

    /// Whether a chunk has it in any form that was looked for.
    pub fn is_heard(&self) -> bool {
        self.chunks > 0 || self.formed > 0
    }
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
    /// How many chunks the question is about.
    pub chunks: usize,
}

/// Ranks the chunks that have at least one of the terms. The postings are those of [`QueryTerm::spellings`], in that order.
pub fn rank(
    terms: &[QueryTerm],
    postings: &[Arc<Postings>],
    columns: &Columns,
    filter: &Filter,
    limit: usize,
) -> Lexical {
    rank_beside(terms, postings, columns, filter, limit, &Lexical::default())
}

/// Ranks chunks that stand beside others. The rarity of a word counts over both, so that their scores compare. `others` is the
/// answer of the others for the same terms.
pub(crate) fn rank_beside(
    terms: &[QueryTerm],
    postings: &[Arc<Postings>],
    columns: &Columns,
    filter: &Filter,
    limit: usize,
    others: &Lexical,
) -> Lexical {
    let own = Scope::of(columns, filter);
    let among = Corpus { chunks: own.count() + others.chunks, mean_length: own.mean_length() };
    rank_by(&side_by_side(terms, postings), &own, among, filter, limit, others)
}

/// The rows that a question is about, whatever their day. Not all of them need to be at hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corpus {
    pub chunks: usize,
    pub mean_length: f32,
}

/// Ranks rows that all have one of the terms.
pub fn rank_among(
    terms: &[QueryTerm],
    postings: &[Arc<Postings>],
    columns: &Columns,
    among: Corpus,
    limit: usize,
) -> Lexical {
    let filter = Filter::default();
    let own = Scope::of(columns, &filter);
    rank_by(&side_by_side(terms, postings), &own, among, &filter, limit, &Lexical::default())
}

/// A term with its postings.
struct TermPlaces<'a> {
    term: &'a str,
    as_asked: &'a Postings,
    /// The postings of its forms, with their similarity.
    forms: Vec<(f32, &'a Postings)>,
}

fn side_by_side<'a>(terms: &'a [QueryTerm], postings: &'a [Arc<Postings>]) -> Vec<TermPlaces<'a>> {
    let mut places = postings.iter().map(Arc::as_ref);
    let mut placed = Vec::with_capacity(terms.len());
    for sought in terms {
        let Some(as_asked) = places.next() else { break };
        let forms = sought.forms.iter().map(|form| form.similarity).zip(&mut places).collect();
        placed.push(TermPlaces { term: &sought.term, as_asked, forms });
    }
    placed
}

impl TermPlaces<'_> {
    /// The positions that have other forms but not the term itself, each with the best similarity.
    fn formed(&self) -> HashMap<u32, f32> {
        let mut likest: HashMap<u32, f32> = HashMap::new();
        for (similarity, postings) in &self.forms {
            for position in &postings.positions {
                let best = likest.entry(*position).or_default();
                *best = best.max(*similarity);
            }
        }
        if !likest.is_empty() {
            for position in &self.as_asked.positions {
                likest.remove(position);
            }
        }
        likest
    }
}

fn rank_by(
    terms: &[TermPlaces<'_>],
    own: &Scope<'_>,
    among: Corpus,
    filter: &Filter,
    limit: usize,
    others: &Lexical,
) -> Lexical {
    let columns = own.columns;
    let mut stats = Vec::with_capacity(terms.len());
    let mut scores = vec![0.0_f32; columns.len()];
    let mut covered = vec![0.0_f32; columns.len()];
    for (at, placed) in terms.iter().enumerate() {
        let formed = placed.formed();
        let found = own.found(placed.as_asked, &formed).and(others.terms.get(at));
        let stat = TermStat::of(placed.term, found, among.chunks);
        accumulate(placed.as_asked, (stat.idf, among.mean_length), columns, &mut scores, &mut covered);
        for (position, similarity) in formed {
            scores[position as usize] += similarity * stat.idf;
            covered[position as usize] += similarity * stat.idf;
        }
        stats.push(stat);
    }
    let mass: f32 = stats.iter().map(|stat| stat.idf).sum();
    let open = filter.is_open(columns);
    let hits = top(&scores, 0.0, limit, |position| open || filter.admits(columns, position))
        .into_iter()
        .map(|position| {
            let position = position as usize;
            let coverage = if mass > 0.0 { covered[position] / mass } else { 0.0 };
            LexicalHit { doc: columns.doc(position), score: scores[position], coverage }
        })
        .collect();
    Lexical { hits, terms: stats, chunks: among.chunks }
}

/// How many rows have a term, and how many have it in another form only.
#[derive(Debug, Clone, Copy, Default)]
struct TermCounts {
    as_asked: usize,
    /// Rows that have the term as asked do not count.
    formed: usize,
}

impl TermCounts {
    /// Adds the counts of the others.
    fn and(self, others: Option<&TermStat>) -> Self {
        let (chunks, formed) = others.map_or((0, 0), |stat| (stat.chunks, stat.formed));
        let as_asked = self.as_asked + chunks as usize;
        Self { as_asked, formed: if as_asked > 0 { 0 } else { self.formed + formed as usize } }
    }
}

/// The chunks that a question is about, whatever their day: the rarity of a word among notes does not depend on conversations,
/// nor on what is hidden.
struct Scope<'a> {
    columns: &'a Columns,
    /// `None` for all of them.
    filter: Option<&'a Filter>,
}

impl<'a> Scope<'a> {
    fn of(columns: &'a Columns, filter: &'a Filter) -> Self {
        let narrow =
            filter.source.is_some() || (filter.trusted && columns.untrusted > 0) || !filter.hidden.is_empty();
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

    fn found(&self, as_asked: &Postings, formed: &HashMap<u32, f32>) -> TermCounts {
        let is_own = |position: &&u32| {
            self.filter.is_none_or(|filter| filter.admits_word_of(self.columns, **position as usize))
        };
        let count = |positions: &mut dyn Iterator<Item = &u32>| positions.filter(is_own).count();
        TermCounts {
            as_asked: if self.filter.is_none() {
                as_asked.positions.len()
            } else {
                count(&mut as_asked.positions.iter())
            },
            formed: count(&mut formed.keys()),
        }
    }
}

/// The weight of a term that so many of the chunks have.
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
    // The factor of the length in `K1 * (1 - B + B * length / mean)`.
    let per_term = K1 * B / mean;
    for (&position, &count) in postings.positions.iter().zip(&postings.counts) {
        let position = position as usize;
        let norm = K1 * (1.0 - B) + per_term * columns.lengths[position] as f32;
        scores[position] += idf * count * (K1 + 1.0) / (count + norm);
        covered[position] += idf;
    }
}
