//! What recall reads: facts by words, by meaning and by entity, and the facts themselves.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use jiff::civil::Date;
use mindfile_index::{Doc, Entity, Lexical, QueryTerm};
use mindfile_model::{EmbeddedTable, TokenId};
use mindfile_note::words;

use crate::error::Error;
use crate::fact::FactRecord;

/// Where facts are found: an index, or a slice of them in memory.
pub trait Facts {
    /// How many there are.
    fn total(&self) -> Result<usize, Error>;
    /// Whether their vectors know English alone.
    fn are_english(&self) -> bool;
    /// The best by words.
    fn by_words(&self, terms: &[QueryTerm], limit: usize) -> Result<Lexical, Error>;
    /// The terms that begin in one of these ways.
    fn terms_beginning(&self, ways: &[String]) -> Result<BTreeSet<String>, Error>;
    /// The best by meaning with their cosine, best first; then those of `also` that are not among them.
    fn by_meaning(&self, query: &[f32], limit: usize, also: &[Doc]) -> Result<Vec<(Doc, f32)>, Error>;
    /// The facts themselves, in the order asked for.
    fn load(&self, docs: &[Doc]) -> Result<Vec<Arc<ShelvedFact>>, Error>;
    /// Entities by any of their names, under the one in force, in the order asked for.
    fn entities(&self, names: &[String]) -> Result<Vec<Option<Entity>>, Error>;
    /// The facts that name each of these entities, the last first, at most `limit` of each.
    fn of(&self, entities: &[String], limit: usize) -> Result<Vec<Vec<Doc>>, Error>;
    /// The values of a key, current or not.
    fn values_of(&self, key: &str) -> Result<Vec<Doc>, Error>;
    /// The facts of the notes of a day and after, each with its salience. A fact is never seen after the day of its note.
    fn since(&self, day: Date) -> Result<Vec<(Doc, f32)>, Error>;
    /// Calls `each` with the facts that name each of these entities, the last first, at most `limit` of each.
    fn each_of(&self, entities: &[String], limit: usize, each: &mut EachFact<'_>) -> Result<(), Error>;
}

/// Is told which of the entities it is, and of the fact its number, its salience and all of its entities.
pub type EachFact<'a> = dyn FnMut(usize, Doc, f32, &[String]) + 'a;

/// A fact with what is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct ShelvedFact {
    pub doc: Doc,
    pub fact: FactRecord,
    /// Of [`spoken`], in the embedded table's vocabulary.
    pub tokens: Vec<TokenId>,
    /// Of [`spoken`], as search knows words.
    pub terms: HashSet<String>,
}

impl ShelvedFact {
    pub fn new(doc: Doc, fact: FactRecord) -> Self {
        let said = spoken(&fact);
        let key = fact.key.iter().flat_map(|key| words::terms(key));
        let terms = words::terms(&said).into_iter().chain(key).collect();
        Self { doc, tokens: EmbeddedTable::open().tokens(&said), terms, fact }
    }
}

/// What is compared of a fact: its tags and its key as words, then its text. A name that the text has is not repeated.
pub(super) fn spoken(fact: &FactRecord) -> String {
    let lower = fact.text.to_lowercase();
    let tags = fact.spelled.iter().map(|tag| (tag, tag.replace(['-', '_', '/', '.'], " ")));
    let key = fact.key.iter().map(|key| (key, words::apart(key)));
    let mut said = String::new();
    for (name, words) in tags.chain(key) {
        if !lower.contains(&name.to_lowercase()) && !lower.contains(&words.to_lowercase()) {
            said.push_str(&words);
            said.push(' ');
        }
    }
    said.push_str(&fact.text);
    said
}
