//! How columns encode values: as in every engine, and what is LanceDB's own.

pub(crate) use mindfile_index::codec::{
    BLANK, PENDING, VECTOR, doc, floor, int, origin, shelf, source, state, to_doc, to_origin, to_shelf,
    to_source, to_tokens, tokens,
};

pub(crate) fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(crate) fn to_numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (fours, _) = bytes.as_chunks::<4>();
    fours.iter().map(|four| u32::from_le_bytes(*four))
}

/// The limit of numbers of texts.
pub(crate) const NUMBERS: i64 = 1 << 62;

/// A hash of a text (FNV-1a), so that no text is ever part of a condition. The text is stored beside it.
pub(crate) fn number(text: &str) -> i64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    (text.bytes().fold(0xcbf2_9ce4_8422_2325, mix) >> 2).cast_signed()
}

/// The condition that a column holds one of these values.
pub(crate) fn among(column: &str, values: &[i64]) -> String {
    let all: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("{column} IN ({})", all.join(", "))
}
