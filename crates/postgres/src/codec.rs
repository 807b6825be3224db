//! How columns encode values: numbers as in every engine, texts as PostgreSQL can store them.

use std::borrow::Cow;
use std::str::FromStr;

use mindfile_index::MOST_ENTITIES;
pub(crate) use mindfile_index::codec::{
    BLANK, PENDING, VECTOR, doc, floor, int, origin, shelf, source, state, to_doc, to_origin, to_source,
    to_tokens, tokens,
};
use postgres::SimpleQueryRow;

/// PostgreSQL's text cannot hold NUL. This noncharacter escapes it.
const ESCAPE: char = '\u{fffe}';

/// Escapes a text for storage.
pub(crate) fn stored(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', ESCAPE]) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(ESCAPE, "\u{fffe}1").replace('\0', "\u{fffe}0"))
}

/// Escapes texts, as one parameter.
pub(crate) fn all_stored<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<String> {
    texts.into_iter().map(|text| stored(text.as_ref()).into_owned()).collect()
}

pub(crate) fn plain(text: String) -> String {
    if !text.contains(ESCAPE) {
        return text;
    }
    text.replace("\u{fffe}0", "\0").replace("\u{fffe}1", "\u{fffe}")
}

/// The entities that a fact names, in lower case, each once, in the spelling that comes first.
pub(crate) fn named(entities: &[String]) -> Vec<(String, &str)> {
    let mut names: Vec<(String, &str)> = Vec::new();
    for tag in entities {
        let name = tag.to_lowercase();
        if names.len() < MOST_ENTITIES && !names.iter().any(|(known, _)| *known == name) {
            names.push((name, tag));
        }
    }
    names
}

/// Reads a number from a row of the simple protocol, whose values are texts.
pub(crate) fn number<T: FromStr>(row: &SimpleQueryRow, at: usize) -> Option<T> {
    row.get(at).and_then(|text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back_as_it_was() {
        for text in ["", "plain", "a\0b", "\u{fffe}0", "\0\u{fffe}\0", "\u{fffe}\u{fffe}1\0"] {
            assert!(!stored(text).contains('\0'));
            assert_eq!(plain(stored(text).into_owned()), text);
        }
    }
}
