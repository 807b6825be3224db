//! Putting entries into somebody's JSON, and taking them out: comments, order, indentation and line endings stay.

use std::path::Path;

use jsonc_parser::cst::{CstArray, CstContainerNode, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::entries::{Insertion, NAME, is_ours};
use crate::Error;
use mindfile_settings::jsonc;

/// The text with what is put there.
pub(super) fn put(path: &Path, old: &str, puts: &[Insertion]) -> Result<String, Error> {
    let (mark, root) = parse(path, old)?;
    if is_blank(old) {
        return Ok(format!("{mark}{}", fresh(puts)));
    }
    let object = root_object(path, &root)?;
    for one in puts {
        put_one(&object, one).ok_or_else(|| blocked(path, one))?;
    }
    let new = format!("{mark}{root}");
    check(path, old, &new, puts)?;
    Ok(new)
}

/// The text without it. Lists and objects that are empty afterwards go as well; what stood in our places before, as `was`
/// has it, stands there again.
pub(super) fn take(path: &Path, old: &str, puts: &[Insertion], was: Option<&str>) -> Result<String, Error> {
    if is_blank(old) {
        return Ok(old.to_owned());
    }
    let was = was.map(|text| value(path, text)).transpose()?.flatten().unwrap_or_default();
    let (mark, root) = parse(path, old)?;
    let object = root_object(path, &root)?;
    for one in puts {
        take_one(&object, one, &was);
    }
    Ok(format!("{mark}{root}"))
}

fn take_one(object: &CstObject, one: &Insertion, was: &Value) {
    let before = at_path(was, one.at());
    match one {
        Insertion::Entry { at, .. } | Insertion::Object { at, .. } => give_back(object, at, before),
        Insertion::Element { at, .. } => take_elements(object, at),
        Insertion::Needed { .. } => {}
        // What a person has chosen since is left.
        Insertion::Lent { at, value } => {
            if value_at(object, at).as_ref() == Some(value) {
                give_back(object, at, before);
            }
        }
        Insertion::Allowed { at } => {
            if !before.is_some_and(names_us) {
                disallow(object, at);
            }
        }
    }
}

/// Whether a text holds nothing that is worth keeping: at most what the file needed for us.
pub(super) fn is_bare(text: &str, puts: &[Insertion]) -> bool {
    let Ok((_, root)) = jsonc::parse(text) else { return false };
    let Some(Value::Object(mut left)) = root.to_serde_value() else { return false };
    for one in puts {
        if let Insertion::Needed { at, .. } = one {
            left.remove(at[0]);
        }
    }
    left.is_empty() && !text.contains("//") && !text.contains("/*")
}

fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn parse(path: &Path, text: &str) -> Result<(&'static str, CstRootNode), Error> {
    let unreadable = |what| Error::Unreadable { path: path.to_owned(), format: "JSON", what };
    jsonc::parse(text).map_err(unreadable)
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
fn fresh(puts: &[Insertion]) -> String {
    let mut whole = Value::Object(Map::new());
    for one in puts {
        match one {
            Insertion::Entry { at, value }
            | Insertion::Needed { at, value }
            | Insertion::Lent { at, value } => {
                *place(&mut whole, at) = value.clone();
            }
            Insertion::Element { at, value } => *place(&mut whole, at) = Value::Array(vec![value.clone()]),
            Insertion::Object { at, fields } => {
                let object = place(&mut whole, at);
                fields.iter().for_each(|(name, value)| *place(object, name) = value.clone());
            }
            Insertion::Allowed { .. } => {}
        }
    }
    format!("{whole:#}\n")
}

fn place<'a>(whole: &'a mut Value, at: &[&str]) -> &'a mut Value {
    at.iter().fold(whole, |value, name| &mut value[*name])
}

