//! Turns that a host hands over, in any of the hosts' formats.

use serde_json::{Map, Value, json};

use super::content::{self, Block};
use super::entry::{self, Body, Message, Usage};
use super::error::SessionError as Error;
use mindfile_trust::speaker::Role;

/// The `customType` of a hidden message.
const HIDDEN: &str = "mindfile.hidden";

impl Message {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self::of_blocks(role, vec![Block::Text(text.into())])
    }

    pub fn of_blocks(role: Role, blocks: Vec<Block>) -> Self {
        Self {
            role,
            speaker: None,
            blocks,
            usage: None,
            call_id: None,
            tool: None,
            failed: false,
            hidden: false,
        }
    }

    /// As an entry of a transcript, in OpenClaw's spelling: what nobody sees, and neither a model nor a tool said, is a
    /// message that a program put in.
    pub fn entry(&self) -> Value {
        if self.hidden && matches!(self.role, Role::User | Role::System) {
            return json!({
                "type": "custom_message",
                "customType": HIDDEN,
                "content": content::written(&self.blocks),
                "display": false,
                "details": {"role": self.role.written(), "speaker": self.speaker},
            });
        }
        let mut inner = Map::new();
        let mut set = |name: &str, value: Value| inner.insert(name.to_owned(), value);
        set("role", self.role.written().into());
        for (name, value) in
            [("speaker", &self.speaker), ("toolCallId", &self.call_id), ("toolName", &self.tool)]
        {
            if let Some(value) = value {
                set(name, value.clone().into());
            }
        }
        set("content", content::written(&self.blocks));
        if self.role == Role::Tool {
            set("isError", self.failed.into());
        }
        if self.hidden {
            set("hidden", true.into());
        }
        if let Some(usage) = &self.usage {
            set("usage", written_usage(usage));
        }
        json!({"type": "message", "message": inner})
    }
}

fn written_usage(usage: &Usage) -> Value {
    json!({
        "input": usage.input,
        "output": usage.output,
        "cacheRead": usage.cache_read,
        "cacheWrite": usage.cache_write,
        "totalTokens": usage.prompt() + usage.output,
    })
}

/// Entries from JSON, one a line: a message (`{"role","content"}`), or an entry with its type.
pub fn parse_lines(text: &str) -> Result<Vec<Value>, Error> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let entries: Vec<Value> = lines.map(|(line, number)| parse(line, number)).collect::<Result<_, _>>()?;
    if entries.is_empty() {
        Err(Error::NotAMessage { what: "there is none".to_owned() })
    } else {
        Ok(entries)
    }
}

fn parse(line: &str, number: usize) -> Result<Value, Error> {
    let wrong = |what: String| Error::NotAMessage { what: format!("line {number}: {what}") };
    let not_json =
        |error: serde_json::Error| wrong(format!("it is not JSON, from column {} on", error.column()));
    let value: Value = serde_json::from_str(line).map_err(not_json)?;
    let value = if value["type"].is_string() { value } else { json!({"type": "message", "message": value}) };
    let Some(entry) = entry::read(&value) else { return Err(wrong("not an object".to_owned())) };
    match entry.body {
        Body::Header(_) => Err(wrong("a header is written by mindfile".to_owned())),
        Body::Other(kind) if kind == "message" => Err(wrong("it has no known role".to_owned())),
        Body::Message(_) | Body::Compaction(_) | Body::Injected { .. } => Ok(value),
        Body::BranchSummary { .. } | Body::Flush(_) | Body::Other(_) => Ok(value),
    }
}
