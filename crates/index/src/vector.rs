//! Ranking by meaning: an exact scan over 8-bit codes, then full precision for the best of them.

use multiversion::multiversion;

use crate::bm25::best;
use crate::columns::{Columns, Filter};
use crate::error::Error;

/// How many of the scan's best are scored again with the stored vectors, at least.
pub const RESCORED: usize = 50;

/// A vector in 8 bits a dimension: `value = code * scale`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Code {
    pub values: Vec<i8>,
    pub scale: f32,
}

impl Code {
    pub fn of(vector: &[f32]) -> Self {
        let peak = vector.iter().fold(0.0_f32, |peak, value| peak.max(value.abs()));
        if peak == 0.0 {
            return Self { values: vec![0; vector.len()], scale: 0.0 };
        }
        let scale = peak / 127.0;
        Self { values: vector.iter().map(|value| (value / scale).round() as i8).collect(), scale }
    }
}

/// The codes of all chunks in one block; a chunk without a vector has scale 0.
#[derive(Debug, Default)]
pub struct Codes {
    dims: usize,
    values: Vec<i8>,
    scales: Vec<f32>,
}

impl Codes {
    pub fn with_room(chunks: usize, dims: usize) -> Self {
        Self { dims: 0, values: Vec::with_capacity(chunks * dims), scales: Vec::with_capacity(chunks) }
    }

    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Adds the next chunk's code: its scale and its values, a byte each.
    pub fn push(&mut self, code: Option<(f32, &[u8])>) -> Result<(), Error> {
        let Some((scale, values)) = code else {
            self.scales.push(0.0);
            self.values.resize(self.values.len() + self.dims, 0);
            return Ok(());
        };
        if self.dims == 0 {
            self.dims = values.len();
            self.values.resize(self.scales.len() * self.dims, 0);
        }
        if values.len() != self.dims {
            return Err(Error::Dimensions { expected: self.dims, found: values.len() });
        }
        self.scales.push(scale);
        self.values.extend(values.iter().map(|byte| byte.cast_signed()));
        Ok(())
    }

    pub fn has_vectors(&self) -> bool {
        self.dims > 0
    }

    pub fn has_vector(&self, position: usize) -> bool {
        self.scales[position] > 0.0
    }
}

/// The cosine of every chunk with the query, as exact as the codes; 0 for a chunk without a vector.
pub fn scan(query: &[f32], columns: &Columns) -> Result<Vec<f32>, Error> {
    check(query, columns.codes.dims)?;
    let code = Code::of(query);
    let mut scores = vec![0.0_f32; columns.len()];
    score_all(&code.values, code.scale, &columns.codes.values, &columns.codes.scales, &mut scores);
    Ok(scores)
}

/// Positions of the best `limit`, or somewhat more where they tie.
pub fn nearest(scores: &[f32], columns: &Columns, filter: &Filter, limit: usize) -> Vec<u32> {
    let open = filter.is_open();
    let candidates: Vec<u32> = (0..columns.len())
        .filter(|&i| columns.codes.has_vector(i) && (open || filter.admits(columns, i)))
        .map(|i| i as u32)
        .collect();
    best(candidates, limit, |&i| scores[i as usize])
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

/// Cosine of two L2-normalised vectors.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl",
    "x86_64+avx2+fma",
    "x86_64+sse4.1",
    "aarch64+neon"
))]
fn score_all(query: &[i8], query_scale: f32, codes: &[i8], scales: &[f32], scores: &mut [f32]) {
    for ((code, scale), score) in codes.chunks_exact(query.len().max(1)).zip(scales).zip(scores) {
        let dot: i32 = query.iter().zip(code).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b))).sum();
        *score = dot as f32 * scale * query_scale;
    }
}

pub fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// None unless the bytes are whole, finite numbers.
pub fn from_bytes(bytes: &[u8]) -> Option<Vec<f32>> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let vector: Vec<f32> = chunks.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
    (rest.is_empty() && vector.iter().all(|value| value.is_finite())).then_some(vector)
}
