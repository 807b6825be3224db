//! Facts in the index, read from one snapshot, with what the journal knows of their use.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use mindfile_index::{Doc, Entity, EntityQuery, FactQuery, Filter, Lexical, QueryTerm, Shelf, Snapshot};

use mindfile_note::date::day_number;

use super::facts::{EachFact, Facts, ShelvedFact};
use super::shelves::Shelves;
use crate::error::Error;
use crate::fact::{Uses, load};

/// Whose vectors the index has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    /// The embedded table's, with which the weights were chosen.
    Own,
    /// A provider's: what unrelated texts reach differs from model to model.
    Foreign,
}

/// What the last of the best by meaning reaches with the embedded table.
const USUAL: f32 = 0.22;
/// Among fewer than these, the last of the best may well be related.
const FEW: usize = 15;

pub struct Indexed<'a> {
    pub snapshot: &'a dyn Snapshot,
    pub uses: &'a Uses,
    pub space: Space,
    /// Whether what nobody trusts takes part.
    pub untrusted: bool,
    /// What earlier questions loaded.
    pub shelves: RefCell<&'a mut Shelves>,
}

impl Indexed<'_> {
    fn filter(&self) -> Filter {
        Filter { trusted: !self.untrusted, ..Filter::default() }
    }
}

impl Facts for Indexed<'_> {
    fn total(&self) -> Result<usize, Error> {
        Ok(usize::try_from(self.snapshot.size(Shelf::Facts)?).unwrap_or(usize::MAX))
    }

    fn are_english(&self) -> bool {
        self.space == Space::Own
    }

    fn by_words(&self, terms: &[QueryTerm], limit: usize) -> Result<Lexical, Error> {
        Ok(self.snapshot.lexical(Shelf::Facts, terms, &self.filter(), limit)?)
    }

    fn terms_beginning(&self, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        Ok(self.snapshot.terms_beginning(Shelf::Facts, ways)?)
    }

    fn by_meaning(&self, query: &[f32], limit: usize, also: &[Doc]) -> Result<Vec<(Doc, f32)>, Error> {
        let found = self.snapshot.nearest(Shelf::Facts, query, &self.filter(), limit, also)?;
        match self.space {
            Space::Own => Ok(found),
            Space::Foreign => Ok(calibrated(found, limit)),
        }
    }

    fn load(&self, docs: &[Doc]) -> Result<Vec<Arc<ShelvedFact>>, Error> {
        let mut shelves = self.shelves.borrow_mut();
        let unseen: Vec<Doc> = docs.iter().copied().filter(|doc| !shelves.has(*doc)).collect();
        let mut changed = self.snapshot.facts(&unseen)?;
        changed.retain(|stored| !shelves.keep(stored));
        let records = load::of_stored(self.snapshot, &changed, self.uses)?;
        for (stored, record) in changed.into_iter().zip(records) {
            shelves.put(stored, record);
        }
        docs.iter().map(|doc| shelves.get(*doc, self.uses)).collect()
    }

    fn entities(&self, names: &[String]) -> Result<Vec<Option<Entity>>, Error> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = self.snapshot.entities(EntityQuery::Named(&names), &Filter::default())?;
        Ok(found.into_iter().map(Entity::known).collect())
    }

    fn of(&self, entities: &[String], limit: usize) -> Result<Vec<Vec<Doc>>, Error> {
        let entities: Vec<&str> = entities.iter().map(String::as_str).collect();
        Ok(self.snapshot.find_facts(FactQuery::Naming(&entities), &self.filter(), limit)?)
    }

    fn values_of(&self, key: &str) -> Result<Vec<Doc>, Error> {
        Ok(self.snapshot.find_facts(FactQuery::Keys(&[key]), &self.filter(), usize::MAX)?.concat())
    }

    fn since(&self, day: Date) -> Result<Vec<(Doc, f32)>, Error> {
        let filter = Filter { since: Some(day_number(day)), ..self.filter() };
        let docs = self.snapshot.find_facts(FactQuery::All, &filter, usize::MAX)?.concat();
        let facts = self.snapshot.facts(&docs)?;
        Ok(facts.iter().map(|fact| (fact.chunk.doc, fact.fields.salience)).collect())
    }

    fn each_of(&self, entities: &[String], limit: usize, each: &mut EachFact<'_>) -> Result<(), Error> {
        let lists = self.of(entities, limit)?;
        let mut facts = self.snapshot.facts(&lists.concat())?.into_iter();
        for (at, list) in lists.iter().enumerate() {
            for fact in facts.by_ref().take(list.len()) {
                each(at, fact.chunk.doc, fact.fields.salience, &fact.names);
            }
        }
        Ok(())
    }
}

/// Cosines of another model on the scale of the embedded one: what the last of the best reaches is what unrelated texts
/// reach.
fn calibrated(found: Vec<(Doc, f32)>, limit: usize) -> Vec<(Doc, f32)> {
    let most = if found.len() < FEW { USUAL } else { 0.99 };
    let low = found.iter().take(limit).map(|(_, cosine)| *cosine).fold(most, f32::min);
    let scaled = |cosine: f32| USUAL + (1.0 - USUAL) * (cosine - low) / (1.0 - low);
    found.into_iter().map(|(doc, cosine)| (doc, scaled(cosine))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_with_high_cosines_is_brought_to_the_usual_scale() {
        let found: Vec<(Doc, f32)> =
            (0..20).map(|n| (Doc::new(Shelf::Facts, n), 0.9 - 0.02 * n as f32)).collect();
        let scaled = calibrated(found, 16);
        assert!((scaled[15].1 - USUAL).abs() < 1e-6 && scaled[0].1 > 0.75 && scaled[19].1 < USUAL);
        assert!((calibrated(vec![(Doc::new(Shelf::Facts, 1), 0.8)], 1)[0].1 - 0.8).abs() < 1e-6);
    }
}
