//! How values stand in columns.

use mindfile_index::{Embedding, Origin, Source};

pub(crate) fn source(source: Source) -> i32 {
    match source {
        Source::Memory => 0,
        Source::Sessions => 1,
    }
}

pub(crate) fn to_source(number: i32) -> Option<Source> {
    Source::ALL.into_iter().find(|known| source(*known) == number)
}

pub(crate) fn origin(origin: Origin) -> i32 {
    match origin {
        Origin::Untrusted => 0,
        Origin::Agent => 1,
        Origin::Owner => 2,
        Origin::System => 3,
    }
}

pub(crate) fn to_origin(number: i32) -> Option<Origin> {
    Origin::ALL.into_iter().find(|known| origin(*known) == number)
}

/// What the embedder said of a row.
pub(crate) const PENDING: i32 = 0;
pub(crate) const BLANK: i32 = 1;
pub(crate) const VECTOR: i32 = 2;

pub(crate) fn state(embedding: &Embedding) -> i32 {
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

pub(crate) fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(crate) fn to_numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (fours, _) = bytes.as_chunks::<4>();
    fours.iter().map(|four| u32::from_le_bytes(*four))
}

/// Lines, counts and lengths fit; what does not is cut at the largest number there is.
pub(crate) fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Numbers of texts are smaller than this.
pub(crate) const NUMBERS: i64 = 1 << 62;

/// A number for a text, so that no text is ever part of a condition (FNV-1a). The text itself stands beside it.
pub(crate) fn number(text: &str) -> i64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    (text.bytes().fold(0xcbf2_9ce4_8422_2325, mix) >> 2).cast_signed()
}

/// The condition that a column has one of these values.
pub(crate) fn among(column: &str, values: &[i64]) -> String {
    let all: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{column} IN ({})", all.join(", "))
}
