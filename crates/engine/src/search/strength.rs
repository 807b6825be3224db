//! Whether the notes answer the query at all. A ranking always has a first; an honest answer may still be empty.
//!
//! The ranking's own scores are relative: the best candidate has the highest, however bad it is. Strength is absolute.
//! It is a logistic function of evidence that does not depend on how large the collection is: what the best hits cover
//! of the query, how far they stand out from the other candidates, and what in the query the notes have never heard
//! of. The coefficients were fitted on LoCoMo questions asked of their own and of other people's conversations
//! (`docs/ranking.md`).

use std::collections::HashMap;

use mindfile_index::TermStat;
use mindfile_note::words;

use super::gather::Gathered;
use super::plan::{Mode, Plan};
use super::rank::Ranked;
use super::score::{Part, Stage};

/// How many of the first hits may give the evidence.
const WITNESSES: usize = 5;
/// Candidates from here on are what the first are compared with, if there are enough of them.
const BACKGROUND: usize = 10;
const ENOUGH: usize = 15;
/// What unrelated chunks usually reach, for a collection too small to tell.
const USUAL_NEARNESS: f32 = 0.45;
const USUAL_COSINE: f32 = 0.15;
/// A hit that has no word of the query and is farther from it, by this share of what is usual, has nothing to do with it.
const FARTHER: f32 = 2.0 / 3.0;
/// What is left of its score.
const UNRELATED: f32 = 0.3;
/// How fast a hit's score falls with its distance from the best: only what is nothing beside it is dropped.
const FALL: f32 = 0.25;
/// With this many chunks, a word that none of them has is news. With fewer it may just be a small collection.
const TELLING_CHUNKS: f32 = 100.0;
/// English words that make a capital letter in mid-sentence mean a name.
const ENGLISH: [&str; 16] = [
    "the", "what", "did", "is", "does", "who", "when", "how", "where", "which", "why", "of", "has", "have",
    "are", "were",
];

/// The evidence for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Evidence {
    /// The largest share of the query's weight that a hit's words cover.
    pub(super) coverage: f32,
    /// The nearest that a hit's tokens come to the query's.
    pub(super) nearness: f32,
    /// How far the best stand out from the other candidates, by tokens and by cosine.
    pub(super) token_lead: f32,
    pub(super) cosine_lead: f32,
    /// The share of the query's weight in words that no note has.
    pub(super) unknown_words: f32,
    /// Whether the query has names, and no note has any of them.
    pub(super) names_unknown: bool,
}

impl Evidence {
    fn of(ranked: &[Ranked], plan: &Plan, gathered: &Gathered) -> Self {
        Self {
            coverage: best(ranked, |hit| hit.signals.coverage),
            nearness: best(ranked, nearness),
            token_lead: lead(ranked, nearness, USUAL_NEARNESS),
            cosine_lead: lead(ranked, cosine, USUAL_COSINE),
            unknown_words: unknown_words(&gathered.terms) * telling(gathered.chunks),
            names_unknown: names_unknown(&plan.text, &gathered.terms),
        }
    }

    /// Between 0 and 1. A hybrid answer below 0.35 is more likely none.
    fn strength(self, mode: Mode) -> f32 {
        let logit = match mode {
            Mode::Hybrid => {
                0.2 * self.coverage + 1.0 * self.nearness + 2.4 * self.token_lead + 3.1 * self.cosine_lead
                    - 2.5 * self.unknown_words
                    - if self.names_unknown { 5.0 } else { 0.0 }
                    + 0.3
            }
            // Words either match or do not; meaning alone is always a guess.
            Mode::Keyword => 6.0 * self.coverage,
            Mode::Vector => 12.0 * self.cosine_lead,
        };
        1.0 / (1.0 + (-logit).exp())
    }
}

/// A word that stands in the text is as near as can be, whether or not the table knows it.
fn nearness(hit: &Ranked) -> f32 {
    hit.score.raw(Stage::Interaction).unwrap_or(0.0).max(hit.signals.coverage)
}

fn cosine(hit: &Ranked) -> f32 {
    hit.signals.meaning.unwrap_or(0.0)
}

/// Where every signal was asked, and all of them say less of the hit than of anything else.
fn is_unrelated(hit: &Ranked) -> bool {
    let is_compared = hit.score.raw(Stage::Interaction).is_some() && hit.signals.meaning.is_some();
    let is_far = nearness(hit) < FARTHER * USUAL_NEARNESS && cosine(hit) < FARTHER * USUAL_COSINE;
    is_compared && is_far && hit.signals.coverage == 0.0
}

fn best(ranked: &[Ranked], value: impl Fn(&Ranked) -> f32) -> f32 {
    ranked.iter().take(WITNESSES).map(value).fold(0.0, f32::max)
}

fn lead(ranked: &[Ranked], value: impl Fn(&Ranked) -> f32, usual: f32) -> f32 {
    let background = match ranked.get(BACKGROUND..) {
        Some(others) if ranked.len() > ENOUGH => others.iter().map(&value).sum::<f32>() / others.len() as f32,
        Some(_) | None => usual,
    };
    best(ranked, value) - background
}

fn telling(chunks: usize) -> f32 {
    ((1.0 + chunks as f32).ln() / (1.0 + TELLING_CHUNKS).ln()).min(1.0)
}

fn unknown_words(terms: &[TermStat]) -> f32 {
    let mass: f32 = terms.iter().map(|stat| stat.idf).sum();
    let unknown: f32 = terms.iter().filter(|stat| stat.chunks == 0).map(|stat| stat.idf).sum();
    if mass > 0.0 { unknown / mass } else { 0.0 }
}

/// Asked about a person or a thing by a name that stands nowhere, the notes have no answer, whatever else matches.
fn names_unknown(query: &str, terms: &[TermStat]) -> bool {
    let is_english = query.split_whitespace().any(|word| ENGLISH.contains(&word.to_lowercase().as_str()));
    if !is_english {
        return false;
    }
    let known: HashMap<&str, bool> = terms.iter().map(|stat| (stat.term.as_str(), stat.chunks > 0)).collect();
    let names: Vec<bool> = query
        .split_whitespace()
        .skip(1)
        .filter(|word| word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase))
        .filter_map(|word| {
            let found: Vec<bool> =
                words::terms(word).iter().filter_map(|term| known.get(term.as_str()).copied()).collect();
            (!found.is_empty()).then(|| found.contains(&true))
        })
        .collect();
    !names.is_empty() && !names.contains(&true)
}

/// Turns relative scores into absolute ones.
pub(super) fn anchor(ranked: &mut [Ranked], plan: &Plan, gathered: &Gathered) {
    let strength = Evidence::of(ranked, plan, gathered).strength(plan.mode);
    let best = ranked.iter().map(|hit| hit.score.value()).fold(f32::MIN_POSITIVE, f32::max);
    for hit in ranked {
        let value = hit.score.value();
        let strength = if is_unrelated(hit) { strength * UNRELATED } else { strength };
        let wanted = strength * (value / best).powf(FALL);
        let factor = if value > 0.0 { wanted / value } else { 0.0 };
        hit.score.parts.push(Part::Factor { stage: Stage::Strength, raw: strength, factor });
    }
}
