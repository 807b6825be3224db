//! From bytes to lines: the only place that decides what a note's characters and line numbers are.

use std::borrow::Cow;
use std::ops::Range;

/// The text of a note's bytes.
///
/// A byte order mark decides between UTF-8, UTF-16 LE and UTF-16 BE and is not part of the text; without one
/// the bytes are UTF-8. What is not valid becomes U+FFFD.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(decode_utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(decode_utf16(rest, u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes),
    }
}

/// The lines of a text without their terminators, which are LF, CRLF and a lone CR.
///
/// The n-th item is line n (counted from 1) everywhere in the product. A terminator at the end of the text does
/// not begin another line.
pub fn lines(text: &str) -> Lines<'_> {
    Lines { rest: text }
}

#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, terminator) = match self.rest.bytes().position(|b| b == b'\n' || b == b'\r') {
            Some(end) => (&self.rest[..end], if self.rest[end..].starts_with("\r\n") { 2 } else { 1 }),
            None => (self.rest, 0),
        };
        self.rest = &self.rest[line.len() + terminator..];
        Some(line)
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let pairs = bytes.chunks_exact(2);
    let odd = !pairs.remainder().is_empty();
    let units = pairs.map(|pair| unit([pair[0], pair[1]]));
    let mut text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if odd {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

/// Where the sentences are.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            ranges.push(start..end);
            start = end;
        }
    }
    ranges.push(start..text.len());
    ranges.retain(|range| !text[range.clone()].trim().is_empty());
    ranges
}

/// The range of a slice within the text it was taken from.
pub fn extent(text: &str, part: &str) -> (usize, usize) {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    (start, start + part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_lines(text: &str, expected: &[&str]) {
        assert_eq!(lines(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_byte_order_mark_names_the_encoding_and_is_dropped() {
        assert_eq!(decode(b"\xEF\xBB\xBFh\xC3\xA9"), "hé");
        assert_eq!(decode(b"\xFF\xFEh\0\xE9\0\x3D\xD8\x00\xDE"), "hé😀");
        assert_eq!(decode(b"\xFE\xFF\0h\0\xE9\xD8\x3D\xDE\x00"), "hé😀");
        assert_eq!(decode("hé".as_bytes()), "hé");
        assert_eq!(decode(b""), "");
    }

    #[test]
    fn what_is_invalid_becomes_a_replacement_character() {
        assert_eq!(decode(b"a\xFFb"), "a\u{FFFD}b");
        assert_eq!(decode(b"\xFF\xFEa\0\x00\xD8b\0c"), "a\u{FFFD}b\u{FFFD}");
    }

    #[test]
    fn every_terminator_ends_a_line() {
        check_lines("a\nb\r\nc\rd", &["a", "b", "c", "d"]);
        check_lines("a\r\r\n\nb", &["a", "", "", "b"]);
    }

    #[test]
    fn a_final_terminator_opens_no_line() {
        check_lines("", &[]);
        check_lines("\n", &[""]);
        check_lines("a\n", &["a"]);
        check_lines("a\r\n\r\n", &["a", ""]);
    }
}
