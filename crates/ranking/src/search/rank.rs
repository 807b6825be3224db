//! From signals to one order: fuse, compare token by token, let freshness decide between near-equals.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use mindfile_index::{Doc, Snapshot, StoredChunk, TermStat};
use mindfile_note::date::day_number;
use mindfile_note::words;

use super::gather::{Gathering, Signals};
use super::interaction::Tokens;
use super::pairs::Pairs;
use super::past::PastLines;
use super::plan::Plan;
use super::score::{Part, Score, Stage};
use super::snippet::{self, Answering, Judge, Passage};
use super::voices::Voices;
use crate::error::Error;
use mindfile_settings::Fusion;

/// How many of the fused list are compared token by token.
pub(super) const COMPARED: usize = 40;
/// How many are loaded at once where fewer would do: for some engines every question is a long way.
const FEW: usize = 8;
/// What each further chunk of the same note counts, beside the one before it.
const REPEATED: f32 = 0.9;
/// What it adds that all of the question's neighbouring tokens stand side by side. Where the table knows letters alone, such
/// tokens are parts of one word.
const PAIRS: f32 = 0.45;
/// The constant of reciprocal rank fusion.
const RRF: f32 = 60.0;

#[derive(Debug, Clone)]
pub(super) struct RankedChunk {
    pub chunk: Arc<StoredChunk>,
    pub signals: Signals,
    pub score: Score,
    /// How likely it holds the answer.
    pub chance: f32,
    /// Its lines that do not hold.
    pub past: PastLines,
    /// What is said of the line that answers best, where it does not hold.
    pub answers_by: Option<String>,
}

impl RankedChunk {
    /// Best first; equals by place, so that two runs agree.
    pub(super) fn order(a: &Self, b: &Self) -> Ordering {
        b.score.value().total_cmp(&a.score.value()).then_with(|| a.place().cmp(&b.place()))
    }

    /// Counts less where what answers does not hold.
    pub(super) fn weaken(&mut self, past: PastLines, plan: &Plan, judge: &mut Judge<'_>) {
        self.past = past;
        let mut score = std::mem::take(&mut self.score);
        self.answers_by = weaken(&mut score, self.told(), plan, judge);
        self.score = score;
    }

    pub(super) fn told(&self) -> Passage<'_> {
        Passage { text: &self.chunk.text, tokens: &self.chunk.tokens, past: &self.past }
    }

    fn place(&self) -> (&str, u32, u32) {
        (&self.chunk.path, self.chunk.start_line, self.chunk.end_line)
    }
}

/// A candidate with what words and meaning say of it, each between 0 and 1 over the candidates.
#[derive(Debug, Clone, Copy)]
pub(super) struct FusedCandidate {
    pub doc: Doc,
    signals: Signals,
    words: f32,
    meaning: f32,
    value: f32,
}

impl FusedCandidate {
    fn score(&self, plan: &Plan) -> Score {
        let part = |stage, raw: Option<f32>, normal, weight| Part::Term {
            stage,
            raw: raw.unwrap_or(0.0),
            normal,
            weight,
        };
        let mut parts = Vec::with_capacity(6);
        if plan.weights.words > 0.0 {
            parts.push(part(Stage::Words, self.signals.words, self.words, plan.weights.words));
        }
        if plan.weights.meaning > 0.0 {
            parts.push(part(Stage::Meaning, self.signals.meaning, self.meaning, plan.weights.meaning));
        }
        Score { parts }
    }
}

/// All candidates by words and meaning, best first.
pub(super) fn fuse(gathered: &Gathering, plan: &Plan) -> Vec<FusedCandidate> {
    let words = normal(gathered, plan.fusion, Floor::Zero, |signals| signals.words);
    let meaning = normal(gathered, plan.fusion, Floor::Lowest, |signals| signals.meaning);
    let mut fused: Vec<FusedCandidate> = gathered
        .signals
        .iter()
        .zip(words.into_iter().zip(meaning))
        .map(|(&(doc, signals), (words, meaning))| {
            let value = plan.weights.words * words + plan.weights.meaning * meaning;
            FusedCandidate { doc, signals, words, meaning, value }
        })
        .collect();
    fused.sort_unstable_by(|a, b| b.value.total_cmp(&a.value).then(a.doc.cmp(&b.doc)));
    fused
}

#[derive(Clone, Copy, PartialEq)]
enum Floor {
    /// Not found is the lowest there is.
    Zero,
    /// Every chunk has some cosine with the query: the lowest candidate is the floor.
    Lowest,
}

/// Each candidate's value of one signal, between 0 and 1 over the candidates; 0 where the signal did not find it.
fn normal(
    gathered: &Gathering,
    fusion: Fusion,
    floor: Floor,
    signal: impl Fn(&Signals) -> Option<f32>,
) -> Vec<f32> {
    let values: Vec<Option<f32>> = gathered.signals.iter().map(|(_, signals)| signal(signals)).collect();
    spread(&values, fusion, floor)
}

