//! What recall reads: facts by words, by meaning and by entity, and the facts themselves.

use std::collections::HashSet;
use std::sync::Arc;

use mindfile_index::{Doc, Entity, Lexical};
use mindfile_model::{Embedded, TokenId};
use mindfile_note::words;

use crate::error::Error;
use crate::fact::FactRecord;

/// Where facts are found: an index, or a slice of them in memory.
pub trait Facts {
    /// How many there are.
    fn total(&self) -> Result<usize, Error>;
    /// The best by words.
    fn by_words(&self, terms: &[String], limit: usize) -> Result<Lexical, Error>;
    /// The best by meaning with their cosine, best first; then those of `also` that are not among them.
    fn by_meaning(&self, query: &[f32], limit: usize, also: &[Doc]) -> Result<Vec<(Doc, f32)>, Error>;
    /// The facts themselves, in the order asked for.
    fn load(&self, docs: &[Doc]) -> Result<Vec<Arc<Shelved>>, Error>;
    /// An entity by any of its names, under the one in force.
    fn entity(&self, name: &str) -> Result<Option<Entity>, Error>;
    /// The facts that name an entity, the last first, at most `limit`.
    fn of(&self, entity: &str, limit: usize) -> Result<Vec<Doc>, Error>;
    /// Calls `each` with the facts that name an entity, the last first, at most `limit`: number, salience and all entities.
    fn each_of(
        &self,
        entity: &str,
        limit: usize,
        each: &mut dyn FnMut(Doc, f32, &[String]),
    ) -> Result<(), Error>;
}

/// A fact with what is compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Shelved {
    pub doc: Doc,
    pub fact: FactRecord,
    /// Of [`spoken`], in the embedded table's vocabulary.
    pub tokens: Vec<TokenId>,
    /// Of [`spoken`], as search knows words.
    pub terms: HashSet<String>,
}

impl Shelved {
    pub fn new(doc: Doc, fact: FactRecord) -> Self {
        let said = spoken(&fact.spelled, &fact.text);
        let terms = words::terms(&said).into_iter().collect();
        Self { doc, tokens: Embedded::open().tokens(&said), terms, fact }
    }
}

/// What is compared of a fact: its tags as words, then its text. A name that the text has is not repeated.
pub fn spoken(spelled: &[String], text: &str) -> String {
    let lower = text.to_lowercase();
    let mut said = String::new();
    for tag in spelled {
        let words = tag.replace(['-', '_', '/', '.'], " ");
        if !lower.contains(&tag.to_lowercase()) && !lower.contains(&words.to_lowercase()) {
            said.push_str(&words);
            said.push(' ');
        }
    }
    said.push_str(text);
    said
}
