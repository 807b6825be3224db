//! Finds random strings beside words that announce a secret, and values after `Bearer`.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input};

use super::alphabet::{entropy, is_placeholder};
use super::pieces::Piece;
use super::{Detector, Sink};
use crate::policy::mask;

/// Words that announce a secret. A word of a script without capital letters is found as it is.
const WORDS: &[&str] = &[
    "password", "passwort", "passwd", "passphrase", "passcode", "kennwort", "pwd", "secret", "token",
    "api key", "api-key", "api_key", "apikey", "access key", "access_key", "accesskey", "private key",
    "private_key", "credential", "geheimnis", "contraseña", "clave", "mot de passe", "senha", "wachtwoord",
    "parola d'ordine", "hasło", "heslo", "lösenord", "adgangskode", "passord", "salasana", "jelszó",
    "parolă", "şifre", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "รหัสผ่าน", "पासवर्ड",
    "كلمة السر", "كلمة المرور", "סיסמה", "mật khẩu", "kata sandi",
];
const BEARER: &str = "bearer ";
const BASIC: &str = "authorization: basic ";

/// What may stand between such a word and its value.
const LINKS: &[&str] =
    &[":=", "=>", ":", "=", "：", "is", "ist", "es", "est", "è", "é", "to", "är", "は", "是", "-", "→"];
/// How far after such a word its value may begin.
const FARTHEST: usize = 24;
const LONGEST_VALUE: usize = 256;
const LEAST_ENTROPY: f32 = 2.7;

struct WordTable {
    words: AhoCorasick,
    password: Detector,
    authorization: Detector,
}

static TABLE: LazyLock<Option<WordTable>> = LazyLock::new(|| {
    let all = WORDS.iter().copied().chain([BEARER, BASIC]);
    Some(WordTable {
        words: AhoCorasick::builder().ascii_case_insensitive(true).build(all).ok()?,
        password: Detector::named("password")?,
        authorization: Detector::named("authorization")?,
    })
});

#[cfg(test)]
pub(super) fn words() -> Vec<String> {
    WORDS.iter().chain(&[BEARER, BASIC]).map(|word| (*word).to_owned()).collect()
}

/// Values beside words that announce them.
#[cfg(test)]
pub(super) fn samples() -> Vec<String> {
    let value = ["h7Kx", "92pQ", "zT4m"].concat();
    WORDS.iter().map(|word| format!("{word}: {value}")).collect()
}

pub(super) fn find(sink: &mut Sink<'_>, pieces: &[Piece]) {
    let mut window = 0..0;
    let masks = OnceCell::new();
    for piece in pieces.iter().filter(|piece| piece.may_be_secret()) {
        let Some(table) = &*TABLE else { return };
        let start = piece.span.start.saturating_sub(FARTHEST + table.words.max_pattern_len());
        if start > window.end {
            find_in(sink, table, &window, &masks);
            window.start = start;
        }
        window.end = piece.span.end;
    }
    // The table is not even made for a text without values.
    if !window.is_empty()
        && let Some(table) = &*TABLE
    {
        find_in(sink, table, &window, &masks);
    }
}

/// Looks for words in the text around values that they may announce.
fn find_in(
    sink: &mut Sink<'_>,
    table: &WordTable,
    window: &Range<usize>,
    masks: &OnceCell<Vec<Range<usize>>>,
) {
    let text = sink.text;
    for hit in table.words.find_overlapping_iter(Input::new(text).span(window.clone())) {
        if hit.pattern().as_usize() < WORDS.len() {
            // The name of a rule announces nothing.
            let is_mask = || mask::holds(masks.get_or_init(|| mask::spans(text)), &hit.range());
            if let Some(span) = value_after(text, hit.end()).filter(|_| !is_mask()) {
                sink.put(table.password, span);
            }
        } else if let Some(span) = header_value(text, hit.end()) {
            sink.put(table.authorization, span);
        }
    }
}

/// What follows `Bearer `: at least 16 characters, with digits among them.
fn header_value(text: &str, at: usize) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~+/=".contains(c);
    let rest = cut(&text[at..], LONGEST_VALUE);
    let value = rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())].trim_end_matches('.');
    let span = at..at + value.len();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let found = value.len() >= 16 && digits >= 2 && entropy(value.as_bytes()) >= 3.0;
    (found && !is_placeholder(value)).then_some(span)
}

fn value_after(text: &str, at: usize) -> Option<Range<usize>> {
    let linked = link(text, at)?;
    let span = value(text, linked);
    let value = &text[span.clone()];
    (is_random(value) && !is_placeholder(value) && !is_code(value) && !is_known_shape(value)).then_some(span)
}

/// Where the value begins: after quotes, emphasis, a linking word or sign, and quotes again.
fn link(text: &str, at: usize) -> Option<usize> {
    let rest = cut(&text[at..], FARTHEST);
    let skipped = rest.trim_start_matches(['"', '\'', '`', '*', '_', ')', ']', ' ', '\t', '\\']);
    let sign = LINKS.iter().filter(|sign| begins_with_word(skipped, sign)).max_by_key(|sign| sign.len())?;
    let after = &skipped[sign.len()..];
    let at = at + (rest.len() - skipped.len()) + sign.len();
    let value = after.trim_start_matches(['"', '\'', '`', '*', '_', '(', ' ', '\t', '\\']);
    Some(at + (after.len() - value.len()))
}

/// A linking word stands by itself, a sign need not.
fn begins_with_word(text: &str, sign: &str) -> bool {
    let Some(rest) = text.strip_prefix(sign) else { return false };
    let is_word = sign.chars().all(|c| c.is_alphabetic() && c.len_utf8() < 3);
    !is_word || rest.starts_with(char::is_whitespace)
}

/// A value ends at white space, at a quote, and before the punctuation of a sentence.
fn value(text: &str, at: usize) -> Range<usize> {
    let span = word(text, at);
    let cut = text[span.clone()].find(['"', '\'', '`', '<', '>', ',', ';', '，', '。', '、']);
    let end = cut.map_or(span.end, |far| at + far);
    let value = text[at..end].trim_end_matches(['.', ':', ')', ']', '}', '*', '\\', '…']);
    at..at + value.len()
}

fn word(text: &str, at: usize) -> Range<usize> {
    let rest = cut(&text[at..], LONGEST_VALUE);
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    at..at + end
}

fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most.min(text.len()))]
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

/// `my-secret-v2-prod`: lower-case words with a number at their end at most.
fn is_wordy(value: &str) -> bool {
    let plain = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = part.len() - letters.len();
        let is_word = letters.chars().all(|c| c.is_alphabetic());
        is_word && if letters.is_empty() { number <= 4 } else { number <= 3 }
    };
    let lower = !value.contains(|c: char| c.is_ascii_uppercase());
    let upper = !value.contains(|c: char| c.is_ascii_lowercase());
    (lower || upper) && value.split(['-', '_', '.', '/', ':', '+', '@']).all(plain)
}

/// An expression of a program, a path or an address.
fn is_code(value: &str) -> bool {
    let calls = value.contains('(') || value.contains("::") || value.contains("->") || value.contains("${");
    let path = value.starts_with(['/', '.', '~', '@', '#']) || value.contains("://");
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
