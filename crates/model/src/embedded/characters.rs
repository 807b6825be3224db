//! What becomes of a character before words are looked up: BERT's uncased normalisation.
//!
//! It drops controls and accents, lowers letters, takes compatibility forms apart, and lets punctuation and Han
//! characters stand alone. The table holds what the reference tokenizer does with every single code point, so no
//! Unicode version of a library stands between us and the vectors it was trained with.

use super::table::TABLE;

/// A character as the vocabulary sees it.
#[derive(Clone, Copy)]
pub(super) enum CharacterPart {
    /// It belongs to the word around it.
    Letter(char),
    /// It is a word of its own.
    Alone(char),
    /// It ends a word.
    Space,
}

const KEEP: u16 = 0;
const DROP: u16 = 1;
const SPACE: u16 = 2;
const ALONE: u16 = 3;
const HANGUL: u16 = 4;
const REPLACE: u16 = 5;

/// Gives every part that a character becomes: none when the model does not see it.
pub(super) fn normalise(character: char, mut each: impl FnMut(CharacterPart)) {
    match TABLE.character(character) {
        KEEP => each(CharacterPart::Letter(character)),
        DROP => {}
        SPACE => each(CharacterPart::Space),
        ALONE => each(CharacterPart::Alone(character)),
        HANGUL => {
            jamo(character).into_iter().flatten().for_each(|letter| each(CharacterPart::Letter(letter)))
        }
        offset => TABLE.replacement(offset - REPLACE).chars().for_each(|part| each(replaced(part))),
    }
}

/// A replacement is normal already; only its place in a word is to be found.
fn replaced(part: char) -> CharacterPart {
    if TABLE.character(part) == ALONE { CharacterPart::Alone(part) } else { CharacterPart::Letter(part) }
}

/// The canonical decomposition of a Hangul syllable, as the Unicode standard computes it.
fn jamo(syllable: char) -> [Option<char>; 3] {
    let index = syllable as u32 - 0xAC00;
    let leading = index / (21 * 28);
    let vowel = index / 28 % 21;
    let trailing = index % 28;
    [
        char::from_u32(0x1100 + leading),
        char::from_u32(0x1161 + vowel),
        char::from_u32(0x11A7 + trailing).filter(|_| trailing != 0),
    ]
}
