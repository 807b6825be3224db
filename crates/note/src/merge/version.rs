//! One version of a note, as lines and facts.

use std::collections::HashMap;

use crate::chunk::{self, ReadLine};
use crate::reflected::{BEGIN, END};
use crate::{fact, text};

/// A byte order mark.
pub(super) const MARK: char = '\u{feff}';

pub(super) struct Version<'a> {
    pub(super) has_mark: bool,
    /// The line end of most lines.
    pub(super) usual: Option<&'a str>,
    /// How many of the pieces are front matter.
    pub(super) front: usize,
    pub(super) pieces: Vec<Piece<'a>>,
}

pub(super) enum Piece<'a> {
    Bare(Bare<'a>),
    Fact(Block<'a>),
}

/// A line that is no fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bare<'a> {
    pub(super) text: &'a str,
    pub(super) end: Ending<'a>,
    pub(super) verbatim: bool,
    /// It stands in the part that reflection writes.
    pub(super) reflected: bool,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending<'a> {
    /// As most lines of its version.
    Usual,
    Other(&'a str),
}

/// A fact with the lines that belong to its list item.
pub(super) struct Block<'a> {
    pub(super) key: Key,
    pub(super) line: fact::Line<'a>,
    pub(super) end: Ending<'a>,
    pub(super) rest: Vec<Bare<'a>>,
}

/// An id, and which of the facts that have it in one version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) id: String,
    nth: usize,
}

impl<'a> Version<'a> {
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block<'a>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Fact(block) => Some(block),
            Piece::Bare(_) => None,
        })
    }

    pub(super) fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block<'a>> {
        self.pieces.iter_mut().filter_map(|piece| match piece {
            Piece::Fact(block) => Some(block),
            Piece::Bare(_) => None,
        })
    }
}

pub(super) fn read(text: &str) -> Version<'_> {
    version(text, true)
}

/// The same with every fact as a line.
pub(super) fn read_plain(text: &str) -> Version<'_> {
    version(text, false)
}

fn version(whole: &str, with_facts: bool) -> Version<'_> {
    let text = whole.strip_prefix(MARK).unwrap_or(whole);
    let ends = ends(text);
    let usual = most_common(&ends);
    let mut version = Version {
        has_mark: text.len() < whole.len(),
        usual,
        front: chunk::front_matter(text),
        pieces: Vec::new(),
    };
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut reflected = false;
    let mut lines = chunk::read_lines(text).zip(ends).peekable();
    while let Some((line, end)) = lines.next() {
        let end = ending(end, usual);
        reflected &= !line.text.contains(END);
        match line.fact.filter(|_| with_facts) {
            None => {
                let ReadLine { text, verbatim, .. } = line;
                version.pieces.push(Piece::Bare(Bare { text, end, verbatim, reflected }));
            }
            Some(fact) => {
                let id = fact.id_or_derived().into_owned();
                let nth = seen.entry(id.clone()).or_default();
                *nth += 1;
                let key = Key { id, nth: *nth };
                let indent = indent(line.text);
                let mut rest = Vec::new();
                while let Some((ReadLine { text, verbatim, .. }, end)) =
                    lines.next_if(|(next, _)| belongs(next, indent))
                {
                    rest.push(Bare { text, end: ending(end, usual), verbatim, reflected });
                }
                version.pieces.push(Piece::Fact(Block { key, line: fact, end, rest }));
            }
        }
        reflected |= line.text.contains(BEGIN) && !line.text.contains(END);
    }
    version
}

/// Whether a line continues the list item above, whose mark stands at `indent`.
fn belongs(line: &ReadLine<'_>, indent: usize) -> bool {
    line.fact.is_none() && !line.text.trim().is_empty() && self::indent(line.text) > indent
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// What ends each line.
fn ends(whole: &str) -> Vec<&str> {
    let places: Vec<(usize, usize)> = text::lines(whole).map(|line| text::extent(whole, line)).collect();
    let next = places.iter().skip(1).map(|(start, _)| *start).chain([whole.len()]);
    places.iter().zip(next).map(|((_, end), next)| &whole[*end..next]).collect()
}

fn most_common<'a>(ends: &[&'a str]) -> Option<&'a str> {
    let count = |one: &&str| ends.iter().filter(|end| *end == one).count();
    let kinds = ["\r", "\r\n", "\n"].into_iter().max_by_key(count);
    kinds.and_then(|kind| ends.iter().find(|end| **end == kind)).copied()
}

fn ending<'a>(end: &'a str, usual: Option<&str>) -> Ending<'a> {
    if Some(end) == usual { Ending::Usual } else { Ending::Other(end) }
}
