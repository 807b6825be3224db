//! Facts that hang together with those that answer, over entities that both name.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use mindfile_index::Doc;

use super::asked::Question;
use super::direct::Direct;
use super::facts::{Facts, ShelvedFact};
use super::plan::{FactPlan, FactWeights};
use super::traverse::{self, Active, DEEPEST, FLOOR, Spreading, Traversal};
use crate::error::Error;
use crate::search::{Part, Score, Stage};

/// The facts of how many active entities are looked at, how many of one, and how many of all are compared with the
/// question.
const READ: usize = 8;
const OF_ONE: usize = 16;
const COMPARED: usize = 40;

/// A fact that the traversal reached.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    pub(super) shelved: Arc<ShelvedFact>,
    pub(super) score: Score,
    pub(super) hop: u32,
    pub(super) via: Vec<String>,
}

/// The connections that are worth it, the nearest first, and how they were found.
pub(super) fn find(
    facts: &dyn Facts,
    plan: &FactPlan,
    direct: &Direct,
    asked: &mut Question<'_>,
    depth: u32,
) -> Result<(Vec<Connection>, Traversal), Error> {
    if depth == 0 {
        return Ok((Vec::new(), Traversal::default()));
    }
    let spreading = Spreading { steps: depth - 1, decay: plan.decay, conduct: plan.weights.conduct };
    let traversal = traverse::traverse(facts, &seeds(direct), spreading)?;
    let reached = promising(reach(facts, direct, &traversal)?, &plan.weights);
    let room = plan.k.saturating_sub(direct.matches.len());
    Ok((compare(facts, plan, reached, asked, room)?, traversal))
}

/// How many hops are followed.
pub(super) fn depth(plan: &FactPlan, direct: &Direct, asked: &Question<'_>) -> u32 {
    if follows(plan, direct, asked) { plan.depth.unwrap_or(DEEPEST) } else { 0 }
}

/// The nearest first, then the best; equals by place, so that two runs agree.
fn order(a: &Connection, b: &Connection) -> std::cmp::Ordering {
    let best = || b.score.value().total_cmp(&a.score.value());
    let place = |one: &Connection| (one.shelved.fact.path.clone(), one.shelved.fact.line);
    a.hop.cmp(&b.hop).then_with(best).then_with(|| place(a).cmp(&place(b)))
}

/// Whether connections are wanted: the caller says how deep, or the question is open, for more than a key or a time, and what
/// answers it does not have the very time, place or number that is asked for.
fn follows(plan: &FactPlan, direct: &Direct, asked: &Question<'_>) -> bool {
    let Some(best) = direct.matches.first() else { return false };
    let answered = asked.wanted.is_measurable() && asked.sort_is_in(&best.shelved);
    let is_asked_for = plan.period.is_some() || best.is_value;
    plan.depth.is_some() || (asked.is_open && !answered && !is_asked_for)
}

/// The entities of what answers, each as active as the best fact that names it.
fn seeds(direct: &Direct) -> Vec<(String, f32)> {
    let best = direct.matches.first().map_or(1.0, |best| best.score.value());
    let mut seeds: Vec<(String, f32)> = Vec::new();
    for candidate in &direct.matches {
        let share = candidate.score.value() / best;
        for name in &candidate.shelved.fact.entities {
            if !seeds.iter().any(|(known, _)| known == name) {
                seeds.push((name.clone(), share));
            }
        }
    }
    seeds
}

struct ReachedFact {
    doc: Doc,
    salience: f32,
    association: f32,
    strongest: f32,
    hop: u32,
    via: Vec<String>,
    /// What it is worth if it comes as near to the question as can be.
    most: f32,
}

