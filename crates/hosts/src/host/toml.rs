//! Adds entries to TOML and removes them; Codex keeps its servers in it. A new table goes to the end, so that no byte
//! before it changes; an existing one is edited in place.

use std::path::Path;

use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, value};

use super::entries::Insertion;
use crate::Error;
use mindfile_workspace::Ending;

pub(super) fn put(path: &Path, old: &str, puts: &[Insertion]) -> Result<String, Error> {
    let mut text = old.to_owned();
    for one in puts {
        let Insertion::Entry { at, value } = one else { continue };
        text = put_entry(path, &text, at, value)?;
    }
    Ok(text)
}

pub(super) fn take(path: &Path, old: &str, puts: &[Insertion]) -> Result<String, Error> {
    let mut text = old.to_owned();
    for one in puts {
        let Insertion::Entry { at, .. } = one else { continue };
        text = rewritten(path, &text, |document| remove(document.as_table_mut(), at))?;
    }
    Ok(text)
}

fn put_entry(path: &Path, text: &str, at: &[&str], entry: &Value) -> Result<String, Error> {
    let document = parse(path, text)?;
    let there = at.iter().try_fold(document.as_item(), |item, name| item.get(name));
    match there {
        Some(item) if stands(item, entry) => return Ok(text.to_owned()),
        Some(_) => {}
        None if can_append(&document, at) => return appended(path, text, at, entry),
        None => {}
    }
    rewritten(path, text, |document| {
        let Some((parents, name)) = split(at) else { return };
        let mut item = document.as_item_mut();
        for parent in parents {
            item = &mut item[*parent];
        }
        let fields = &mut item[name];
        if !fields.is_table_like() {
            *fields = Item::Table(Table::new());
        }
        for (key, field) in entry.as_object().into_iter().flatten() {
            fields[key.as_str()] = written(field);
        }
    })
}

fn split<'a>(at: &'a [&'a str]) -> Option<(&'a [&'a str], &'a str)> {
    at.split_last().map(|(name, parents)| (parents, *name))
}

/// Whether a table of its own can stand at the end: not below an inline table.
fn can_append(document: &DocumentMut, at: &[&str]) -> bool {
    let parents = split(at).map_or(&[][..], |(parents, _)| parents);
    let mut item = document.as_item();
    for parent in parents {
        match item.get(parent) {
            None => return true,
            Some(found) if found.is_table() => item = found,
            Some(_) => return false,
        }
    }
    true
}

fn appended(path: &Path, text: &str, at: &[&str], entry: &Value) -> Result<String, Error> {
    let mut block = format!("[{}]\n", at.join("."));
    for (key, field) in entry.as_object().into_iter().flatten() {
        block.push_str(&format!("{key} = {}\n", written(field)));
    }
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let gap = if text.trim().is_empty() { "" } else { "\n" };
    let block = Ending::of(text.as_bytes()).apply(format!("{end}{gap}{block}").as_bytes());
    let new = format!("{text}{}", String::from_utf8_lossy(&block));
    parse(path, &new).map(|_| new)
}

/// What `change` makes of the document, in the line ending of the text.
fn rewritten(path: &Path, text: &str, change: impl FnOnce(&mut DocumentMut)) -> Result<String, Error> {
    let mut document = parse(path, text)?;
    let before = document.to_string();
    change(&mut document);
    let after = document.to_string();
    if before == after {
        return Ok(text.to_owned());
    }
    let plain = after.replace("\r\n", "\n");
    let new = Ending::of(text.as_bytes()).apply(plain.as_bytes());
    Ok(String::from_utf8_lossy(&new).into_owned())
}

fn remove(table: &mut dyn TableLike, at: &[&str]) {
    match at {
        [] => {}
        [name] => drop(table.remove(name)),
        [name, rest @ ..] => {
            let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) else { return };
            remove(inner, rest);
            if inner.is_empty() {
                table.remove(name);
            }
        }
    }
}

fn stands(item: &Item, entry: &Value) -> bool {
    let field = |(key, field): (&String, &Value)| {
        item.get(key).is_some_and(|found| found.to_string().trim() == written(field).to_string().trim())
    };
    entry.as_object().is_some_and(|fields| fields.iter().all(field))
}

fn written(field: &Value) -> Item {
    match field {
        Value::String(text) => value(text),
        Value::Array(items) => value(items.iter().filter_map(Value::as_str).collect::<Array>()),
        Value::Bool(flag) => value(*flag),
        Value::Number(_) | Value::Null | Value::Object(_) => Item::None,
    }
}

fn parse(path: &Path, text: &str) -> Result<DocumentMut, Error> {
    text.parse::<DocumentMut>().map_err(|error| Error::Unreadable {
        path: path.to_owned(),
        format: "TOML",
        what: error.message().to_owned(),
    })
}
