//! The words of a chunk, as every backend sees them.

use std::collections::HashMap;

use mindfile_note::words;

/// How often a term stands in the text and in the context of one chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) in_text: u32,
    pub(crate) in_context: u32,
}

pub(crate) struct Words {
    /// The terms with spaces between them, as they go into the full-text table.
    pub(crate) text: String,
    pub(crate) context: String,
    pub(crate) counts: HashMap<String, Counts>,
    pub(crate) length: u32,
}

impl Words {
    pub(crate) fn of(text: &str, context: &str) -> Self {
        let mut words =
            Self { text: String::new(), context: String::new(), counts: HashMap::new(), length: 0 };
        words.text = words.take(text, |counts| counts.in_text += 1);
        words.context = words.take(context, |counts| counts.in_context += 1);
        words
    }

    fn take(&mut self, text: &str, count: impl Fn(&mut Counts)) -> String {
        let mut joined = String::with_capacity(text.len());
        for term in words::terms(text) {
            joined.push_str(&term);
            joined.push(' ');
            count(self.counts.entry(term).or_default());
            self.length += 1;
        }
        joined
    }
}
