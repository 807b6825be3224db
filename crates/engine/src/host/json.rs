//! Putting entries into somebody's JSON, and taking them out: comments, order, indentation and line endings stay.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::Error;
use super::entries::{Put, is_ours};
use crate::config::input;

/// The text with what is put there.
pub(super) fn put(path: &Path, old: &str, puts: &[Put]) -> Result<String, Error> {
    let (mark, body) = split_mark(old);
    if body.trim().is_empty() {
        return Ok(format!("{mark}{}", fresh(puts)));
    }
    let root = parse(path, body)?;
    let object = root_object(path, &root)?;
    for one in puts {
        put_one(&object, one).ok_or_else(|| blocked(path, one))?;
    }
    let new = format!("{mark}{root}");
    check(path, old, &new, puts)?;
    Ok(new)
}

/// The text without it. Lists and objects that are empty afterwards go as well.
pub(super) fn take(path: &Path, old: &str, puts: &[Put]) -> Result<String, Error> {
    let (mark, body) = split_mark(old);
    if body.trim().is_empty() {
        return Ok(old.to_owned());
    }
    let root = parse(path, body)?;
    let object = root_object(path, &root)?;
    for one in puts {
        match one {
            Put::Entry { at, .. } => take_entry(&object, at),
            Put::Element { at, .. } => take_elements(&object, at),
            Put::Needed { .. } => {}
        }
    }
    Ok(format!("{mark}{root}"))
}

/// Whether a text holds nothing that is worth keeping: at most what the file needed for us.
pub(super) fn is_bare(text: &str, puts: &[Put]) -> bool {
    let Ok(root) = CstRootNode::parse(split_mark(text).1, &ParseOptions::default()) else { return false };
    let Some(Value::Object(mut left)) = root.to_serde_value() else { return false };
    for one in puts {
        if let Put::Needed { at, .. } = one {
            left.remove(at[0]);
        }
    }
    left.is_empty() && !text.contains("//") && !text.contains("/*")
}

fn split_mark(text: &str) -> (&'static str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    }
}

fn parse(path: &Path, body: &str) -> Result<CstRootNode, Error> {
    CstRootNode::parse(body, &ParseOptions::default()).map_err(|error| Error::Unreadable {
        path: path.to_owned(),
        format: "JSON",
        what: error.to_string(),
    })
}

fn root_object(path: &Path, root: &CstRootNode) -> Result<CstObject, Error> {
    let not = || Error::Unreadable {
        path: path.to_owned(),
        format: "JSON",
        what: "it is not an object".to_owned(),
    };
    root.object_value_or_create().ok_or_else(not)
}

/// A file that did not exist, as a person would write it.
fn fresh(puts: &[Put]) -> String {
    let mut whole = Value::Object(Map::new());
    for one in puts {
        match one {
            Put::Entry { at, value } | Put::Needed { at, value } => *place(&mut whole, at) = value.clone(),
            Put::Element { at, value } => *place(&mut whole, at) = Value::Array(vec![value.clone()]),
        }
    }
    format!("{whole:#}\n")
}

fn place<'a>(whole: &'a mut Value, at: &[&str]) -> &'a mut Value {
    at.iter().fold(whole, |value, name| &mut value[*name])
}

fn put_one(object: &CstObject, one: &Put) -> Option<()> {
    match one {
        Put::Entry { at, value } => set(object, at, value, true),
        Put::Needed { at, value } => set(object, at, value, false),
        Put::Element { at, value } => put_element(object, at, value),
    }
}

fn set(object: &CstObject, at: &[&str], value: &Value, replace: bool) -> Option<()> {
    match at {
        [] => None,
        [name] => {
            match object.get(name) {
                Some(there) if !replace || there.to_serde_value().as_ref() == Some(value) => {}
                Some(there) => there.set_value(input(value)),
                None => drop(object.append(name, input(value))),
            }
            Some(())
        }
        [name, rest @ ..] => set(&object.object_value_or_create(name)?, rest, value, replace),
    }
}

