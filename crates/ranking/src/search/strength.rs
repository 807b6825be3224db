//! Whether the notes answer the query at all. A ranking always has a first; an honest answer may still be empty.
//!
//! The ranking's own scores are relative: the best candidate has the highest, however bad it is. Strength is absolute.
//! It is a logistic function of evidence, less of what any query finds by chance among so many chunks. For the words
//! that the embedded table knows, that is how near the best hits come to them, how far their cosine stands out from the
//! other candidates, what the notes have never heard of, and how much was asked. Of other languages the table knows
//! letters alone: there, only the words themselves tell. The coefficients were fitted on questions asked of notes that
//! answer them and of notes about something else (`docs/ranking.md`).

use mindfile_index::TermStat;
use mindfile_note::words::WritingSystem;

use super::gather::Gathering;
use super::interaction::Tokens;
use super::language::{self, Language, share};
use super::letters;
use super::names::{self, NameSpelling};
use super::plan::{Mode, Plan};
use super::rank::{COMPARED, Comparison, RankedChunk};
use super::score::{Part, Stage};
use super::sure;
use super::worded::{self, ENOUGH, FIRST, MANY, REST, telling};

/// What unrelated chunks usually reach, for a collection too small to tell.
const USUAL_NEARNESS: f32 = 0.45;
const USUAL_COSINE: f32 = 0.15;
/// A hit that has no word of the query and is farther from it, by this share of what is usual, has nothing to do with it.
const FARTHER: f32 = 2.0 / 3.0;
/// What is left of the score of a hit that has nothing to do with the query.
const UNRELATED: f32 = 0.3;
/// How fast a hit's score falls with its distance from the best: only what is nothing beside it is dropped. In a weak
/// answer it falls less, or just the best would be left of it; but never so little that the order is lost.
const FALL: f32 = 0.25;
const LEAST_FALL: f32 = 0.01;
/// With this many chunks, a word that none of them has is news where meaning decides: a chunk that says it in other words
/// is near all the same.
const FEW_CHUNKS: f32 = 10.0;
/// Among more chunks, one is nearer to any query: by so much times the logarithm of their number, up to so many.
const NEAR_BY_CHANCE: f32 = 0.14;
const MOST_CHUNKS: f32 = 230.0;
/// What is nearer by so much when it is said about someone else is no answer about those whom the query names.
const OF_OTHERS: f32 = 0.25;
/// What speaks against an answer about people whom no note names, or about others: few answers outweigh it.
const SOMEONE_ELSE: f32 = 7.0;

/// Whether the notes answer, and what says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// Between 0 and 1: the score of the best hit.
    pub value: f32,
    pub evidence: Evidence,
}

/// The evidence for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence {
    /// The largest share of the query's weight that a hit's words cover.
    pub coverage: f32,
    /// The share of the query's weight in words that the model knows.
    pub understood: f32,
    /// How near the best come to the query token by token, beyond what is near by chance among so many chunks.
    pub nearness_lead: f32,
    /// How far the best stand out from the other candidates, by cosine; less among few chunks.
    pub cosine_lead: f32,
    /// How far they stand out by words, beyond what is found by chance.
    pub words_lead: f32,
    /// How far the best stands out by rows of letters; None where that tells nothing.
    pub letters_lead: Option<f32>,
    /// The share of the query in words that no note has.
    pub unheard: f32,
    /// How much the query tells: about the number of its words of content.
    pub told: f32,
    /// The share of the query's names that no note has; None where it has no names.
    pub names_unknown: Option<f32>,
    /// Of conversations: how much nearer comes what is said about others than those whom the query names.
    pub others_lead: Option<f32>,
}

impl Evidence {
    /// All of it by name.
    pub fn named(&self) -> Vec<(&'static str, f32)> {
        let always = [
            ("coverage", self.coverage),
            ("understood", self.understood),
            ("nearness lead", self.nearness_lead),
            ("cosine lead", self.cosine_lead),
            ("words lead", self.words_lead),
            ("unheard", self.unheard),
            ("told", self.told),
        ];
        let some = [
            ("letters lead", self.letters_lead),
            ("names unknown", self.names_unknown),
            ("others lead", self.others_lead),
        ];
        let some = some.into_iter().filter_map(|(name, value)| Some((name, value?)));
        always.into_iter().chain(some).collect()
    }

