//! Adds entries to somebody's JSON and removes them; comments, order, indentation and line endings stay.

use std::path::Path;

use serde_json::{Map, Value};

use super::entries::{Insertion, NAME, is_ours};
use crate::Error;
use mindfile_settings::jsonc::{EditableJson, has_comment};

/// The text with what is put there.
pub(super) fn put(path: &Path, old: &str, puts: &[Insertion]) -> Result<String, Error> {
    if is_blank(old) {
        let mark = if old.starts_with('\u{feff}') { "\u{feff}" } else { "" };
        return Ok(format!("{mark}{}", fresh(puts)));
    }
    let document = parse(path, old)?;
    for one in puts {
        put_one(&document, one).ok_or_else(|| blocked(path, one))?;
    }
    let new = document.to_string();
    check(path, old, &new, puts)?;
    Ok(new)
}

/// The text without it. Lists and objects that are empty afterwards go as well; what stood in our places before, as `was`
/// has it, stands there again.
pub(super) fn take(path: &Path, old: &str, puts: &[Insertion], was: Option<&str>) -> Result<String, Error> {
    if is_blank(old) {
        return Ok(old.to_owned());
    }
    let was = was.map_or(Ok(Value::Null), |text| value(path, text))?;
    let document = parse(path, old)?;
    for one in puts {
        take_one(&document, one, &was);
    }
    Ok(document.to_string())
}

fn take_one(document: &EditableJson, one: &Insertion, was: &Value) {
    let before = at_path(was, one.at());
    match one {
        Insertion::Entry { at, .. } | Insertion::Object { at, .. } => give_back(document, at, before),
        Insertion::Element { at, .. } => {
            if document.remove_elements(at, &is_ours) {
                document.prune(at);
            }
        }
        Insertion::Needed { .. } => {}
        // What a person has chosen since is left.
        Insertion::Lent { at, value } => {
            if document.get(at).as_ref() == Some(value) {
                give_back(document, at, before);
            }
        }
        Insertion::Allowed { at } => {
            if !before.is_some_and(names_us) {
                document.remove_elements(at, &|name| name == NAME);
            }
        }
    }
}

/// Whether a text holds nothing that is worth keeping: at most what the file needed for us.
pub(super) fn is_bare(text: &str, puts: &[Insertion]) -> bool {
    let Ok(Value::Object(mut left)) = EditableJson::parse(text).map(|document| document.value()) else {
        return false;
    };
    for one in puts {
        if let Insertion::Needed { at, .. } = one {
            left.remove(at[0]);
        }
    }
    left.is_empty() && !has_comment(text)
}

fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn parse(path: &Path, text: &str) -> Result<EditableJson, Error> {
    let unreadable = |what| Error::Unreadable { path: path.to_owned(), format: "JSON", what };
    EditableJson::parse(text).map_err(unreadable)
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

fn put_one(document: &EditableJson, one: &Insertion) -> Option<()> {
    match one {
        Insertion::Entry { at, value } | Insertion::Lent { at, value } => document.put(at, value),
        Insertion::Needed { at, .. } if document.get(at).is_some() => Some(()),
        Insertion::Needed { at, value } => document.put(at, value),
        Insertion::Element { at, value } => put_element(document, at, value),
        Insertion::Object { at, fields } => {
            fields.iter().try_for_each(|(name, value)| document.put(&[at, *name].concat(), value))
        }
        Insertion::Allowed { at } => {
            // An empty list forbids nothing: with one name in it, it would forbid all others.
            let names =
                document.get(at).filter(|list| list.as_array().is_some_and(|names| !names.is_empty()));
            let is_missing = names.is_some_and(|names| !names_us(&names));
            if is_missing { document.push(at, &Value::from(NAME)) } else { Some(()) }
        }
    }
}

/// The element in the place of the one that an earlier version put there, or at the end.
fn put_element(document: &EditableJson, at: &[&str], value: &Value) -> Option<()> {
    let there = document.get(at).unwrap_or_default();
    let ours: Vec<&Value> = there.as_array().into_iter().flatten().filter(|one| is_ours(one)).collect();
    if ours == [value] {
        return Some(());
    }
    document.remove_elements(at, &is_ours);
    document.push(at, value)
}

/// What stood there before; nothing if there was nothing.
fn give_back(document: &EditableJson, at: &[&str], before: Option<&Value>) {
    let put_back = before.and_then(|value| document.put(at, value));
    if put_back.is_none() {
        document.remove(at);
    }
}

fn names_us(list: &Value) -> bool {
    list.as_array().is_some_and(|names| names.contains(&Value::from(NAME)))
}

/// Reads the new text back: what was put is there, and nothing else is different.
fn check(path: &Path, old: &str, new: &str, puts: &[Insertion]) -> Result<(), Error> {
    let cannot = |what: &str| Error::CannotEdit { path: path.to_owned(), what: what.to_owned() };
    let there = value(path, new)?;
    if !puts.iter().all(|one| is_there(&there, one)) {
        return Err(cannot("what is put into it would not be read back"));
    }
    let bare = take(path, old, puts, None)?;
    let mut after = value(path, &take(path, new, puts, Some(&bare))?)?;
    let mut before = value(path, &bare)?;
    for one in puts {
        if let (Insertion::Needed { at, .. }, Value::Object(a), Value::Object(b)) =
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

fn value(path: &Path, text: &str) -> Result<Value, Error> {
    Ok(parse(path, text)?.value())
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
