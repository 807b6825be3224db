//! Explains to a person what the policy finds in a text.

use super::{Class, Finding, Policy};

/// How much of a value's shape is shown.
const SHAPE: usize = 12;

/// A finding with its place and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedFinding {
    pub finding: Finding,
    /// Both counted from 1; the column in characters.
    pub line: u32,
    pub column: u32,
    /// The value's shape, and nothing of the value.
    pub preview: String,
}

impl PlacedFinding {
    /// What happens to it.
    pub fn then(&self) -> &'static str {
        match self.finding.class {
            Class::Allowed => "stored and shown as it is",
            Class::Masked => "stored in your file; indexed, sent and shown as a mask",
            Class::NeverStore => "refused by retain; taken out of transcripts; not indexed, sent or shown",
        }
    }
}

impl Policy {
    /// Everything that the rules find in a text, allowed or not.
    pub fn explain(&self, text: &str) -> Vec<PlacedFinding> {
        let mut place = Place { text, at: 0, line: 1, column: 1 };
        let explained = |finding: Finding| {
            let (line, column) = place.go_to(finding.span.start);
            let preview = shape(&text[finding.span.clone()]);
            PlacedFinding { finding, line, column, preview }
        };
        self.judge_all(text).into_iter().map(explained).collect()
    }
}

/// Where a reader is who goes through a text once.
struct Place<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    column: u32,
}

impl Place<'_> {
    fn go_to(&mut self, to: usize) -> (u32, u32) {
        let mut chars = self.text[self.at..to].chars().peekable();
        while let Some(c) = chars.next() {
            let ends = c == '\n' || c == '\r' && chars.peek().is_some_and(|next| *next != '\n');
            self.line = self.line.saturating_add(u32::from(ends));
            self.column = if ends { 1 } else { self.column.saturating_add(1) };
        }
        self.at = to;
        (self.line, self.column)
    }
}

fn shape(value: &str) -> String {
    let letter = |c: char| match c {
        _ if c.is_alphabetic() => 'x',
        _ if c.is_numeric() => '9',
        _ if c.is_whitespace() => ' ',
        other => other,
    };
    let length = value.chars().count();
    let shown: String = value.chars().take(SHAPE).map(letter).collect();
    let more = if length > SHAPE { "…" } else { "" };
    format!("{shown}{more} ({length} characters)")
}
