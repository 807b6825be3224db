//! What values a key may have: the check, and its words for a person.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use mindfile_trust::policy;
use serde_json::{Number, Value};

use crate::scope;

/// Replaces a secret wherever a setting is kept or shown.
pub const SECRET_SHOWN: &str = "(set)";

/// The values that a key allows.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Whole { min: u64, max: u64 },
    Number { min: f64, max: f64 },
    OneOf(&'static [&'static str]),
    SomeOf(&'static [&'static str]),
    Form(Form),
}

/// Values that have nothing to choose from.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub allowed: &'static str,
    accepts: fn(&Value) -> bool,
    /// Whether a bare word on the command line is meant as a string, whatever it looks like.
    is_text: bool,
    /// Whether the value is never kept and never shown.
    is_secret: bool,
}

impl Kind {
    pub const FLAG: Self = data("true or false", Value::is_boolean);
    pub const TEXT: Self = text("a string that is not empty", is_filled);
    pub const TEXTS: Self = data("a list of strings, none of them empty", |value| is_list(value, is_filled));
    pub const PATH: Self = text("a path", is_filled);
    /// Seconds, or a number with `s`, `m` or `h`.
    pub const SPAN: Self = text("a time such as 5m, 300s or 1h", |v| v.as_str().and_then(span).is_some());
    pub const PATHS: Self =
        data("a list of paths, each a string or { path, pattern }", |value| is_list(value, is_path));
    /// A string, or an object that says where the secret is.
    pub const SECRET: Self = secret(true, "a string, or an object that says where the secret is", |v| {
        v.is_object() || v.is_string()
    });
    /// Names with secret values, such as HTTP headers.
    pub const SECRETS: Self = secret(false, "an object of names and values", Value::is_object);
    pub const RULES: Self = data(
        "a list of rules, each { name, class, and one of pattern, detector, entity, key }; class is \
         \"allowed\", \"masked\" or \"never-store\", a name has lower-case letters, digits and -",
        policy::is_rules,
    );
    pub const CLASSES: Self = data(
        "an object of detectors and their classes, \"allowed\", \"masked\" or \"never-store\"",
        policy::is_classes,
    );
    pub const COMMAND: Self = data("a list of strings: a program and its arguments", is_command);
    pub const COLLECTIONS: Self = data(
        "a list of folders, each a string or { path, name, pattern }; a name has letters, digits, -, _ and .",
        |value| is_list(value, is_collection),
    );
    pub const SCOPES: Self = data(
        "a list of rules, each { action, match }; action is \"allow\" or \"deny\", match has any of chatType \
         (\"direct\", \"group\", \"channel\"), channel, keyPrefix and rawKeyPrefix",
        scope::is_rules,
    );
    /// Not looked into.
    pub const LIST: Self = data("a list", Value::is_array);
    /// Not looked into.
    pub const OBJECT: Self = data("an object", Value::is_object);

    /// The value as it is kept, or none if it is not allowed.
    pub(crate) fn accept(&self, value: &Value) -> Option<Value> {
        let allowed = match *self {
            Self::Whole { min, max } => return whole(value, min, max),
            Self::Number { min, max } => value.as_f64().is_some_and(|n| (min..=max).contains(&n)),
            Self::OneOf(words) => is_word(value, words),
            Self::SomeOf(words) => is_list(value, |word| is_word(word, words)),
            Self::Form(form) => (form.accepts)(value),
        };
        allowed.then(|| if self.is_secret() { Value::from(SECRET_SHOWN) } else { value.clone() })
    }

    /// Whether a value must not appear in a message.
    pub fn is_secret(&self) -> bool {
        matches!(self, Self::Form(Form { is_secret: true, .. }))
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Form(Form { is_text: true, .. }) | Self::OneOf(_))
    }
}

const fn data(allowed: &'static str, accepts: fn(&Value) -> bool) -> Kind {
    Kind::Form(Form { allowed, accepts, is_text: false, is_secret: false })
}

const fn text(allowed: &'static str, accepts: fn(&Value) -> bool) -> Kind {
    Kind::Form(Form { allowed, accepts, is_text: true, is_secret: false })
}

const fn secret(is_text: bool, allowed: &'static str, accepts: fn(&Value) -> bool) -> Kind {
    Kind::Form(Form { allowed, accepts, is_text, is_secret: true })
}

impl From<RangeInclusive<u64>> for Kind {
    fn from(range: RangeInclusive<u64>) -> Self {
        Self::Whole { min: *range.start(), max: *range.end() }
    }
}

impl From<RangeInclusive<f64>> for Kind {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self::Number { min: *range.start(), max: *range.end() }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted =
            |words: &[&str]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
        match self {
            Self::Whole { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::OneOf(words) => write!(f, "one of {}", quoted(words)),
            Self::SomeOf(words) => write!(f, "a list with any of {}", quoted(words)),
            Self::Form(form) => f.write_str(form.allowed),
        }
    }
}

/// The name of a value's type, for messages that must not show the value.
pub(crate) fn type_name(value: &Value) -> &'static str {
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

fn is_list(value: &Value, is_item: impl Fn(&Value) -> bool) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(is_item))
}

fn is_command(value: &Value) -> bool {
    is_list(value, Value::is_string) && value.get(0).is_some_and(is_filled)
}

fn is_word(value: &Value, words: &[&str]) -> bool {
    value.as_str().is_some_and(|word| words.contains(&word))
}

fn is_filled(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn is_path(value: &Value) -> bool {
    is_filled(value) || has_fields(value, &["path", "pattern"])
}

fn is_collection(value: &Value) -> bool {
    let is_named = value.get("name").is_none_or(|name| name.as_str().is_some_and(is_collection_name));
    is_filled(value) || (is_named && has_fields(value, &["path", "name", "pattern"]))
}

/// The name of a collection of QMD.
pub fn is_collection_name(name: &str) -> bool {
    const LONGEST: usize = 64;
    (1..=LONGEST).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// Whether an object has the first of these fields, and none but these, all filled.
fn has_fields(value: &Value, fields: &[&str]) -> bool {
    let known = |(name, value): (&String, &Value)| fields.contains(&name.as_str()) && is_filled(value);
    value.as_object().is_some_and(|object| object.contains_key(fields[0]) && object.iter().all(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert!(["docs", "a.b_c-1", "9"].into_iter().all(is_collection_name));
        assert!(!["", "-a", "a b", "a/b", "ü", "..", &"x".repeat(65)].into_iter().any(is_collection_name));
    }
}
