//! Masks: `[removed: RULE]`, or `[masked: RULE WORD]`, where the word is unique to the value and the key.

use std::ops::Range;

use memchr::memchr_iter;

use super::{Class, Policy};

const REMOVED: &str = "[removed: ";
const MASKED: &str = "[masked: ";
/// Letters that make no word of any language, so that no stemmer and no reader takes it for one.
const LETTERS: &[u8; 16] = b"bcdfghjkmnpqtvwz";
const WORD: usize = 16;
/// The longest name of a rule.
pub(super) const LONGEST_NAME: usize = 40;

/// The mask of a value.
pub(super) fn of(policy: &Policy, rule: &str, class: Class, value: &str) -> String {
    match class {
        Class::Allowed => value.to_owned(),
        Class::NeverStore => format!("{REMOVED}{rule}]"),
        Class::Masked => match policy.key.key() {
            Ok(key) => format!("{MASKED}{rule} {}]", word(&key.digest("mask", &plain(value)))),
            // Without a key the value cannot be found; it is not shown for that.
            Err(_no_key) => format!("{MASKED}{rule}]"),
        },
    }
}

/// The same number with other spaces and dashes is the same value.
fn plain(value: &str) -> Vec<u8> {
    let kept: String = value.chars().filter(|c| c.is_alphanumeric() || *c == '@').collect();
    (if kept.is_empty() { value.to_owned() } else { kept.to_lowercase() }).into_bytes()
}

fn word(digest: &[u8; 32]) -> String {
    let halves = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.take(WORD).map(|half| char::from(LETTERS[usize::from(half)])).collect()
}

/// The word of a mask; none in place of what was removed.
pub(super) fn word_of(mask: &str) -> Option<&str> {
    mask.strip_prefix(MASKED)?.strip_suffix(']')?.split(' ').nth(1)
}

/// Whether a text shows a mask of a stored value.
pub fn has_mask(text: &str) -> bool {
    text.contains(MASKED) && spans(text).into_iter().any(|span| text[span].starts_with(MASKED))
}

/// Whether a text shows that a value was taken out of it, or covered.
pub fn hides_something(text: &str) -> bool {
    !spans(text).is_empty()
}

/// Where masks stand: nothing in them is judged again. What only looks like one is judged like any text.
pub(super) fn spans(text: &str) -> Vec<Range<usize>> {
    let starts = memchr_iter(b'[', text.as_bytes());
    starts.filter_map(|at| length(&text[at..]).map(|length| at..at + length)).collect()
}

/// Whether one of the spans, which are in order and apart, holds all of another.
pub(super) fn holds(spans: &[Range<usize>], other: &Range<usize>) -> bool {
    let next = spans.partition_point(|span| span.start <= other.start);
    next.checked_sub(1).is_some_and(|at| other.end <= spans[at].end)
}

fn length(text: &str) -> Option<usize> {
    let (lead, masked) =
        [(REMOVED, false), (MASKED, true)].into_iter().find(|lead| text.starts_with(lead.0))?;
    let rest = &text.as_bytes()[lead.len()..];
    let name = rest.iter().take(LONGEST_NAME + 1).take_while(|byte| is_name_byte(**byte)).count();
    let after = &rest[name..];
    let seal = match after {
        [b' ', word @ ..] if masked => {
            let letters = word.iter().take(WORD + 1).take_while(|byte| LETTERS.contains(byte)).count();
            (letters == WORD).then_some(WORD + 1)?
        }
        _ => 0,
    };
    let named = (1..=LONGEST_NAME).contains(&name);
    (named && after.get(seal) == Some(&b']')).then(|| lead.len() + name + seal + 1)
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}
