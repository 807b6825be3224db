//! Facts that answer by themselves: found by words, by meaning and by the names of entities, and let through only if they
//! are relevant.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::civil::Date;
use mindfile_index::{Doc, LexicalHit};

use super::asked::Question;
use super::facts::{Facts, ShelvedFact};
use super::foreign;
use super::plan::{FactPlan, Scorer};
use super::score;
use crate::error::Error;
use crate::fact::{Disagreement, FactRecord, disagreements};
use crate::search::{Part, Score, Stage};

/// How many of the best by meaning take part.
const BY_MEANING: usize = 60;
/// How many facts of an entity that the question names take part, whatever they say.
const BY_NAME: usize = 60;
/// How much being about a named entity promises, beside a share of the best by words and a cosine.
const NAMED: f32 = 0.5;
/// How many candidates are compared closely.
const COMPARED: usize = 40;
/// How many of the nearest are told of where nothing is relevant.
const NEAREST: usize = 3;

/// A candidate, compared with the question.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) shelved: Arc<ShelvedFact>,
    /// What it has of the words that name nothing.
    pub(super) rest: f32,
    /// Whether it is a value of the key that the question is.
    pub(super) is_value: bool,
    /// How well it answers; then also how much that matters.
    pub(super) score: Score,
}

impl Candidate {
    /// How well it answers, before salience and use.
    pub(super) fn matched(&self) -> f32 {
        self.score.value().max(0.0)
    }
}

/// What is found before anything is compared.
pub(super) struct Found {
    /// The best by words.
    pub(super) words: Vec<LexicalHit>,
    /// The values of the key that the question is.
    pub(super) values: Vec<Doc>,
}

pub(super) struct Direct {
    /// Best first.
    pub(super) matches: Vec<Candidate>,
    /// The best of all that were compared.
    pub(super) nearest: Vec<Candidate>,
    /// Candidates that were compared and are not relevant.
    pub(super) refused: usize,
}

/// The relevant facts, best first.
pub(super) fn find(
    facts: &dyn Facts,
    plan: &FactPlan,
    query: Option<&[f32]>,
    asked: &mut Question<'_>,
    found: &Found,
) -> Result<Direct, Error> {
    let cosines = gather(facts, asked, plan, query, found)?;
    let docs: Vec<Doc> = cosines.keys().copied().collect();
    let by_words = asked.is_foreign && (facts.are_english() || query.is_none());
    let mut compared = Vec::with_capacity(docs.len());
    for shelved in facts.load(&docs)? {
        if plan.filter.admits(&shelved.fact) {
            let cosine = cosines.get(&shelved.doc).copied().unwrap_or(0.0);
            compared.push(compare(shelved, (!by_words).then_some(cosine), plan, asked));
        }
    }
    let considered = compared.len();
    let overview = asked.is_overview() || (by_words && foreign::is_elsewhere(&compared, asked));
    if by_words && !overview {
        foreign::anchor(&mut compared, asked, &plan.weights);
    }
    for candidate in compared.iter_mut().filter(|candidate| found.values.contains(&candidate.shelved.doc)) {
        candidate.is_value = true;
        let (stage, weight) = (Stage::Key, plan.weights.key);
        candidate.score.parts.push(Part::Term { stage, raw: 1.0, normal: 1.0, weight });
    }
    let nearest = nearest(&compared);
    let matches = relevant(compared, plan, overview);
    Ok(Direct { refused: considered - matches.len(), matches, nearest })
}

fn nearest(compared: &[Candidate]) -> Vec<Candidate> {
    let mut nearest: Vec<&Candidate> = compared.iter().collect();
    nearest.sort_by(|a, b| order(a, b));
    nearest.into_iter().take(NEAREST).cloned().collect()
}

/// The most promising candidates with their cosine; 0 where there is no vector.
fn gather(
    facts: &dyn Facts,
    asked: &Question<'_>,
    plan: &FactPlan,
    query: Option<&[f32]>,
    found: &Found,
) -> Result<BTreeMap<Doc, f32>, Error> {
    let best = found.words.first().map_or(1.0, |hit| hit.score);
    let mut promise: BTreeMap<Doc, f32> = found.words.iter().map(|hit| (hit.doc, hit.score / best)).collect();
    promise.extend(found.values.iter().map(|doc| (*doc, f32::MAX)));
    let named = asked.entities().map(|entity| &entity.name).chain(&plan.filter.entities);
    let named: Vec<String> = named.cloned().collect();
    for doc in facts.of(&named, BY_NAME)?.concat() {
        *promise.entry(doc).or_default() += NAMED;
    }
    let mut cosines: BTreeMap<Doc, f32> = promise.keys().map(|doc| (*doc, 0.0)).collect();
    if let Some(query) = query {
        let also: Vec<Doc> = promise.keys().copied().collect();
        cosines.extend(facts.by_meaning(query, BY_MEANING, &also)?);
    }
    let promises = |doc: Doc, cosine: f32| promise.get(&doc).copied().unwrap_or(0.0) + cosine;
    let mut candidates: Vec<(Doc, f32)> = cosines.into_iter().collect();
    candidates.sort_by(|a, b| promises(b.0, b.1).total_cmp(&promises(a.0, a.1)).then(a.0.cmp(&b.0)));
    candidates.truncate(COMPARED);
    Ok(candidates.into_iter().collect())
}

