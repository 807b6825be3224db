//! The content of a message: text, tool calls, thoughts, pictures.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Text(String),
    ToolCall(ToolCall),
    Thinking(String),
    Image,
    /// A type that is not known, by its name.
    Other(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

/// Content is a string, or a list of blocks.
pub(super) fn read(value: &Value) -> Vec<Block> {
    match value {
        Value::String(text) => vec![Block::Text(text.clone())],
        Value::Array(blocks) => blocks.iter().map(block).collect(),
        Value::Object(_) => vec![block(value)],
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

fn block(value: &Value) -> Block {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    match value["type"].as_str() {
        None => Block::Text(value.as_str().map_or_else(|| text("text"), str::to_owned)),
        Some("text" | "input_text" | "output_text") => Block::Text(text("text")),
        Some("thinking" | "reasoning") => Block::Thinking(text("thinking")),
        Some("image" | "image_url" | "input_image") => Block::Image,
        Some("toolCall" | "tool_use" | "tool_call") => Block::ToolCall(call(value)),
        Some("tool_result") => Block::Text(self::text(&read(&value["content"]))),
        Some(other) => Block::Other(other.to_owned()),
    }
}

fn call(value: &Value) -> ToolCall {
    let arguments = if value["arguments"].is_null() { &value["input"] } else { &value["arguments"] };
    ToolCall {
        id: value["id"].as_str().unwrap_or_default().to_owned(),
        name: value["name"].as_str().unwrap_or_default().to_owned(),
        arguments: parsed(arguments),
    }
}

/// Arguments may come as the text of an object.
fn parsed(arguments: &Value) -> Value {
    let text = arguments.as_str().and_then(|text| serde_json::from_str(text).ok());
    text.unwrap_or_else(|| arguments.clone())
}

/// Calls that stand beside the content, as chat completions have them.
pub(super) fn calls(value: &Value) -> Vec<Block> {
    let one = |call: &Value| {
        Block::ToolCall(ToolCall {
            id: call["id"].as_str().unwrap_or_default().to_owned(),
            name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
            arguments: parsed(&call["function"]["arguments"]),
        })
    };
    value.as_array().map(|calls| calls.iter().map(one).collect()).unwrap_or_default()
}

/// The text of the blocks, one under the other.
pub(super) fn text(blocks: &[Block]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        Block::ToolCall(_) | Block::Thinking(_) | Block::Image | Block::Other(_) => None,
    });
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

pub fn tool_calls(blocks: &[Block]) -> impl Iterator<Item = &ToolCall> {
    blocks.iter().filter_map(|block| match block {
        Block::ToolCall(call) => Some(call),
        Block::Text(_) | Block::Thinking(_) | Block::Image | Block::Other(_) => None,
    })
}

/// The blocks as a transcript spells them.
pub(super) fn written(blocks: &[Block]) -> Value {
    let one = |block: &Block| match block {
        Block::Text(text) => json!({"type": "text", "text": text}),
        Block::ToolCall(call) => {
            json!({"type": "toolCall", "id": call.id, "name": call.name, "arguments": call.arguments})
        }
        Block::Thinking(text) => json!({"type": "thinking", "thinking": text}),
        Block::Image => json!({"type": "image"}),
        Block::Other(kind) => json!({"type": kind}),
    };
    blocks.iter().map(one).collect()
}
