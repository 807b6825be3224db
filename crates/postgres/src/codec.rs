//! How values stand in columns.

use std::borrow::Cow;
use std::str::FromStr;

use mindfile_index::{Embedding, Origin, Shelf, Source};
use tokio_postgres::SimpleQueryRow;

/// PostgreSQL's text has no NUL. This character, which no text should have, stands before what it escapes.
const ESCAPE: char = '\u{fffe}';

/// The text as it can be stored.
pub(crate) fn stored(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', ESCAPE]) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(ESCAPE, "\u{fffe}1").replace('\0', "\u{fffe}0"))
}

pub(crate) fn plain(text: String) -> String {
    if !text.contains(ESCAPE) {
        return text;
    }
    text.replace("\u{fffe}0", "\0").replace("\u{fffe}1", "\u{fffe}")
}

pub(crate) fn shelf(shelf: Shelf) -> i16 {
    match shelf {
        Shelf::Chunks => 0,
        Shelf::Facts => 1,
    }
}

pub(crate) fn source(source: Source) -> i16 {
    match source {
        Source::Memory => 0,
        Source::Sessions => 1,
    }
}

pub(crate) fn to_source(number: i16) -> Option<Source> {
    Source::ALL.into_iter().find(|known| source(*known) == number)
}

pub(crate) fn origin(origin: Origin) -> i16 {
    match origin {
        Origin::Untrusted => 0,
        Origin::Agent => 1,
        Origin::Owner => 2,
        Origin::System => 3,
    }
}

pub(crate) fn to_origin(number: i16) -> Option<Origin> {
    Origin::ALL.into_iter().find(|known| origin(*known) == number)
}

/// What the embedder said; the vector itself is in a table of its own.
pub(crate) const PENDING: i16 = 0;
pub(crate) const BLANK: i16 = 1;
pub(crate) const VECTOR: i16 = 2;

pub(crate) fn state(embedding: &Embedding) -> i16 {
    match embedding {
        Embedding::Pending => PENDING,
        Embedding::Blank => BLANK,
        Embedding::Vector(_) => VECTOR,
    }
}

pub(crate) fn tokens(tokens: &[u16]) -> Vec<u8> {
    tokens.iter().flat_map(|token| token.to_le_bytes()).collect()
}

pub(crate) fn to_tokens(bytes: &[u8]) -> Vec<u16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
}

/// Lines, counts and lengths fit; what does not is cut at the largest number there is.
pub(crate) fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A number of a statement without values, whose rows are texts.
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
