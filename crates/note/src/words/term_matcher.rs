//! Finding a few terms in many texts without stemming the words that cannot match.

use std::collections::HashMap;

use super::{Purpose, Terms, with_analyzer};

/// The wanted terms, each identified by its number.
#[derive(Debug, Default)]
pub struct TermMatcher {
    numbers: HashMap<String, usize>,
    starts: TermStarts,
}

impl TermMatcher {
    pub fn new<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut wanted = Self::default();
        for (number, term) in terms.into_iter().enumerate() {
            wanted.starts.add(term);
            wanted.numbers.entry(term.to_owned()).or_insert(number);
        }
        wanted
    }

    /// Calls `each` with the number of every wanted term of a text, in order, with repeats.
    pub fn for_each(&self, text: &str, each: impl FnMut(usize)) {
        with_analyzer(|analyzer| analyzer.analyze(text, Purpose::Index, Finder { wanted: self, each }));
    }

    pub fn is_in(&self, text: &str) -> bool {
        let mut found = false;
        self.for_each(text, |_| found = true);
        found
    }
}

struct Finder<'a, F> {
    wanted: &'a TermMatcher,
    each: F,
}

impl<F: FnMut(usize)> Terms for Finder<'_, F> {
    fn take(&mut self, term: &str) {
        if let Some(number) = self.wanted.numbers.get(term) {
            (self.each)(*number);
        }
    }

    fn may_want(&self, word: &str) -> bool {
        self.wanted.starts.has(word)
    }
}

/// How the wanted terms begin. An English stem begins as its word does, but for a `y` that becomes an `i`, and can be its
/// first letter alone; of other words nothing is known.
#[derive(Debug, Default)]
struct TermStarts([u32; 27]);

impl TermStarts {
    fn add(&mut self, term: &str) {
        match start(term) {
            Some((first, ALONE)) => self.0[first] = u32::MAX,
            Some((first, second)) => self.0[first] |= 1 << second,
            None => {}
        }
    }

    fn has(&self, word: &str) -> bool {
        start(word).is_none_or(|(first, second)| self.0[first] & 1 << second != 0)
    }
}

/// Stands for a missing second letter.
const ALONE: usize = 26;

/// The numbers of the first two letters, where they are from a to z.
fn start(word: &str) -> Option<(usize, usize)> {
    let letter = |byte: u8| byte.is_ascii_lowercase().then(|| usize::from(byte - b'a'));
    let (first, rest) = word.as_bytes().split_first()?;
    let second = match rest.first() {
        None => ALONE,
        Some(b'y') => letter(b'i')?,
        Some(second) => letter(*second)?,
    };
    Some((letter(*first)?, second))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::{for_each, terms};

    fn found(wanted: &TermMatcher, text: &str) -> Vec<usize> {
        let mut found = Vec::new();
        wanted.for_each(text, |number| found.push(number));
        found
    }

    #[test]
    fn a_word_whose_stem_is_spelled_otherwise_is_found() {
        let wanted = TermMatcher::new(["die", "lie", "run", "postgr", "kuh", "slow-endpoint", "a"]);
        let text = "Dying, lying and RUNNING: Postgres, Kühe, slow-endpoint, aed";
        assert_eq!(found(&wanted, text), [0, 1, 2, 3, 5, 6]);
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_a_whole_analysis_finds(
            text in "([a-zA-Zéß]{1,9}[ .'_-]?|[a-z]{3,7}(ying|ies|ed|ly) |日本|[0-9]{1,3} ?){0,20}",
            picks in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        ) {
            let all = terms(&text);
            prop_assume!(!all.is_empty());
            let asked: Vec<&str> = picks.iter().map(|pick| pick.get(&all).as_str()).collect();
            let wanted = TermMatcher::new(asked.iter().copied());
            let mut expected = Vec::new();
            for_each(&text, |term| expected.extend(asked.iter().position(|asked| *asked == term)));
            prop_assert_eq!(found(&wanted, &text), expected);
        }
    }
}
