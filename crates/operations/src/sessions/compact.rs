//! Putting a summary in the place of older turns.

use mindfile::session::{self, Compacted, Trigger};

use crate::operation::prelude::*;
use crate::text::quantity::count;
use crate::values::SessionForm;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Compact {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
    /// The model refused the conversation as too long: keep less.
    #[arg(long)]
    #[serde(default)]
    pub overflow: bool,
}

impl Operation for Compact {
    const ROW: Row =
        Row::new("compact", "Flush, then replace older turns by a summary; they stay in the transcript")
            .typed(
                "session compact",
                "\
Examples:
  mindfile session compact --session 2026-11-14
  mindfile session compact --session 2026-11-14 --overflow",
            )
            .http(Http::post("/v1/sessions/{id}/compact"));
    type Answer = CompactionReport;

    fn run(self, caller: &Caller<'_>) -> Result<CompactionReport, Failure> {
        session::check(caller.memory, caller.viewer, &self.id)?;
        let trigger = if self.overflow { Trigger::Overflow } else { Trigger::Threshold };
        Ok(CompactionReport::new(&caller.memory.compact(&self.id, caller.assistant(), trigger)?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompactionReport {
    ok: bool,
    id: Option<String>,
    by: &'static str,
    messages: usize,
    first_kept_entry_id: Option<String>,
    tokens_before: u64,
    tokens_after: u64,
    summary: String,
    notices: Vec<String>,
}

impl CompactionReport {
    pub fn new(compacted: &Compacted) -> Self {
        Self {
            ok: true,
            id: compacted.entry.clone(),
            by: compacted.by.as_str(),
            messages: compacted.messages,
            first_kept_entry_id: compacted.first_kept.clone(),
            tokens_before: compacted.tokens_before,
            tokens_after: compacted.tokens_after,
            summary: compacted.summary.clone(),
            notices: compacted.notices.clone(),
        }
    }

    pub fn text(&self) -> String {
        if self.id.is_none() {
            return "Nothing to compact.\n".to_owned();
        }
        let Self { by, tokens_before, tokens_after, .. } = self;
        let messages = count(self.messages, "message");
        format!("✓ {messages} compacted by {by}: {tokens_before} tokens became {tokens_after}\n")
    }
}

impl Answer for CompactionReport {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown { notices: self.notices.clone(), ..Shown::receipt(self.text()) }
    }
}