fn spread(values: &[Option<f32>], fusion: Fusion, floor: Floor) -> Vec<f32> {
    match fusion {
        Fusion::Weighted => min_max(values, floor),
        Fusion::Rrf => reciprocal_ranks(values),
    }
}

fn min_max(values: &[Option<f32>], floor: Floor) -> Vec<f32> {
    let known = || values.iter().flatten().copied();
    let high = known().fold(f32::MIN, f32::max);
    let low = match floor {
        Floor::Zero => 0.0,
        Floor::Lowest => known().fold(f32::MAX, f32::min),
    };
    values.iter().map(|value| value.map_or(0.0, |value| ratio(value - low, high - low))).collect()
}

fn ratio(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}

/// Equals share a rank: when a chunk came into the index must not decide.
fn reciprocal_ranks(values: &[Option<f32>]) -> Vec<f32> {
    let mut order: Vec<(f32, usize)> =
        values.iter().zip(0..).filter_map(|(value, at)| Some(((*value)?, at))).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut normals = vec![0.0; values.len()];
    let (mut rank, mut before) = (0, f32::INFINITY);
    for (place, (value, at)) in order.into_iter().enumerate() {
        if value < before {
            (rank, before) = (place, value);
        }
        normals[at] = (RRF + 1.0) / (RRF + 1.0 + rank as f32);
    }
    normals
}

/// The best of the fused list, looked at closely.
pub(super) struct Comparison {
    pub ranked: Vec<RankedChunk>,
    /// The weight of all pairs of the query's words, where these count.
    pub pairs: f32,
    /// How much nearer comes what is said about others than those whom the query names.
    pub others_lead: Option<f32>,
    /// No chunk has the quoted phrase as typed: its words counted.
    pub phrases_relaxed: bool,
}

/// Loads the best of the fused list and compares them with the query, word by word and token by token.
///
/// Quoted phrases and excluded words are asked of the text itself. Where no chunk has the phrase as typed, its words
/// still count.
pub(super) fn compare(
    fused: &[FusedCandidate],
    snapshot: &dyn Snapshot,
    plan: &Plan,
    gathered: &Gathering,
    (tokens, understood): (&mut Tokens, f32),
) -> Result<Comparison, Error> {
    let (mut ranked, phrases_relaxed) = match load(fused, snapshot, plan, Phrases::AsTyped)? {
        none if none.is_empty() && !plan.words.phrases.is_empty() => {
            (load(fused, snapshot, plan, Phrases::AsWords)?, true)
        }
        some => (some, false),
    };
    let pairs = if plan.weights.words > 0.0 { pair(&mut ranked, plan, gathered.chunks) } else { 0.0 };
    let others_lead = if plan.weights.interaction > 0.0 {
        interact(&mut ranked, plan, &gathered.terms, (tokens, understood))
    } else {
        None
    };
    decay(&mut ranked, plan);
    ranked.sort_by(RankedChunk::order);
    repeat(&mut ranked);
    Ok(Comparison { ranked, pairs, others_lead, phrases_relaxed })
}

#[derive(Clone, Copy, PartialEq)]
enum Phrases {
    AsTyped,
    AsWords,
}

fn load(
    fused: &[FusedCandidate],
    snapshot: &dyn Snapshot,
    plan: &Plan,
    phrases: Phrases,
) -> Result<Vec<RankedChunk>, Error> {
    let wanted = COMPARED.max(plan.limit);
    let mut ranked: Vec<RankedChunk> = Vec::with_capacity(wanted);
    let mut rest = fused;
    while rest.first().is_some_and(|next| !are_enough(&ranked, next, wanted)) {
        let (step, later) = rest.split_at(wanted.saturating_sub(ranked.len()).max(FEW).min(rest.len()));
        let docs: Vec<Doc> = step.iter().map(|candidate| candidate.doc).collect();
        for (candidate, chunk) in step.iter().zip(snapshot.chunks(&docs)?) {
            if are_enough(&ranked, candidate, wanted) {
                return Ok(ranked);
            }
            if admits(&chunk, plan, phrases) {
                ranked.push(RankedChunk {
                    chunk,
                    signals: candidate.signals,
                    score: candidate.score(plan),
                    chance: 0.0,
                    past: PastLines::default(),
                    answers_by: None,
                });
            }
        }
        rest = later;
    }
    Ok(ranked)
}

