//! Facts in memory: for evals, tests, and whoever has no index.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::civil::Date;
use mindfile_index::bm25::{self, Postings};
use mindfile_index::columns::{Column, Columns};
use mindfile_index::{Doc, Entity, Filter, Lexical, Part, QueryTerm, Shelf, Source};
use mindfile_model::{EmbeddedTable, Vector};
use mindfile_note::words;

use super::facts::{EachFact, Facts, ShelvedFact, spoken};
use crate::error::Error;
use crate::fact::FactRecord;
use mindfile_note::date::day_number;

pub struct Slice {
    facts: Vec<Arc<ShelvedFact>>,
    vectors: Vec<Option<Vector>>,
    postings: HashMap<String, Arc<Postings>>,
    columns: Columns,
    entities: HashMap<String, Vec<usize>>,
}

impl Slice {
    /// The document of a fact is its position.
    pub fn new(facts: &[FactRecord]) -> Self {
        let mut slice = Self {
            facts: Vec::with_capacity(facts.len()),
            vectors: Vec::with_capacity(facts.len()),
            postings: HashMap::new(),
            columns: Columns::with_room(Shelf::Facts, Part::Main, facts.len()),
            entities: HashMap::new(),
        };
        let mut postings: HashMap<String, Postings> = HashMap::new();
        for fact in facts {
            slice.push(fact, &mut postings);
        }
        slice.postings = postings.into_iter().map(|(term, list)| (term, Arc::new(list))).collect();
        slice
    }

    fn push(&mut self, fact: &FactRecord, postings: &mut HashMap<String, Postings>) {
        let position = self.facts.len();
        let doc = Doc::new(Shelf::Facts, u32::try_from(position).unwrap_or(u32::MAX));
        let mut counts: HashMap<String, u32> = HashMap::new();
        let key = fact.key.as_deref().unwrap_or_default();
        for said in [key, &spoken(fact)] {
            words::for_each(said, |term| *counts.entry(term.to_owned()).or_default() += 1);
        }
        let day = fact.day.map_or(0, day_number);
        let (source, origin, length) = (Source::Memory, fact.origin, counts.values().sum());
        self.columns.push(doc, Column { source, origin, day, length });
        for (term, count) in counts {
            postings.entry(term).or_default().push(position, count);
        }
        for name in &fact.entities {
            self.entities.entry(name.clone()).or_default().push(position);
        }
        let shelved = ShelvedFact::new(doc, fact.clone());
        self.vectors.push(EmbeddedTable::open().embed_tokens(&shelved.tokens));
        self.facts.push(Arc::new(shelved));
    }

    fn cosine(&self, doc: Doc, query: &[f32]) -> Option<f32> {
        let vector = self.vectors.get(doc.row as usize)?.as_ref()?;
        Some(vector.as_slice().iter().zip(query).map(|(a, b)| a * b).sum())
    }
}

impl Facts for Slice {
    fn total(&self) -> Result<usize, Error> {
        Ok(self.facts.len())
    }

    fn are_english(&self) -> bool {
        true
    }

    fn by_words(&self, terms: &[QueryTerm], limit: usize) -> Result<Lexical, Error> {
        let postings = |term: &String| self.postings.get(term).cloned().unwrap_or_default();
        let postings: Vec<Arc<Postings>> = QueryTerm::spellings(terms).iter().map(postings).collect();
        Ok(bm25::rank(terms, &postings, &self.columns, &Filter::default(), limit))
    }

    fn terms_beginning(&self, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let begins = |term: &&String| ways.iter().any(|way| term.starts_with(way.as_str()));
        Ok(self.postings.keys().filter(begins).cloned().collect())
    }

    fn by_meaning(&self, query: &[f32], limit: usize, also: &[Doc]) -> Result<Vec<(Doc, f32)>, Error> {
        let scored = |doc: Doc| Some((doc, self.cosine(doc, query)?));
        let mut all: Vec<(Doc, f32)> = self.facts.iter().filter_map(|fact| scored(fact.doc)).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(limit);
        let missing = also.iter().filter(|doc| !all.iter().any(|(found, _)| found == *doc));
        let missing: Vec<(Doc, f32)> = missing.filter_map(|doc| scored(*doc)).collect();
        all.extend(missing);
        Ok(all)
    }

    fn load(&self, docs: &[Doc]) -> Result<Vec<Arc<ShelvedFact>>, Error> {
        let at = |doc: &Doc| self.facts.get(doc.row as usize);
        let missing = |doc: &Doc| Error::Bug { what: format!("there is no fact {doc}") };
        docs.iter().map(|doc| at(doc).cloned().ok_or_else(|| missing(doc))).collect()
    }

    fn entities(&self, names: &[String]) -> Result<Vec<Option<Entity>>, Error> {
        let count = |facts: &Vec<usize>| u32::try_from(facts.len()).unwrap_or(u32::MAX);
        let entity =
            |(name, facts): (&String, &Vec<usize>)| Entity { name: name.clone(), facts: count(facts) };
        Ok(names.iter().map(|name| self.entities.get_key_value(name).map(entity)).collect())
    }

    fn of(&self, entities: &[String], limit: usize) -> Result<Vec<Vec<Doc>>, Error> {
        let last = |entity: &String| {
            let positions = self.entities.get(entity).into_iter().flatten().rev().take(limit);
            positions.map(|position| self.facts[*position].doc).collect()
        };
        Ok(entities.iter().map(last).collect())
    }

    fn values_of(&self, key: &str) -> Result<Vec<Doc>, Error> {
        let values = self.facts.iter().filter(|fact| fact.fact.key.as_deref() == Some(key));
        Ok(values.map(|fact| fact.doc).collect())
    }

    fn since(&self, day: Date) -> Result<Vec<(Doc, f32)>, Error> {
        let late =
            self.facts.iter().filter(|fact| fact.fact.day.or(fact.fact.seen).is_some_and(|on| on >= day));
        Ok(late.map(|fact| (fact.doc, fact.fact.salience)).collect())
    }

    fn each_of(&self, entities: &[String], limit: usize, each: &mut EachFact<'_>) -> Result<(), Error> {
        for (at, docs) in self.of(entities, limit)?.iter().enumerate() {
            for shelved in self.load(docs)? {
                each(at, shelved.doc, shelved.fact.salience, &shelved.fact.entities);
            }
        }
        Ok(())
    }
}
