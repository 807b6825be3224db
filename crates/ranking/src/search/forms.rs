//! The query's words in other forms. Most languages bend their words in more ways than their stemmer knows, if they have
//! one here at all: what a chunk says of a thing counts also where it is not spelled as in the question.

use std::collections::BTreeSet;

use mindfile_index::{Form, QueryTerm};
use mindfile_note::words;

use crate::error::Error;

/// The most forms of one word that are looked for: the likest.
const MOST: usize = 32;

/// The terms with the forms of them that there are; None where there are none. `beginning` gives the terms that begin in
/// one of some ways.
pub(crate) fn sought(
    terms: &[String],
    beginning: impl Fn(&[String]) -> Result<BTreeSet<String>, Error>,
) -> Result<Option<Vec<QueryTerm>>, Error> {
    let ways: Vec<Vec<String>> = terms.iter().map(|term| words::beginnings(term)).collect();
    let all: BTreeSet<String> = ways.iter().flatten().cloned().collect();
    if all.is_empty() {
        return Ok(None);
    }
    let known = beginning(&all.into_iter().collect::<Vec<_>>())?;
    let sought = terms.iter().zip(&ways).map(|(term, ways)| QueryTerm {
        term: term.clone(),
        forms: likest(term, ways.iter().flat_map(|way| begun(&known, way))),
    });
    let sought: Vec<QueryTerm> = sought.collect();
    Ok(sought.iter().any(|sought| !sought.forms.is_empty()).then_some(sought))
}

fn begun<'a>(known: &'a BTreeSet<String>, way: &'a String) -> impl Iterator<Item = &'a String> {
    known.range::<String, _>(way..).take_while(move |term| term.starts_with(way.as_str()))
}

fn likest<'a>(wanted: &str, terms: impl Iterator<Item = &'a String>) -> Vec<Form> {
    let form = |term: &String| Form { term: term.clone(), similarity: words::likeness(wanted, term) };
    let once: BTreeSet<&String> = terms.filter(|term| *term != wanted).collect();
    let mut forms: Vec<Form> = once.into_iter().map(form).filter(|form| form.similarity > 0.0).collect();
    // Equals stay in the order of the alphabet.
    forms.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    forms.truncate(MOST);
    forms
}
