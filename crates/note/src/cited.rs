//! A line of consolidated memory: prose for people, with the ids of the facts it rests on, and never itself a fact.

use crate::{chunk, fact};

/// `- Sarah is leaving the company next month (^k3f9a2)`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedLine {
    pub text: String,
    pub cites: Vec<String>,
}

impl CitedLine {
    /// Parses a line; `None` if it is not a list item or cites nothing.
    pub fn read(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("- ")?;
        let rest = rest.strip_prefix(GUARD).unwrap_or(rest);
        let (text, inner) = rest.strip_suffix(')')?.rsplit_once(" (")?;
        let cites = inner.split(", ").map(|id| Some(id.strip_prefix('^')?.to_owned()));
        let cites: Vec<String> = cites.collect::<Option<_>>()?;
        let valid = !text.is_empty() && cites.iter().all(|id| !id.is_empty());
        valid.then(|| Self { text: text.to_owned(), cites })
    }

    /// The line as it is written.
    pub fn write(&self) -> String {
        let cites: Vec<String> = self.cites.iter().map(|id| format!("^{id}")).collect();
        let line = format!("- {} ({})", self.text.replace(MARKER, ESCAPED), cites.join(", "));
        if fact::read(&line).is_some() { format!("- {GUARD}{}", &line[2..]) } else { line }
    }

    /// Its size in tokens in a model's context.
    pub fn tokens(&self) -> usize {
        chunk::weight(&self.write()).div_ceil(4)
    }
}

/// How the markers of a section begin. A text that contains one must not end the section.
const MARKER: &str = "<!-- mindfile:";
const ESCAPED: &str = "<\\!-- mindfile:";
/// Keeps a text from reading as a fact of its own.
const GUARD: &str = "\\";