/// The element in the place of the one that an earlier version put there, or at the end.
fn put_element(object: &CstObject, at: &[&str], value: &Value) -> Option<()> {
    let [parents @ .., name] = at else { return None };
    let mut object = object.clone();
    for parent in parents {
        object = object.object_value_or_create(parent)?;
    }
    let array = object.array_value_or_create(name)?;
    let ours: Vec<CstNode> = ours(&array.elements());
    let stands = ours.iter().any(|node| node.to_serde_value().as_ref() == Some(value));
    if stands && ours.len() == 1 {
        return Some(());
    }
    for old in ours {
        old.remove();
    }
    array.append(input(value));
    array.ensure_multiline();
    Some(())
}

fn ours(elements: &[CstNode]) -> Vec<CstNode> {
    let own = |node: &&CstNode| node.to_serde_value().as_ref().is_some_and(is_ours);
    elements.iter().filter(own).cloned().collect()
}

fn object_at(object: &CstObject, at: &[&str]) -> Option<CstObject> {
    at.iter().try_fold(object.clone(), |object, name| object.object_value(name))
}

fn take_entry(object: &CstObject, at: &[&str]) {
    let [parents @ .., name] = at else { return };
    let Some(parent) = object_at(object, parents) else { return };
    if let Some(entry) = parent.get(name) {
        entry.remove();
        take_empty(object, parents);
    }
}

fn take_elements(object: &CstObject, at: &[&str]) {
    let [parents @ .., name] = at else { return };
    let Some(array) = object_at(object, parents).and_then(|parent| parent.array_value(name)) else { return };
    let own = ours(&array.elements());
    if own.is_empty() {
        return;
    }
    for node in own {
        node.remove();
    }
    take_empty(object, at);
}

/// Takes the lists and objects on the way to `at` that are empty now, the innermost first.
fn take_empty(object: &CstObject, at: &[&str]) {
    for depth in (1..=at.len()).rev() {
        let Some(parent) = object_at(object, &at[..depth - 1]) else { return };
        let Some(found) = parent.get(at[depth - 1]) else { return };
        let empty = match found.value() {
            Some(CstNode::Container(CstContainerNode::Object(object))) => {
                object.children_exclude_trivia_and_tokens().is_empty()
            }
            Some(CstNode::Container(CstContainerNode::Array(array))) => array.elements().is_empty(),
            Some(CstNode::Container(_) | CstNode::Leaf(_)) | None => false,
        };
        let noted = found.to_string().contains("//") || found.to_string().contains("/*");
        if !empty || noted {
            return;
        }
        found.remove();
    }
}

/// Reads the new text back: what was put is there, and nothing else is different.
fn check(path: &Path, old: &str, new: &str, puts: &[Put]) -> Result<(), Error> {
    let cannot = |what: &str| Error::CannotEdit { path: path.to_owned(), what: what.to_owned() };
    let value = |text: &str| parse(path, split_mark(text).1).map(|root| root.to_serde_value());
    let there = value(new)?.unwrap_or_default();
    for one in puts {
        let found = match one {
            Put::Entry { at, value } => at_path(&there, at) == Some(value),
            Put::Needed { at, .. } => at_path(&there, at).is_some(),
            Put::Element { at, value } => {
                at_path(&there, at).and_then(Value::as_array).is_some_and(|list| list.contains(value))
            }
        };
        if !found {
            return Err(cannot("what is put into it would not be read back"));
        }
    }
    let mut after = value(&take(path, new, puts)?)?;
    let mut before = value(&take(path, old, puts)?)?;
    for one in puts {
        if let (Put::Needed { at, .. }, Some(Value::Object(a)), Some(Value::Object(b))) =
            (one, &mut after, &mut before)
        {
            a.remove(at[0]);
            b.remove(at[0]);
        }
    }
    if after == before { Ok(()) } else { Err(cannot("something else in it would change")) }
}

fn at_path<'a>(value: &'a Value, at: &[&str]) -> Option<&'a Value> {
    at.iter().try_fold(value, |value, name| value.get(name))
}

fn blocked(path: &Path, one: &Put) -> Error {
    let (Put::Entry { at, .. } | Put::Element { at, .. } | Put::Needed { at, .. }) = one;
    Error::CannotEdit {
        path: path.to_owned(),
        what: format!("what stands at {} is of another kind", at.join(".")),
    }
}
