//! Words that begin alike: in most languages, forms of one word. No stemmer here knows Turkish, and none knows every form.

use super::fold;
use super::script::{self, Script};
use super::{Unit, unit};

/// Shorter words share a prefix by chance.
const LEAST: usize = 4;
/// Names bend by a letter or two: `Etna`, `Etny`.
const LEAST_NAME: usize = 3;
const ENDING: usize = 2;
/// Hebrew writes no vowels.
const LEAST_HEBREW: usize = 3;
/// The same Hebrew word with another prefix.
const OTHER_FRONT: f32 = 0.9;

/// The prefixes of Hebrew words: and, the, in, to, from, as, that.
const FRONTS: [char; 7] = ['ו', 'ה', 'ב', 'ל', 'מ', 'כ', 'ש'];
/// Those that come before others.
const FIRST_FRONTS: [char; 2] = ['ו', 'ש'];

/// The prefixes of the terms that can be other forms of a term; empty if it has none.
pub fn beginnings(term: &str) -> Vec<String> {
    if !bends(term) {
        return Vec::new();
    }
    if !is_hebrew(term) {
        return first_half(term, LEAST).map(str::to_owned).into_iter().collect();
    }
    let singles = FRONTS.map(String::from);
    let pairs = FIRST_FRONTS.iter().flat_map(|first| FRONTS.map(|front| format!("{first}{front}")));
    let fronts: Vec<String> = [String::new()].into_iter().chain(singles).chain(pairs).collect();
    let halves = bared(term).filter_map(|bare| first_half(bare, LEAST_HEBREW));
    halves.flat_map(|half| fronts.iter().map(move |front| format!("{front}{half}"))).collect()
}

/// The shortest prefix that a word must share with another form.
fn first_half(word: &str, least: usize) -> Option<&str> {
    let letters = word.chars().count();
    let end = word.char_indices().nth(least.max(letters.div_ceil(2))).map_or(word.len(), |(at, _)| at);
    (letters >= least).then_some(&word[..end])
}

/// How similar two terms are: 1 is the same term, less is another form, 0 is another word.
pub fn likeness(wanted: &str, term: &str) -> f32 {
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
    let mut folded = String::new();
    let mut other_folded = String::new();
    fold::word(one, &mut folded);
    fold::word(other, &mut other_folded);
    let alike = alike(&folded, &other_folded);
    let is_ending = |name: &str| name.chars().count() <= alike + ENDING;
    alike >= LEAST_NAME && is_ending(&folded) && is_ending(&other_folded)
}

/// The length of the common prefix, in letters.
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

/// A Hebrew word, with and without its prefixes.
fn bared(word: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(word), |word| {
        let rest = word.strip_prefix(FRONTS)?;
        (rest.chars().count() >= LEAST_HEBREW).then_some(rest)
    })
    .take(3)
}

/// Whether a term has other forms. Words have; numbers and ids have none: `2026-07-12` is not `2026-07-13`.
fn bends(term: &str) -> bool {
    unit(term) == Unit::Word && !term.contains(|c: char| c.is_numeric() || c.is_ascii_punctuation())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: &str, text: &str, expected: &[f32]) {
        let wanted = crate::words::query(query).terms;
        let terms = crate::words::terms(text);
        let likest = |wanted: &String| terms.iter().map(|term| likeness(wanted, term)).fold(0.0, f32::max);
        let had: Vec<f32> = wanted.iter().map(|term| (likest(term) * 100.0).round() / 100.0).collect();
        assert_eq!(had, expected, "{wanted:?}");
        for (wanted, term) in wanted.iter().flat_map(|wanted| terms.iter().map(move |term| (wanted, term))) {
            let begins = beginnings(wanted).iter().any(|beginning| term.starts_with(beginning));
            assert!(begins || wanted == term || likeness(wanted, term) == 0.0, "{wanted}, {term}");
        }
    }

    #[test]
    fn a_text_has_words_in_other_forms() {
        check("kovanların kışı", "Kovanlar bahçede, kışın soğuk", &[0.8, 0.8]);
        check("убийство Шидэбалы", "Шидэбала убит, убийство", &[1.0, 0.86]);
        check("Schachmeister Meister", "Im Schach gewann er", &[0.55, 0.0]);
        check("המאפייה לחם", "במאפיות שלנו, הלחם", &[0.67, 0.9]);
        check("ומהספרייה", "שהספריות", &[0.71]);
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
