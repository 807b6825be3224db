//! Any bytes are a text, and lines are what a plain reading of the terminators says.

use mindfile_note::{date, hash::Digest, text};
use proptest::prelude::*;

use crate::config;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..200), mark in 0..4_usize) {
        let marks: [&[u8]; 4] = [b"", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
        let text = text::decode(&[marks[mark], &bytes].concat()).into_owned();
        prop_assert!(text.len() <= 3 * bytes.len() + 3);
    }

    #[test]
    fn every_encoding_gives_the_text_back(text in any::<String>()) {
        let utf16 = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        let decoded = |mark: &[u8], bytes: &[u8]| text::decode(&[mark, bytes].concat()).into_owned();
        prop_assert_eq!(&decoded(b"\xEF\xBB\xBF", text.as_bytes()), &text);
        prop_assert_eq!(&decoded(b"\xFF\xFE", &utf16(u16::to_le_bytes)), &text);
        prop_assert_eq!(&decoded(b"\xFE\xFF", &utf16(u16::to_be_bytes)), &text);
    }

    #[test]
    fn lines_are_what_is_between_terminators(text in "[ab\r\n\u{2028}é]{0,40}") {
        let plain = text.replace("\r\n", "\n").replace('\r', "\n");
        let expected: Vec<&str> = plain.strip_suffix('\n').unwrap_or(&plain).split('\n').collect();
        let lines: Vec<&str> = text::lines(&text).collect();
        prop_assert_eq!(lines, if text.is_empty() { Vec::new() } else { expected });
    }

    #[test]
    fn a_digest_reads_what_it_writes(bytes in any::<[u8; 32]>(), other in any::<String>()) {
        let digest = Digest::from_bytes(bytes);
        prop_assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        prop_assert_eq!(Digest::parse(&other), None);
    }

    #[test]
    fn a_dated_name_is_dated(days in 0..800_000_i32, slug in "(-[a-z]{1,5})?", other in any::<String>()) {
        let day = jiff::civil::date(0, 1, 1).saturating_add(jiff::Span::new().days(days));
        prop_assert_eq!(date::of_path(&format!("memory/{day}{slug}.md")), Some(day));
        let spoken = format!("{day} {}", day.day());
        prop_assert!(date::spoken(day).starts_with(&spoken));
        date::of_path(&other);
    }
}