/// Equals of the last are taken too, whichever was indexed first: but not without end.
fn are_enough(ranked: &[RankedChunk], next: &FusedCandidate, wanted: usize) -> bool {
    let last = ranked.get(wanted - 1).map(|hit| hit.score.value());
    last.is_some_and(|last| next.value < last) || ranked.len() == 2 * wanted
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

/// Where pairs of words count, they are part of what the words say. Gives the weight of all of them.
fn pair(ranked: &mut [RankedChunk], plan: &Plan, chunks: usize) -> f32 {
    let texts = ranked.iter().map(|hit| hit.chunk.text.as_str());
    let Some(pairs) = Pairs::of(&plan.text, texts, chunks) else { return 0.0 };
    for (hit, had) in ranked.iter_mut().zip(&pairs.had).filter(|(_, had)| **had > 0.0) {
        *hit.signals.words.get_or_insert_default() += had;
    }
    let values: Vec<Option<f32>> = ranked.iter().map(|hit| hit.signals.words).collect();
    for (hit, (value, own)) in
        ranked.iter_mut().zip(values.iter().zip(spread(&values, plan.fusion, Floor::Zero)))
    {
        for part in &mut hit.score.parts {
            if let Part::Term { stage: Stage::Words, raw, normal, .. } = part {
                (*raw, *normal) = (value.unwrap_or(0.0), own);
            }
        }
    }
    pairs.whole
}

/// Gives how much nearer comes what is said about others than those whom the query names.
fn interact(
    ranked: &mut [RankedChunk],
    plan: &Plan,
    terms: &[TermStat],
    (tokens, understood): (&mut Tokens, f32),
) -> Option<f32> {
    let weight = plan.weights.interaction;
    let mut voices = Voices::new(&plan.text, terms, tokens.told(), ranked.iter().map(|hit| &*hit.chunk));
    let raw: Vec<f32> = ranked
        .iter()
        .map(|hit| {
            let said = voices.as_mut().and_then(|voices| voices.hear(&hit.chunk));
            said.unwrap_or_else(|| tokens.nearness(&hit.chunk))
        })
        .collect();
    let others_lead = voices.and_then(|voices| voices.others_lead());
    let (low, high) = raw.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| (low.min(v), high.max(v)));
    for (hit, raw) in ranked.iter_mut().zip(raw) {
        let normal = ratio(raw - low, high - low);
        hit.score.parts.push(Part::Term { stage: Stage::Interaction, raw, normal, weight });
        let raw = tokens.pairs(&hit.chunk.tokens);
        let weight = PAIRS * understood;
        hit.score.parts.push(Part::Term { stage: Stage::Pairs, raw, normal: raw, weight });
    }
    others_lead
}

/// Only dated notes age, and never below the floor.
fn decay(ranked: &mut [RankedChunk], plan: &Plan) {
    if !plan.decay.enabled {
        return;
    }
    for hit in ranked {
        let Some(day) = hit.chunk.day else { continue };
        let age = day_number(plan.on.today).saturating_sub(day).max(0) as f32;
        let freshness = 0.5_f32.powf(age / plan.decay.half_life_days);
        let factor = plan.decay.floor + (1.0 - plan.decay.floor) * freshness;
        hit.score.parts.push(Part::Factor { stage: Stage::Decay, raw: age, factor });
    }
}

/// Every further chunk of one note counts a little less than the one before it: another note says more.
fn repeat(ranked: &mut [RankedChunk]) {
    let mut seen: HashMap<String, i32> = HashMap::new();
    for hit in ranked.iter_mut() {
        let before = seen.entry(hit.chunk.path.clone()).or_default();
        if *before > 0 {
            let factor = REPEATED.powi(*before);
            hit.score.parts.push(Part::Factor { stage: Stage::Repetition, raw: *before as f32, factor });
        }
        *before += 1;
    }
    ranked.sort_by(RankedChunk::order);
}

/// Takes from a score as much as the lines that hold answer worse than those that do not. Gives what is said of the line
/// that answers best, where it does not hold.
pub(super) fn weaken(
    score: &mut Score,
    told: Passage<'_>,
    plan: &Plan,
    judge: &mut Judge<'_>,
) -> Option<String> {
    if told.past.is_empty() {
        return None;
    }
    let Answering { holds, past, line } = snippet::answering(told, judge);
    let raw = if past > 0.0 { (holds / past).min(1.0) } else { 1.0 };
    let factor = plan.weights.past + (1.0 - plan.weights.past) * raw;
    score.parts.push(Part::Factor { stage: Stage::Past, raw, factor });
    told.past.mark(line).filter(|_| past > holds).map(str::to_owned)
}

/// Where each candidate stands, for `--why-not`.
pub(super) fn ranks(fused: &[FusedCandidate]) -> BTreeMap<Doc, usize> {
    fused.iter().enumerate().map(|(rank, candidate)| (candidate.doc, rank + 1)).collect()
}
