//! `search --json`

use mindfile::Response;
use mindfile::search::{Hit, Part, Plan, QueryTerm, Score, Standing, Strength, WhyNot};
use schemars::JsonSchema;
use serde::Serialize;

use super::rounded;
use crate::spelling::Program;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    results: Vec<One>,
    /// Where there are no results: how many candidates were too weak. A `minScore` of 0 shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    weak: Option<usize>,
    /// The engine that answered.
    backend: &'static str,
    provider: String,
    model: String,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<super::Fallback>,
    degraded: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    phrases_relaxed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(flatten)]
    explained: Option<Explained>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<Why>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct One {
    path: String,
    start_line: u32,
    end_line: u32,
    score: f64,
    snippet: String,
    /// Where the snippet matches: first and one past the last character of each match.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<Vec<[usize; 2]>>,
    source: &'static str,
    origin: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    citation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Piece>>,
    /// Of a conversation: who said what is cited, and when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Spoken>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Spoken {
    line: u32,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

impl Found {
    pub fn new(response: &Response, plan: Option<&Plan>, cited: bool) -> Self {
        let answer = &response.answer;
        Self {
            results: answer.hits.iter().map(|hit| One::new(hit, plan.is_some(), cited)).collect(),
            weak: Some(answer.below_minimum).filter(|weak| *weak > 0 && answer.hits.is_empty()),
            backend: response.backend,
            provider: response.provider.clone(),
            model: response.model.clone(),
            mode: response.mode.as_str(),
            fallback: response.fallback.as_ref().map(super::Fallback::new),
            degraded: response.degraded.clone(),
            phrases_relaxed: answer.phrases_relaxed,
            stale: response.stale.clone(),
            notices: response.notices.clone(),
            explained: plan.map(|plan| Explained::new(response, plan)),
            why_not: answer.why_not.as_ref().map(Why::new),
        }
    }
}

impl Found {
    /// The same with the places that match, for who draws them.
    pub fn marked(mut self, response: &Response) -> Self {
        for (one, hit) in self.results.iter_mut().zip(&response.answer.hits) {
            one.marks = Some(marks(hit, &response.answer.sought));
        }
        self
    }
}

impl One {
    fn new(hit: &Hit, explain: bool, cited: bool) -> Self {
        Self {
            path: hit.path.clone(),
            start_line: hit.start_line,
            end_line: hit.end_line,
            score: rounded(hit.score),
            snippet: hit.snippet.clone(),
            marks: None,
            source: hit.source.as_str(),
            origin: hit.origin.as_str(),
            citation: cited.then(|| hit.citation()),
            parts: explain.then(|| pieces(&hit.parts)),
            messages: hit.spoken.iter().map(Spoken::new).collect(),
        }
    }
}

/// Byte ranges as positions of characters.
fn marks(hit: &Hit, sought: &[QueryTerm]) -> Vec<[usize; 2]> {
    let position = |byte: usize| hit.snippet.get(..byte).map_or(0, |before| before.chars().count());
    hit.marks(sought).iter().map(|range| [position(range.start), position(range.end)]).collect()
}

impl Spoken {
    fn new(spoken: &mindfile::session::Utterance) -> Self {
        Self {
            line: spoken.line,
            role: spoken.role.as_str(),
            speaker: spoken.speaker.clone(),
            date: spoken.at.map(|at| format!("{at:.0}")),
        }
    }
}

/// One part of a score. A term has `normal` and `weight`, a factor has `factor`; the contributions add up to the score.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Piece {
    stage: &'static str,
    raw: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    normal: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    factor: Option<f64>,
    contribution: f64,
}

pub(super) fn pieces(score: &Score) -> Vec<Piece> {
    let gives = score.contributions();
    score.parts.iter().zip(gives).map(|(part, gives)| Piece::new(part, gives)).collect()
}

impl Piece {
    fn new(part: &Part, gives: f32) -> Self {
        let (stage, raw, normal, weight, factor) = match part {
            Part::Term { stage, raw, normal, weight } => (stage, raw, Some(*normal), Some(*weight), None),
            Part::Factor { stage, raw, factor } => (stage, raw, None, None, Some(*factor)),
        };
        Self {
            stage: stage.as_str(),
            raw: rounded(*raw),
            normal: normal.map(rounded),
            weight: weight.map(rounded),
            factor: factor.map(rounded),
            contribution: rounded(gives),
        }
    }
}

