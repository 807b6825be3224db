//! `reflect --json`

use mindfile::reflect::{Chosen, Reflected};
use schemars::JsonSchema;
use serde::Serialize;

use crate::explain::rounded;

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
