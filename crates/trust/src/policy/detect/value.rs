//! Whether a string is a secret for its shape, where words beside it announce one.

use super::alphabet::{entropy, is_placeholder};

const LEAST_ENTROPY: f32 = 2.7;
/// The shortest value of digits alone.
const LEAST_DIGITS: usize = 16;

pub(super) fn is_secret(value: &str) -> bool {
    is_random(value) && !is_placeholder(value) && !is_code(value) && !is_known_shape(value)
}

/// Digits alone, as some services give them.
pub(super) fn is_number(value: &str) -> bool {
    value.len() >= LEAST_DIGITS
        && value.bytes().all(|byte| byte.is_ascii_digit())
        && entropy(value.as_bytes()) >= LEAST_ENTROPY
}

/// One of the codes that a service gives for the day on which a telephone is lost: `1a2b-3c4d`, `12345678`.
pub(super) fn is_code_of_list(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    (8..=40).contains(&value.len())
        && digits >= 2
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && mindfile_note::date::parse(&value[..value.len().min(10)]).is_none()
        && entropy(value.as_bytes()) >= 2.0
}

/// Letters and digits or signs together, eight at least, and few of them twice.
fn is_random(value: &str) -> bool {
    let count = |is: fn(&u8) -> bool| value.bytes().filter(is).count();
    let digits = count(u8::is_ascii_digit);
    let lower = count(u8::is_ascii_lowercase);
    let upper = count(u8::is_ascii_uppercase);
    let signs = count(u8::is_ascii_punctuation);
    let letters = lower + upper;
    let kinds = [digits, lower, upper, signs].iter().filter(|count| **count > 0).count();
    let mixed = digits > 0 && letters > 0 && (kinds >= 3 || value.len() >= 12) || kinds == 4;
    value.len() >= 8 && mixed && entropy(value.as_bytes()) >= LEAST_ENTROPY && !is_wordy(value)
}

/// `my-secret-v2-prod`, `Base64-encoded`, `path/to/k8s.7z`, `Ed25519KeyPair`: words with a number in each at most.
fn is_wordy(value: &str) -> bool {
    value.split(PARTING).all(|part| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let runs = part.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).count();
        let letters: String = part.chars().filter(|c| !c.is_ascii_digit()).collect();
        runs <= 1 && digits <= 5 && is_word(&letters)
    })
}

/// What stands between words that are one name.
const PARTING: [char; 10] = ['-', '_', '.', '/', ':', '+', '@', '=', '!', '&'];

/// Letters as words have them: of one case, or each hump of two at least. A last capital may stand alone: `AtomicU64`.
fn is_word(letters: &str) -> bool {
    let letters = letters.strip_suffix(char::is_uppercase).filter(|rest| rest.len() > 1).unwrap_or(letters);
    let upper = |c: char| c.is_uppercase();
    let one_case = letters.chars().all(upper) || !letters.chars().any(upper);
    let humps = || {
        let starts = letters.char_indices().filter(|(_, c)| upper(*c)).map(|(at, _)| at);
        let ends = starts.chain([letters.len()]);
        ends.scan(0, |from, to| Some(to - std::mem::replace(from, to)))
    };
    letters.chars().all(char::is_alphabetic)
        && (one_case || humps().skip_while(|hump| *hump == 0).all(|hump| hump >= 2))
}

/// Whether a short value has a word in it. Only a sign before it makes it a secret.
pub(super) fn is_mostly_words(value: &str) -> bool {
    const SHORT: usize = 16;
    let is_long_word = |part: &str| part.len() >= 4 && is_word(part);
    value.len() < SHORT && value.split(PARTING).any(is_long_word)
}

/// An expression of a program, a path or an address.
fn is_code(value: &str) -> bool {
    let calls = value.contains('(') || value.contains("::") || value.contains("->") || value.contains("${");
    let path = value.starts_with(['/', '.', '~', '@', '#'])
        || value.contains("://")
        || value.contains('/') && value.contains('?');
    let member = value.split('.').count() > 1
        && value.split('.').all(|part| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && part.len() < 24
        });
    let end = value.ends_with(['(', '{', '[', ';']);
    calls || path || member || end || value.contains('[')
}

/// A date, a version, a number with a unit.
fn is_known_shape(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let date =
        value.len() >= 10 && mindfile_note::date::parse(&value[..value.floor_char_boundary(10)]).is_some();
    date || (digits > 0
        && letters <= 2
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"._:,%-".contains(&b)))
}
