//! Whether the notes answer the query at all. A ranking always has a first; an honest answer may still be empty.
//!
//! The ranking's own scores are relative: the best candidate has the highest, however bad it is. Strength is absolute.
//! It is a logistic function of evidence that does not depend on how large the collection is. For the words that the
//! embedded table knows, that is how near the best hits come to them, how far their cosine stands out from the other
//! candidates, and what the notes have never heard of. Of other languages the table knows letters alone: there, only
//! the words themselves tell. The coefficients were fitted on questions asked of notes that answer them and of notes
//! about something else (`docs/ranking.md`).

use mindfile_index::TermStat;
use mindfile_note::words::{self, Unit, Written};

use super::gather::Gathered;
use super::interaction::Tokens;
use super::language::{self, Language, share};
use super::letters;
use super::names::{self, Spelled};
use super::plan::{Mode, Plan};
use super::rank::{COMPARED, Ranked};
use super::score::{Part, Stage};

/// How many of the first hits may give the evidence.
const WITNESSES: usize = 5;
/// Candidates from here on are what the first are compared with, if there are enough of them.
const BACKGROUND: usize = 10;
const ENOUGH: usize = 15;
/// How much of what the next have by words counts against the best, and what all others have, against them.
const NEXT: f32 = 0.58;
const REST: f32 = 0.34;
/// What the best has by words of any question at all: more of it among more chunks, from a few on, up to a limit.
const BY_CHANCE: f32 = 0.071;
const FIRST_CHANCE: f32 = 0.05;
const MOST_BY_CHANCE: f32 = 0.288;
/// What unrelated chunks usually reach, for a collection too small to tell.
const USUAL_NEARNESS: f32 = 0.45;
const USUAL_COSINE: f32 = 0.15;
const USUAL_WORDS: f32 = 0.1;
/// A hit that has no word of the query and is farther from it, by this share of what is usual, has nothing to do with it.
const FARTHER: f32 = 2.0 / 3.0;
/// What is left of the score of a hit that has nothing to do with the query.
const UNRELATED: f32 = 0.3;
/// How fast a hit's score falls with its distance from the best: only what is nothing beside it is dropped. In a weak
/// answer it falls less, or just the best would be left of it.
const FALL: f32 = 0.25;
/// With this many chunks, a word that none of them has is news; with fewer it may just be a small collection. Where
/// meaning decides, that is soon so, because a chunk that says it in other words is near all the same.
const FEW_CHUNKS: f32 = 10.0;
const MANY_CHUNKS: f32 = 100.0;

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
    /// The nearest that a hit's tokens come to the query's.
    pub nearness: f32,
    /// How far the best stand out from the other candidates, by cosine; less among few chunks.
    pub cosine_lead: f32,
    /// How far they stand out by words, beyond what is found by chance.
    pub words_lead: f32,
    /// How far the best stands out by rows of letters; None where that tells nothing.
    pub letters_lead: Option<f32>,
    /// The share of the query in words that no note has.
    pub unheard: f32,
    /// The share of the query's names that no note has; None where it has no names.
    pub names_unknown: Option<f32>,
}

impl Evidence {
    fn of(
        ranked: &[Ranked],
        pairs: f32,
        plan: &Plan,
        gathered: &Gathered,
        language: Language,
        tokens: &Tokens,
    ) -> Self {
        let terms = &gathered.terms;
        let coverage = best(ranked, |hit| hit.signals.coverage);
        // Vectors of several languages find what is called otherwise in another.
        let spelled =
            if plan.english_vectors || language.is_english { Spelled::Alike } else { Spelled::Anyhow };
        let is_formed =
            |name: &str| language.is_bent && ranked.iter().any(|hit| names::has_form(&hit.chunk.text, name));
        Self {
            coverage,
            understood: if plan.english_vectors { language.understood } else { 1.0 },
            nearness: best(ranked, nearness),
            cosine_lead: crowd(plan, gathered)
                * (best(ranked, cosine) - background(ranked, cosine, USUAL_COSINE)),
            words_lead: words_lead(ranked, pairs, plan, gathered),
            letters_lead: if language.is_bent { letters::lead(ranked, &plan.text) } else { None },
            unheard: unheard(terms, tokens) * telling(gathered.chunks, FEW_CHUNKS).powi(2),
            names_unknown: names::unknown(&plan.text, terms, is_formed, spelled),
        }
    }

