//! From signals to one order: fuse, compare token by token, let freshness decide between near-equals.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use mindfile_index::{Doc, Snapshot, StoredChunk};
use mindfile_note::words;

use super::gather::{Gathered, Signals};
use super::interaction::Tokens;
use super::plan::Plan;
use super::score::{Part, Score, Stage};
use crate::config::Fusion;
use crate::error::Error;

/// How many of the fused list are compared token by token.
pub(super) const COMPARED: usize = 60;
/// What each further chunk of the same note counts, beside the one before it.
const REPEATED: f32 = 0.9;
/// The constant of reciprocal rank fusion.
const RRF: f32 = 60.0;

#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub chunk: Arc<StoredChunk>,
    pub signals: Signals,
    pub score: Score,
}

impl Ranked {
    /// Best first; equals by place, so that two runs agree.
    pub(super) fn order(a: &Self, b: &Self) -> Ordering {
        b.score.value().total_cmp(&a.score.value()).then_with(|| a.place().cmp(&b.place()))
    }

    fn place(&self) -> (&str, u32, u32) {
        (&self.chunk.path, self.chunk.start_line, self.chunk.end_line)
    }
}

/// The scores of all candidates by words and meaning, best first.
pub(super) fn fuse(gathered: &Gathered, plan: &Plan) -> Vec<(Doc, Score)> {
    let words = normal(gathered, plan.fusion, Floor::Zero, |signals| signals.words);
    let meaning = normal(gathered, plan.fusion, Floor::Lowest, |signals| signals.meaning);
    let mut fused: Vec<(Doc, Score)> = gathered
        .signals
        .iter()
        .map(|(doc, signals)| {
            let part = |stage, raw: Option<f32>, normals: &HashMap<Doc, f32>, weight| Part::Term {
                stage,
                raw: raw.unwrap_or(0.0),
                normal: normals.get(doc).copied().unwrap_or(0.0),
                weight,
            };
            let mut parts = Vec::with_capacity(5);
            if plan.weights.words > 0.0 {
                parts.push(part(Stage::Words, signals.words, &words, plan.weights.words));
            }
            if plan.weights.meaning > 0.0 {
                parts.push(part(Stage::Meaning, signals.meaning, &meaning, plan.weights.meaning));
            }
            (*doc, Score { parts })
        })
        .collect();
    fused.sort_by(|a, b| b.1.value().total_cmp(&a.1.value()).then(a.0.cmp(&b.0)));
    fused
}

#[derive(Clone, Copy, PartialEq)]
enum Floor {
    /// Not found is the lowest there is.
    Zero,
    /// Every chunk has some cosine with the query: the lowest candidate is the floor.
    Lowest,
}

/// Each candidate's value of one signal, between 0 and 1 over the candidates.
fn normal(
    gathered: &Gathered,
    fusion: Fusion,
    floor: Floor,
    signal: impl Fn(&Signals) -> Option<f32>,
) -> HashMap<Doc, f32> {
    let values: Vec<(Doc, f32)> =
        gathered.signals.iter().filter_map(|(doc, signals)| Some((*doc, signal(signals)?))).collect();
    match fusion {
        Fusion::Weighted => min_max(&values, floor),
        Fusion::Rrf => reciprocal_ranks(values),
    }
}

fn min_max(values: &[(Doc, f32)], floor: Floor) -> HashMap<Doc, f32> {
    let high = values.iter().map(|(_, value)| *value).fold(f32::MIN, f32::max);
    let low = match floor {
        Floor::Zero => 0.0,
        Floor::Lowest => values.iter().map(|(_, value)| *value).fold(f32::MAX, f32::min),
    };
    values.iter().map(|(doc, value)| (*doc, ratio(*value - low, high - low))).collect()
}

fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// Equals share a rank: when a chunk came into the index must not decide.
fn reciprocal_ranks(mut values: Vec<(Doc, f32)>) -> HashMap<Doc, f32> {
    values.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut rank = 0;
    (0..values.len())
        .map(|at| {
            let (doc, value) = values[at];
            if at > 0 && value < values[at - 1].1 {
                rank = at;
            }
            (doc, (RRF + 1.0) / (RRF + 1.0 + rank as f32))
        })
        .collect()
}

/// Loads the best of the fused list and compares them with the query token by token.
///
/// Quoted phrases and excluded words are asked of the text itself. Where no chunk has the phrase as typed, its words
/// still count, and the second value says so.
pub(super) fn compare(
    fused: Vec<(Doc, Score)>,
    gathered: &Gathered,
    snapshot: &dyn Snapshot,
    plan: &Plan,
    tokens: &mut Tokens,
) -> Result<(Vec<Ranked>, bool), Error> {
    let (mut ranked, relaxed) = match load(&fused, gathered, snapshot, plan, Phrases::AsTyped)? {
        none if none.is_empty() && !plan.words.phrases.is_empty() => {
            (load(&fused, gathered, snapshot, plan, Phrases::AsWords)?, true)
        }
        some => (some, false),
    };
    if plan.weights.interaction > 0.0 {
        interact(&mut ranked, plan.weights.interaction, tokens);
    }
    decay(&mut ranked, plan);
    ranked.sort_by(Ranked::order);
    repeat(&mut ranked);
    Ok((ranked, relaxed))
}

