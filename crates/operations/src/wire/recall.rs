//! `recall --json` and `reflect --json`

use mindfile::recall::{Recalled, Remembered};
use mindfile::reflect::{Chosen, Reflected};
use schemars::JsonSchema;
use serde::Serialize;

use super::facts::Fact;
use super::rounded;
use super::search::{Piece, pieces};

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recalls {
    results: Vec<One>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traversal: Option<Traversal>,
    tokens: usize,
    /// Relevant facts that the budget had no room for.
    left_out: usize,
    degraded: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct One {
    #[serde(flatten)]
    fact: Fact,
    score: f64,
    hop: u32,
    via: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Piece>>,
}

/// Which entities passed activation on to which, and what was active at the end.
#[derive(Debug, Serialize, JsonSchema)]
struct Traversal {
    steps: Vec<Step>,
    activation: Vec<Activation>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Step {
    from: String,
    to: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Activation {
    entity: String,
    activation: f64,
}

impl Recalls {
    pub fn new(remembered: &Remembered, debug: bool, explain: bool) -> Self {
        let answer = &remembered.answer;
        Self {
            results: answer.recalled.iter().map(|recalled| One::new(recalled, explain)).collect(),
            traversal: debug.then(|| Traversal::new(remembered)),
            tokens: answer.tokens,
            left_out: answer.left_out,
            degraded: remembered.degraded.clone(),
            stale: remembered.stale.clone(),
            notices: remembered.notices.clone(),
        }
    }
}

impl One {
    fn new(recalled: &Recalled, explain: bool) -> Self {
        Self {
            fact: Fact::new(&recalled.fact),
            score: rounded(recalled.score.value()),
            hop: recalled.hop,
            via: recalled.via.clone(),
            parts: explain.then(|| pieces(&recalled.score)),
        }
    }
}

impl Traversal {
    fn new(remembered: &Remembered) -> Self {
        let trace = &remembered.answer.trace;
        let step = |(from, to): &(String, Vec<String>)| Step { from: from.clone(), to: to.clone() };
        let active = |(entity, activation): &(String, f32)| Activation {
            entity: entity.clone(),
            activation: rounded(*activation),
        };
        Self {
            steps: trace.steps.iter().map(step).collect(),
            activation: trace.active.iter().map(active).collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reflection {
    ok: bool,
    dry_run: bool,
    processed: usize,
    total: usize,
    folded: usize,
    contradicted: usize,
    left_out: usize,
    tokens: usize,
    was_tokens: usize,
    added: Vec<String>,
    removed: Vec<String>,
    kept: usize,
    files: Vec<String>,
    facts: Vec<Priority>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Priority {
    id: String,
    priority: f64,
}

impl Reflection {
    pub fn new(reflected: &Reflected, dry_run: bool) -> Self {
        let (figures, changes) = (&reflected.figures, &reflected.changes);
        let priority = |chosen: &Chosen| Priority {
            id: chosen.fact.id.clone(),
            priority: rounded(chosen.priority as f32),
        };
        Self {
            ok: true,
            dry_run,
            processed: figures.processed,
            total: figures.total,
            folded: figures.folded,
            contradicted: figures.contradicted,
            left_out: figures.left_out,
            tokens: figures.tokens,
            was_tokens: figures.was_tokens,
            added: changes.added.clone(),
            removed: changes.removed.clone(),
            kept: changes.kept,
            files: reflected.edits.iter().map(|edit| edit.path.clone()).collect(),
            facts: reflected.selection.chosen.iter().map(priority).collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Undone {
    pub ok: bool,
    pub files: Vec<String>,
}
