//! WordPiece: a word is its longest known beginning, then the longest known continuation, and so on.

use std::ops::Range;

use super::TokenId;
use super::table::{LONGEST, TABLE};
use super::words::Word;

/// A token and the bytes of the word that it covers.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) token: TokenId,
    start: u16,
    end: u16,
}

impl Piece {
    pub(super) fn range(&self) -> Range<usize> {
        usize::from(self.start)..usize::from(self.end)
    }
}

/// The pieces of one word at a time.
#[derive(Default)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    /// None when any part of the word is unknown.
    pub(super) fn of(&mut self, word: &Word) -> &[Piece] {
        self.0.clear();
        let length = word.bytes().len();
        let mut start = 0;
        while start < length {
            let Some((token, end)) = longest(word, start) else {
                self.0.clear();
                break;
            };
            self.0.push(Piece { token, start: start as u16, end: end as u16 });
            start = end;
        }
        &self.0
    }
}

/// The longest token that the word has at a place, and where it ends.
fn longest(word: &Word, start: usize) -> Option<(TokenId, usize)> {
    let bytes = word.bytes();
    let key = PieceKey::load(word.padded(start));
    let limit = bytes.len().min(start + LONGEST);
    (start + 1..=limit).rev().filter(|end| is_boundary(bytes, *end)).find_map(|end| {
        let hash = key.hash(end - start, start > 0);
        TABLE.find(hash, &bytes[start..end], start > 0).map(|token| (token, end))
    })
}

fn is_boundary(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
}

/// The first bytes of a spelling as machine words, so that hashing a prefix is masking them.
struct PieceKey([u64; 3]);

/// The hash that `assets/make_table.py` filled the slots with.
const MULTIPLIERS: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9];
const CONTINUES: u64 = 0xD6E8_FEB8_6659_FD93;
const FINISH: u64 = 0xFF51_AFD7_ED55_8CCD;

impl PieceKey {
    fn load(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        Self(std::array::from_fn(|index| words.get(index).map_or(0, |word| u64::from_le_bytes(*word))))
    }

    fn hash(&self, length: usize, continues: bool) -> u64 {
        let start = if continues { CONTINUES } else { 0 };
        let mixed = (0..3).fold(start, |hash, index| {
            hash ^ (self.0[index] & mask(length, index)).wrapping_mul(MULTIPLIERS[index])
        });
        (mixed ^ (mixed >> 32)).wrapping_mul(FINISH)
    }
}

/// Keeps those bytes of a machine word that belong to the first `length` bytes.
fn mask(length: usize, word: usize) -> u64 {
    match length.saturating_sub(8 * word) {
        0 => 0,
        bytes @ 1..8 => u64::MAX >> (64 - 8 * bytes),
        8.. => u64::MAX,
    }
}

const _: () = assert!(LONGEST <= 24, "a spelling must fit into a key");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_but_the_special_ones_is_found_by_its_spelling() {
        for token in (0..=u16::MAX).map_while(TokenId::new) {
            let (spelling, continues) = TABLE.spelling(token);
            let mut padded = [0xFF; 32];
            padded[..spelling.len()].copy_from_slice(spelling);
            let hash = PieceKey::load(&padded).hash(spelling.len(), continues);
            let expected = (token.get() >= 5).then_some(token);
            assert_eq!(TABLE.find(hash, spelling, continues), expected);
        }
    }
}