#[derive(Clone, Copy, PartialEq)]
enum Phrases {
    AsTyped,
    AsWords,
}

fn load(
    fused: &[(Doc, Score)],
    gathered: &Gathered,
    snapshot: &dyn Snapshot,
    plan: &Plan,
    phrases: Phrases,
) -> Result<Vec<Ranked>, Error> {
    let wanted = COMPARED.max(plan.limit);
    let mut ranked: Vec<Ranked> = Vec::with_capacity(wanted);
    for (doc, score) in fused {
        // Equals of the last are taken too, whichever was indexed first: but not without end.
        let last = ranked.get(wanted - 1).map(|hit| hit.score.value());
        if last.is_some_and(|last| score.value() < last) || ranked.len() == 2 * wanted {
            break;
        }
        for chunk in snapshot.chunks(&[*doc])? {
            if admits(&chunk, plan, phrases) {
                let signals = gathered.signals.get(doc).copied().unwrap_or_default();
                ranked.push(Ranked { chunk, signals, score: score.clone() });
            }
        }
    }
    Ok(ranked)
}

fn admits(chunk: &StoredChunk, plan: &Plan, phrases: Phrases) -> bool {
    match refusal(chunk, plan) {
        None => true,
        Some(Refusal::LacksPhrase) => phrases == Phrases::AsWords,
        Some(Refusal::Excluded) => false,
    }
}

/// What keeps a chunk out, whatever its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It has a word or phrase that is not wanted.
    Excluded,
    /// It does not have a quoted phrase as typed.
    LacksPhrase,
}

pub(super) fn refusal(chunk: &StoredChunk, plan: &Plan) -> Option<Refusal> {
    let query = &plan.words;
    if query.phrases.is_empty() && query.excluded.is_empty() && query.excluded_phrases.is_empty() {
        return None;
    }
    let whole = format!("{}\n{}", chunk.context, chunk.text);
    let text = words::phrase(&whole);
    let has = |phrase: &String| text.contains(phrase.as_str());
    let terms = words::terms(&whole);
    if query.excluded_phrases.iter().any(has) || query.excluded.iter().any(|term| terms.contains(term)) {
        Some(Refusal::Excluded)
    } else if query.phrases.iter().all(has) {
        None
    } else {
        Some(Refusal::LacksPhrase)
    }
}

fn interact(ranked: &mut [Ranked], weight: f32, tokens: &mut Tokens) {
    let raw: Vec<f32> = ranked.iter().map(|hit| tokens.nearness(&hit.chunk)).collect();
    let (low, high) = raw.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| (low.min(v), high.max(v)));
    for (hit, raw) in ranked.iter_mut().zip(raw) {
        let normal = ratio(raw - low, high - low);
        hit.score.parts.push(Part::Term { stage: Stage::Interaction, raw, normal, weight });
    }
}

/// Only dated notes age, and never below the floor.
fn decay(ranked: &mut [Ranked], plan: &Plan) {
    if !plan.decay.enabled {
        return;
    }
    for hit in ranked {
        let Some(day) = hit.chunk.day else { continue };
        let age = plan.today.saturating_sub(day).max(0) as f32;
        let freshness = 0.5_f32.powf(age / plan.decay.half_life_days);
        let factor = plan.decay.floor + (1.0 - plan.decay.floor) * freshness;
        hit.score.parts.push(Part::Factor { stage: Stage::Decay, raw: age, factor });
    }
}

/// Every further chunk of one note counts a little less than the one before it: another note says more.
fn repeat(ranked: &mut [Ranked]) {
    let mut seen: HashMap<String, i32> = HashMap::new();
    for hit in ranked.iter_mut() {
        let before = seen.entry(hit.chunk.path.clone()).or_default();
        if *before > 0 {
            let factor = REPEATED.powi(*before);
            hit.score.parts.push(Part::Factor { stage: Stage::Repetition, raw: *before as f32, factor });
        }
        *before += 1;
    }
    ranked.sort_by(Ranked::order);
}

/// Where each candidate stands, for `--why-not`.
pub(super) fn ranks(fused: &[(Doc, Score)]) -> BTreeMap<Doc, usize> {
    fused.iter().enumerate().map(|(rank, (doc, _))| (*doc, rank + 1)).collect()
}
