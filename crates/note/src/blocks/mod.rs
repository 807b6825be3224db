//! A note as it is read by a person: headings, paragraphs, items, tables and facts, each with its lines.
//!
//! The blocks are a flat list. An item says how deep it lies, so that no nesting of a note becomes a nesting of calls, and a part
//! of a note can be shown by itself.

mod inline;
mod read;

use crate::chunk;
use crate::fact::Kind;

pub use read::read;

/// A part of a note with the lines it takes, counted from 1, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteBlock {
    pub line: u32,
    pub last: u32,
    /// In how many quotations it stands.
    pub quotes: u32,
    /// In how many items of lists it stands; an item counts itself.
    pub depth: u32,
    pub content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// One entry of the front matter.
    Field {
        name: String,
        value: String,
    },
    Heading {
        level: u8,
        said: Vec<Span>,
    },
    Paragraph(Vec<Span>),
    Item {
        marker: Marker,
        said: Vec<Span>,
    },
    /// A line of consolidated memory, with the ids of the facts it rests on.
    Cited {
        said: Vec<Span>,
        cites: Vec<String>,
    },
    Fact(ReadFact),
    Code {
        language: String,
        text: String,
    },
    /// The first row is its head.
    Table(Vec<Vec<Vec<Span>>>),
    Markup(String),
    Rule,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Bullet,
    Number(u64),
    Task { is_done: bool },
}

/// A fact line without what only programs read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFact {
    pub id: String,
    pub kind: Kind,
    pub entities: Vec<String>,
    pub said: Vec<Span>,
}

/// A run of text in one look.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Span {
    pub text: String,
    pub look: Look,
    /// What a link leads to, as it is written.
    pub target: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a mark of its own, and any of them may stand together"
)]
pub struct Look {
    pub strong: bool,
    pub emphasis: bool,
    pub struck: bool,
    pub code: bool,
    /// The words that stand for a picture.
    pub picture: bool,
}

/// What a note is called: the `title:` of its front matter, else its first heading of level 1.
pub fn title(text: &str) -> Option<String> {
    chunk::title(text)
}

/// The heading in force at a line, if it is not the title of the note.
pub fn heading(blocks: &[NoteBlock], line: u32) -> Option<String> {
    let above = blocks.iter().take_while(|block| block.line <= line);
    let found = above.filter_map(|block| match &block.content {
        Content::Heading { level, said } => Some((*level, words(said))),
        Content::Field { .. }
        | Content::Paragraph(_)
        | Content::Item { .. }
        | Content::Cited { .. }
        | Content::Fact(_)
        | Content::Code { .. }
        | Content::Table(_)
        | Content::Markup(_)
        | Content::Rule => None,
    });
    found.last().filter(|(level, _)| *level > 1).map(|(_, words)| words)
}

fn words(said: &[Span]) -> String {
    said.iter().map(|span| span.text.as_str()).collect()
}

#[cfg(test)]
mod tests;
