//! What the facts have of a question's words, and whether the embedded table understands these.

use std::collections::HashMap;

use mindfile_index::{Form, LexicalHit, QueryTerm, TermStat};

use super::facts::Facts;
use super::plan::FactPlan;
use crate::error::Error;
use crate::search::{Language, forms, known_words, worded};

/// How many of the best by words are asked for.
const BY_WORDS: usize = 100;

/// The terms of a question.
pub(super) struct Lexicon {
    stats: Vec<TermStat>,
    sought: Vec<QueryTerm>,
    /// Those that are one word of the table.
    understood: HashMap<String, f32>,
    /// Whether the question is in a language that the table does not know: of its words it knows letters alone.
    pub(super) is_foreign: bool,
    /// How many facts there are.
    pub(super) facts: usize,
}

impl Lexicon {
    /// Looks the terms up, those of other languages in other forms, too, and gives the best facts by words.
    pub(super) fn of(plan: &FactPlan, facts: &dyn Facts) -> Result<(Self, Vec<LexicalHit>), Error> {
        let mut sought = QueryTerm::as_asked(&plan.terms);
        let mut lexical = facts.by_words(&sought, BY_WORDS)?;
        let understood = known_words(&plan.text);
        let is_known = |stat: &TermStat| understood.contains_key(&stat.term);
        let is_foreign = Language::of(&plan.text, &lexical.terms, is_known).is_bent;
        if is_foreign && let Some(formed) = forms::sought(&plan.terms, |ways| facts.terms_beginning(ways))? {
            lexical = facts.by_words(&formed, BY_WORDS)?;
            sought = formed;
        }
        lexical.hits.truncate(BY_WORDS);
        let lexicon = Self { stats: lexical.terms, sought, understood, is_foreign, facts: lexical.chunks };
        Ok((lexicon, lexical.hits))
    }

    /// What finding a term is worth: its rarity. None where it is not asked for.
    pub(super) fn weight(&self, term: &str) -> Option<f32> {
        let at = self.at(term)?;
        let known = worded::TermStats { terms: &self.stats, sought: &self.sought, all: self.facts };
        let foreign = || known.weight(at, self.facts);
        Some(if self.is_foreign { foreign() } else { self.stats[at].idf })
    }

    /// Whether any fact has it.
    pub(super) fn is_heard(&self, term: &str) -> bool {
        self.at(term).is_some_and(|at| self.stats[at].is_heard())
    }

    /// Whether the table says what is near it.
    pub(super) fn is_understood(&self, term: &str) -> bool {
        !self.is_foreign || self.understood.contains_key(term)
    }

    pub(super) fn forms(&self, term: &str) -> &[Form] {
        self.at(term).and_then(|at| self.sought.get(at)).map_or(&[], |sought| sought.forms.as_slice())
    }

    fn at(&self, term: &str) -> Option<usize> {
        self.stats.iter().position(|stat| stat.term == term)
    }
}
