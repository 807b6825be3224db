//! A fact line is written as it was read, byte for byte, and reads as edited after an edit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mindfile_note::fact::{self, Kind, Name};

fuzz_target!(|line: &str| {
    let Some(mut fact) = fact::read(line) else { return };
    assert_eq!(fact::write(&fact), line);
    assert!(fact.salience().is_none_or(|value| (0.0..=1.0).contains(&value)));
    assert!(fact.confidence().is_none_or(|value| (0.0..=1.0).contains(&value)));
    let _dates = (fact.seen(), fact.confirmed(), fact.until(), fact.ttl());
    let _names = (fact.by(), fact.source(), fact.sensitivity(), fact.version(), fact.derived_id());

    let value = line.chars().rev().take(40).collect::<String>();
    fact.set(Name::Key, Some(&value));
    fact.set_id(Some("k3f9a2"));
    fact.set_kind(Kind::ALL[line.len() % Kind::ALL.len()]);
    let written = fact::write(&fact);
    let Some(read) = fact::read(&written) else { panic!("not a fact any more: {written:?}") };
    assert_eq!(read.key(), fact.key());
    assert_eq!(read.id(), Some("k3f9a2"));
    assert_eq!((read.kind(), read.text()), (fact.kind(), fact.text()));
    assert_eq!(fact::write(&read), written);
});
