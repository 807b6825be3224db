//! How a search was planned and what each signal found: as JSON, and in lines.

use mindfile::Response;
use mindfile::search::{Answer, Plan, QueryTerm, Strength};
use schemars::JsonSchema;
use serde::Serialize;

use crate::explain::rounded;
use crate::text::clean;
use crate::text::quantity::number;
use crate::text::style::HEAD;
use crate::text::table::{self, Side};

/// How many forms of a word are shown.
const FORMS: usize = 4;

/// What an explained answer has beside its results.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Explained {
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
    pub(super) fn new(response: &Response, plan: &Plan) -> Self {
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

/// The plan in lines: what was asked, how it was weighed, what each signal found.
pub(super) fn lines(plan: &Plan, answer: &Answer) -> String {
    let weights = &plan.weights;
    let weighed = format!(
        "words {:.2}, meaning {:.2}, interaction {:.2}",
        weights.words, weights.meaning, weights.interaction
    );
    let found = format!(
        "{} by words, {} by meaning, {} below the minimum {:.2}",
        number(answer.by_words),
        number(answer.by_meaning),
        number(answer.below_minimum),
        plan.min_score
    );
    let mut rows = vec![("mode", plan.mode.as_str().to_owned()), ("words", words(answer))];
    rows.extend(quoted("phrases", &plan.words.phrases));
    rows.extend(quoted("without", &plan.words.excluded));
    rows.extend([("weights", weighed), ("found", found)]);
    rows.extend(answer.strength.map(|strength| ("strength", judged(&strength, plan))));
    let rows: Vec<[String; 2]> = rows.into_iter().map(|(name, value)| [format!("{name}:"), value]).collect();
    let mut text = format!("{HEAD}Plan{HEAD:#}\n");
    for line in table::lines([Side::Left, Side::Left], &rows) {
        text.push_str(&format!("  {}\n", clean::text(&line)));
    }
    text
}

/// How well the notes answer at all, and what says so.
fn judged(strength: &Strength, plan: &Plan) -> String {
    let reasons: Vec<String> =
        strength.reasons(plan).iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
    format!("{:.2} from {}", strength.value, reasons.join(", "))
}

/// Each word with the number of chunks that have it, and other forms that count.
fn words(answer: &Answer) -> String {
    if answer.terms.is_empty() {
        return "none".to_owned();
    }
    let terms = answer.terms.iter().zip(&answer.sought);
    let words = terms.map(|(stat, sought)| format!("{} ({}{})", stat.term, stat.chunks, also(sought)));
    words.collect::<Vec<_>>().join(", ")
}

fn also(sought: &QueryTerm) -> String {
    let first: Vec<&str> = sought.forms.iter().take(FORMS).map(|form| form.term.as_str()).collect();
    let more = if sought.forms.len() > FORMS { " …" } else { "" };
    if first.is_empty() { String::new() } else { format!("; also {}{more}", first.join(" ")) }
}

fn quoted(name: &'static str, phrases: &[String]) -> Option<(&'static str, String)> {
    let all: Vec<String> = phrases.iter().map(|phrase| format!("{phrase:?}")).collect();
    (!all.is_empty()).then(|| (name, all.join(", ")))
}
