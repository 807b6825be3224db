//! Which facts share words with a new one: asked before every write, so it looks at a few short lists only.

use std::collections::HashMap;

use crate::record::Doc;

/// How many of a text's terms are looked up.
pub const RAREST: usize = 6;
/// How many facts of one term are looked at.
pub const MOST: usize = 200;

/// Facts by how many of the lists they are in, most first; of equals the older first.
pub fn most_in_common(lists: Vec<(String, Vec<Doc>)>, limit: usize) -> Vec<Doc> {
    let mut counts: HashMap<Doc, usize> = HashMap::new();
    for (term, docs) in lists {
        // The list of those that have every term, which goes by no term, outweighs any other.
        let worth = if term.is_empty() { RAREST + 1 } else { 1 };
        for doc in docs {
            *counts.entry(doc).or_default() += worth;
        }
    }
    let mut found: Vec<(usize, Doc)> = counts.into_iter().map(|(doc, count)| (count, doc)).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    found.into_iter().take(limit).map(|(_, doc)| doc).collect()
}
