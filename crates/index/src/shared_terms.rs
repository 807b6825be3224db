//! Finds facts that share terms with a new one. Every write asks, so this looks at a few short lists only.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::bm25::Postings;
use crate::columns::Columns;
use crate::record::Doc;

/// How many of a text's terms to look up.
const RAREST: usize = 6;
/// How many facts of a term to look at.
pub const MOST: usize = 200;

/// The facts that share terms with a text, those with the most in common first and older ones before equals. `counts` are the
/// numbers of facts with each term. `with_term` gives the first facts with a term, `with_all` those that have every term, given
/// the rarest and its count.
pub fn find<E>(
    terms: &[String],
    counts: impl IntoIterator<Item = usize>,
    mut with_term: impl FnMut(&String) -> Result<Vec<Doc>, E>,
    with_all: impl FnOnce(&String, usize) -> Result<Vec<Doc>, E>,
) -> Result<Vec<Doc>, E> {
    let mut rare: Vec<(usize, &String)> = counts.into_iter().zip(terms).collect();
    rare.retain(|(count, _)| *count > 0);
    rare.sort();
    let mut weighed: Vec<(Doc, usize)> = Vec::new();
    for (_, term) in rare.iter().take(RAREST) {
        weighed.extend(with_term(term)?.into_iter().map(|doc| (doc, 1)));
    }
    if let Some((count, rarest)) = rare.first().filter(|_| rare.len() == terms.len()) {
        // Having every term outweighs anything else.
        weighed.extend(with_all(rarest, *count)?.into_iter().map(|doc| (doc, RAREST + 1)));
    }
    Ok(heaviest_first(weighed))
}

/// The same for terms with known postings.
pub fn find_in(terms: &[String], postings: &[Arc<Postings>], columns: &Columns) -> Vec<Doc> {
    let of: HashMap<&String, &[u32]> =
        terms.iter().zip(postings).map(|(term, of)| (term, of.positions.as_slice())).collect();
    let places = |term: &String| of.get(term).copied().unwrap_or_default().iter().copied();
    let docs = |positions: &mut dyn Iterator<Item = u32>| -> Result<Vec<Doc>, Infallible> {
        Ok(positions.take(MOST).map(|at| columns.doc(at as usize)).collect())
    };
    let is_in_all = |at: &u32| of.values().all(|places| places.binary_search(at).is_ok());
    let found = find(
        terms,
        postings.iter().map(|of| of.positions.len()),
        |term| docs(&mut places(term)),
        |rarest, _| docs(&mut places(rarest).filter(is_in_all)),
    );
    let Ok(found) = found;
    found
}

fn heaviest_first(mut weighed: Vec<(Doc, usize)>) -> Vec<Doc> {
    weighed.sort_unstable();
    let of_one = weighed.chunk_by(|a, b| a.0 == b.0);
    let mut found: Vec<(usize, Doc)> =
        of_one.map(|same| (same.iter().map(|(_, weight)| weight).sum(), same[0].0)).collect();
    found.sort_by_key(|(weight, doc)| (std::cmp::Reverse(*weight), *doc));
    found.into_iter().map(|(_, doc)| doc).collect()
}
