//! What values a key may have: the check, its words for a person, and the defaults of the table.

use std::fmt;
use std::time::Duration;

use serde_json::{Number, Value};

use crate::{policy, qmd};

/// What stands in place of a secret wherever a setting is kept or shown.
pub const SECRET_SHOWN: &str = "(set)";

/// The values that a key allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Flag,
    Whole {
        min: u64,
        max: u64,
    },
    Number {
        min: f64,
        max: f64,
    },
    Text,
    /// A list of strings.
    Texts,
    Path,
    /// Seconds, or a number with `s`, `m` or `h`.
    Span,
    /// Paths, each a string or `{ path, pattern }`.
    Paths,
    OneOf(&'static [&'static str]),
    SomeOf(&'static [&'static str]),
    /// A string, or an object that says where the secret is. Never kept, never shown.
    Secret,
    /// Names with secret values, such as HTTP headers. Never kept, never shown.
    Secrets,
    /// Rules of what may be stored, each `{ name, class, pattern | detector | entity | key }`.
    Rules,
    /// Classes of built-in detectors, by name.
    Classes,
    /// A program and its arguments.
    Command,
    /// Folders of notes, each a string or `{ path, name, pattern }`.
    Collections,
    /// Rules of the chats that are answered, each `{ action, match }`.
    Scopes,
    /// A list that this version does not look into.
    List,
    /// An object that this version does not look into.
    Object,
}

impl Kind {
    /// The value in the form it is kept in, or nothing if it is not allowed.
    pub(super) fn accept(&self, value: &Value) -> Option<Value> {
        let allowed = match *self {
            Self::Whole { min, max } => return whole(value, min, max),
            Self::Secret | Self::Secrets => return self.conceal(value),
            Self::Flag => value.is_boolean(),
            Self::Number { min, max } => value.as_f64().is_some_and(|n| (min..=max).contains(&n)),
            Self::Text | Self::Path => is_filled(value),
            Self::Texts => value.as_array().is_some_and(|list| list.iter().all(is_filled)),
            Self::Span => value.as_str().is_some_and(|text| span(text).is_some()),
            Self::Paths => value.as_array().is_some_and(|paths| paths.iter().all(is_path)),
            Self::OneOf(words) => is_word(value, words),
            Self::SomeOf(words) => {
                value.as_array().is_some_and(|list| list.iter().all(|w| is_word(w, words)))
            }
            Self::Rules => policy::is_rules(value),
            Self::Classes => policy::is_classes(value),
            Self::Command => value.as_array().is_some_and(|words| is_command(words)),
            Self::Collections => value.as_array().is_some_and(|list| list.iter().all(is_collection)),
            Self::Scopes => qmd::is_rules(value),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
        };
        allowed.then(|| value.clone())
    }

    /// Whether a value must not appear in a message.
    pub(super) fn is_secret(&self) -> bool {
        matches!(self, Self::Secret | Self::Secrets)
    }

    /// Whether a bare word on the command line is meant as a string, whatever it looks like.
    pub(super) fn is_text(&self) -> bool {
        matches!(self, Self::Text | Self::Path | Self::Span | Self::OneOf(_) | Self::Secret)
    }

    fn conceal(&self, value: &Value) -> Option<Value> {
        let allowed = value.is_object() || (*self == Self::Secret && value.is_string());
        allowed.then(|| Value::from(SECRET_SHOWN))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("true or false"),
            Self::Whole { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Text => f.write_str("a string that is not empty"),
            Self::Texts => f.write_str("a list of strings, none of them empty"),
            Self::Path => f.write_str("a path"),
            Self::Span => f.write_str("a time such as 5m, 300s or 1h"),
            Self::Paths => f.write_str("a list of paths, each a string or { path, pattern }"),
            Self::OneOf(words) => write!(f, "one of {}", quoted(words)),
            Self::SomeOf(words) => write!(f, "a list with any of {}", quoted(words)),
            Self::Secret => f.write_str("a string, or an object that says where the secret is"),
            Self::Secrets => f.write_str("an object of names and values"),
            Self::Rules => f.write_str(
                "a list of rules, each { name, class, and one of pattern, detector, entity, key }; class is \
                 \"allowed\", \"masked\" or \"never-store\", a name has lower-case letters, digits and -",
            ),
            Self::Classes => f.write_str(
                "an object of detectors and their classes, \"allowed\", \"masked\" or \"never-store\"",
            ),
            Self::Command => f.write_str("a list of strings: a program and its arguments"),
            Self::Collections => {
                f.write_str("a list of folders, each a string or { path, name, pattern }; a name has letters, digits, -, _ and .")
            }
            Self::Scopes => f.write_str(
                "a list of rules, each { action, match }; action is \"allow\" or \"deny\", match has any of chatType \
                 (\"direct\", \"group\", \"channel\"), channel, keyPrefix and rawKeyPrefix",
            ),
            Self::List => f.write_str("a list"),
            Self::Object => f.write_str("an object"),
        }
    }
}

/// A default, in a form that a constant table can hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Preset {
    Unset,
    Flag(bool),
    Whole(u64),
    Number(f64),
    Text(&'static str),
    Words(&'static [&'static str]),
}

impl Preset {
    /// The default as JSON; null where there is none.
    pub fn value(self) -> Value {
        match self {
            Self::Unset => Value::Null,
            Self::Flag(flag) => Value::from(flag),
            Self::Whole(number) => Value::from(number),
            Self::Number(number) => Value::from(number),
            Self::Text(text) => Value::from(text),
            Self::Words(words) => Value::from(words),
        }
    }
}

/// The name of a value's type, for messages that must not show the value.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// `6.0` is a whole number, as it is for a JavaScript reader of the same file.
fn whole(value: &Value, min: u64, max: u64) -> Option<Value> {
    let number = value.as_number()?;
    let found = number.as_u64().or_else(|| whole_float(number))?;
    (min..=max).contains(&found).then(|| Value::from(found))
}

fn whole_float(number: &Number) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64()?;
    (float.fract() == 0.0 && (0.0..=EXACT).contains(&float)).then_some(float as u64)
}

/// `90`, `300s`, `5m` or `1h`.
pub fn span(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return None,
    };
    Some(Duration::from_secs(digits.parse::<u64>().ok()?.checked_mul(seconds)?))
}

fn is_command(words: &[Value]) -> bool {
    let named = words.first().and_then(Value::as_str).is_some_and(|program| !program.trim().is_empty());
    named && words.iter().all(Value::is_string)
}

fn is_word(value: &Value, words: &[&str]) -> bool {
    value.as_str().is_some_and(|word| words.contains(&word))
}

fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn is_path(value: &Value) -> bool {
    match value.as_object() {
        None => is_filled(value),
        Some(object) => {
            object.get("path").is_some_and(is_filled)
                && object.get("pattern").is_none_or(is_filled)
                && object.keys().all(|key| key == "path" || key == "pattern")
        }
    }
}

fn is_collection(value: &Value) -> bool {
    let Some(object) = value.as_object() else { return is_filled(value) };
    let named = |name: &Value| name.as_str().is_some_and(qmd::is_name);
    object.get("path").is_some_and(is_filled)
        && object.get("name").is_none_or(named)
        && object.get("pattern").is_none_or(is_filled)
        && object.keys().all(|key| ["path", "name", "pattern"].contains(&key.as_str()))
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ")
}