/// What `--explain` adds.
#[derive(Debug, Serialize, JsonSchema)]
struct Explained {
    plan: Planned,
    terms: Vec<Term>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Term {
    term: String,
    chunks: u32,
    weight: f64,
    /// Other forms of it that count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forms: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Planned {
    text: String,
    words: Vec<String>,
    phrases: Vec<String>,
    excluded: Vec<String>,
    mode: &'static str,
    max_results: usize,
    min_score: f64,
    weights: Weights,
    found: Signals,
    below_minimum: usize,
    /// Null where nothing was found.
    strength: Option<Strong>,
}

/// How well the notes answer at all, and what says so.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Strong {
    value: f64,
    coverage: f64,
    understood: f64,
    nearness_lead: f64,
    cosine_lead: f64,
    words_lead: f64,
    letters_lead: Option<f64>,
    unheard: f64,
    told: f64,
    names_unknown: Option<f64>,
    others_lead: Option<f64>,
}

impl Strong {
    fn new(strength: &Strength) -> Self {
        let evidence = &strength.evidence;
        Self {
            value: rounded(strength.value),
            coverage: rounded(evidence.coverage),
            understood: rounded(evidence.understood),
            nearness_lead: rounded(evidence.nearness_lead),
            cosine_lead: rounded(evidence.cosine_lead),
            words_lead: rounded(evidence.words_lead),
            letters_lead: evidence.letters_lead.map(rounded),
            unheard: rounded(evidence.unheard),
            told: rounded(evidence.told),
            names_unknown: evidence.names_unknown.map(rounded),
            others_lead: evidence.others_lead.map(rounded),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct Weights {
    words: f64,
    meaning: f64,
    interaction: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Signals {
    words: usize,
    meaning: usize,
}

impl Explained {
    fn new(response: &Response, plan: &Plan) -> Self {
        let answer = &response.answer;
        let terms = answer.terms.iter().zip(&answer.sought).map(|(stat, sought)| Term {
            term: stat.term.clone(),
            chunks: stat.chunks,
            weight: rounded(stat.idf),
            forms: sought.forms.iter().map(|form| form.term.clone()).collect(),
        });
        Self {
            terms: terms.collect(),
            plan: Planned {
                text: plan.text.clone(),
                words: plan.words.terms.clone(),
                phrases: plan.words.phrases.clone(),
                excluded: plan.words.excluded.clone(),
                mode: plan.mode.as_str(),
                max_results: plan.limit,
                min_score: rounded(plan.min_score),
                weights: Weights {
                    words: rounded(plan.weights.words),
                    meaning: rounded(plan.weights.meaning),
                    interaction: rounded(plan.weights.interaction),
                },
                found: Signals { words: answer.by_words, meaning: answer.by_meaning },
                below_minimum: answer.below_minimum,
                strength: answer.strength.as_ref().map(Strong::new),
            },
        }
    }
}

/// Where a line stood. A rank is counted from 1; null where the line was not on the list.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Why {
    path: String,
    line: u32,
    standing: Option<Stood>,
    candidates: usize,
    max_results: usize,
    advice: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Stood {
    start_line: u32,
    end_line: u32,
    words: Option<usize>,
    meaning: Option<usize>,
    fused: Option<usize>,
    last: Option<usize>,
    score: Option<f64>,
    parts: Option<Vec<Piece>>,
    missing: Vec<String>,
}

impl Why {
    fn new(why: &WhyNot) -> Self {
        Self {
            path: why.place.path.clone(),
            line: why.place.line,
            standing: why.standing.as_ref().map(Stood::new),
            candidates: why.candidates,
            max_results: why.limit,
            advice: why.advice.spelled(&Program),
        }
    }
}

impl Stood {
    fn new(standing: &Standing) -> Self {
        Self {
            start_line: standing.start_line,
            end_line: standing.end_line,
            words: standing.words,
            meaning: standing.meaning,
            fused: standing.fused,
            last: standing.last,
            score: standing.score.as_ref().map(|score| rounded(score.value())),
            parts: standing.score.as_ref().map(pieces),
            missing: standing.missing.clone(),
        }
    }
}
