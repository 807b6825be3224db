//! Chat completions.

use serde_json::{Value, json};

use super::stream::PartialReply;
use crate::chat::{Call, Request, Tool, Turn, Usage};

pub(super) fn body(model: &str, request: &Request<'_>) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    messages.extend(request.turns.iter().map(message));
    let mut body = json!({
        "model": model,
        "messages": messages,
        "max_tokens": request.max_tokens,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    body
}

/// The body with the newer name of the limit of an answer.
pub(super) fn renamed(mut body: Value) -> Value {
    if let Some(object) = body.as_object_mut()
        && let Some(most) = object.remove("max_tokens")
    {
        object.insert("max_completion_tokens".to_owned(), most);
    }
    body
}

fn message(turn: &Turn) -> Value {
    match turn {
        Turn::User(text) => json!({"role": "user", "content": text}),
        Turn::Assistant { text, calls } if calls.is_empty() => json!({"role": "assistant", "content": text}),
        Turn::Assistant { text, calls } => {
            let calls: Vec<Value> = calls.iter().map(call).collect();
            json!({"role": "assistant", "content": text, "tool_calls": calls})
        }
        Turn::Tool { call, text, .. } => json!({"role": "tool", "tool_call_id": call, "content": text}),
    }
}

fn call(call: &Call) -> Value {
    let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
    json!({"id": call.id, "type": "function", "function": function})
}

fn tool(tool: &Tool) -> Value {
    let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.arguments});
    json!({"type": "function", "function": function})
}

/// Adds an event to the answer; returns its text.
pub(super) fn take(event: &Value, building: &mut PartialReply) -> String {
    if let Some(usage) = event.get("usage").filter(|usage| usage.is_object()) {
        building.usage = Some(counted(usage));
    }
    let choice = &event["choices"][0];
    if let Some(reason) = choice["finish_reason"].as_str() {
        building.ended = true;
        building.cut_off = reason == "length";
    }
    for call in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let function = &call["function"];
        building.add_call(
            call["index"].as_u64().unwrap_or(0),
            &text(&call["id"]),
            &text(&function["name"]),
            &text(&function["arguments"]),
        );
    }
    let text = choice["delta"]["content"].as_str().unwrap_or_default();
    building.add_text(text);
    text.to_owned()
}

fn counted(usage: &Value) -> Usage {
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0);
    Usage {
        input: usage["prompt_tokens"].as_u64().unwrap_or(0).saturating_sub(cached),
        output: usage["completion_tokens"].as_u64().unwrap_or(0),
        cache_read: cached,
        cache_write: 0,
    }
}
