//! Letters in a row: a word shares them with its other forms, whatever its prefixes and endings, and with the compounds
//! that contain it. No list of a language's endings finds as many.

use std::collections::HashMap;

use unicode_normalization::char::decompose_canonical;

use super::fold;
use super::scan::{Token, scan};
use super::script::Class;

/// Shorter rows are in any text, longer ones are whole words.
const ROW: usize = 4;
/// Stands for the space before and after a word, and for missing letters.
const EDGE: char = ' ';

type Row = [char; ROW];

/// The rows of letters that a question has, each known by its number.
#[derive(Debug, Default)]
pub struct Letters {
    numbers: HashMap<Row, usize>,
    sieve: Sieve,
}

impl Letters {
    /// None of a question in a script without spaces: where a word begins is not known there.
    pub fn of(question: &str) -> Self {
        let mut letters = Self::default();
        let is_spaced = for_each_row(question, |row| {
            let number = letters.numbers.len();
            letters.numbers.entry(row).or_insert(number);
            letters.sieve.add(row);
        });
        if is_spaced { letters } else { Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Of each row, whether a text has it.
    pub fn within(&self, text: &str) -> Vec<bool> {
        let mut had = vec![false; self.numbers.len()];
        for_each_row(text, |row| {
            if self.sieve.may_have(row)
                && let Some(number) = self.numbers.get(&row)
            {
                had[*number] = true;
            }
        });
        had
    }
}

/// A filter that rejects most rows of a long text before they are looked up.
#[derive(Debug, Default)]
struct Sieve([u64; 16]);

impl Sieve {
    fn add(&mut self, row: Row) {
        let (at, bit) = Self::place(row);
        self.0[at] |= bit;
    }

    fn may_have(&self, row: Row) -> bool {
        let (at, bit) = Self::place(row);
        self.0[at] & bit != 0
    }

    fn place(row: Row) -> (usize, u64) {
        let mixed = row.iter().fold(0_u32, |mixed, c| mixed.wrapping_mul(0x9E37_79B1) ^ u32::from(*c));
        let place = mixed.wrapping_mul(0x9E37_79B1) >> 22;
        ((place / 64) as usize, 1 << (place % 64))
    }
}

/// Calls `each` with the rows of every word, and says whether all words are written with spaces between them.
fn for_each_row(text: &str, mut each: impl FnMut(Row)) -> bool {
    let mut is_spaced = true;
    let mut folded = String::new();
    for token in scan(text) {
        match token {
            Token::Compound(raw) => {
                fold::word(raw, &mut folded);
                let words = folded.split(|c: char| c.is_ascii_punctuation());
                words.for_each(|word| rows(word.chars(), &mut each));
            }
            Token::Run(raw, Class::Hangul) => {
                let mut parts = Vec::new();
                raw.chars().for_each(|c| decompose_canonical(c, |part| parts.push(part)));
                rows(parts.into_iter(), &mut each);
            }
            Token::Run(..) => is_spaced = false,
            Token::Symbol(_) => {}
        }
    }
    is_spaced
}

fn rows(word: impl Iterator<Item = char>, each: &mut impl FnMut(Row)) {
    let mut row = [EDGE; ROW];
    let mut length = 0;
    for c in word {
        row.rotate_left(1);
        row[ROW - 1] = c;
        length += 1;
        if length >= ROW - 1 {
            each(row);
        }
    }
    if length > 0 {
        row.rotate_left(1);
        row[ROW - 1] = EDGE;
        each(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many rows of the question there are, and how many of them the text has.
    fn check(question: &str, text: &str, expected: (usize, usize)) {
        let letters = Letters::of(question);
        let had = letters.within(text).into_iter().filter(|had| *had).count();
        assert_eq!((letters.len(), had), expected, "{question:?} in {text:?}");
    }

    #[test]
    fn a_row_goes_from_before_a_word_to_after_it() {
        check("Etny", "Etnę", (3, 1));
        check("Szene", "Wolfsschluchtszene", (4, 3));
        check("Lava", "Lavabrocken", (3, 2));
        check("a", "a b", (1, 1));
        check("a", "ab", (1, 0));
        check("l'École", "ecole", (5, 4));
    }

    #[test]
    fn a_row_counts_once() {
        check("la la la", "la", (1, 1));
    }

    #[test]
    fn korean_is_read_letter_by_letter() {
        check("회의를", "회의가", (6, 2));
    }

    #[test]
    fn scripts_without_spaces_have_none() {
        check("谁支持LOR的想法", "LOR", (0, 0));
        check("", "anything", (0, 0));
    }
}
