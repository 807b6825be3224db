//! How much of a query the embedded table understands. It knows English words; of other languages it knows letters.

use mindfile_index::TermStat;
use mindfile_note::words;

/// Words of English questions. In English, a capital letter in mid-sentence means a name.
const ENGLISH: [&str; 16] = [
    "the", "what", "did", "is", "does", "who", "when", "how", "where", "which", "why", "of", "has", "have",
    "are", "were",
];

/// A query of which the table understands less than this is hardly English: what is near it by meaning is near by letters.
pub(super) const MOSTLY: f32 = 0.5;

/// What is known of a query's language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Language {
    /// The share of the query that the table understands: all of an English question, elsewhere what is an English word.
    pub(crate) understood: f32,
    pub(crate) is_english: bool,
    /// Whether its words have forms that no stemmer knows.
    pub(crate) is_bent: bool,
}

impl Language {
    /// `is_known` says whether a term is one word of the table.
    pub(crate) fn of(query: &str, terms: &[TermStat], is_known: impl Fn(&TermStat) -> bool) -> Self {
        let is_english = is_english(query);
        let understood = if is_english { 1.0 } else { share(terms, |stat| stat.idf, is_known) };
        Self { understood, is_english, is_bent: understood < MOSTLY && is_foreign(query) }
    }
}

/// Whether a query is in a language that the table does not know, as far as it shows.
pub(super) fn is_unknown(query: &str) -> bool {
    is_foreign(query) && !is_english(query)
}

/// Whether a query shows that it is not in English, by its letters or by a word that asks for nothing.
fn is_foreign(query: &str) -> bool {
    let is_own = |word: &str| words::is_foreign_stop(&word.to_lowercase());
    query.contains(|c: char| c.is_alphabetic() && !c.is_ascii()) || query.split_whitespace().any(is_own)
}

fn is_english(query: &str) -> bool {
    let has_english = query.split_whitespace().any(|word| ENGLISH.contains(&word.to_lowercase().as_str()));
    has_english && !words::is_other_tongue(query)
}

/// The share of the terms' weight that some of them have.
pub(super) fn share(
    terms: &[TermStat],
    weight: impl Fn(&TermStat) -> f32,
    some: impl Fn(&TermStat) -> bool,
) -> f32 {
    let whole: f32 = terms.iter().map(&weight).sum();
    let part = terms.iter().filter(|stat| some(stat)).map(&weight).fold(0.0, |sum, weight| sum + weight);
    if whole > 0.0 { part / whole } else { 0.0 }
}
