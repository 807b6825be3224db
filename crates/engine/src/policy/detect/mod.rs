//! The built-in detectors: what keys, numbers and addresses look like, with a check where a format has one.
//!
//! Every detector reads a bounded piece of text around something cheap to find (a prefix, a word, a digit, an `@`), so
//! that judging takes time in proportion to the text, whatever the text is.

mod address;
mod alphabet;
mod beside;
mod blocks;
mod checks;
mod numbers;
mod table;
mod tokens;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::Class;

pub use table::DETECTORS;

/// A built-in detector, by its place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Detector(u16);

/// What the table says of a detector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub name: &'static str,
    /// What it finds, for a person.
    pub about: &'static str,
    /// What happens to it where nobody says otherwise.
    pub class: Class,
}

/// A place that a detector names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
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

    pub fn known(self) -> &'static Known {
        &DETECTORS[usize::from(self.0)]
    }

    pub fn name(self) -> &'static str {
        self.known().name
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The shortest text that can be a finding: an e-mail address.
const LEAST: usize = 6;

/// Everything that the wanted detectors find, in no order.
pub(super) fn find(text: &str, wanted: &dyn Fn(Detector) -> bool) -> Vec<Found> {
    let mut sink = Sink { text, wanted, found: Vec::new() };
    if text.len() < LEAST {
        return sink.found;
    }
    tokens::find(&mut sink);
    blocks::find(&mut sink);
    beside::find(&mut sink);
    numbers::find(&mut sink);
    address::find(&mut sink);
    sink.found
}

/// Where detectors put what they find.
struct Sink<'a> {
    text: &'a str,
    wanted: &'a dyn Fn(Detector) -> bool,
    found: Vec<Found>,
}

impl Sink<'_> {
    fn wants(&self, name: &str) -> bool {
        Detector::named(name).is_some_and(self.wanted)
    }

    fn put(&mut self, detector: Detector, span: Range<usize>) {
        if (self.wanted)(detector) && self.text.get(span.clone()).is_some() {
            self.found.push(Found { detector, span });
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
    use super::*;

    #[test]
    fn names_are_unique_and_every_row_of_tokens_has_its_detector() {
        for (at, detector) in Detector::all().enumerate() {
            assert_eq!(Detector::named(detector.name()).map(Detector::index), Some(at));
        }
        for rule in tokens::rules() {
            assert!(Detector::named(rule).is_some(), "{rule}");
        }
    }
}
