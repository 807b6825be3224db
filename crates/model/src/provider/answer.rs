//! Checks an answer as a whole: one wrong vector makes the others of the same answer doubtful too.

use crate::Vector;

/// A vector for each text, in their order, and the tokens that the service counted.
pub(super) struct Answer {
    pub(super) vectors: Vec<Vec<f32>>,
    pub(super) tokens: Option<u64>,
}

/// Numbered vectors in the order of their numbers; every number from 0 to `count` exactly once.
pub(super) fn in_order(
    numbered: impl Iterator<Item = (usize, Vec<f32>)>,
    count: usize,
) -> Result<Vec<Vec<f32>>, String> {
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; count];
    let mut found = 0;
    for (index, vector) in numbered {
        found += 1;
        let place = vectors.get_mut(index).ok_or_else(|| format!("embedding {index} of {count}"))?;
        if place.replace(vector).is_some() {
            return Err(format!("embedding {index} comes twice"));
        }
    }
    let all: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
    all.ok_or_else(|| format!("{found} embeddings for {count} texts"))
}

/// Checks the vectors. `dims` is their length, or zero if it is not known yet.
pub(super) fn checked(vectors: Vec<Vec<f32>>, dims: usize) -> Result<Vec<Vector>, String> {
    let expected = if dims > 0 { dims } else { vectors.first().map_or(0, Vec::len) };
    vectors.into_iter().map(|values| vector(values, expected)).collect()
}

pub(super) fn vector(values: Vec<f32>, dims: usize) -> Result<Vector, String> {
    if values.len() != dims || dims == 0 {
        return Err(format!("a vector of {} dimensions instead of {dims}", values.len()));
    }
    Vector::new(values).map_err(|error| error.to_string())
}
