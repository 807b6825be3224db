//! What a hook answers, in the spelling of its host. An answer never stops, blocks or changes what the host does.

use serde_json::{Value, json};

use super::{Event, Host, entries};

/// The answer that gives the model `context`; none is the answer that says nothing.
pub fn reply(host: Host, event: Event, context: Option<&str>) -> Value {
    let context = context.filter(|_| takes_context(event));
    match (host, event, context) {
        (Host::Cursor, Event::PromptSubmit, Some(text)) => {
            json!({"continue": true, "additional_context": text})
        }
        (Host::Cursor, Event::PromptSubmit, None) => json!({"continue": true}),
        (Host::Cursor, _, Some(text)) => json!({"additional_context": text}),
        (_, _, Some(text)) => json!({"hookSpecificOutput": {
            "hookEventName": name(host, event),
            "additionalContext": text,
        }}),
        (_, _, None) => json!({}),
    }
}

fn takes_context(event: Event) -> bool {
    match event {
        Event::SessionStart | Event::PromptSubmit => true,
        Event::PreCompact | Event::Stop | Event::SessionEnd => false,
    }
}

fn name(host: Host, event: Event) -> &'static str {
    let known = entries::names(host).iter().find(|(known, _)| *known == event);
    known.map_or(event.as_str(), |(_, name)| name)
}