fn put_one(object: &CstObject, one: &Insertion) -> Option<()> {
    match one {
        Insertion::Entry { at, value } | Insertion::Lent { at, value } => jsonc::put(object, at, value),
        Insertion::Needed { at, .. } if value_at(object, at).is_some() => Some(()),
        Insertion::Needed { at, value } => jsonc::put(object, at, value),
        Insertion::Element { at, value } => put_element(object, at, value),
        Insertion::Object { at, fields } => {
            fields.iter().try_for_each(|(name, value)| jsonc::put(object, &[at, *name].concat(), value))
        }
        Insertion::Allowed { at } => {
            allow(object, at);
            Some(())
        }
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
    array.append(jsonc::input(value));
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

/// What stood there before; nothing if there was nothing.
fn give_back(object: &CstObject, at: &[&str], before: Option<&Value>) {
    let put_back = before.and_then(|value| jsonc::put(object, at, value));
    if put_back.is_none() {
        take_entry(object, at);
    }
}

fn value_at(object: &CstObject, at: &[&str]) -> Option<Value> {
    let [parents @ .., name] = at else { return None };
    object_at(object, parents)?.get(name)?.to_serde_value()
}

/// An empty list forbids nothing: with one name in it, it would forbid all others.
fn allow(object: &CstObject, at: &[&str]) {
    let Some(list) = array_at(object, at) else { return };
    let known = list.to_serde_value().unwrap_or_default();
    if !list.elements().is_empty() && !names_us(&known) {
        list.append(jsonc::input(&Value::from(NAME)));
    }
}

fn disallow(object: &CstObject, at: &[&str]) {
    let Some(list) = array_at(object, at) else { return };
    for element in list.elements() {
        if element.to_serde_value() == Some(Value::from(NAME)) {
            element.remove();
        }
    }
}

fn names_us(list: &Value) -> bool {
    list.as_array().is_some_and(|names| names.contains(&Value::from(NAME)))
}

fn array_at(object: &CstObject, at: &[&str]) -> Option<CstArray> {
    let [parents @ .., name] = at else { return None };
    object_at(object, parents)?.array_value(name)
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
    let Some(array) = array_at(object, at) else { return };
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
fn check(path: &Path, old: &str, new: &str, puts: &[Insertion]) -> Result<(), Error> {
    let cannot = |what: &str| Error::CannotEdit { path: path.to_owned(), what: what.to_owned() };
    let there = value(path, new)?.unwrap_or_default();
    if !puts.iter().all(|one| is_there(&there, one)) {
        return Err(cannot("what is put into it would not be read back"));
    }
    let bare = take(path, old, puts, None)?;
    let mut after = value(path, &take(path, new, puts, Some(&bare))?)?;
    let mut before = value(path, &bare)?;
    for one in puts {
        if let (Insertion::Needed { at, .. }, Some(Value::Object(a)), Some(Value::Object(b))) =
            (one, &mut after, &mut before)
        {
            a.remove(at[0]);
            b.remove(at[0]);
        }
    }
    if after == before { Ok(()) } else { Err(cannot("something else in it would change")) }
}

fn is_there(whole: &Value, one: &Insertion) -> bool {
    let found = at_path(whole, one.at());
    match one {
        Insertion::Entry { value, .. } | Insertion::Lent { value, .. } => found == Some(value),
        Insertion::Needed { .. } => found.is_some(),
        Insertion::Element { value, .. } => {
            found.and_then(Value::as_array).is_some_and(|list| list.contains(value))
        }
        Insertion::Object { fields, .. } => {
            let has = |object, (name, value): &(&[&str], Value)| at_path(object, name) == Some(value);
            found.is_some_and(|object| fields.iter().all(|field| has(object, field)))
        }
        Insertion::Allowed { .. } => {
            found.is_none_or(|list| list == &Value::Array(Vec::new()) || names_us(list))
        }
    }
}

fn value(path: &Path, text: &str) -> Result<Option<Value>, Error> {
    Ok(parse(path, text)?.1.to_serde_value())
}

fn at_path<'a>(value: &'a Value, at: &[&str]) -> Option<&'a Value> {
    at.iter().try_fold(value, |value, name| value.get(name))
}

fn blocked(path: &Path, one: &Insertion) -> Error {
    Error::CannotEdit {
        path: path.to_owned(),
        what: format!("what stands at {} is of another kind", one.at().join(".")),
    }
}