    /// Names that stand in the notes speak for an answer, others against it.
    fn by_names(self) -> f32 {
        self.names_unknown.map_or(0.0, |unknown| 0.5 - 2.0 * unknown)
    }

    fn by_letters(self) -> f32 {
        self.letters_lead.map_or(0.0, |lead| 8.0 * lead - 1.0)
    }

    /// Between 0 and 1. Where both signals were asked for, an answer below 0.35 is more likely none.
    fn strength(self, plan: &Plan) -> Strength {
        let by_words = 17.0 * self.words_lead + self.by_names() + self.by_letters();
        let stranger = if self.names_unknown == Some(1.0) { 5.0 } else { 0.0 };
        let by_meaning = 5.2 * self.nearness + 9.8 * self.cosine_lead - 4.4 * self.unheard - 1.0 - stranger;
        let logit = match Judged::by(plan) {
            // Who asks for words gets what has them; meaning alone is always a guess.
            Judged::Coverage => 6.0 * self.coverage,
            Judged::Cosine => 12.0 * self.cosine_lead,
            // English says the same thing in many words; with vectors, their nearness makes up for it.
            Judged::Words => by_words + 1.7 * self.understood,
            Judged::Both => self.understood * by_meaning + (1.0 - self.understood) * by_words,
        };
        Strength { value: 1.0 / (1.0 + (-logit).exp()), evidence: self }
    }
}

/// What counts, by what was asked for and what could be had of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    Coverage,
    Cosine,
    Words,
    Both,
}

impl Judged {
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
            ("nearness", evidence.nearness),
            ("cosine lead", evidence.cosine_lead),
            ("unheard", evidence.unheard),
        ];
        let by_letters = evidence.letters_lead.map(|lead| ("letters lead", lead));
        let by_words = [("words lead", evidence.words_lead)].into_iter().chain(by_letters);
        let names = evidence.names_unknown.map(|share| ("names unknown", share));
        match (Judged::by(plan), evidence.understood) {
            (Judged::Coverage, _) => vec![("coverage", evidence.coverage)],
            (Judged::Cosine, _) => vec![("cosine lead", evidence.cosine_lead)],
            (Judged::Words, _) | (Judged::Both, ..=0.0) => by_words.chain(names).collect(),
            (Judged::Both, 1.0..) => {
                by_meaning.into_iter().chain(names.filter(|(_, share)| *share == 1.0)).collect()
            }
            (Judged::Both, understood) => [("understood", understood)]
                .into_iter()
                .chain(by_meaning)
                .chain(by_words)
                .chain(names)
                .collect(),
        }
    }
}

/// A word that stands in the text is as near as can be, whether or not the table knows it.
fn nearness(hit: &Ranked) -> f32 {
    hit.score.raw(Stage::Interaction).unwrap_or(0.0).max(hit.signals.coverage)
}

fn cosine(hit: &Ranked) -> f32 {
    hit.signals.meaning.unwrap_or(0.0)
}

/// Where every signal was asked: a hit without a word of the query that is farther from it than most, or that is near
/// it by letters alone.
fn is_unrelated(hit: &Ranked, understood: f32) -> bool {
    let is_compared = hit.score.raw(Stage::Interaction).is_some() && hit.signals.meaning.is_some();
    let is_far = nearness(hit) < FARTHER * USUAL_NEARNESS && cosine(hit) < FARTHER * USUAL_COSINE;
    is_compared && (is_far || understood < language::MOSTLY) && hit.signals.words.is_none()
}

fn best(ranked: &[Ranked], value: impl Fn(&Ranked) -> f32) -> f32 {
    ranked.iter().take(WITNESSES).map(value).fold(0.0, f32::max)
}

/// What the candidates reach that are not the first.
fn background(ranked: &[Ranked], value: impl Fn(&Ranked) -> f32, usual: f32) -> f32 {
    match ranked.get(BACKGROUND..) {
        Some(others) if ranked.len() > ENOUGH => others.iter().map(value).sum::<f32>() / others.len() as f32,
        Some(_) | None => usual,
    }
}

