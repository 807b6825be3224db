//! A token budget, filled with the best.

use mindfile_note::chunk;

use super::Recalled;
use crate::error::Error;

pub(super) struct Filling {
    pub(super) recalled: Vec<Recalled>,
    pub(super) left_out: usize,
    pub(super) tokens: usize,
}

/// The best that fit; one that does not makes room for a shorter one after it. Where not even one fits, that is an error:
/// an empty answer would say that nothing is known.
pub(super) fn fill(found: Vec<Recalled>, budget: Option<usize>) -> Result<Filling, Error> {
    let (mut recalled, mut left_out, mut tokens) = (Vec::new(), 0, 0);
    let smallest = found.iter().map(weigh).min().unwrap_or(0);
    let budget = budget.unwrap_or(usize::MAX);
    for one in found {
        let weight = weigh(&one);
        if tokens + weight <= budget {
            tokens += weight;
            recalled.push(one);
        } else {
            left_out += 1;
        }
    }
    if recalled.is_empty() && left_out > 0 {
        return Err(Error::TooBig { tokens: smallest, budget });
    }
    Ok(Filling { recalled, left_out, tokens })
}

/// Tokens of a fact as it is shown to a model.
pub(super) fn weigh(one: &Recalled) -> usize {
    let tags: usize = one.fact.spelled.iter().map(|tag| tag.chars().count() + 2).sum();
    let via: usize = one.via.iter().map(|name| name.chars().count() + 3).sum();
    /// Bullet, kind, salience, marks.
    const FRAME: usize = 14;
    (chunk::weight(&one.fact.text) + tags + via + FRAME).div_ceil(4)
}
