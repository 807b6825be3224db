//! The words of a chunk, as every backend sees them: those of its text, and those of its title, headings and date.

use std::ops::Range;

use mindfile_note::words;

#[derive(Debug, Clone, PartialEq)]
pub struct ChunkTerms {
    /// The terms with spaces between them, as they go into the full-text table.
    pub joined: String,
    /// Where each term stands first in `joined`, and how often it occurs; in the order of the terms.
    counts: Vec<(Range<usize>, u32)>,
    pub length: u32,
}

impl ChunkTerms {
    pub fn of(text: &str, context: &str) -> Self {
        let mut joined = String::with_capacity(text.len() + context.len());
        let mut places = Vec::with_capacity(joined.capacity() / 6);
        for part in [text, context] {
            words::for_each(part, |term| {
                let from = joined.len();
                joined.push_str(term);
                places.push(from..joined.len());
                joined.push(' ');
            });
        }
        let length = places.len() as u32;
        places.sort_unstable_by(|a, b| joined[a.clone()].cmp(&joined[b.clone()]));
        let alike = places.chunk_by(|a, b| joined[a.clone()] == joined[b.clone()]);
        let counts = alike.map(|places| (places[0].clone(), places.len() as u32)).collect();
        Self { joined, counts, length }
    }

    /// Each term once, in order, with how often it occurs.
    pub fn counts(&self) -> impl Iterator<Item = (&str, u32)> {
        self.counts.iter().map(|(place, count)| (&self.joined[place.clone()], *count))
    }

    pub fn has(&self, term: &str) -> bool {
        self.counts.binary_search_by(|(place, _)| self.joined[place.clone()].cmp(term)).is_ok()
    }
}