/// How far the best stands out by words from the next, as far as these stand out from the rest; and beyond what any
/// question would find in so many chunks.
fn words_lead(ranked: &[Ranked], pairs: f32, plan: &Plan, gathered: &Gathered) -> f32 {
    let chunks = alike(ranked, &plan.text).unwrap_or(gathered.chunks);
    let (news, chance) = (telling(chunks, MANY_CHUNKS), by_chance(chunks));
    let terms = &gathered.terms;
    let weigh = |(at, stat): (usize, &TermStat)| {
        if stat.is_heard() { stat.idf } else { news * unheard_weight(terms, at) * stat.idf }
    };
    let whole = terms.iter().enumerate().map(weigh).sum::<f32>() + pairs;
    let share = |hit: &Ranked| hit.signals.words.unwrap_or(0.0) / whole.max(f32::MIN_POSITIVE);
    let mut shares: Vec<f32> = ranked.iter().map(share).collect();
    let best = shares.iter().take(WITNESSES).copied().fold(0.0, f32::max);
    shares.sort_by(|a, b| b.total_cmp(a));
    let mean = |part: &[f32]| part.iter().sum::<f32>() / part.len() as f32;
    let (next, rest) = if shares.len() > ENOUGH {
        (mean(&shares[WITNESSES..BACKGROUND]), mean(&shares[BACKGROUND..]))
    } else {
        (USUAL_WORDS, USUAL_WORDS)
    };
    best - NEXT * next + REST * rest - chance
}

/// What a term that no note has weighs, beside one that they have. In Chinese, Japanese and Korean, a pair between two
/// that they have is just where two words meet.
fn unheard_weight(terms: &[TermStat], at: usize) -> f32 {
    let term = terms[at].term.as_str();
    let is_heard = |other: Option<&TermStat>| {
        other.is_some_and(|other| other.chunks > 0 && words::unit(&other.term) == Unit::Cjk)
    };
    match words::unit(term) {
        Unit::Word => 1.7,
        Unit::Syllables => 1.4,
        Unit::Cjk => {
            let neighbours = [at.checked_sub(1).and_then(|at| terms.get(at)), terms.get(at + 1)];
            neighbours.into_iter().filter(|other| !is_heard(*other)).count() as f32 / 2.0
        }
    }
}

/// How many chunks are written as the query is, where there are such and they are few among others.
fn alike(ranked: &[Ranked], query: &str) -> Option<usize> {
    let written = Written::of(query)?;
    let alike = ranked.iter().filter(|hit| written.is_way_of(&hit.chunk.text)).count();
    (1..COMPARED).contains(&alike).then_some(alike)
}

fn by_chance(chunks: usize) -> f32 {
    (BY_CHANCE * (1.0 + chunks as f32).ln() - FIRST_CHANCE).clamp(0.0, MOST_BY_CHANCE)
}

/// Between 0 and 1: how near the chunks are to being so many, by order of magnitude.
fn telling(chunks: usize, many: f32) -> f32 {
    ((1.0 + chunks as f32).ln() / (1.0 + many).ln()).min(1.0)
}

/// Among few chunks that are about different things, one always stands out.
fn crowd(plan: &Plan, gathered: &Gathered) -> f32 {
    if plan.mode == Mode::Vector { 1.0 } else { telling(gathered.chunks, MANY_CHUNKS).powi(2) }
}

/// A word that tells much in general counts more, whatever is rare in these notes.
fn unheard(terms: &[TermStat], tokens: &Tokens) -> f32 {
    share(terms, |stat| tokens.telling(&stat.term).unwrap_or(1.0), |stat| !stat.is_heard())
}

/// Turns relative scores into absolute ones. None where there are none.
pub(super) fn anchor(
    ranked: &mut [Ranked],
    pairs: f32,
    plan: &Plan,
    gathered: &Gathered,
    language: Language,
    tokens: &Tokens,
) -> Option<Strength> {
    let strength = Evidence::of(ranked, pairs, plan, gathered, language, tokens).strength(plan);
    let best = ranked.iter().map(|hit| hit.score.value()).reduce(f32::max)?.max(f32::MIN_POSITIVE);
    for hit in ranked {
        let value = hit.score.value();
        let left = if is_unrelated(hit, strength.evidence.understood) { UNRELATED } else { 1.0 };
        let raw = strength.value * left;
        let wanted = raw * (value / best).powf(FALL * strength.value.powi(2));
        let factor = if value > 0.0 { wanted / value } else { 0.0 };
        hit.score.parts.push(Part::Factor { stage: Stage::Strength, raw, factor });
    }
    Some(strength)
}
