//! Anthropic's messages.

use serde_json::{Value, json};

use super::stream::PartialReply;
use crate::chat::{Request, Tool, Turn, Usage};

/// The version of the protocol that is spoken here.
pub(super) const VERSION: &str = "2023-06-01";

pub(super) fn body(model: &str, request: &Request<'_>) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": request.max_tokens,
        "messages": messages(request.turns),
        "stream": true,
    });
    if !request.system.is_empty() {
        body["system"] = request.system.into();
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    body
}

/// Merges turns of the same side into one message: the API wants the results of several calls together.
fn messages(turns: &[Turn]) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for turn in turns {
        let (role, blocks) = blocks(turn);
        match messages.last_mut().filter(|(last, _)| *last == role) {
            Some((_, known)) => known.extend(blocks),
            None => messages.push((role, blocks)),
        }
    }
    messages.into_iter().map(|(role, content)| json!({"role": role, "content": content})).collect()
}

fn blocks(turn: &Turn) -> (&'static str, Vec<Value>) {
    let text = |text: &str| json!({"type": "text", "text": text});
    match turn {
        Turn::User(words) => ("user", vec![text(words)]),
        Turn::Assistant { text: words, calls } => {
            let spoken = (!words.is_empty()).then(|| text(words));
            let calls = calls.iter().map(
                |call| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments}),
            );
            ("assistant", spoken.into_iter().chain(calls).collect())
        }
        Turn::Tool { call, text, failed, .. } => {
            let result = json!({
                "type": "tool_result",
                "tool_use_id": call,
                "content": text,
                "is_error": failed,
            });
            ("user", vec![result])
        }
    }
}

fn tool(tool: &Tool) -> Value {
    json!({"name": tool.name, "description": tool.description, "input_schema": tool.arguments})
}

/// Adds an event to the answer; returns its text.
pub(super) fn take(event: &Value, building: &mut PartialReply) -> String {
    let number = event["index"].as_u64().unwrap_or(0);
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => building.usage = Some(counted(&event["message"]["usage"], building.usage)),
        "message_delta" => {
            building.usage = Some(counted(&event["usage"], building.usage));
            building.cut_off = event["delta"]["stop_reason"].as_str() == Some("max_tokens");
        }
        "message_stop" => building.ended = true,
        "content_block_start" if event["content_block"]["type"] == "tool_use" => {
            let block = &event["content_block"];
            let text = |name: &str| block[name].as_str().unwrap_or_default();
            building.add_call(number, text("id"), text("name"), "");
        }
        "content_block_delta" => return delta(number, &event["delta"], building),
        _ => {}
    }
    String::new()
}

fn delta(number: u64, delta: &Value, building: &mut PartialReply) -> String {
    if let Some(json) = delta["partial_json"].as_str() {
        building.add_call(number, "", "", json);
        return String::new();
    }
    let text = delta["text"].as_str().unwrap_or_default();
    building.add_text(text);
    text.to_owned()
}

/// Keeps the counts that an event does not repeat.
fn counted(usage: &Value, before: Option<Usage>) -> Usage {
    let before = before.unwrap_or_default();
    let number = |name: &str, before: u64| usage[name].as_u64().unwrap_or(before);
    Usage {
        input: number("input_tokens", before.input),
        output: number("output_tokens", before.output),
        cache_read: number("cache_read_input_tokens", before.cache_read),
        cache_write: number("cache_creation_input_tokens", before.cache_write),
    }
}
