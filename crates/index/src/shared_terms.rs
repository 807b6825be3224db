//! Which facts share words with a new one: asked before every write, so it looks at a few short lists only.

use crate::record::Doc;

/// How many of a text's terms are looked up.
pub const RAREST: usize = 6;
/// How many facts of one term are looked at.
pub const MOST: usize = 200;

/// Facts by how many of the lists they are in, most first; of equals the older first.
pub fn most_in_common(lists: Vec<(String, Vec<Doc>)>, limit: usize) -> Vec<Doc> {
    let mut named: Vec<(Doc, usize)> = Vec::new();
    for (term, docs) in lists {
        // The list of those that have every term, which goes by no term, outweighs any other.
        let worth = if term.is_empty() { RAREST + 1 } else { 1 };
        named.extend(docs.into_iter().map(|doc| (doc, worth)));
    }
    named.sort_unstable();
    let of_one = named.chunk_by(|a, b| a.0 == b.0);
    let mut found: Vec<(usize, Doc)> =
        of_one.map(|same| (same.iter().map(|(_, worth)| worth).sum(), same[0].0)).collect();
    found.sort_by_key(|(count, doc)| (std::cmp::Reverse(*count), *doc));
    found.into_iter().take(limit).map(|(_, doc)| doc).collect()
}
