//! The names in a question. Who asks about a person or a thing by a name that stands nowhere gets no answer, whatever
//! else matches.

use std::collections::HashMap;

use mindfile_index::TermStat;
use mindfile_note::words;

/// The share of the names that no note has; None where the question has no names.
///
/// Where letters have cases, a name is a word with a capital letter that is not the first; elsewhere it is what is
/// written in Latin letters or digits.
pub(super) fn unknown(query: &str, terms: &[TermStat]) -> Option<f32> {
    let known = if query.chars().any(is_caseless) { foreign(terms) } else { capitals(query, terms) };
    let unknown = known.iter().filter(|known| !**known).count();
    (!known.is_empty()).then(|| unknown as f32 / known.len() as f32)
}

fn is_caseless(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

/// For each name, whether a note has it.
fn foreign(terms: &[TermStat]) -> Vec<bool> {
    let is_name = |stat: &&TermStat| stat.term.is_ascii() && stat.term.len() > 1;
    terms.iter().filter(is_name).map(|stat| stat.chunks > 0).collect()
}

/// The same for words that begin with a capital letter.
fn capitals(query: &str, terms: &[TermStat]) -> Vec<bool> {
    let known: HashMap<&str, bool> = terms.iter().map(|stat| (stat.term.as_str(), stat.chunks > 0)).collect();
    let is_name = |word: &&str| word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase);
    let is_known = |word: &str| {
        let pieces = words::terms(word);
        let asked: Vec<bool> = pieces.iter().filter_map(|term| known.get(term.as_str()).copied()).collect();
        (!asked.is_empty()).then(|| asked.contains(&true))
    };
    query.split_whitespace().skip(1).filter(is_name).filter_map(is_known).collect()
}
