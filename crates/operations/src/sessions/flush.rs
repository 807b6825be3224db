//! Saving what was said before a compaction: whether it is time, and doing it.

use mindfile::session::decide::{Decision, Run};
use mindfile::session::{self, Check, Flushed};

use crate::operation::prelude::*;
use crate::text::quantity::count;
use crate::values::SessionForm;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FlushCheck {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
    /// The model's context window in tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[schemars(range(min = 1))]
    pub context_window: u64,
    /// What the provider counted for the last prompt.
    #[arg(long, value_name = "N")]
    pub tokens: Option<u64>,
    /// The turn that is about to be sent, if it is not appended yet.
    #[arg(long, value_name = "TEXT")]
    pub pending: Option<String>,
    /// The turn is a poll that keeps the agent alive.
    #[arg(long)]
    #[serde(default)]
    pub heartbeat: bool,
    /// The provider is a command line that compacts by itself.
    #[arg(long)]
    #[serde(default)]
    pub cli_provider: bool,
}

impl Operation for FlushCheck {
    const ROW: Row = Row::new("flushCheck", "Say whether memory must be flushed before the next turn")
        .typed(
            "session flush-check",
            "\
Examples:
  mindfile session flush-check --session s1 --context-window 200000
  mindfile session flush-check --session s1 --context-window 200000 --tokens 171000 --pending \"$TURN\" --json

The threshold is contextWindow - compaction.reserveTokensFloor - compaction.memoryFlush.softThresholdTokens.",
        )
        .http(Http::get("/v1/sessions/{id}/flush-check"));
    type Answer = FlushDecision;

    fn run(self, caller: &Caller<'_>) -> Result<FlushDecision, Failure> {
        let run = match (self.heartbeat, self.cli_provider) {
            (true, _) => Run::Heartbeat,
            (false, true) => Run::CliProvider,
            (false, false) => Run::Conversation,
        };
        let pending = self.pending.as_deref();
        let check = Check { tokens: self.tokens, pending, run, ..Check::new(self.context_window) };
        session::check(caller.memory, caller.viewer, &self.id)?;
        let decision = caller.memory.flush_check(&self.id, &check)?;
        let compact = caller.memory.compaction_check(&self.id, &check)?;
        Ok(FlushDecision::new(&decision, compact))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FlushDecision {
    flush: bool,
    reason: &'static str,
    threshold: u64,
    tokens: u64,
    compact: bool,
}

impl FlushDecision {
    fn new(decision: &Decision, compact: bool) -> Self {
        let Decision { flush, reason, threshold, tokens } = *decision;
        Self { flush, reason: reason.as_str(), threshold, tokens, compact }
    }
}

impl Answer for FlushDecision {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let answer = if self.flush { "flush" } else { "no flush" };
        let then = if self.compact { ", then compact" } else { "" };
        let Self { reason, tokens, threshold, .. } = self;
        Shown::text(format!("{answer}{then}: {reason} ({tokens} of {threshold} tokens)\n"))
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Flush {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
}

impl Operation for Flush {
    const ROW: Row = Row::new("flush", "Save what was said since the last flush to the day's note")
        .typed(
            "session flush",
            "\
Examples:
  mindfile session flush --session 2026-11-14
  mindfile session flush --session 2026-11-14 --model llama3 --base-url http://localhost:11434/v1",
        )
        .http(Http::post("/v1/sessions/{id}/flush"));
    type Answer = FlushReport;

    /// What is kept of a private conversation is nothing for a group.
    fn run(self, caller: &Caller<'_>) -> Result<FlushReport, Failure> {
        session::check(caller.memory, caller.viewer, &self.id)?;
        Ok(FlushReport::new(&caller.memory.flush(&self.id, caller.assistant())?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FlushReport {
    ok: bool,
    note: Option<String>,
    candidates: usize,
    /// What a model added to notes.
    added: Vec<AddedLines>,
    notices: Vec<String>,
    /// Something of the conversation is not in the day's note yet.
    #[serde(skip)]
    is_incomplete: bool,
}

impl FlushReport {
    pub fn new(flushed: &Flushed) -> Self {
        Self {
            ok: true,
            note: flushed.saved.note.clone(),
            candidates: flushed.saved.candidates,
            added: flushed.written.iter().map(AddedLines::new).filter(|added| added.lines > 0).collect(),
            notices: flushed.notices.clone(),
            is_incomplete: !flushed.saved.notices.is_empty(),
        }
    }

    pub fn text(&self) -> String {
        let by_rules = match &self.note {
            Some(note) => Some(format!("✓ Saved {} to {note}\n", count(self.candidates, "candidate"))),
            None if self.is_incomplete => {
                let what = if self.added.is_empty() { "Nothing" } else { "Not everything" };
                let rest = "what was said is in the transcript, and the next flush tries again";
                Some(format!("{what} was saved; {rest}\n"))
            }
            None if self.added.is_empty() => Some("✓ Nothing new to save\n".to_owned()),
            None => None,
        };
        let by_model = self.added.iter().map(AddedLines::text);
        by_rules.into_iter().chain(by_model).collect()
    }
}

/// Lines that a model added to a note.
#[derive(Debug, Serialize, JsonSchema)]
struct AddedLines {
    note: String,
    lines: usize,
}

impl AddedLines {
    fn new(added: &session::Added) -> Self {
        Self { note: added.note.clone(), lines: added.lines }
    }

    fn text(&self) -> String {
        format!("✓ The model added {} to {}\n", count(self.lines, "line"), self.note)
    }
}

impl Answer for FlushReport {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown {
            notices: self.notices.clone(),
            is_incomplete: self.is_incomplete,
            ..Shown::receipt(self.text())
        }
    }
}
