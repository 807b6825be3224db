//! Splits a text into normalised words, and finds the way back from a word to the text.
//!
//! Runs of ASCII letters and digits, most of what there is, are copied by a tight loop; every other character
//! goes through the tables of `characters`.

use std::ops::Range;

use super::characters::{CharacterPart, normalise};

/// The reference gives up on longer words; so do we.
const MAX_CHARACTERS: usize = 100;
const CAPACITY: usize = MAX_CHARACTERS * 4;
/// Lets a lookup load whole machine words at any place.
const PADDING: usize = 24;

/// A normalised word and the bytes of the text that it was made of.
pub(super) struct Word {
    buffer: [u8; CAPACITY + PADDING],
    length: usize,
    characters: usize,
    source: Range<usize>,
}

/// Calls `found` for every word of the text, in order. Words that are too long to be known are left out.
pub(super) fn each_word(text: &str, found: impl FnMut(&Word)) {
    let mut scanner = Scanner { word: Word::new(), found };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at = match PLAIN[usize::from(bytes[at])] {
            0 => scanner.other(text, at),
            _ => scanner.word.push_run(bytes, at),
        };
    }
    scanner.finish();
}

/// The lower case of ASCII letters and digits; zero for every other byte.
const PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            plain[byte] = (byte as u8).to_ascii_lowercase();
        }
        byte += 1;
    }
    plain
};

struct Scanner<Found> {
    word: Word,
    found: Found,
}

impl<Found: FnMut(&Word)> Scanner<Found> {
    /// Takes in the character at a place that does not belong to a plain run, and says where the next one is.
    fn other(&mut self, text: &str, at: usize) -> usize {
        let byte = text.as_bytes()[at];
        if byte == b' ' {
            self.finish();
            return at + 1;
        }
        let Some(character) = text[at..].chars().next() else { return text.len() };
        let source = at..at + character.len_utf8();
        normalise(character, |part| self.part(part, &source));
        self.word.cover(source.end);
        source.end
    }

    fn part(&mut self, part: CharacterPart, source: &Range<usize>) {
        match part {
            CharacterPart::Letter(letter) => self.word.push(letter, source),
            CharacterPart::Space => self.finish(),
            CharacterPart::Alone(character) => {
                self.finish();
                self.word.push(character, source);
                self.finish();
            }
        }
    }

    fn finish(&mut self) {
        if (1..=MAX_CHARACTERS).contains(&self.word.characters) {
            (self.found)(&self.word);
        }
        self.word.clear();
    }
}

impl Word {
    fn new() -> Self {
        Self { buffer: [0; CAPACITY + PADDING], length: 0, characters: 0, source: 0..0 }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// The bytes from a place on, with what happens to follow the word.
    pub(super) fn padded(&self, from: usize) -> &[u8] {
        &self.buffer[from..]
    }

    fn clear(&mut self) {
        self.length = 0;
        self.characters = 0;
    }

    /// Copies letters and digits from a place on; returns where they end.
    fn push_run(&mut self, text: &[u8], at: usize) -> usize {
        self.begin(at);
        let mut copied = 0;
        for (slot, byte) in self.buffer[self.length..CAPACITY].iter_mut().zip(&text[at..]) {
            let lower = PLAIN[usize::from(*byte)];
            if lower == 0 {
                break;
            }
            *slot = lower;
            copied += 1;
        }
        self.length += copied;
        self.characters += copied;
        let end = if self.length == CAPACITY { self.skip_run(text, at + copied) } else { at + copied };
        self.source.end = end;
        end
    }

    /// Passes over the rest of a run for which there is no room.
    fn skip_run(&mut self, text: &[u8], at: usize) -> usize {
        let rest = text[at..].iter().take_while(|byte| PLAIN[usize::from(**byte)] != 0).count();
        self.characters += rest;
        at + rest
    }

    fn push(&mut self, letter: char, source: &Range<usize>) {
        self.begin(source.start);
        self.source.end = source.end;
        self.characters += 1;
        let end = self.length + letter.len_utf8();
        if end <= CAPACITY {
            letter.encode_utf8(&mut self.buffer[self.length..end]);
            self.length = end;
        }
    }

    fn begin(&mut self, at: usize) {
        if self.characters == 0 {
            self.source.start = at;
        }
    }

    /// Counts a character that left nothing to the word it stands in.
    fn cover(&mut self, end: usize) {
        if self.characters > 0 {
            self.source.end = end;
        }
    }
}

/// For each byte of a normalised word, the bytes of the text that it came from.
pub(super) enum Origins {
    /// The word is in the text byte by byte, from here on.
    Plain(usize),
    Listed(Vec<Range<usize>>),
}

impl Origins {
    pub(super) fn of(word: &Word, text: &str) -> Self {
        let source = &text[word.source.clone()];
        if source.len() == word.length && source.is_ascii() {
            return Self::Plain(word.source.start);
        }
        let mut origins: Vec<Range<usize>> = Vec::with_capacity(word.length);
        for (offset, character) in source.char_indices() {
            let start = word.source.start + offset;
            let end = start + character.len_utf8();
            let mut seen = false;
            normalise(character, |part| {
                if let CharacterPart::Letter(letter) | CharacterPart::Alone(letter) = part {
                    origins.extend(std::iter::repeat_n(start..end, letter.len_utf8()));
                    seen = true;
                }
            });
            if let Some(last) = origins.last_mut().filter(|_| !seen) {
                last.end = end;
            }
        }
        Self::Listed(origins)
    }

    /// The bytes of the text behind some bytes of the word.
    pub(super) fn span(&self, piece: Range<usize>) -> Range<usize> {
        match self {
            Self::Plain(start) => start + piece.start..start + piece.end,
            Self::Listed(origins) => origins[piece.start].start..origins[piece.end - 1].end,
        }
    }
}
