//! Parses a line of a transcript. `role` and `content` are in the entry itself or, as OpenClaw writes them, in
//! `message`. Unknown parts stay in the file untouched.

use jiff::Timestamp;
use mindfile_note::Origin;
use serde_json::Value;

use super::content::{self, Block};
use mindfile_trust::speaker::Role;

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: Option<String>,
    pub parent: Parent,
    pub at: Option<Timestamp>,
    pub body: Body,
}

/// What an entry follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent {
    /// The entry says nothing: it follows the line before.
    Unsaid,
    /// It begins a conversation.
    None,
    Id(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Header(Header),
    Message(Message),
    Compaction(Compaction),
    /// A message that was put in by a program.
    Injected {
        blocks: Vec<Block>,
        hidden: bool,
    },
    /// Stands for a branch that was left.
    BranchSummary {
        summary: String,
    },
    /// What mindfile notes about a flush.
    Flush(FlushMark),
    /// A type that is not known, by its name.
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub id: String,
    pub version: u64,
    pub cwd: Option<String>,
    pub parent_session: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub role: Role,
    /// Who spoke, where more than one person does.
    pub speaker: Option<String>,
    pub blocks: Vec<Block>,
    pub usage: Option<Usage>,
    /// Of a tool's result: the call it answers, and the tool.
    pub call_id: Option<String>,
    pub tool: Option<String>,
    pub failed: bool,
    pub hidden: bool,
}

/// What a provider said that a turn took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    pub summary: String,
    pub first_kept: Option<String>,
    pub tokens_before: u64,
    /// The lowest of the turns it stands for. One that does not say so, or was made elsewhere, is untrusted.
    pub origin: Origin,
}

/// The entries up to and with `through` were saved, when `compactions` compactions had taken place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushMark {
    pub compactions: u64,
    pub through: Option<String>,
}

/// The `customType` of a flush mark.
pub const FLUSH: &str = "mindfile.flush";

impl Usage {
    /// What the model was given: the part that a cache answered counts as well.
    pub fn prompt(&self) -> u64 {
        self.input + self.cache_read + self.cache_write
    }
}

impl Message {
    /// Its text, without calls, thoughts and pictures.
    pub fn text(&self) -> String {
        content::text(&self.blocks)
    }
}

/// Reads an entry. None if the value is not an object with a type.
pub fn read(value: &Value) -> Option<Entry> {
    let object = value.as_object()?;
    let kind = value["type"].as_str()?;
    let parent = match object.get("parentId") {
        Some(Value::String(id)) => Parent::Id(id.clone()),
        Some(Value::Null) => Parent::None,
        Some(_) | None => Parent::Unsaid,
    };
    Some(Entry {
        id: string(value, "id").filter(|_| kind != "session"),
        parent: if kind == "session" { Parent::None } else { parent },
        at: time(&value["timestamp"]).or_else(|| time(&value["message"]["timestamp"])),
        body: body(kind, value),
    })
}

fn body(kind: &str, value: &Value) -> Body {
    let known = match kind {
        "session" => Some(Body::Header(header(value))),
        "message" => message(value).map(Body::Message),
        "compaction" => Some(Body::Compaction(compaction(value))),
        "custom_message" => Some(injected(value)),
        "branch_summary" => string(value, "summary").map(|summary| Body::BranchSummary { summary }),
        "custom" => flush_mark(value),
        _ => None,
    };
    known.unwrap_or_else(|| Body::Other(kind.to_owned()))
}

fn header(value: &Value) -> Header {
    Header {
        id: string(value, "id").unwrap_or_default(),
        version: value["version"].as_u64().unwrap_or(1),
        cwd: string(value, "cwd"),
        parent_session: string(value, "parentSession"),
    }
}

fn message(value: &Value) -> Option<Message> {
    let inner = if value["message"].is_object() { &value["message"] } else { value };
    Some(Message {
        role: Role::parse(inner["role"].as_str()?)?,
        speaker: string(inner, "speaker").or_else(|| string(value, "speaker")),
        blocks: blocks(inner),
        usage: usage(&inner["usage"]),
        call_id: string(inner, "toolCallId").or_else(|| string(inner, "tool_call_id")),
        tool: string(inner, "toolName").or_else(|| string(inner, "name")),
        failed: inner["isError"].as_bool().unwrap_or(false),
        hidden: [inner, value].iter().any(|part| part["hidden"].as_bool().unwrap_or(false)),
    })
}

/// The content, and what a shell's run keeps beside it.
fn blocks(inner: &Value) -> Vec<Block> {
    let mut blocks = content::read(&inner["content"]);
    blocks.extend(inner["output"].as_str().map(|text| Block::Text(text.to_owned())));
    blocks.extend(content::calls(&inner["tool_calls"]));
    blocks
}

fn usage(value: &Value) -> Option<Usage> {
    let object = value.as_object()?;
    let number = |names: [&str; 2]| names.iter().find_map(|name| object.get(*name)?.as_u64()).unwrap_or(0);
    Some(Usage {
        input: number(["input", "inputTokens"]),
        output: number(["output", "outputTokens"]),
        cache_read: number(["cacheRead", "cacheReadTokens"]),
        cache_write: number(["cacheWrite", "cacheWriteTokens"]),
    })
}

fn compaction(value: &Value) -> Compaction {
    Compaction {
        summary: string(value, "summary").unwrap_or_default(),
        first_kept: string(value, "firstKeptEntryId"),
        tokens_before: value["tokensBefore"].as_u64().unwrap_or(0),
        origin: value["details"]["origin"].as_str().and_then(Origin::parse).unwrap_or(Origin::Untrusted),
    }
}

fn injected(value: &Value) -> Body {
    let hidden = value["hidden"].as_bool().unwrap_or(false) || value["display"].as_bool() == Some(false);
    Body::Injected { blocks: content::read(&value["content"]), hidden }
}

fn flush_mark(value: &Value) -> Option<Body> {
    if value["customType"].as_str()? != FLUSH {
        return None;
    }
    let data = &value["data"];
    let compactions = data["compactionCount"].as_u64()?;
    Some(Body::Flush(FlushMark { compactions, through: string(data, "through") }))
}

/// A moment as text, or in milliseconds.
pub(super) fn time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => Timestamp::from_millisecond(number.as_f64()? as i64).ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn string(value: &Value, name: &str) -> Option<String> {
    value[name].as_str().map(str::to_owned)
}
