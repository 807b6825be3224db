//! Finding the words of a text.

use unicode_normalization::char::is_combining_mark;

use super::script::{self, Class, Script};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters and digits, joined by single connectors.
    Compound(&'a str),
    /// Letters of a script without spaces.
    Run(&'a str, Class),
    /// An emoji or another pictograph.
    Symbol(&'a str),
}

pub(super) fn scan(text: &str) -> Scan<'_> {
    Scan { text, at: 0 }
}

pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

/// The scanner's classes of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharKind {
    Word,
    Unspaced(Class),
    /// A mark or an invisible joiner: part of a word, never its first character.
    Inner,
    Connector,
    Symbol,
    Gap,
}

impl<'a> Iterator for Scan<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        while let Some((kind, length)) = self.peek(self.at) {
            let start = self.at;
            self.at += length;
            match kind {
                CharKind::Word => return Some(self.compound(start)),
                CharKind::Unspaced(class) => return Some(self.run(start, class)),
                CharKind::Symbol => return Some(Token::Symbol(&self.text[start..self.at])),
                CharKind::Inner | CharKind::Connector | CharKind::Gap => {}
            }
        }
        None
    }
}

impl<'a> Scan<'a> {
    fn peek(&self, at: usize) -> Option<(CharKind, usize)> {
        let byte = *self.text.as_bytes().get(at)?;
        if byte.is_ascii() {
            return Some((ASCII[usize::from(byte)], 1));
        }
        let c = self.text[at..].chars().next()?;
        Some((kind(c), c.len_utf8()))
    }

    fn compound(&mut self, start: usize) -> Token<'a> {
        loop {
            // Most words are of plain letters.
            let rest = &self.text.as_bytes()[self.at..];
            self.at += rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let Some((kind, length)) = self.peek(self.at) else { break };
            match kind {
                CharKind::Word | CharKind::Inner => self.at += length,
                CharKind::Connector if self.is_word(self.at + length) => self.at += length,
                CharKind::Connector | CharKind::Unspaced(_) | CharKind::Symbol | CharKind::Gap => break,
            }
        }
        Token::Compound(&self.text[start..self.at])
    }

    fn is_word(&self, at: usize) -> bool {
        self.peek(at).is_some_and(|(kind, _)| kind == CharKind::Word)
    }

    fn run(&mut self, start: usize, class: Class) -> Token<'a> {
        while let Some((kind, length)) = self.peek(self.at) {
            if kind != CharKind::Inner && kind != CharKind::Unspaced(class) {
                break;
            }
            self.at += length;
        }
        Token::Run(&self.text[start..self.at], class)
    }
}

/// The apostrophes; inside a word they are handled as such, not as joints of a compound.
pub(super) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02BC}' | '\u{FF07}')
}

pub(super) fn is_connector(c: char) -> bool {
    matches!(c, '_' | '.' | '-' | '/' | ':' | '@' | '#' | '\u{2010}' | '\u{2011}')
}

const ASCII: [CharKind; 128] = {
    let mut kinds = [CharKind::Gap; 128];
    let mut byte = 0;
    while byte < 128 {
        let b = byte as u8;
        if b.is_ascii_alphanumeric() {
            kinds[byte] = CharKind::Word;
        } else if matches!(b, b'_' | b'.' | b'-' | b'/' | b':' | b'@' | b'#' | b'\'') {
            kinds[byte] = CharKind::Connector;
        }
        byte += 1;
    }
    kinds
};

fn kind(c: char) -> CharKind {
    if is_apostrophe(c) || is_connector(c) {
        return CharKind::Connector;
    }
    if is_combining_mark(c) || matches!(c, '\u{200C}' | '\u{200D}' | '\u{00AD}' | '\u{2060}') {
        return CharKind::Inner;
    }
    if let Script::Unspaced(class) = script::of(c)
        && (c.is_alphabetic() || c == '々')
    {
        CharKind::Unspaced(class)
    } else if c.is_alphanumeric() {
        CharKind::Word
    } else if is_pictograph(c) {
        CharKind::Symbol
    } else {
        CharKind::Gap
    }
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F300}'..='\u{1F3FA}' | '\u{1F400}'..='\u{1FAFF}')
}
