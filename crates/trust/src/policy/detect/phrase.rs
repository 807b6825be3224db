//! Finds the words from which a wallet is restored: BIP-39 has 12, 15, 18, 21 or 24, each of three to eight letters.

use std::ops::Range;

use memchr::memmem;

const LENGTHS: [usize; 5] = [12, 15, 18, 21, 24];
/// Words and numbers that are looked at after the name of a phrase.
const MOST: usize = 60;
/// Bytes that these take.
const LONGEST: usize = 2 << 10;

/// Whether the name of a phrase can be in a text at all.
pub(super) fn may_be_in(text: &str) -> bool {
    const PARTS: [&str; 4] = ["hrase", "nemonic", "allet", "eed words"];
    text.len() >= LENGTHS[0] * 4
        && PARTS.iter().any(|part| memmem::find(text.as_bytes(), part.as_bytes()).is_some())
}

/// The phrase after its name. Its words may be numbered, and stand one below the other.
pub(super) fn after(text: &str, at: usize) -> Option<Range<usize>> {
    let mut run: Vec<Range<usize>> = Vec::new();
    let rest = &text[at..text.floor_char_boundary((at + LONGEST).min(text.len()))];
    for word in rest.split_whitespace().take(MOST) {
        let start = at + (word.as_ptr() as usize - rest.as_ptr() as usize);
        let bare = word.trim_matches(['"', '`', '\'', ',', '*']);
        let number = word.trim_end_matches(['.', ')', ':']);
        let is_word = (3..=8).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_word {
            run.push(start..start + word.len());
        } else if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            let last = word.trim_end_matches(['.', '"', '`', '\'']);
            let ends = last != word
                && (3..=8).contains(&last.len())
                && last.bytes().all(|byte| byte.is_ascii_lowercase());
            if ends {
                run.push(start..start + last.len());
            }
            if LENGTHS.contains(&run.len()) {
                break;
            }
            run.clear();
        }
    }
    LENGTHS.contains(&run.len()).then(|| run[0].start..run[run.len() - 1].end)
}
