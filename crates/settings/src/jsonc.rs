//! Edits JSON files of other people: comments, order, indentation and line endings stay.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

/// The byte-order mark that a text begins with, if it has one, and what follows it.
pub fn parse(text: &str) -> Result<(&'static str, CstRootNode), String> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let root = CstRootNode::parse(body, &ParseOptions::default()).map_err(|error| error.to_string())?;
    Ok((mark, root))
}

/// Sets the value at a path, making the objects on the way; none if something else than an object is in the way.
pub fn put(object: &CstObject, at: &[&str], value: &Value) -> Option<()> {
    match at {
        [] => None,
        [name] => {
            match object.get(name) {
                Some(there) if there.to_serde_value().as_ref() == Some(value) => {}
                Some(there) => there.set_value(input(value)),
                None => drop(object.append(name, input(value))),
            }
            Some(())
        }
        [name, rest @ ..] => put(&object.object_value_or_create(name)?, rest, value),
    }
}

pub fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(object) => {
            CstInputValue::Object(object.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}
