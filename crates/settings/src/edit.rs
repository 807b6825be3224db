//! Changes one key of our file and nothing else in it, comments included.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::document::{self, Document, FileRole};
use crate::error::Error;
use crate::jsonc;
use crate::key::{Effect, Key, Section};
use crate::kind::type_name;
use crate::load::{combine, find, load, missing};
use crate::origin::{Origin, shown};
use crate::paths::{Overrides, paths};

/// A change that is ready to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub file: PathBuf,
    /// The whole new text of the file.
    pub text: String,
    pub key: &'static str,
    /// Where the key stands in the file.
    pub at: String,
    /// The value as it is kept: a secret is replaced.
    pub value: Value,
    /// The place that overrules this file on the key, if there is one.
    pub overruled_by: Option<Origin>,
}

/// Prepares a change to `mindfile.json`. It is refused if it would turn a valid configuration into an invalid one.
pub fn set(overrides: &Overrides, name: &str, value: &str) -> Result<Change, Error> {
    let paths = paths(overrides)?;
    let file = &paths.mindfile_json;
    let mut change = edit(file, document::text(file)?.as_deref(), name, value)?;
    if load(overrides).is_ok() {
        let openclaw = document::read(&paths.openclaw_json, FileRole::OpenClaw)?;
        let mindfile = document::parse(file, FileRole::Mindfile, &change.text)?;
        let after = combine(overrides, paths, openclaw, Some(mindfile))?;
        let is_used = find(name).is_some_and(|key| key.effect == Effect::Used);
        if is_used
            && after.warnings.iter().any(|warning| warning.key == change.key && warning.file == change.file)
        {
            let allowed = "a name that this version knows, or one of models.providers".to_owned();
            return Err(Error::Refused { key: change.key, value: shown(&change.value), allowed });
        }
        let origin = after.origins.into_iter().find(|s| s.key == change.key).map(|s| s.origin);
        change.overruled_by = origin.filter(|origin| !is_at(origin, &change));
    }
    Ok(change)
}

/// The new text of a file with one key set. `value` is JSON5; a bare word is a string.
pub fn edit(file: &Path, old: Option<&str>, name: &str, value: &str) -> Result<Change, Error> {
    let key = find(name).ok_or_else(|| missing(name))?;
    let (written, kept) = checked(key, value)?;
    let old = old.filter(|text| !text.trim().is_empty()).unwrap_or("{}\n");
    let before = document::parse(file, FileRole::Mindfile, old)?;
    let at = place(&before, key);
    let text = replaced(file, old, &at, &written)?;
    verify(file, &text, &at, &written)?;
    Ok(Change {
        file: file.to_owned(),
        text,
        key: key.path,
        at: at.join("."),
        value: kept,
        overruled_by: None,
    })
}

/// The value as it is written, and as it is kept.
fn checked(key: &'static Key, text: &str) -> Result<(Value, Value), Error> {
    let written = value(key, text);
    let refused = || {
        let value = if key.kind.is_secret() { type_name(&written).to_owned() } else { shown(&written) };
        Error::Refused { key: key.path, value, allowed: key.kind.to_string() }
    };
    let kept = key.kind.accept(&written).ok_or_else(refused)?;
    let written = if key.kind.is_secret() { written } else { kept.clone() };
    Ok((written, kept))
}

fn value(key: &Key, text: &str) -> Value {
    let word = || Value::from(text);
    match document::parse_value(text) {
        Some(Value::String(string)) => Value::from(string),
        Some(Value::Object(object)) if key.kind.is_secret() => Value::Object(object),
        Some(_) if key.kind.is_text() => word(),
        Some(value) => value,
        None => word(),
    }
}

/// The path to write: where the key stands, else below a section that exists, else in the shortest form.
fn place(document: &Document, key: &Key) -> Vec<&'static str> {
    let sections: &[&[&'static str]] = match key.section {
        Section::Search => {
            &[&["memorySearch"], &["memory", "search"], &["agents", "defaults", "memorySearch"]]
        }
        Section::Memory => &[&["memory"]],
        Section::Agent => &[&["agents", "defaults"]],
        Section::Slots => &[&["plugins", "slots"]],
    };
    let local: Vec<&'static str> = key.local().split('.').collect();
    let full = |section: &&[&'static str]| [section, local.as_slice()].concat();
    let with_key = sections.iter().map(full).find(|path| document.at(path).is_some());
    let existing = || sections.iter().find(|section| document.at(section).is_some()).map(full);
    with_key.or_else(existing).or_else(|| sections.first().map(full)).unwrap_or(local)
}

fn replaced(file: &Path, old: &str, at: &[&str], value: &Value) -> Result<String, Error> {
    let cannot = |reason: String| Error::CannotEdit { file: file.to_owned(), reason };
    let document = jsonc::EditableJson::parse(old).map_err(cannot)?;
    let put = document.put(at, value);
    put.ok_or_else(|| cannot(format!("what holds {} is not an object", at.join("."))))?;
    Ok(document.to_string())
}

/// Reads the new text back: what was asked for must be what a reader finds.
fn verify(file: &Path, text: &str, at: &[&str], value: &Value) -> Result<(), Error> {
    let after = document::parse(file, FileRole::Mindfile, text)?;
    if after.at(at) == Some(value) && after.repeated.is_empty() {
        return Ok(());
    }
    Err(Error::CannotEdit {
        file: file.to_owned(),
        reason: format!("{} would not be read back", at.join(".")),
    })
}

fn is_at(origin: &Origin, change: &Change) -> bool {
    matches!(origin, Origin::File { path, at } if *path == change.file && *at == change.at)
}
