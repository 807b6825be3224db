//! The answer of a hook in its host's format. It never stops, blocks or changes what the host does.

use serde_json::{Value, json};

use super::{Event, Host};

/// The answer that gives the model `context`; without it, one that says nothing. None: a host that takes what is printed for words.
pub fn reply(host: &Host, event: Event, context: Option<&str>) -> Option<Value> {
    let context = context.filter(|_| takes_context(event));
    (host.reply)(host.event_name(event), event, context)
}

fn takes_context(event: Event) -> bool {
    match event {
        Event::SessionStart | Event::PromptSubmit => true,
        Event::PreCompact | Event::PostCompact | Event::Stop | Event::SubagentStop | Event::SessionEnd => {
            false
        }
    }
}

/// As Claude Code reads it, and the hosts that took it over. What is printed at a compaction, `{}` too, is an instruction to the model
/// that summarises.
pub(super) fn nested(name: &'static str, event: Event, context: Option<&str>) -> Option<Value> {
    if matches!(event, Event::PreCompact | Event::PostCompact) {
        return None;
    }
    Some(match context {
        Some(text) => json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}),
        None => json!({}),
    })
}

/// As Cursor reads it, which waits for leave to go on with a prompt.
#[expect(clippy::unnecessary_wraps, reason = "every host answers by such a function")]
pub(super) fn flat(_: &'static str, event: Event, context: Option<&str>) -> Option<Value> {
    let mut answer = json!({});
    if event == Event::PromptSubmit {
        answer["continue"] = true.into();
    }
    if let Some(text) = context {
        answer["additional_context"] = text.into();
    }
    Some(answer)
}
