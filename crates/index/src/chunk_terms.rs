//! The words of a chunk, as every backend sees them: those of its text, and those of its title, headings and date.

use std::collections::HashMap;

use mindfile_note::words;

#[derive(Debug)]
pub struct ChunkTerms {
    /// The terms with spaces between them, as they go into the full-text table.
    pub joined: String,
    /// How often each term occurs.
    pub counts: HashMap<String, u32>,
    pub length: u32,
}

impl ChunkTerms {
    pub fn of(text: &str, context: &str) -> Self {
        let joined = String::with_capacity(text.len() + context.len());
        let mut words = Self { joined, counts: HashMap::new(), length: 0 };
        words::for_each(text, |term| words.take(term));
        words::for_each(context, |term| words.take(term));
        words
    }

    fn take(&mut self, term: &str) {
        self.joined.push_str(term);
        self.joined.push(' ');
        self.length += 1;
        match self.counts.get_mut(term) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(term.to_owned(), 1);
            }
        }
    }
}
