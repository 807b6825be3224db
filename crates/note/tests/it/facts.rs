//! A fact line is written as it was read, whatever it holds.

use mindfile_note::fact::{self, Kind, Line, Name};
use proptest::prelude::*;

use crate::config;

/// Lines that are facts, nearly facts, or noise.
fn line() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("- W"),
        Just("- O"),
        Just("* B"),
        Just("  + S"),
        Just("("),
        Just(")"),
        Just("s=0.5"),
        Just(","),
        Just("key=a.b"),
        Just("x = %2C%ZZ%"),
        Just(" @Sarah"),
        Just(" @ünï/x"),
        Just("@"),
        Just(":"),
        Just(": "),
        Just(" text"),
        Just(" ^id1"),
        Just("^"),
        Just(" <!-- importance: 9 -->"),
        Just("<!--"),
        Just("-->"),
        Just(" "),
        Just("\t"),
        Just("\u{a0}"),
        Just("中"),
        Just("\u{301}"),
    ];
    let pieces = proptest::collection::vec(part, 0..14).prop_map(|parts| parts.concat());
    let shaped = concat!(
        "[ \t]{0,2}[-*+] {1,2}[WBOS](\\([a-z0-9=., %:]{0,12}\\))?( @[a-zé.]{1,4}){0,2} ?: ?",
        ".{0,20}( \\^[a-z0-9]{1,4})?(  ?<!-- [a-z]: .{0,4}-->){0,2} ?",
    );
    prop_oneof![pieces, shaped, any::<String>()]
}

fn kind() -> impl Strategy<Value = Kind> {
    (0..4_usize).prop_map(|at| Kind::ALL[at])
}

proptest! {
    #![proptest_config(config())]

    /// 400 lines a case: more than 100,000 of them.
    #[test]
    fn what_is_read_is_written_byte_for_byte(lines in proptest::collection::vec(line(), 400)) {
        for (line, fact) in lines.iter().filter_map(|line| Some((line, fact::read(line)?))) {
            prop_assert_eq!(&fact::write(&fact), line);
            prop_assert!(!fact.text().is_empty());
            prop_assert_eq!(fact.text(), fact.text().trim_end());
            prop_assert!(fact.entities().all(|name| name.chars().all(fact::is_entity_char)));
        }
    }

    #[test]
    fn an_edited_fact_reads_as_edited(
        line in line(), kind in kind(), value in any::<String>(), id in "[a-z0-9]{1,6}",
    ) {
        if let Some(mut fact) = fact::read(&line) {
            fact.set(Name::Key, Some(&value));
            fact.set_id(Some(&id));
            fact.set_kind(kind);
            let written = fact::write(&fact);
            let read = fact::read(&written).unwrap();
            prop_assert_eq!(read.attribute("key"), fact.attribute("key"));
            prop_assert_eq!(read.id(), Some(&*id));
            prop_assert_eq!((read.kind(), read.text()), (kind, fact.text()));
            prop_assert_eq!(read.entities().collect::<Vec<_>>(), fact.entities().collect::<Vec<_>>());
            prop_assert_eq!(fact::write(&read), written);
        }
    }

    #[test]
    fn a_new_fact_reads_as_made(
        kind in kind(), entities in proptest::collection::vec(any::<String>(), 0..3), text in any::<String>(),
    ) {
        if let Some(fact) = Line::new(kind, &entities, &text) {
            let written = fact::write(&fact);
            prop_assert!(!written.contains(['\n', '\r']));
            let read = fact::read(&written).unwrap();
            prop_assert_eq!(read.text(), fact.text());
            prop_assert_eq!(read.id_or_derived(), fact.id_or_derived());
            prop_assert_eq!(read.entities().collect::<Vec<_>>(), fact.entities().collect::<Vec<_>>());
        }
    }

    #[test]
    fn values_are_read_from_anything(line in line()) {
        if let Some(fact) = fact::read(&line) {
            prop_assert!(fact.salience().is_none_or(|s| (0.0..=1.0).contains(&s)));
            prop_assert!(fact.confidence().is_none_or(|c| (0.0..=1.0).contains(&c)));
            let _dates = (fact.seen(), fact.confirmed(), fact.until(), fact.ttl());
            let _names = (fact.key(), fact.by(), fact.source(), fact.sensitivity(), fact.version());
        }
    }
}
