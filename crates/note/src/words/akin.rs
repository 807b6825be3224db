//! Words that begin alike: in most languages, forms of one word. No stemmer here knows Turkish, and none knows every form.

use super::fold;
use super::script::{self, Script};
use super::{Purpose, Terms, Unit, unit, with_analyzer};

/// Shorter words begin alike by chance.
const LEAST: usize = 4;
/// Names bend by a letter or two: `Etna`, `Etny`.
const LEAST_NAME: usize = 3;
const ENDING: usize = 2;
/// Hebrew writes no vowels.
const LEAST_HEBREW: usize = 3;
/// The same Hebrew word with something else on its front.
const OTHER_FRONT: f32 = 0.9;

/// Terms that are looked for in any form.
#[derive(Debug)]
pub struct Akin {
    terms: Vec<String>,
}

impl Akin {
    pub fn new<'a>(terms: impl IntoIterator<Item = &'a str>) -> Self {
        Self { terms: terms.into_iter().map(str::to_owned).collect() }
    }

    /// How much of each of the terms a text has: 1 is the term itself, less is another form.
    pub fn within(&self, text: &str) -> Vec<f32> {
        let mut had = vec![0.0; self.terms.len()];
        with_analyzer(|analyzer| {
            analyzer.analyze(text, Purpose::Index, Finder { akin: self, had: &mut had });
        });
        had
    }
}

struct Finder<'a> {
    akin: &'a Akin,
    had: &'a mut [f32],
}

impl Terms for Finder<'_> {
    fn take(&mut self, term: &str) {
        for (wanted, had) in self.akin.terms.iter().zip(&mut *self.had) {
            *had = had.max(likeness(wanted, term));
        }
    }

    fn may_want(&self, word: &str) -> bool {
        self.akin.terms.iter().any(|term| may_stem_to(word, term))
    }
}

/// Most stems begin as their word does, but for the English `y` that becomes an `i`.
fn may_stem_to(word: &str, term: &str) -> bool {
    let start = |text: &str| {
        let mut letters = text.chars().map(|c| if c == 'y' { 'i' } else { c });
        (letters.next(), letters.next())
    };
    let has_prefixes = |script| matches!(script, Script::Arabic | Script::Hebrew | Script::Tamil);
    start(word) == start(term) || word.chars().next().is_some_and(|c| has_prefixes(script::of(c)))
}

fn likeness(wanted: &str, term: &str) -> f32 {
    if wanted == term {
        1.0
    } else if is_hebrew(wanted) && is_hebrew(term) {
        let bare = bared(wanted).flat_map(|wanted| bared(term).map(move |term| (wanted, term)));
        let likest = bare.map(|(wanted, term)| beginning(wanted, term, LEAST_HEBREW)).fold(0.0, f32::max);
        likest.min(OTHER_FRONT)
    } else {
        beginning(wanted, term, LEAST)
    }
}

/// Whether two names can be forms of one.
pub fn is_same_name(one: &str, other: &str) -> bool {
    let (mut folded, mut other_folded) = (String::new(), String::new());
    fold::word(one, &mut folded);
    fold::word(other, &mut other_folded);
    let alike = alike(&folded, &other_folded);
    let is_ending = |name: &str| name.chars().count() <= alike + ENDING;
    alike >= LEAST_NAME && is_ending(&folded) && is_ending(&other_folded)
}

/// How many letters two words begin with alike.
fn alike(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count()
}

/// The part of the longer word that both begin with; nothing, if it is less than half.
fn beginning(one: &str, other: &str, least: usize) -> f32 {
    let alike = alike(one, other);
    // Most words differ from the first letter on.
    if alike < least || !bends(one) || !bends(other) {
        return 0.0;
    }
    let longer = one.chars().count().max(other.chars().count());
    if 2 * alike >= longer { alike as f32 / longer as f32 } else { 0.0 }
}

fn is_hebrew(term: &str) -> bool {
    script::of_word(term) == Script::Hebrew
}

/// A Hebrew word, and what is left of it without the words that grow on its front: and, the, in, to, from, as, that.
fn bared(word: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(word), |word| {
        let rest = word.strip_prefix(['ו', 'ה', 'ב', 'ל', 'מ', 'כ', 'ש'])?;
        (rest.chars().count() >= LEAST_HEBREW).then_some(rest)
    })
    .take(3)
}

/// Whether a term has other forms. Words have; numbers and ids have none: `2026-07-12` is not `2026-07-13`.
pub fn bends(term: &str) -> bool {
    unit(term) == Unit::Word && !term.contains(|c: char| c.is_numeric() || c.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, text: &str, expected: &[f32]) {
        let terms = crate::words::query(query).terms;
        let had = Akin::new(terms.iter().map(String::as_str)).within(text);
        let rounded: Vec<f32> = had.into_iter().map(|share| (share * 100.0).round() / 100.0).collect();
        assert_eq!(rounded, expected, "{terms:?}");
    }

    #[test]
    fn a_text_has_words_in_other_forms() {
        check("kovanların kışı", "Kovanlar bahçede, kışın soğuk", &[0.8, 0.8]);
        check("убийство Шидэбалы", "Шидэбала убит, убийство", &[1.0, 0.86]);
        check("Schachmeister Meister", "Im Schach gewann er", &[0.55, 0.0]);
        check("המאפייה לחם", "במאפיות שלנו, הלחם", &[0.67, 0.9]);
    }

    #[test]
    fn a_name_has_forms() {
        let same = [("Etny", "Etnę"), ("Gutek", "GUTKA"), ("Hans", "Hans")];
        let other = [("Etny", "Edyta"), ("Jan", "Janowska"), ("Al", "Al")];
        assert!(same.iter().all(|(one, other)| is_same_name(one, other)));
        assert!(!other.iter().any(|(one, other)| is_same_name(one, other)));
    }

    #[test]
    fn short_words_numbers_and_ids_have_no_forms() {
        check("sea 20261 a828e60", "seal 20262 a828e61", &[0.0, 0.0, 0.0]);
        check("会议室", "会议", &[1.0, 0.0]);
    }
}