    fn of(
        compared: &Comparison,
        plan: &Plan,
        gathered: &Gathering,
        language: Language,
        tokens: &Tokens,
    ) -> Self {
        let Comparison { ranked, pairs, others_lead, .. } = compared;
        let terms = &gathered.terms;
        let coverage = best(ranked, |hit| hit.signals.coverage);
        // Vectors of several languages find what is called otherwise in another.
        let spelled = if plan.english_vectors || language.is_english {
            NameSpelling::Alike
        } else {
            NameSpelling::Anyhow
        };
        let is_formed =
            |name: &str| language.is_bent && ranked.iter().any(|hit| names::has_form(&hit.chunk.text, name));
        Self {
            coverage,
            understood: if plan.english_vectors { language.understood } else { 1.0 },
            nearness_lead: best(ranked, nearness) - near_by_chance(gathered.chunks),
            cosine_lead: crowd(plan, gathered)
                * (best(ranked, cosine) - background(ranked, cosine, USUAL_COSINE)),
            words_lead: words_lead(ranked, *pairs, plan, gathered),
            letters_lead: if language.is_bent { letters::lead(texts(ranked), &plan.text) } else { None },
            unheard: unheard(terms, tokens) * telling(gathered.chunks, FEW_CHUNKS).powi(2),
            told: tokens.told(),
            names_unknown: names::unknown(&plan.text, terms, is_formed, spelled),
            others_lead: *others_lead,
        }
    }

    /// Between 0 and 1. Where both signals were asked for, an answer below 0.35 is more likely none.
    fn strength(self, plan: &Plan) -> Strength {
        let by_words = worded::logit(self.words_lead, self.letters_lead, self.names_unknown);
        let is_of_strangers = self.names_unknown == Some(1.0);
        let is_of_others = self.others_lead.is_some_and(|lead| lead > OF_OTHERS);
        let about_whom = if is_of_strangers || is_of_others { SOMEONE_ELSE } else { 0.0 };
        let by_meaning = 11.3 * self.nearness_lead + 13.0 * self.cosine_lead - 3.9 * self.unheard
            + 2.5 * self.told.max(1.0).ln()
            - 3.0
            - about_whom;
        let logit = match Standard::by(plan) {
            // Who asks for words gets what has them; meaning alone is always a guess.
            Standard::Coverage => 6.0 * self.coverage,
            Standard::Cosine => 12.0 * self.cosine_lead,
            // English says the same thing in many words; with vectors, their nearness makes up for it.
            Standard::Words => by_words + 1.7 * self.understood,
            Standard::Both => self.understood * by_meaning + (1.0 - self.understood) * by_words,
        };
        Strength { value: worded::strength(logit), evidence: self }
    }
}

/// What counts, by what was asked for and what could be had of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standard {
    Coverage,
    Cosine,
    Words,
    Both,
}

impl Standard {
    fn by(plan: &Plan) -> Self {
        match (plan.asked, plan.mode) {
            (Mode::Keyword, _) => Self::Coverage,
            (_, Mode::Vector) => Self::Cosine,
            (_, Mode::Keyword) => Self::Words,
            (_, Mode::Hybrid) => Self::Both,
        }
    }
}

impl Strength {
    /// What counted, by name.
    pub fn reasons(&self, plan: &Plan) -> Vec<(&'static str, f32)> {
        let evidence = &self.evidence;
        let by_meaning = [
            ("nearness lead", evidence.nearness_lead),
            ("cosine lead", evidence.cosine_lead),
            ("unheard", evidence.unheard),
            ("told", evidence.told),
        ];
        let by_letters = evidence.letters_lead.map(|lead| ("letters lead", lead));
        let by_words = [("words lead", evidence.words_lead)].into_iter().chain(by_letters);
        let names = evidence.names_unknown.map(|share| ("names unknown", share));
        let others = evidence.others_lead.map(|lead| ("others lead", lead));
        match (Standard::by(plan), evidence.understood) {
            (Standard::Coverage, _) => vec![("coverage", evidence.coverage)],
            (Standard::Cosine, _) => vec![("cosine lead", evidence.cosine_lead)],
            (Standard::Words, _) | (Standard::Both, ..=0.0) => by_words.chain(names).collect(),
            (Standard::Both, 1.0..) => {
                by_meaning.into_iter().chain(names.filter(|(_, share)| *share == 1.0)).chain(others).collect()
            }
            (Standard::Both, understood) => [("understood", understood)]
                .into_iter()
                .chain(by_meaning)
                .chain(by_words)
                .chain(names)
                .chain(others)
                .collect(),
        }
    }
}

