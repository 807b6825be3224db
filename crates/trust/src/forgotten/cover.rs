//! Covers what was forgotten in text and JSON files. An entry keeps its place, id, role and time; its words are
//! replaced.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::matcher::{COVER, Matcher};

/// Fields that say how an entry hangs together with others, and nothing else.
const FRAME: [&str; 18] = [
    "type", "id", "parentId", "timestamp", "role", "customType", "toolCallId", "tool_call_id", "toolName",
    "name", "model", "provider", "api", "stopReason", "firstKeptEntryId", "through", "mimeType", "version",
];
/// Files of ours that hold nothing but digests, numbers and names: what they keep of a text goes elsewhere, or is none.
pub const WITHOUT_TEXT: [&str; 8] = [
    "origins.jsonl", "heard.jsonl", "access.jsonl", "forgotten", "forgetting", "audit", "candidates.jsonl",
    "backups",
];

/// How much of an entry goes. A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Redact {
    All,
    Parts,
}

/// Calls `each` with every string that says something.
pub fn each_string(value: &mut Value, each: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_string(item, each)),
        Value::Object(fields) => {
            let header = fields.get("type").and_then(Value::as_str) == Some("session");
            let said = fields.iter_mut().filter(|(name, _)| !header && !FRAME.contains(&name.as_str()));
            said.for_each(|(_, field)| each_string(field, each));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A line of a transcript, covered in whole or in parts.
pub fn covered(line: &str, how: Redact, matcher: &Matcher) -> Vec<u8> {
    let Ok(mut value) = serde_json::from_str::<Value>(line) else {
        return matcher.cover(line.trim_end()).into_owned().into_bytes();
    };
    each_string(&mut value, &mut |text| match how {
        Redact::All => COVER.clone_into(text),
        Redact::Parts => *text = matcher.cover(text).into_owned(),
    });
    value.to_string().into_bytes()
}

/// JSON with what was forgotten covered; none if there is nothing of it.
pub fn covered_json(text: &str, matcher: &Matcher) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut new = value.clone();
    each_string(&mut new, &mut |text| *text = matcher.cover(text).into_owned());
    (new != value).then(|| new.to_string())
}

/// The entries of a conversation with what was forgotten covered.
pub fn cover_entries(entries: &[Value], matcher: &Matcher) -> Vec<Value> {
    let mut entries = entries.to_vec();
    for entry in &mut entries {
        each_string(entry, &mut |text| *text = matcher.cover(text).into_owned());
    }
    entries
}

/// A text of lines or of JSON with what goes covered.
pub fn covered_text(text: &str, matcher: &Matcher) -> String {
    let covered =
        |text: &str| covered_json(text, matcher).unwrap_or_else(|| matcher.cover(text).into_owned());
    match covered_json(text, matcher) {
        Some(whole) => whole,
        None => text.split_inclusive('\n').map(covered_line(&covered)).collect(),
    }
}

fn covered_line<'a>(covered: &'a dyn Fn(&str) -> String) -> impl Fn(&str) -> String + 'a {
    move |line| {
        let body = line.trim_end_matches('\n');
        covered(body) + &line[body.len()..]
    }
}
