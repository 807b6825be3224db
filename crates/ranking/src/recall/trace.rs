//! The way of a traversal in words, for `--debug`.

use super::traverse::Traversal;

/// How many names of a step, and of the end, are shown.
const SHOWN: usize = 8;

/// Names instead of numbers: what passed activation on to what, and what was active at the end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    pub steps: Vec<(String, Vec<String>)>,
    /// What was reached, not what it began with; the most active first.
    pub active: Vec<(String, f32)>,
}

impl Trace {
    pub(super) fn of(traversal: &Traversal) -> Self {
        let active = traversal.active.iter().filter(|active| active.step > 0);
        Self {
            steps: traversal.passed.iter().map(|passed| (passed.from.clone(), passed.to.clone())).collect(),
            active: active.map(|active| (active.name.clone(), active.activation)).collect(),
        }
    }

    /// ```text
    /// Traversal: performance → {database, slow-endpoint}
    ///   → database → {sarah, indexing}
    ///   → Final activation: {sarah: 0.42, indexing: 0.31}
    /// ```
    pub fn text(&self) -> String {
        let mut text = String::from("Traversal:");
        for (at, (from, to)) in self.steps.iter().enumerate() {
            let arrow = if at == 0 { " " } else { "\n  → " };
            text.push_str(&format!("{arrow}{from} → {{{}}}", listed(to)));
        }
        if self.steps.is_empty() {
            text.push_str(" no entity was reached");
        }
        let active: Vec<String> =
            self.active.iter().map(|(name, activation)| format!("{name}: {activation:.2}")).collect();
        text.push_str(&format!("\n  → Final activation: {{{}}}\n", listed(&active)));
        text
    }
}

fn listed(names: &[String]) -> String {
    let mut shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    if names.len() > SHOWN {
        shown.push("...");
    }
    shown.join(", ")
}