fn nearness(hit: &RankedChunk) -> f32 {
    hit.score.raw(Stage::Interaction).unwrap_or(0.0)
}

fn near_by_chance(chunks: usize) -> f32 {
    NEAR_BY_CHANCE * (chunks as f32).clamp(1.0, MOST_CHUNKS).ln()
}

fn cosine(hit: &RankedChunk) -> f32 {
    hit.signals.meaning.unwrap_or(0.0)
}

/// Where every signal was asked: a hit without a word of the query that is farther from it than most, or that is near
/// it by letters alone.
fn is_unrelated(hit: &RankedChunk, understood: f32) -> bool {
    let is_compared = hit.score.raw(Stage::Interaction).is_some() && hit.signals.meaning.is_some();
    let is_far = nearness(hit) < FARTHER * USUAL_NEARNESS && cosine(hit) < FARTHER * USUAL_COSINE;
    is_compared && (is_far || understood < language::MOSTLY) && hit.signals.words.is_none()
}

fn best(ranked: &[RankedChunk], value: impl Fn(&RankedChunk) -> f32) -> f32 {
    ranked.iter().take(FIRST).map(value).fold(0.0, f32::max)
}

/// What the candidates reach that are not the first.
fn background(ranked: &[RankedChunk], value: impl Fn(&RankedChunk) -> f32, usual: f32) -> f32 {
    match ranked.get(REST..) {
        Some(others) if ranked.len() > ENOUGH => others.iter().map(value).sum::<f32>() / others.len() as f32,
        Some(_) | None => usual,
    }
}

/// How far the best stands out by words.
fn words_lead(ranked: &[RankedChunk], pairs: f32, plan: &Plan, gathered: &Gathering) -> f32 {
    let chunks = alike(ranked, &plan.text).unwrap_or(gathered.chunks);
    let Gathering { terms, sought, chunks: all, .. } = gathered;
    let known = worded::TermStats { terms, sought, all: *all };
    let whole = (0..terms.len()).map(|at| known.weight(at, chunks)).sum::<f32>() + pairs;
    let share = |hit: &RankedChunk| hit.signals.words.unwrap_or(0.0) / whole.max(f32::MIN_POSITIVE);
    worded::lead(ranked.iter().map(share).collect(), chunks)
}

/// How many chunks are written as the query is, where there are such and they are few among others.
fn alike(ranked: &[RankedChunk], query: &str) -> Option<usize> {
    worded::alike(texts(ranked), &WritingSystem::of(query)?).filter(|alike| *alike < COMPARED)
}

fn texts(ranked: &[RankedChunk]) -> impl Iterator<Item = &str> {
    ranked.iter().map(|hit| hit.chunk.text.as_str())
}

/// Among few chunks that are about different things, one always stands out.
fn crowd(plan: &Plan, gathered: &Gathering) -> f32 {
    if plan.mode == Mode::Vector { 1.0 } else { telling(gathered.chunks, MANY).powi(2) }
}

/// A word that tells much in general counts more, whatever is rare in these notes.
fn unheard(terms: &[TermStat], tokens: &Tokens) -> f32 {
    share(terms, |stat| tokens.telling(&stat.term).unwrap_or(1.0), |stat| !stat.is_heard())
}

/// Turns relative scores into absolute ones. None where there are none.
pub(super) fn anchor(
    compared: &mut Comparison,
    plan: &Plan,
    gathered: &Gathering,
    language: Language,
    tokens: &Tokens,
) -> Option<Strength> {
    let strength = Evidence::of(compared, plan, gathered, language, tokens).strength(plan);
    let ranked = &mut compared.ranked;
    let values: Vec<f32> = ranked.iter().map(|hit| hit.score.value()).collect();
    let best = values.first()?.max(f32::MIN_POSITIVE);
    let chances = sure::chances(&values, strength.value);
    for ((hit, &value), chance) in ranked.iter_mut().zip(&values).zip(chances) {
        hit.chance = chance;
        let left = if is_unrelated(hit, strength.evidence.understood) { UNRELATED } else { 1.0 };
        let raw = strength.value * left;
        let wanted = raw * (value / best).powf((FALL * strength.value.powi(2)).max(LEAST_FALL));
        let factor = if value > 0.0 { wanted / value } else { 0.0 };
        hit.score.parts.push(Part::Factor { stage: Stage::Strength, raw, factor });
    }
    Some(strength)
}
