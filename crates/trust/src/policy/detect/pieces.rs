//! Finds the parts of a text that could hold a key. Most of a text is short words without digits; one pass sorts those
//! out, so that no detector looks at them.

use std::ops::Range;

/// Bytes between two white spaces, quotes, commas or the like: nothing that is found by a mark or beside a word has one in
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) span: Range<usize>,
    kinds: u8,
}

/// What bytes a piece has, one bit each.
const PART: u8 = 0;
const DIGIT: u8 = 1;
const LETTER: u8 = 2;
const BETWEEN: u8 = 4;

/// The shortest value that a word like password announces.
const LEAST: usize = 8;
/// The shortest one that may have no letters, and the shortest key that is known by its mark.
pub(super) const LEAST_KEY: usize = 16;

const fn kinds() -> [u8; 256] {
    let mut kinds = [PART; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'\t'..=b'\r' | b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b',' | b';' => BETWEEN,
            _ => PART,
        };
        byte += 1;
    }
    kinds
}

const KINDS: [u8; 256] = kinds();

impl Piece {
    pub(super) fn len(&self) -> usize {
        self.span.len()
    }

    /// Whether a key that is known by its mark can be in it.
    pub(super) fn may_be_key(&self) -> bool {
        self.kinds & LETTER != 0 && self.len() >= LEAST_KEY
    }

    /// Whether a value that a word announces can be in it.
    pub(super) fn may_be_secret(&self) -> bool {
        let letters = self.kinds & LETTER != 0;
        self.kinds & DIGIT != 0 && self.len() >= if letters { LEAST } else { LEAST_KEY }
    }
}

/// The pieces that a detector has to look at, in order, and whether there is a digit anywhere.
pub(super) fn of(text: &str) -> (Vec<Piece>, bool) {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut all = 0;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut kinds = 0;
        while at < bytes.len() && kinds & BETWEEN == 0 {
            kinds |= KINDS[usize::from(bytes[at])];
            at += 1;
        }
        let end = at - usize::from(kinds & BETWEEN != 0);
        let piece = Piece { span: start..end, kinds };
        if piece.may_be_key() || piece.may_be_secret() {
            pieces.push(piece);
        }
        all |= kinds;
    }
    (pieces, all & DIGIT != 0)
}

/// All of a text, as if anything could be anywhere.
#[cfg(test)]
pub(super) fn whole(text: &str) -> Vec<Piece> {
    vec![Piece { span: 0..text.len(), kinds: DIGIT | LETTER }]
}
