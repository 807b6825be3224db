//! The highest of many scores, without sorting them all.

/// The positions of the best `limit` scores above `floor`, best first, with everything that ties with the last one.
/// Equals are in no particular order.
pub(crate) fn top(scores: &[f32], floor: f32, limit: usize, admits: impl Fn(usize) -> bool) -> Vec<u32> {
    if limit == 0 {
        return Vec::new();
    }
    let mut kept: Vec<(f32, u32)> = Vec::with_capacity(4 * limit);
    let mut full = 4 * limit;
    let mut least = floor.next_up();
    for (position, &score) in scores.iter().enumerate() {
        if score >= least && admits(position) {
            kept.push((score, position as u32));
            if kept.len() == full {
                least = cut(&mut kept, limit);
                full = 4 * limit.max(kept.len());
            }
        }
    }
    cut(&mut kept, limit);
    kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    kept.into_iter().map(|(_, position)| position).collect()
}

/// Keeps the best `limit` and what ties with the last; returns the lowest score kept.
fn cut(kept: &mut Vec<(f32, u32)>, limit: usize) -> f32 {
    if kept.len() <= limit {
        return f32::NEG_INFINITY;
    }
    let (_, &mut (last, _), _) = kept.select_nth_unstable_by(limit - 1, |a, b| b.0.total_cmp(&a.0));
    kept.retain(|(score, _)| *score >= last);
    last
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_are_those_that_a_sort_puts_first(
            scores in prop::collection::vec((0_i8..30).prop_map(f32::from), 0..400),
            limit in 0_usize..40,
            step in 1_usize..4,
        ) {
            let admits = |position: usize| position.is_multiple_of(step);
            let mut sorted: Vec<(f32, usize)> =
                scores.iter().copied().zip(0..).filter(|(score, at)| *score > 3.0 && admits(*at)).collect();
            sorted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let last = limit.checked_sub(1).and_then(|at| sorted.get(at)).map_or(0.0, |(score, _)| *score);
            sorted.retain(|(score, _)| limit > 0 && *score >= last);
            let expected: Vec<u32> = sorted.iter().map(|(_, at)| *at as u32).collect();
            prop_assert_eq!(top(&scores, 3.0, limit, admits), expected);
        }
    }
}