/// Where the cosine says nothing, the nearness of words counts in its place.
fn compare(
    shelved: Arc<ShelvedFact>,
    cosine: Option<f32>,
    plan: &FactPlan,
    asked: &mut Question<'_>,
) -> Candidate {
    let nearness = asked.nearness(&shelved);
    let missing = if asked.sort_is_in(&shelved) { 0.0 } else { -1.0 };
    let term = |stage, value: f32, weight| Part::Term { stage, raw: value, normal: value, weight };
    let weights = &plan.weights;
    let near = weights.near + if cosine.is_none() { weights.meaning } else { 0.0 };
    let mut parts =
        vec![term(Stage::Interaction, nearness.near, near), term(Stage::Rest, nearness.rest, weights.rest)];
    parts.extend(cosine.map(|cosine| term(Stage::Meaning, cosine.max(0.0), weights.meaning)));
    parts.extend([
        term(Stage::Names, nearness.names, weights.names),
        term(Stage::Sort, missing, weights.sort),
    ]);
    Candidate { shelved, rest: nearness.rest, is_value: false, score: Score { parts } }
}

/// Adds how much it matters.
fn rate(candidate: &mut Candidate, plan: &FactPlan) {
    let (matched, fact) = (candidate.matched(), &candidate.shelved.fact);
    match plan.scorer {
        Scorer::Gated => {
            let matters = [score::salience(fact, plan.weights.salience), score::usage(fact, plan.now)];
            candidate.score.parts.extend(matters);
        }
        Scorer::Additive => candidate.score.parts = score::additive_parts(matched, fact, plan.now),
    }
}

/// What passes the gate and does not fall behind. Question about an entity and nothing else that can be told, all that is
/// known of it passes.
fn relevant(mut compared: Vec<Candidate>, plan: &FactPlan, overview: bool) -> Vec<Candidate> {
    compared.retain(|candidate| candidate.matched() >= plan.weights.gate);
    compared.iter_mut().for_each(|candidate| rate(candidate, plan));
    compared.sort_by(order);
    let best = compared.first().map_or(0.0, |best| best.score.value());
    let least = if overview { 0.0 } else { best * plan.weights.focus };
    let is_near = |candidate: &Candidate| candidate.is_value || candidate.score.value() >= least;
    let company = company(&compared, is_near, plan.filter.on.day());
    compared.retain(|candidate| is_near(candidate) || company.contains(&candidate.shelved.fact.id));
    // What no longer holds was asked for, too, and comes after what does.
    compared.sort_by_key(|candidate| !plan.filter.on.holds(&candidate.shelved.fact));
    compared
}

/// Whoever is told a fact is told what took its place, what it took the place of where that is asked for, and what does not
/// agree with it.
fn company(all: &[Candidate], is_near: impl Fn(&Candidate) -> bool, today: Date) -> BTreeSet<String> {
    let near: Vec<&FactRecord> = all.iter().filter(|one| is_near(one)).map(|one| &one.shelved.fact).collect();
    if near.len() == all.len() {
        return BTreeSet::new();
    }
    let mut company: BTreeSet<String> = near.iter().filter_map(|fact| fact.by.clone()).collect();
    let is_past =
        |fact: &&FactRecord| fact.by.as_ref().is_some_and(|by| near.iter().any(|heir| heir.id == *by));
    company.extend(all.iter().map(|one| &one.shelved.fact).filter(is_past).map(|fact| fact.id.clone()));
    for Disagreement { newer, older, .. } in disagreements(all.iter().map(|one| &one.shelved.fact), today) {
        if near.iter().any(|fact| [&newer.id, &older.id].contains(&&fact.id)) {
            company.extend([newer.id, older.id]);
        }
    }
    company
}

/// Best first; equals by place, so that two runs agree.
pub(super) fn order(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    let place = |candidate: &Candidate| {
        let fact = &candidate.shelved.fact;
        (fact.path.clone(), fact.line)
    };
    b.score.value().total_cmp(&a.score.value()).then_with(|| place(a).cmp(&place(b)))
}
