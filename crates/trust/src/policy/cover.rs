//! Replaces findings with masks.

use std::borrow::Cow;

use serde_json::Value;

use super::judge::findings;
use super::{Class, Finding, Policy, mask};

/// How often a covered text is judged again: a mask may part what was one run of characters.
const ROUNDS: usize = 8;

/// The text with every finding of at least a class replaced, until nothing is found in it.
pub(super) fn cover<'a>(policy: &Policy, text: &'a str, least: Class) -> Cow<'a, str> {
    let Some(mut covered) = once(policy, text, least) else { return Cow::Borrowed(text) };
    for _ in 0..ROUNDS {
        match once(policy, &covered, least) {
            Some(again) => covered = again,
            None => break,
        }
    }
    Cow::Owned(covered)
}

/// None if nothing is found.
fn once(policy: &Policy, text: &str, least: Class) -> Option<String> {
    let found = findings(policy, text, least);
    if found.is_empty() {
        return None;
    }
    let mut covered = String::with_capacity(text.len());
    let mut at = 0;
    for Finding { rule, class, span } in found {
        covered.push_str(&text[at..span.start]);
        let value = &text[span.clone()];
        put(&mut covered, value, &mask::of(policy, &rule, class, value));
        at = span.end;
    }
    covered.push_str(&text[at..]);
    Some(covered)
}

/// The text with each finding replaced by the word of its mask; by nothing, where it has none.
pub(super) fn question<'a>(policy: &Policy, text: &'a str) -> Cow<'a, str> {
    let found = findings(policy, text, Class::Masked);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut asked = String::with_capacity(text.len());
    let mut at = 0;
    for Finding { rule, class, span } in found {
        asked.push_str(&text[at..span.start]);
        let mask = mask::of(policy, &rule, class, &text[span.clone()]);
        asked.push_str(mask::word_of(&mask).unwrap_or_default());
        at = span.end;
    }
    asked.push_str(&text[at..]);
    Cow::Owned(asked)
}

/// The mask in each line that the value takes, so that lines keep their numbers.
fn put(covered: &mut String, value: &str, mask: &str) {
    for piece in value.split_inclusive(['\n', '\r']) {
        let words = piece.trim_end_matches(['\n', '\r']);
        covered.push_str(if words.trim().is_empty() { words } else { mask });
        covered.push_str(&piece[words.len()..]);
    }
}

impl Policy {
    /// Covers every string of a JSON value, names of fields left as they are.
    pub fn cover_value(&self, value: &mut Value) {
        each_string(value, &|text| self.cover(text));
    }

    /// The same for a line of a transcript and what it says. A conversation is read again with every turn: a line that was
    /// found to be clean is not judged twice.
    pub fn cover_line(&self, line: &[u8], value: &mut Value) {
        let name = self.clean.name(line);
        if !self.clean.has(name) && !each_string(value, &|text| self.cover(text)) {
            self.clean.add(name);
        }
    }

    /// As [`Self::strip`], every string of a JSON value. Whether there was anything to take out.
    pub fn strip_value(&self, value: &mut Value) -> bool {
        each_string(value, &|text| self.strip(text))
    }
}

/// Whether anything changed.
fn each_string(value: &mut Value, change: &dyn for<'a> Fn(&'a str) -> Cow<'a, str>) -> bool {
    match value {
        Value::String(text) => match change(text) {
            Cow::Owned(changed) => {
                *text = changed;
                true
            }
            Cow::Borrowed(_) => false,
        },
        Value::Array(items) => items.iter_mut().fold(false, |any, item| each_string(item, change) | any),
        Value::Object(fields) => {
            fields.values_mut().fold(false, |any, field| each_string(field, change) | any)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
