//! The built-in detectors for keys, numbers and addresses.
//!
//! A row of the table describes each one. Every detector reads a bounded piece of text around something that is cheap to
//! find (a prefix, a word, a digit, an `@`), so that judging takes time proportional to the text.

mod address;
mod alphabet;
mod base58;
mod beside;
mod blocks;
mod checks;
mod labels;
mod numbers;
mod phrase;
mod pieces;
mod table;
mod table_column;
mod tokens;
mod value;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::Class;

pub use table::DETECTORS;
use table::{Form, NumberForm};

/// A built-in detector, by its place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Detector(u16);

/// What the table says of a detector.
#[derive(Debug, Clone, Copy)]
pub struct DetectorSpec {
    pub name: &'static str,
    /// What it finds, for a person.
    pub about: &'static str,
    /// What happens to it where nobody says otherwise.
    pub class: Class,
    /// What a key looks like that is known by a mark.
    forms: &'static [Form],
    /// What a number looks like that is known by its check.
    number: Option<NumberForm>,
}

/// A place that a detector names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) detector: Detector,
    pub(super) span: Range<usize>,
}

impl Detector {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).zip(DETECTORS).map(|(at, _)| Self(at))
    }

    pub fn named(name: &str) -> Option<Self> {
        static NAMES: LazyLock<HashMap<&str, Detector>> =
            LazyLock::new(|| Detector::all().map(|detector| (detector.name(), detector)).collect());
        NAMES.get(name).copied()
    }

    pub fn spec(self) -> &'static DetectorSpec {
        &DETECTORS[usize::from(self.0)]
    }

    pub fn name(self) -> &'static str {
        self.spec().name
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The shortest text that can be a finding: an e-mail address.
const LEAST: usize = 6;

/// How far back anything begins that a further line makes a finding: a key takes [`blocks::LONGEST_KEY`] bytes and two lines.
pub(super) const REACH: usize = blocks::LONGEST_KEY + (1 << 10);
/// The same for all but keys: a list of values below a label is the longest.
const NEAR: usize = 32 << 10;

/// Where the line begins from which on all but keys is to be looked for when a text goes on after its first `old` bytes.
pub(super) fn near(text: &str, old: usize) -> usize {
    let far = text.floor_char_boundary(old.saturating_sub(NEAR));
    text[..far].rfind('\n').map_or(0, |at| at + 1)
}

/// Whether there is a key of many lines.
pub(super) fn has_key(text: &str, wanted: &dyn Fn(Detector) -> bool) -> bool {
    let mut sink = Sink { text, wanted, found: Vec::new() };
    blocks::keys(&mut sink);
    !sink.found.is_empty()
}

/// Everything that the wanted detectors find, in no order.
pub(super) fn find(text: &str, wanted: &dyn Fn(Detector) -> bool) -> Vec<Hit> {
    let mut sink = Sink { text, wanted, found: Vec::new() };
    if text.len() < LEAST {
        return sink.found;
    }
    let (pieces, digits) = pieces::of(text);
    tokens::find(&mut sink, &pieces);
    blocks::find(&mut sink, &pieces);
    beside::find(&mut sink, digits);
    if digits {
        numbers::find(&mut sink, Pace::Fast);
    }
    address::find(&mut sink);
    sink.found
}

/// Whether what cannot be anything is left aside at once. It makes no difference to what is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    Fast,
    #[cfg(test)]
    Thorough,
}

/// Where detectors put what they find.
struct Sink<'a> {
    text: &'a str,
    wanted: &'a dyn Fn(Detector) -> bool,
    found: Vec<Hit>,
}

impl Sink<'_> {
    fn wants(&self, name: &str) -> bool {
        Detector::named(name).is_some_and(self.wanted)
    }

    fn put(&mut self, detector: Detector, span: Range<usize>) {
        if (self.wanted)(detector) && self.text.get(span.clone()).is_some() {
            self.found.push(Hit { detector, span });
        }
    }

    fn put_named(&mut self, name: &str, span: Range<usize>) {
        if let Some(detector) = Detector::named(name) {
            self.put(detector, span);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same without leaving anything aside.
    fn find_thoroughly(text: &str) -> Vec<Hit> {
        let mut sink = Sink { text, wanted: &|_| true, found: Vec::new() };
        let whole = pieces::whole(text);
        tokens::find(&mut sink, &whole);
        blocks::find(&mut sink, &whole);
        beside::find(&mut sink, true);
        numbers::find(&mut sink, Pace::Thorough);
        address::find(&mut sink);
        sink.found
    }

    fn check(text: &str) -> Result<(), TestCaseError> {
        prop_assert_eq!(find(text, &|_| true), find_thoroughly(text), "{:?}", text);
        Ok(())
    }

    #[test]
    fn of_every_sort_of_value_the_same_is_found_when_nothing_is_left_aside() {
        let mut all = String::new();
        let values: Vec<String> = tokens::samples()
            .into_iter()
            .chain(NUMBERS.map(str::to_owned))
            .chain(beside::samples())
            .collect();
        for text in &values {
            check(text).unwrap();
            assert_ne!(find(text, &|_| true), [], "{text}");
            all.push_str(text);
            all.push([' ', '\n', ',', '\t'][all.len() % 4]);
        }
        check(&all).unwrap();
        assert!(find(&all, &|_| true).len() >= values.len() * 9 / 10);
    }

    /// Numbers with a right check digit: of cards, accounts, people and telephones.
    const NUMBERS: [&str; 12] = [
        "4111 1111 1111 1111", "GB82 WEST 1234 5698 7654 32", "DE89370400440532013000", "dni 12345678Z",
        "12345678-Z dni", "RSSMRA85T10A562S", "cpf 529.982.247-25", "pesel 44051401359", "nhs 943 476 5919",
        "bsn 111222333", "call me at +49 170 1234567", "mail to ana@example.net",
    ];

    proptest! {
        /// Parts of values, words that announce them, and what may stand between, in any order.
        #[test]
        fn the_same_is_found_when_nothing_is_left_aside(
            parts in prop::collection::vec(
                prop_oneof![
                    "[a-zA-Z0-9]{1,40}",
                    "[0-9]{1,17}",
                    "[0-9]{2,4}([ ./)-][0-9]{2,4}){1,5}",
                    prop::sample::select(tokens::all_marks()),
                    prop::sample::select(beside::words()),
                    prop::sample::select(vec![
                        " ", "\n", "\t", ": ", "=", " is ", "\"", "'", ",", "是", "：", "é", "\u{a0}", "\u{2003}", "-", ".",
                        "_", "/", "+", "(", ")", "@", "://", "GB82 WEST 1234 5698 7654 32", "DNI ", "nhs ", "tel. ",
                    ]).prop_map(str::to_owned),
                    any::<char>().prop_map(String::from),
                ],
                0..24,
            )
        ) {
            check(&parts.concat())?;
        }
    }

    #[test]
    fn names_are_unique() {
        for (at, detector) in Detector::all().enumerate() {
            assert_eq!(Detector::named(detector.name()).map(Detector::index), Some(at));
        }
    }
}
