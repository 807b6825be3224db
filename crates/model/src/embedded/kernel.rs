//! The hot loops, compiled for what the machine can do.

use std::hint::black_box;

use multiversion::multiversion;

use super::TokenId;
use super::table::{DIMS, TABLE};

/// Query tokens that are compared side by side.
pub(super) const LANES: usize = 8;
pub(super) type Lanes = [f32; LANES];

/// A row widened for multiplication.
pub(super) type Wide = [i16; DIMS];

/// Columns that are summed at once: as many as fit into registers.
const BLOCK: usize = 128;
/// Bytes that come from memory together.
const LINE: usize = 64;

/// The sum of the tokens' weights.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn weighted_sum(tokens: &[TokenId]) -> Vec<f32> {
    let mut sum = vec![0.0; DIMS];
    for (index, block) in sum.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        let mut total = [0.0; BLOCK];
        for token in tokens {
            let (scale, _) = TABLE.measures(*token);
            let weights = &TABLE.row(*token).as_chunks::<BLOCK>().0[index];
            for (total, weight) in total.iter_mut().zip(weights) {
                *total += f32::from(*weight as i8) * scale;
            }
        }
        *block = total;
    }
    sum
}

/// The dot product of each token's row with each of the wide rows, token by token.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn dots(tokens: &[TokenId], wide: &[Wide], found: &mut Vec<i32>) {
    fetch(tokens);
    found.clear();
    for token in tokens {
        let row: Wide = TABLE.row(*token).map(|byte| i16::from(byte as i8));
        found.extend(
            wide.iter().map(|wide| -> i32 {
                row.iter().zip(wide).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
            }),
        );
    }
}

/// Looks at every cache line of the rows. The table is larger than most caches: rows that are wanted one by one are
/// waited for one by one, those that nothing is done with yet come side by side.
#[inline(always)]
fn fetch(tokens: &[TokenId]) {
    let lines = tokens.iter().map(|token| TABLE.row(*token).as_chunks::<LINE>().0);
    black_box(lines.flatten().fold(0, |seen, line| seen ^ line[0]));
}

/// Raises the best similarity of every query token to that of its nearest among the tokens. `places` holds, for each token
/// of the vocabulary, one more than where its similarities stand; those of all lanes stand together.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn highest(best: &mut [Lanes], tokens: &[TokenId], places: &[u16], similarities: &[Lanes]) {
    let blocks = best.len();
    for (block, best) in best.iter_mut().enumerate() {
        let mut highest = *best;
        for token in tokens {
            let place = usize::from(places[token.index()].saturating_sub(1)) * blocks + block;
            for (highest, found) in highest.iter_mut().zip(&similarities[place]) {
                *highest = if *found > *highest { *found } else { *highest };
            }
        }
        *best = highest;
    }
}
