//! The two loops that everything waits for, compiled for what the machine can do.

use multiversion::multiversion;

use super::TokenId;
use super::table::{DIMS, TABLE};

/// A row widened for multiplication.
pub(super) type Wide = [i16; DIMS];

/// Columns that are summed at once: as many as fit into registers.
const BLOCK: usize = 128;

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

/// The dot product of a row with each of the wide rows.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn dots(row: &[u8; DIMS], wide: &[Wide], found: &mut [i32]) {
    let row: Wide = row.map(|byte| i16::from(byte as i8));
    for (found, wide) in found.iter_mut().zip(wide) {
        *found = row.iter().zip(wide).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    }
}
