//! Removes lines from a note; every other byte, line end and the encoding stay.

use std::collections::BTreeSet;
use std::ops::Range;

/// The bytes without some lines, counted from 1.
pub fn without(bytes: &[u8], gone: &BTreeSet<u32>) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mark = mark(bytes);
    kept.extend_from_slice(&bytes[..mark]);
    for (number, range) in (1..).zip(lines(bytes, mark)) {
        if !gone.contains(&number) {
            kept.extend_from_slice(&bytes[range]);
        }
    }
    kept
}

/// How long the byte order mark is.
fn mark(bytes: &[u8]) -> usize {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => 3,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => 2,
        _ => 0,
    }
}

/// Lines with their ends: LF, CRLF or CR, in UTF-16 as two bytes each.
fn lines(bytes: &[u8], mark: usize) -> Vec<Range<usize>> {
    let unit = if mark == 2 { 2 } else { 1 };
    let big = bytes.first() == Some(&0xfe);
    let at = |place: usize| -> Option<u16> {
        let unit = bytes.get(place..place + unit)?;
        Some(match (unit, big) {
            ([one], _) => u16::from(*one),
            (pair, true) => u16::from(pair[0]) << 8 | u16::from(pair[1]),
            (pair, false) => u16::from(pair[1]) << 8 | u16::from(pair[0]),
        })
    };
    let mut all = Vec::new();
    let mut start = mark;
    let mut place = mark;
    while let Some(code) = at(place) {
        place += unit;
        let pair = code == u16::from(b'\r') && at(place) == Some(u16::from(b'\n'));
        if code == u16::from(b'\n') || (code == u16::from(b'\r') && !pair) {
            all.push(start..place);
            start = place;
        }
    }
    if start < bytes.len() {
        all.push(start..bytes.len());
    }
    all
}

#[cfg(test)]
mod tests {
    use mindfile_note::text;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_line_goes_and_every_other_byte_stays() {
        let gone = BTreeSet::from([2]);
        for (before, after) in [
            (&b"a\nb\nc\n"[..], &b"a\nc\n"[..]),
            (b"a\r\nb\r\nc", b"a\r\nc"),
            (b"a\rb\rc", b"a\rc"),
            (b"\xef\xbb\xbfa\nb", b"\xef\xbb\xbfa\n"),
            (b"\xff\xfea\0\n\0b\0\r\0\n\0c\0", b"\xff\xfea\0\n\0c\0"),
            (b"\xfe\xff\0a\0\n\0b", b"\xfe\xff\0a\0\n"),
            (b"a\n\xff\xfe\nc\n", b"a\nc\n"),
        ] {
            assert_eq!(without(before, &gone), after, "{before:?}");
        }
    }

    proptest! {
        #[test]
        fn lines_are_counted_as_notes_are(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let counted = lines(&bytes, mark(&bytes));
            prop_assert_eq!(counted.len(), text::lines(&text::decode(&bytes)).count());
            prop_assert_eq!(without(&bytes, &BTreeSet::new()), bytes);
        }
    }
}
