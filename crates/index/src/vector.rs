//! Ranking by meaning: an exact scan over 8-bit codes, then full precision for the best of them.

use std::cmp::Ordering;

use multiversion::multiversion;

use crate::columns::{Columns, Filter};
use crate::error::Error;
use crate::record::Doc;
use crate::top::top;

/// How many of the scan's best to score again with the stored vectors, at least.
pub const RESCORED: usize = 30;

/// A vector in 8 bits a dimension: `value = code * scale`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    pub values: Vec<i8>,
    pub scale: f32,
}

impl Code {
    pub fn of(vector: &[f32]) -> Self {
        let (values, scale) = coded(vector, 127.0, |value| value as i8);
        Self { values, scale }
    }
}

/// Quantizes values so that the largest becomes `most`. Returns the codes and the scale, 0 for a zero vector.
fn coded<T>(vector: &[f32], most: f32, as_code: impl Fn(f32) -> T) -> (Vec<T>, f32) {
    let scale = vector.iter().fold(0.0_f32, |peak, value| peak.max(value.abs())) / most;
    let step = |value: &f32| if scale > 0.0 { (value / scale).round() } else { 0.0 };
    (vector.iter().map(|value| as_code(step(value))).collect(), scale)
}

/// A vector's entry in a run of codes: the scale, four bytes, and then the values.
pub fn entry(vector: &[f32]) -> Vec<u8> {
    let code = Code::of(vector);
    let mut entry = code.scale.to_le_bytes().to_vec();
    entry.extend(code.values.iter().map(|value| value.cast_unsigned()));
    entry
}

/// The score of a chunk that has no vector.
pub const NO_VECTOR: f32 = f32::NEG_INFINITY;

/// A query's code: finer than the codes it is compared with, at the same cost.
#[derive(Debug)]
pub struct CodedQuery {
    values: Vec<i16>,
    scale: f32,
}

/// The largest value of a query's code: products with 8-bit codes fit 32 bits up to 8,000 dimensions.
const FINEST: f32 = 2047.0;

impl CodedQuery {
    pub fn of(vector: &[f32]) -> Self {
        let (values, scale) = coded(vector, FINEST, |value| value as i16);
        Self { values, scale }
    }

    /// How long an entry with a code of this size is.
    pub fn entry(&self) -> usize {
        4 + self.values.len()
    }
}

/// The cosines of a run of codes with the query. Each entry is a scale, four bytes, and then the values; an entry with
/// scale 0 has no vector.
pub fn score_run(query: &CodedQuery, entries: &[u8], scores: &mut [f32]) {
    score_entries(&query.values, query.scale, entries, scores);
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl",
    "x86_64+avx2+fma",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn score_entries(query: &[i16], query_scale: f32, entries: &[u8], scores: &mut [f32]) {
    for (entry, score) in entries.chunks_exact(4 + query.len()).zip(scores) {
        let (head, values) = entry.split_at(4);
        let scale = f32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let products =
            query.iter().zip(values).map(|(&a, &b)| i32::from(a) * i32::from(i16::from(b.cast_signed())));
        *score = if scale > 0.0 { products.sum::<i32>() as f32 * scale * query_scale } else { NO_VECTOR };
    }
}

/// Positions of the best `limit`, or somewhat more where they tie.
pub fn nearest(scores: &[f32], columns: &Columns, filter: &Filter, limit: usize) -> Vec<u32> {
    if filter.is_open(columns) {
        top(scores, NO_VECTOR, limit, |_| true)
    } else {
        top(scores, NO_VECTOR, limit, |position| filter.admits(columns, position))
    }
}

/// The answer of [`crate::Snapshot::nearest`], by the scores of all codes. `exact` gives the cosines of the best by the
/// stored vectors, in the order asked for.
pub fn ranked<E>(
    scores: &[f32],
    columns: &Columns,
    filter: &Filter,
    limit: usize,
    also: &[Doc],
    exact: impl FnOnce(&[Doc]) -> Result<Vec<f32>, E>,
) -> Result<Vec<(Doc, f32)>, E> {
    let score = |position: u32| scores[position as usize];
    let nearest = nearest(scores, columns, filter, limit.max(RESCORED));
    // Rows that tie are treated alike, up to a limit.
    let exact_from = nearest.get(RESCORED - 1).map_or(NO_VECTOR, |&position| score(position));
    let best = nearest.iter().take(4 * RESCORED).take_while(|position| score(**position) >= exact_from);
    let docs: Vec<Doc> = best.map(|&position| columns.doc(position as usize)).collect();
    let exact = exact(&docs)?;
    let rest = nearest.iter().skip(exact.len()).map(|&at| (columns.doc(at as usize), score(at)));
    let scored: Scored = docs.iter().copied().zip(exact.iter().copied()).chain(rest).collect();
    let (mut scored, _) = split_best(scored, limit);
    let mut among: Vec<Doc> = scored.iter().map(|(doc, _)| *doc).collect();
    among.sort_unstable();
    let others = also.iter().filter(|doc| among.binary_search(doc).is_err());
    let positions = columns.positions(others.copied()).filter(|&position| scores[position] > NO_VECTOR);
    scored.extend(positions.map(|position| (columns.doc(position), scores[position])));
    Ok(scored)
}

/// Rows with their cosines.
pub type Scored = Vec<(Doc, f32)>;

/// The best `limit` and what ties with the last of them; and the others. Both best first.
pub fn split_best(mut scored: Scored, limit: usize) -> (Scored, Scored) {
    scored.sort_by(best_first);
    let last = limit.checked_sub(1).and_then(|at| scored.get(at));
    let last = last.map_or(NO_VECTOR, |(_, score)| *score);
    let others = scored.split_off(scored.partition_point(|(_, score)| *score >= last));
    (scored, others)
}

/// Equals by number.
pub fn best_first(a: &(Doc, f32), b: &(Doc, f32)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// A query must live in the index's space; anything else is an error, never a low score.
pub fn check(query: &[f32], dims: usize) -> Result<(), Error> {
    if query.len() != dims {
        return Err(Error::Dimensions { expected: dims, found: query.len() });
    }
    if query.iter().any(|value| !value.is_finite()) {
        return Err(Error::NotFinite);
    }
    Ok(())
}

/// Independent sums, so that an addition does not wait for the one before.
const LANES: usize = 16;

/// Cosine of two L2-normalised vectors.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let (runs_a, rest_a) = a.as_chunks::<LANES>();
    let (runs_b, rest_b) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in runs_a.iter().zip(runs_b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f32>() + rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum::<f32>()
}

pub fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// `None` unless the bytes are whole, finite numbers.
pub fn from_bytes(bytes: &[u8]) -> Option<Vec<f32>> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let vector: Vec<f32> = chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
    (rest.is_empty() && vector.iter().all(|value| value.is_finite())).then_some(vector)
}