/// The facts of every active entity but those that answer already. What several entities bring adds up.
fn reach(facts: &dyn Facts, direct: &Direct, traversal: &Traversal) -> Result<Vec<ReachedFact>, Error> {
    let known: HashSet<Doc> = direct.matches.iter().map(|candidate| candidate.shelved.doc).collect();
    let mut reached: BTreeMap<Doc, ReachedFact> = BTreeMap::new();
    let read = traversal.active.iter().filter(|active| active.brings >= FLOOR).take(READ);
    let read: Vec<&Active> = read.collect();
    let names: Vec<String> = read.iter().map(|active| active.name.clone()).collect();
    facts.each_of(&names, OF_ONE, &mut |at, doc, salience, _| {
        if !known.contains(&doc) {
            reached.entry(doc).or_insert_with(|| ReachedFact::new(doc, salience, read[at])).add(read[at]);
        }
    })?;
    Ok(reached.into_values().collect())
}

impl ReachedFact {
    fn new(doc: Doc, salience: f32, active: &Active) -> Self {
        let hop = active.step + 1;
        Self { doc, salience, association: 0.0, strongest: 0.0, hop, via: Vec::new(), most: 0.0 }
    }

    fn add(&mut self, active: &Active) {
        self.association += active.brings;
        self.hop = self.hop.min(active.step + 1);
        if active.brings > self.strongest {
            self.strongest = active.brings;
            self.via.clone_from(&active.path);
        }
    }
}

/// Those that could be worth it if they came as near to the question as can be, the best first.
fn promising(mut reached: Vec<ReachedFact>, weights: &FactWeights) -> Vec<ReachedFact> {
    for one in &mut reached {
        one.most = worth(one.association, one.salience, 1.0, weights).value();
    }
    reached.retain(|reached| reached.most >= weights.tie);
    reached.sort_by(|a, b| b.most.total_cmp(&a.most).then(a.doc.cmp(&b.doc)));
    reached.truncate(COMPARED);
    reached
}

/// The best `room` connections that are worth it, the nearest first. What cannot become one of them any more is not
/// compared.
fn compare(
    facts: &dyn Facts,
    plan: &FactPlan,
    mut reached: Vec<ReachedFact>,
    asked: &mut Question<'_>,
    room: usize,
) -> Result<Vec<Connection>, Error> {
    reached.sort_by_key(|reached| reached.hop);
    let mut all: Vec<Connection> = Vec::new();
    for alike in reached.chunk_by(|a, b| a.hop == b.hop) {
        let room = room - all.len();
        let mut best: Vec<Connection> = Vec::new();
        for reached in alike {
            let full = room.checked_sub(1).and_then(|last| best.get(last));
            if room == 0 || full.is_some_and(|last| reached.most < last.score.value()) {
                break;
            }
            best.extend(connect(facts, plan, reached, asked)?);
            best.sort_by(order);
        }
        best.truncate(room);
        all.append(&mut best);
    }
    Ok(all)
}

/// A fact compared with the question, if it is asked for and worth it.
fn connect(
    facts: &dyn Facts,
    plan: &FactPlan,
    reached: &ReachedFact,
    asked: &mut Question<'_>,
) -> Result<Option<Connection>, Error> {
    let Some(shelved) = facts.load(&[reached.doc])?.into_iter().next() else { return Ok(None) };
    if !plan.filter.admits(&shelved.fact) {
        return Ok(None);
    }
    let near = asked.nearness(&shelved).near;
    let score = worth(reached.association, reached.salience, near, &plan.weights);
    let worth_it = score.value() >= plan.weights.tie;
    Ok(worth_it.then(|| Connection { shelved, score, hop: reached.hop, via: reached.via.clone() }))
}

/// What a connection is worth: its association, less what distance takes, times its salience and its nearness to the
/// question.
fn worth(association: f32, salience: f32, near: f32, weights: &FactWeights) -> Score {
    let normal = association.powf(weights.fade);
    let gravity = (2.0 * salience).powf(weights.gravity);
    Score {
        parts: vec![
            Part::Term { stage: Stage::Association, raw: association, normal, weight: 1.0 },
            Part::Factor { stage: Stage::Salience, raw: salience, factor: gravity },
            Part::Factor { stage: Stage::Interaction, raw: near, factor: 1.0 + weights.kinship * near },
        ],
    }
}
