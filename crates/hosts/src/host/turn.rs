//! Turns in the transcripts of hosts. Only what people and the agent said to each other counts: no tool output, no text
//! that a program inserted, no thoughts.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::Host;
use mindfile::session::{Message, Role};

#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub role: Role,
    pub text: String,
    /// The host's id of it.
    pub id: String,
    pub at: Option<Timestamp>,
    /// Where its line ends in the host's transcript, in bytes.
    pub end: u64,
}

/// The longest text of a turn that is kept; nobody says more, but logs are pasted.
const LONGEST: usize = 256 << 10;

impl Turn {
    /// As an entry of a transcript, with where it comes from.
    pub(crate) fn entry(&self, from: &str) -> Value {
        let mut text = self.text.as_str();
        if text.len() > LONGEST {
            text = &text[..text.floor_char_boundary(LONGEST)];
        }
        let mut entry = Message::new(self.role, text).entry();
        entry["host"] = json!({"name": from, "id": self.id, "at": self.end});
        if let Some(at) = self.at {
            entry["timestamp"] = format!("{at:.3}").into();
        }
        entry
    }
}

/// Whether the lines of a piece of a transcript tell what was said in words meant for people; Codex writes both these
/// and what the model was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    Shown,
    Sent,
}

impl Telling {
    pub(crate) fn of(host: &Host, lines: &[Value]) -> Self {
        match host.transcript {
            [shown, _sent] if !lines.iter().any(|line| shown(line).is_some()) => Self::Sent,
            _shown_alone => Self::Shown,
        }
    }
}

/// The turn that a line of a host's transcript tells, if it tells one. `end` is where the line ends.
pub(crate) fn of_line(host: &Host, telling: Telling, line: &Value, end: u64) -> Option<Turn> {
    let (role, text) = host.reader(telling)?(line)?;
    let text = spoken(&text);
    if text.is_empty() {
        return None;
    }
    let id = ["uuid", "id"].iter().find_map(|name| line[*name].as_str());
    let at = line["timestamp"].as_str().and_then(|at| at.parse().ok());
    Some(Turn { role, text, id: id.map_or_else(|| format!("@{end}"), str::to_owned), at, end })
}

pub(super) fn claude(line: &Value) -> Option<(Role, String)> {
    let is = |name: &str| line[name].as_bool() == Some(true);
    let role = match line["type"].as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    if is("isSidechain") || is("isMeta") || is("isCompactSummary") {
        return None;
    }
    Some((role, said(&line["message"]["content"])))
}

pub(super) fn codex_shown(line: &Value) -> Option<(Role, String)> {
    if line["type"].as_str()? != "event_msg" {
        return None;
    }
    let role = match line["payload"]["type"].as_str()? {
        "user_message" => Role::User,
        "agent_message" => Role::Assistant,
        _ => return None,
    };
    Some((role, line["payload"]["message"].as_str()?.to_owned()))
}

pub(super) fn codex_sent(line: &Value) -> Option<(Role, String)> {
    // The first version had the item itself in the line.
    let item = match line["type"].as_str()? {
        "response_item" => &line["payload"],
        "message" => line,
        _ => return None,
    };
    if item["type"].as_str()? != "message" {
        return None;
    }
    match item["role"].as_str()? {
        "user" => Some((Role::User, said(&item["content"]))),
        "assistant" => Some((Role::Assistant, said(&item["content"]))),
        _ => None,
    }
}

pub(super) fn copilot(line: &Value) -> Option<(Role, String)> {
    let role = match line["type"].as_str()? {
        "user.message" => Role::User,
        "assistant.message" => Role::Assistant,
        _ => return None,
    };
    Some((role, said(&line["data"]["content"])))
}

/// How hosts call the part of a line that has what a tool answered.
const ANSWERS: [&str; 7] = [
    "tool_result", "function_call_output", "custom_tool_call_output", "local_shell_call_output",
    "mcp_tool_call_end", "exec_command_end", "tool.execution_complete",
];
/// Its own tools tell what the memory knows already, with its origin.
const OWN_TOOLS: &str = "mcp__mindfile__";

/// What tools answered in these lines, of whatever host. It is never written down.
pub(crate) fn tools_said<'v>(lines: impl Iterator<Item = &'v Value> + Clone) -> Vec<String> {
    let mut own = HashSet::new();
    let mut called = |object: &Map<String, Value>| {
        if object.get("name").and_then(Value::as_str).is_some_and(|name| name.starts_with(OWN_TOOLS)) {
            own.extend(
                ["id", "call_id"].iter().filter_map(|id| object.get(*id)?.as_str()).map(str::to_owned),
            );
        }
    };
    lines.clone().for_each(|line| each_object(line, &mut called));
    let mut said = Vec::new();
    let mut answered = |object: &Map<String, Value>| {
        let is_answer =
            object.get("type").and_then(Value::as_str).is_some_and(|kind| ANSWERS.contains(&kind));
        let is_own = || ["tool_use_id", "call_id"].iter().any(|id| is_in(&own, object.get(*id)));
        if is_answer && !is_own() {
            said.extend(object.values().flat_map(strings));
        }
    };
    lines.for_each(|line| each_object(line, &mut answered));
    said
}

fn is_in(ids: &HashSet<String>, id: Option<&Value>) -> bool {
    id.and_then(Value::as_str).is_some_and(|id| ids.contains(id))
}

fn each_object(value: &Value, each: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            each(object);
            object.values().for_each(|value| each_object(value, each));
        }
        Value::Array(values) => values.iter().for_each(|value| each_object(value, each)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Every text in a value. One that is JSON itself, as some hosts write it, is read as that.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner @ (Value::Object(_) | Value::Array(_))) => strings(&inner),
            Ok(_) | Err(_) => vec![text.clone()],
        },
        Value::Array(values) => values.iter().flat_map(strings).collect(),
        Value::Object(object) => object.values().flat_map(strings).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// The words of a message's content: a text, or the texts among its blocks.
fn said(content: &Value) -> String {
    let block = |block: &Value| match block["type"].as_str() {
        Some("text" | "input_text" | "output_text") => block["text"].as_str().map(str::to_owned),
        Some(_) | None => None,
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(block).collect::<Vec<_>>().join("\n"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

/// What programs put into the mouth of a person, by how it begins.
const PUT_IN: [&str; 9] = [
    "<command-", "<local-command-", "<task-notification>", "<environment_context>", "<user_instructions>",
    "<turn_aborted>", "# AGENTS.md instructions", "Caveat: The messages below", "[Request interrupted",
];

/// What stands between such a mark and its end is a program's, and may be what this program gave itself.
const INSERTED: [[&str; 2]; 2] =
    [["<system-reminder>", "</system-reminder>"], ["<hook_context>", "</hook_context>"]];

/// A text without what a program put into it.
pub(super) fn spoken(text: &str) -> String {
    let mut rest = text.to_owned();
    for [open, close] in INSERTED {
        while let Some(start) = rest.find(open) {
            let end = rest[start..].find(close).map_or(rest.len(), |at| start + at + close.len());
            rest.replace_range(start..end, "");
        }
    }
    let rest = rest.trim();
    if PUT_IN.iter().any(|begin| rest.starts_with(begin)) { String::new() } else { rest.to_owned() }
}
