//! Words compared so that no respelling slips through: without case, diacritics, invisible characters, and look-alike
//! letters of other alphabets.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::fold;
use super::script::{self, Script};

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainWord {
    /// Where it stands.
    pub range: Range<usize>,
    pub word: String,
}

/// The words of a text, in its order. In scripts without spaces each character is one.
pub fn plain(text: &str) -> Vec<PlainWord> {
    let mut words = Vec::new();
    let mut open: Option<Range<usize>> = None;
    for (at, c) in text.char_indices() {
        let range = at..at + c.len_utf8();
        if matches!(script::of(c), Script::Unspaced(_)) && c.is_alphanumeric() {
            close(text, &mut open, &mut words);
            close(text, &mut Some(range), &mut words);
        } else if c.is_alphanumeric() {
            open.get_or_insert(at..at).end = range.end;
        } else if !is_unseen(c) {
            close(text, &mut open, &mut words);
        }
    }
    close(text, &mut open, &mut words);
    words
}

/// The words of a text, joined by single spaces.
pub fn plainly(text: &str) -> String {
    plain(text).into_iter().map(|plain| plain.word).collect::<Vec<_>>().join(" ")
}

fn close(text: &str, open: &mut Option<Range<usize>>, words: &mut Vec<PlainWord>) {
    let Some(range) = open.take() else { return };
    let mut folded = String::new();
    fold::word(&text[range.clone()], &mut folded);
    let word: String = folded.chars().filter(|c| c.is_alphanumeric()).map(lookalike).collect();
    if !word.is_empty() {
        words.push(PlainWord { range, word });
    }
}

/// Marks and invisible characters, which do not separate words.
fn is_unseen(c: char) -> bool {
    is_combining_mark(c)
        || matches!(u32::from(c), 0xAD | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF)
        || matches!(u32::from(c), 0xFE00..=0xFE0F | 0xE0000..=0xE01EF)
}

/// The Latin letter that a letter of another alphabet looks like.
fn lookalike(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'ԍ' => 'g',
        'н' | 'һ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' => 'm',
        'ո' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_that_look_the_same_are_the_same() {
        let plain = "sarah leaves in may 2026";
        for text in [
            "Sarah leaves in May 2026.",
            "  SARAH  leaves — in *May* 2026",
            "Sаrаh leаves in Mаy 2026",
            "Sa\u{200b}rah lea\u{2060}ves in May 2026",
            "Ｓａｒａｈ leaves in Máy 2026",
            "Sa\u{301}rah leaves in May 2026",
        ] {
            assert_eq!(plainly(text), plain, "{text}");
        }
    }

    #[test]
    fn characters_without_spaces_are_words_of_their_own() {
        assert_eq!(plainly("密码是7x"), "密 码 是 7x");
    }

    proptest! {
        #[test]
        fn words_stand_where_they_say(text in "\\PC{0,40}") {
            let words = plain(&text);
            prop_assert!(words.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
            for plain in words {
                prop_assert!(!text[plain.range].is_empty() && !plain.word.is_empty());
            }
        }
    }
}
