//! Whether facts answer a question in a language that the embedded table does not know. Words alone tell, as they do in
//! search: how far the best stands out from the others.

use mindfile_note::chunk;
use mindfile_note::words::WritingSystem;

use super::asked::Question;
use super::direct::Candidate;
use super::plan::FactWeights;
use crate::search::pairs::Pairs;
use crate::search::{Part, Stage, letters, worded};

/// The strength from which on an answer is more likely one than none.
const LIKELY: f32 = 0.35;
/// A line has less of any question by chance than a paragraph, for which that was measured: by this share of the question
/// if it is four times as short, and at most by a little more.
const SHORTER: f32 = 0.1;
const PARAGRAPH: f32 = 400.0;
const SHORTEST: f32 = 1.25;

/// Whether the question names what facts are about that are in another language: what else it asks, they cannot tell.
pub(super) fn is_elsewhere(compared: &[Candidate], asked: &Question<'_>) -> bool {
    let about = about(compared, asked);
    let texts: Vec<&str> = about.iter().map(|candidate| candidate.shelved.fact.text.as_str()).collect();
    let is_own = |written: WritingSystem| written.is_way_of(&texts.join(" "));
    !texts.is_empty() && WritingSystem::of(asked.text).is_some_and(|written| !is_own(written))
}

/// The candidates that are about what the question names.
fn about<'a>(compared: &'a [Candidate], asked: &Question<'_>) -> Vec<&'a Candidate> {
    compared.iter().filter(|candidate| asked.names_any_of(&candidate.shelved.fact)).collect()
}

/// Brings matches, which are relative to each other in such a language, to the scale of the others, where the gate is.
pub(super) fn anchor(compared: &mut [Candidate], asked: &Question<'_>, weights: &FactWeights) {
    compared.sort_by(|a, b| b.matched().total_cmp(&a.matched()));
    let Some(best) = compared.first().map(Candidate::matched).filter(|best| *best > 0.0) else { return };
    let strength = strength(compared, asked);
    let most = weights.near + weights.rest + weights.meaning + weights.names;
    let anchored = if strength < LIKELY {
        weights.gate * strength / LIKELY
    } else {
        weights.gate + (most - weights.gate) * (strength - LIKELY) / (1.0 - LIKELY)
    };
    for candidate in compared {
        let factor = anchored / best;
        candidate.score.parts.push(Part::Factor { stage: Stage::Strength, raw: strength, factor });
    }
}

/// Between 0 and 1. Where the question names what facts are about, these alone are compared, by what else it asks.
fn strength(compared: &[Candidate], asked: &Question<'_>) -> f32 {
    let named = asked.entities().map(|entity| entity.facts).max();
    let about = about(compared, asked);
    let (pool, facts) = match named {
        Some(facts) if !about.is_empty() => (about, facts as usize),
        Some(_) | None => (compared.iter().collect(), asked.facts),
    };
    if pool.iter().all(|candidate| candidate.rest == 0.0) {
        return 0.0;
    }
    let texts = || pool.iter().map(|candidate| candidate.shelved.fact.text.as_str());
    // A fact is too short to show a language by its stop words; a script it shows.
    let written = WritingSystem::of(asked.text).filter(WritingSystem::is_script);
    let facts = written.and_then(|written| worded::alike(texts(), &written)).unwrap_or(facts);
    let shares = match Pairs::of(asked.text, texts(), facts) {
        Some(pairs) => with_pairs(&pool, asked.rest, &pairs),
        None => pool.iter().map(|candidate| candidate.rest).collect(),
    };
    let lead = worded::lead(shares, facts) + shorter(texts());
    worded::strength(worded::logit(lead, letters::lead(texts(), asked.text), asked.names_unknown()))
}

/// What the candidates have of the words that name nothing, which weigh `rest`, and of the pairs.
fn with_pairs(pool: &[&Candidate], rest: f32, pairs: &Pairs) -> Vec<f32> {
    let whole = (rest + pairs.whole).max(f32::MIN_POSITIVE);
    pool.iter().zip(&pairs.had).map(|(candidate, had)| (rest * candidate.rest + had) / whole).collect()
}

/// What the texts have less by chance than paragraphs.
fn shorter<'a>(texts: impl Iterator<Item = &'a str>) -> f32 {
    let lengths: Vec<f32> = texts.map(|text| chunk::weight(text) as f32).collect();
    let mean = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
    SHORTER * (PARAGRAPH / mean.max(1.0)).log(4.0).clamp(0.0, SHORTEST)
}
