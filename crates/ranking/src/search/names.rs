//! The names in a question. Who asks about a person or a thing by a name that stands nowhere gets no answer, whatever
//! else matches.

use std::collections::HashMap;

use mindfile_index::TermStat;
use mindfile_note::words;

/// A shorter word with a digit is a count or a version, which can be said in other words.
const LEAST_ID: usize = 4;

/// Words of German questions that are none of English ones.
const GERMAN: [&str; 24] = [
    "am", "auf", "das", "dem", "der", "des", "ein", "eine", "einem", "einen", "einer", "hatte", "ich", "im",
    "ist", "sich", "und", "von", "warum", "wer", "werden", "wie", "wird", "wurde",
];

/// How the notes spell what the question names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameSpelling {
    Alike,
    /// They may be in another language: only ids are the same everywhere.
    Anyhow,
}

/// The share of the names that no note has; None where the question has no names. `is_formed` says of a name
/// whether they have it in another form.
///
/// If the question has ids, such as `PR-4711`, `a828e60` or `#612`, they are what it is about. Else, where letters have
/// cases, a name is a word with a capital letter that is not the first; elsewhere it is what is written in Latin
/// letters or digits.
pub(super) fn unknown(
    query: &str,
    terms: &[TermStat],
    is_formed: impl Fn(&str) -> bool,
    spelled: NameSpelling,
) -> Option<f32> {
    let terms: Vec<(&str, bool)> = terms.iter().map(|stat| (stat.term.as_str(), stat.is_heard())).collect();
    let asked = TermPresence(terms.iter().copied().collect());
    let words = || query.split_whitespace();
    let ids = words().filter(|word| is_id(word)).filter_map(|word| asked.is_known(word, has_digit));
    let mut known: Vec<bool> = ids.collect();
    if known.is_empty() && spelled == NameSpelling::Alike {
        known = if query.chars().any(is_caseless) {
            foreign(&terms)
        } else if is_german(query) {
            Vec::new()
        } else {
            let names = words().skip(1).filter(|word| is_capital(word));
            let is_known = |word| asked.is_known(word, |_| true).map(|known| known || is_formed(word));
            names.filter_map(is_known).collect()
        };
    }
    let unknown = known.iter().filter(|known| !**known).count();
    (!known.is_empty()).then(|| unknown as f32 / known.len() as f32)
}

/// Whether a text has a form of a name.
pub(super) fn has_form(text: &str, name: &str) -> bool {
    let name = bare(name);
    text.split_whitespace().filter(|word| is_capital(word)).any(|word| words::is_same_name(bare(word), name))
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The terms of the question, and whether a note has them.
struct TermPresence<'a>(HashMap<&'a str, bool>);

impl TermPresence<'_> {
    /// Whether a note has one of the terms of a word that tell; None where none of them is asked for.
    fn is_known(&self, word: &str, tells: impl Fn(&str) -> bool) -> Option<bool> {
        let terms = words::terms(word);
        let known: Vec<bool> = terms
            .iter()
            .filter(|term| tells(term))
            .filter_map(|term| self.0.get(term.as_str()).copied())
            .collect();
        (!known.is_empty()).then(|| known.contains(&true))
    }
}

/// A letter or a number sign with a digit after it: `30min` and `12th` are none.
fn is_id(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c != '#' && !c.is_alphanumeric());
    let Some(first) = word.find(|c: char| c == '#' || c.is_alphabetic()) else { return false };
    let long = word.starts_with('#') || word.chars().filter(|c| c.is_alphanumeric()).count() >= LEAST_ID;
    long && has_digit(&word[first..])
}

fn has_digit(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
}

pub(super) fn is_capital(word: &str) -> bool {
    word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase)
}

fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

/// Of each term in Latin letters or digits, whether a note has it.
fn foreign(terms: &[(&str, bool)]) -> Vec<bool> {
    let is_name = |(term, _): &&(&str, bool)| term.is_ascii() && term.len() > 1;
    terms.iter().filter(is_name).map(|(_, known)| *known).collect()
}

/// German writes every noun with a capital letter.
pub(crate) fn is_german(query: &str) -> bool {
    query.split_whitespace().any(|word| GERMAN.contains(&word.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is unknown of a question, where the notes have these terms.
    fn check(query: &str, notes: &str) -> Option<f32> {
        let known = words::terms(notes);
        let terms = words::query(query).terms;
        let stat =
            |term: String| TermStat { chunks: u32::from(known.contains(&term)), formed: 0, idf: 1.0, term };
        let terms: Vec<_> = terms.into_iter().map(stat).collect();
        unknown(query, &terms, |name| has_form(notes, name), NameSpelling::Alike)
    }

    #[test]
    fn names_are_words_with_capitals() {
        assert_eq!(check("What did Sarah tell Bob?", "Bob called"), Some(0.5));
        assert_eq!(check("What did Sarah say?", "Bob called"), Some(1.0));
        assert_eq!(check("Sarah", "Bob called"), None, "any word can be the first");
        assert_eq!(check("когда Аня едет в Казань", "Поезд в Казань уходит в семь"), Some(0.5));
        assert_eq!(check("what happened at 7 on the 12th", "nothing"), None);
        assert_eq!(check("Wer hat die Lauge bestellt?", "nothing"), None, "German nouns are no names");
    }

    #[test]
    fn a_name_can_be_in_another_form() {
        assert_eq!(check("w czyich sandałach zeszła z Etny?", "wyprawa na „Etnę”"), Some(0.0));
        assert_eq!(check("w czyich sandałach zeszła z Etny?", "etniczne potrawy"), Some(1.0), "no name");
    }

    #[test]
    fn an_id_is_what_a_question_is_about() {
        assert_eq!(check("What did Mara say about PR-9999?", "Mara merged PR-4711"), Some(1.0));
        assert_eq!(check("What did Mara say about PR-4711?", "Mara merged PR 4711"), Some(0.0));
        assert_eq!(check("What did commit 5d0c9b1 fix?", "commit a828e60"), Some(1.0));
        assert_eq!(check("issue #612", "issue 611"), Some(1.0));
        assert_eq!(check("30min of v2", "nothing"), None);
    }

    #[test]
    fn where_letters_have_no_cases_latin_ones_are_names() {
        assert_eq!(check("谁支持LOR的想法", "支持 LOR"), Some(0.0));
        assert_eq!(check("谁支持LOR的想法", "支持"), Some(1.0));
        assert_eq!(check("谁支持这个想法", "支持"), None);
    }
}
