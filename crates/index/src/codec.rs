//! How values stand in the columns of an engine's tables. The numbers are part of the formats of all engines that use them.

use std::fmt;
use std::hash::{Hash, Hasher};

use mindfile_note::Origin;

use crate::record::{Doc, Embedding, Part, Shelf, Source};

pub fn shelf(shelf: Shelf) -> i16 {
    shelf as i16
}

pub fn to_shelf(number: i16) -> Option<Shelf> {
    Shelf::ALL.get(usize::try_from(number).ok()?).copied()
}

/// Each shelf and each part has numbers of its own, so that an index can tell them apart.
const SHELF: i64 = 1_000_000_000;
const BESIDE: i64 = SHELF / 2;

/// The number of the row before a shelf's first.
pub fn floor(shelf: Shelf) -> i64 {
    SHELF * shelf as i64
}

pub fn doc(doc: Doc) -> i64 {
    let beside = match doc.part {
        Part::Main => 0,
        Part::Beside => BESIDE,
    };
    floor(doc.shelf) + beside + i64::from(doc.row)
}

/// One number: rows are looked up by the thousand.
impl Hash for Doc {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_i64(doc(*self));
    }
}

impl fmt::Display for Doc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        doc(*self).fmt(f)
    }
}

/// A number that no row can have becomes row 0, which there is none of either.
pub fn to_doc(number: i64) -> Doc {
    let shelf = if number > SHELF { Shelf::Facts } else { Shelf::Chunks };
    let within = number - floor(shelf);
    let (part, row) = if within > BESIDE { (Part::Beside, within - BESIDE) } else { (Part::Main, within) };
    let row = u32::try_from(row).ok().filter(|row| i64::from(*row) <= BESIDE).unwrap_or(0);
    Doc { shelf, part, row }
}

pub fn source(source: Source) -> i16 {
    source as i16
}

pub fn to_source(number: i16) -> Option<Source> {
    Source::ALL.get(usize::try_from(number).ok()?).copied()
}

pub fn origin(origin: Origin) -> i16 {
    origin as i16
}

pub fn to_origin(number: i16) -> Option<Origin> {
    Origin::ALL.get(usize::try_from(number).ok()?).copied()
}

/// What the embedder said of a row; the vector itself stands elsewhere.
pub const PENDING: i16 = 0;
pub const BLANK: i16 = 1;
pub const VECTOR: i16 = 2;

pub fn state(embedding: &Embedding) -> i16 {
    match embedding {
        Embedding::Pending => PENDING,
        Embedding::Blank => BLANK,
        Embedding::Vector(_) => VECTOR,
    }
}

pub fn tokens(tokens: &[u16]) -> Vec<u8> {
    tokens.iter().flat_map(|token| token.to_le_bytes()).collect()
}

pub fn to_tokens(bytes: &[u8]) -> Vec<u16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect()
}

/// Bits of a number that a byte holds; the one above says that more follow.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;

/// Appends a number in as few bytes as it needs, its lowest bits first.
pub fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= u64::from(MORE) {
        bytes.push(number as u8 | MORE);
        number >>= BITS;
    }
    bytes.push(number as u8);
}

/// Takes a number off; none where the bytes do not begin with one.
pub fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    let mut shift = 0;
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & !MORE);
        number |= part.checked_shl(shift).filter(|shifted| shifted >> shift == part)?;
        if byte & MORE == 0 {
            return Some(number);
        }
        shift += BITS;
    }
}

/// Lines, counts and lengths fit; what does not is cut at the largest number there is.
pub fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_as_a_number_comes_back_as_it_was() {
        for known in Shelf::ALL {
            assert_eq!(to_shelf(shelf(known)), Some(known));
        }
        for known in Source::ALL {
            assert_eq!(to_source(source(known)), Some(known));
        }
        for known in Origin::ALL {
            assert_eq!(to_origin(origin(known)), Some(known));
        }
        assert_eq!((to_shelf(2), to_source(-1), to_origin(4)), (None, None, None));
        assert_eq!((Shelf::ALL.map(shelf), Source::ALL.map(source)), ([0, 1], [0, 1]), "part of the formats");
        assert_eq!(
            Origin::ALL.map(|origin| (origin.as_str(), super::origin(origin))),
            [("untrusted", 0), ("agent", 1), ("owner", 2), ("system", 3),]
        );
    }

    #[test]
    fn rows_come_back_in_their_order_and_other_numbers_are_no_rows() {
        let rows = [1, 2, 499_999_999];
        let parts = [Part::Main, Part::Beside];
        let all = Shelf::ALL
            .into_iter()
            .flat_map(|shelf| parts.map(|part| rows.map(|row| Doc { shelf, part, row })));
        let all: Vec<Doc> = all.flatten().collect();
        let numbers: Vec<i64> = all.iter().map(|one| doc(*one)).collect();
        assert!(all.is_sorted() && numbers.is_sorted());
        assert_eq!(numbers.iter().map(|number| to_doc(*number)).collect::<Vec<_>>(), all);
        assert_eq!((numbers[0], numbers[3], numbers[6]), (1, 500_000_001, 1_000_000_001));
        assert_eq!([i64::MIN, -1, 0, 1 << 40, i64::MAX].map(|number| to_doc(number).row), [0; 5]);
    }

    #[test]
    fn tokens_come_back_as_they_were() {
        for all in [&[][..], &[0], &[1, 256, u16::MAX]] {
            assert_eq!(to_tokens(&tokens(all)), all);
        }
    }

    #[test]
    fn numbers_come_back_as_they_were_and_no_others_do() {
        let all = [0, 1, 127, 128, 300, 1 << 40, u64::MAX];
        let mut bytes = Vec::new();
        all.iter().for_each(|&number| put_number(&mut bytes, number));
        let mut rest = &*bytes;
        let read: Vec<u64> = std::iter::from_fn(|| take_number(&mut rest)).collect();
        assert_eq!(read, all);
        assert_eq!(take_number(&mut &[MORE, MORE][..]), None, "cut off");
        assert_eq!(take_number(&mut &[0xff; 11][..]), None, "too long");
    }
}
