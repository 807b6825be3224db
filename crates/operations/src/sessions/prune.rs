//! What pruning would leave of a conversation.

use mindfile::session;
use mindfile::session::prune::{self, Pruned};
use mindfile::session::window::Window;

use super::context::WINDOW;
use crate::operation::prelude::*;
use crate::text::quantity::number;
use crate::values::SessionForm;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prune {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
    /// The model's context window in tokens; 200,000 if it is not said.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[schemars(range(min = 1))]
    pub context_window: Option<u64>,
}

impl Operation for Prune {
    const ROW: Row =
        Row::new("prune", "Show what would be left of old results of tools; the transcript stays as it is")
            .typed(
                "session prune",
                "\
Examples:
  mindfile session prune --session 2026-11-14 --context-window 32000",
            );
    type Answer = PruneReport;

    fn run(self, caller: &Caller<'_>) -> Result<PruneReport, Failure> {
        let transcript = session::conversation(caller.memory, caller.viewer, &self.id)?;
        let mut turns = Window::of(&transcript).turns;
        let how = &caller.memory.settings().pruning;
        let window = self.context_window.unwrap_or(WINDOW);
        let pruned = prune::prune(&mut turns, how, window, caller.memory.clock().now());
        Ok(PruneReport::new(&pruned, how.mode.as_str()))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PruneReport {
    #[serde(skip_serializing_if = "str::is_empty")]
    mode: &'static str,
    trimmed: usize,
    cleared: usize,
    tokens_before: u64,
    tokens_after: u64,
}

impl PruneReport {
    pub(super) fn new(pruned: &Pruned, mode: &'static str) -> Self {
        let Pruned { trimmed, cleared, tokens_before, tokens_after } = *pruned;
        Self { mode, trimmed, cleared, tokens_before, tokens_after }
    }
}

impl Answer for PruneReport {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Self { mode, tokens_before, tokens_after, .. } = self;
        let (trimmed, cleared) = (number(self.trimmed), number(self.cleared));
        Shown::text(format!(
            "{trimmed} trimmed, {cleared} cleared: {tokens_before} tokens become {tokens_after} \
             (contextPruning.mode is {mode})\n"
        ))
    }
}
