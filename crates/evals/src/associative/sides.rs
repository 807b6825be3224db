//! The sides of the comparison: this memory and its competitors.

use std::collections::{BTreeMap, HashMap};

use mindfile::fact::graph::{Entity, Graph, idf_weight};
use mindfile::recall::{self, Facts, Request, additive};
use mindfile_index::QueryTerm;
use mindfile_model::{EmbeddedTable, Vector};
use mindfile_note::words;

use super::IndexedWorld;
use crate::error::Error;

/// How many facts the others return.
const TEN: usize = 10;
const THREE: usize = 3;
/// How far the guide's traversal goes, and what each step leaves.
const WRITTEN_DEPTH: u32 = 2;
const WRITTEN_DECAY: f64 = 0.5;
const WRITTEN_NEIGHBOURS: usize = 10;

mindfile_note::word_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Side {
        /// Recall with default settings.
        Recall = "recall",
        /// The same without connections.
        Direct = "recall, depth 0",
        /// BM25, the first ten or three.
        KeywordTen = "keyword, first 10",
        KeywordThree = "keyword, first 3",
        /// Cosine, the first ten or three.
        VectorTen = "vector, first 10",
        VectorThree = "vector, first 3",
        /// The guide's traversal and additive score, the first ten.
        Written = "guide as written",
    }
}

impl Side {
    /// The facts that it returns, by position.
    pub(super) fn answer(self, indexed: &IndexedWorld, text: &str) -> Result<Vec<usize>, Error> {
        match self {
            Self::Recall => recalled(indexed, text, None),
            Self::Direct => recalled(indexed, text, Some(0)),
            Self::KeywordTen => Ok(keyword(indexed, text)?.into_iter().map(|(at, _)| at).take(TEN).collect()),
            Self::KeywordThree => {
                Ok(keyword(indexed, text)?.into_iter().map(|(at, _)| at).take(THREE).collect())
            }
            Self::VectorTen => vector(indexed, text, TEN),
            Self::VectorThree => vector(indexed, text, THREE),
            Self::Written => written(indexed, text),
        }
    }
}

fn recalled(indexed: &IndexedWorld, text: &str, depth: Option<u32>) -> Result<Vec<usize>, Error> {
    let request = Request { depth, ..Request::new(text) };
    let plan = recall::plan(&request, indexed.now, indexed.world.today)?;
    let query = embed(text);
    let answer = recall::answer(&indexed.slice, &plan, query.as_ref().map(Vector::as_slice))?;
    let place = |id: &str| indexed.world.facts.iter().position(|fact| fact.id == id);
    Ok(answer.recalled.iter().filter_map(|recalled| place(&recalled.fact.id)).collect())
}

fn embed(text: &str) -> Option<Vector> {
    let table = EmbeddedTable::open();
    table.embed_tokens(&table.tokens(text))
}

/// Facts with their BM25 score, best first.
fn keyword(indexed: &IndexedWorld, text: &str) -> Result<Vec<(usize, f32)>, Error> {
    let found =
        indexed.slice.by_words(&QueryTerm::as_asked(&words::query(text).terms), indexed.world.facts.len())?;
    Ok(found.hits.iter().map(|hit| (hit.doc.row as usize, hit.score)).collect())
}

fn vector(indexed: &IndexedWorld, text: &str, count: usize) -> Result<Vec<usize>, Error> {
    let Some(query) = embed(text) else { return Ok(Vec::new()) };
    let found = indexed.slice.by_meaning(query.as_slice(), count, &[])?;
    Ok(found.iter().map(|(doc, _)| doc.row as usize).collect())
}

/// The guide's pipeline: the question's entities, traversal over co-occurrence with activation that is not bounded, every
/// fact scored by 0.4 match + 0.35 salience + 0.25 use, the first ten. Its pairs are found from both ends and weighted as
/// its text says, where its SQL would give nothing; the match is the larger of the share of the best BM25 score and
/// the activation of a fact's entities, cut at 1.
fn written(indexed: &IndexedWorld, text: &str) -> Result<Vec<usize>, Error> {
    let words = keyword(indexed, text)?;
    let best = words.first().map_or(1.0, |(_, score)| *score);
    let by_words: HashMap<usize, f32> = words.into_iter().map(|(at, score)| (at, score / best)).collect();
    let activation = activate(&indexed.graph, text);
    let mut scored: Vec<(usize, f64)> = Vec::new();
    for (at, fact) in indexed.world.facts.iter().enumerate() {
        let entities = fact.entities.iter().filter_map(|name| activation.get(name));
        let active = entities.fold(0.0_f64, |most, value| most.max(*value)).min(1.0);
        let matched = f64::from(by_words.get(&at).copied().unwrap_or(0.0)).max(active);
        scored.push((at, additive(matched, fact, indexed.now)));
    }
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(scored.into_iter().take(TEN).map(|(at, _)| at).collect())
}

fn activate(graph: &Graph, text: &str) -> BTreeMap<String, f64> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let mut current: Vec<Entity> = words.filter_map(|word| graph.find(&word.to_lowercase())).collect();
    let mut activation: BTreeMap<String, f64> =
        current.iter().map(|entity| (graph.name(*entity).to_owned(), 1.0)).collect();
    let mut passes = 1.0;
    for _ in 0..WRITTEN_DEPTH {
        passes *= WRITTEN_DECAY;
        let mut next = Vec::new();
        for entity in current {
            for neighbour in graph.neighbours(entity).iter().take(WRITTEN_NEIGHBOURS) {
                let name = graph.name(neighbour.entity);
                if !activation.contains_key(name) {
                    let weight = idf_weight(graph.fact_count(neighbour.entity));
                    activation.insert(name.to_owned(), passes * neighbour.cooccur_weight * weight);
                    next.push(neighbour.entity);
                }
            }
        }
        current = next;
    }
    activation
}
