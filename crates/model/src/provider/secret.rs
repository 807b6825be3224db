//! Keys: a type that does not print, and a scrubber that removes every trace of a key from other programs' texts.

use std::fmt;

/// What stands where a key was.
const HIDDEN: &str = "(key)";
/// So many characters in a row that a text shares with a key are a part of it.
const TRACE: usize = 6;

/// A key, or another value that goes to one place and is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// None for a blank text.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// For the request that it is made for, and for nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(set)")
    }
}

/// Headers of a protocol and those that were given, which win. Names are compared as HTTP does.
pub(super) fn with_given(
    own: impl IntoIterator<Item = (&'static str, String)>,
    given: &[(String, Secret)],
) -> Vec<(String, Secret)> {
    let is_given = |name: &str| given.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let own = own.into_iter().filter(|(name, _)| !is_given(name));
    let own = own.filter_map(|(name, value)| Some((name.to_owned(), Secret::new(&value)?)));
    own.chain(given.iter().cloned()).collect()
}

/// The text without any word that holds a part of a secret: providers like to quote the key that they refuse.
pub(crate) fn scrub(text: &str, secrets: &[Secret]) -> String {
    let mut clean = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_border) {
        let word = piece.trim_end_matches(is_border);
        if secrets.iter().any(|secret| shares(word, secret.reveal())) {
            clean.push_str(HIDDEN);
            clean.push_str(&piece[word.len()..]);
        } else {
            clean.push_str(piece);
        }
    }
    clean
}

fn is_border(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '<' | '>' | '(' | ')')
}

fn shares(word: &str, secret: &str) -> bool {
    if secret.len() <= TRACE {
        return word.contains(secret);
    }
    let word: Vec<char> = word.chars().collect();
    let secret: Vec<char> = secret.chars().collect();
    secret.windows(TRACE).any(|trace| word.windows(TRACE).any(|found| found == trace))
}
