//! Collections: folders of Markdown with a name. Each is a file of its own, so that processes that add and remove at
//! once lose nothing.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mindfile::durable;
use serde::{Deserialize, Serialize};

use super::arguments::Call;
use super::folders::Folders;
use super::{held, update};
use crate::failure::Failure;
use crate::output::{self, Screen};

const MARKDOWN: &str = "**/*.md";

/// As it was asked for: hosts compare the path with their own spelling of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Collection {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) pattern: String,
}

pub(super) struct Collections {
    pub(super) folders: Folders,
}

pub(super) fn run(call: &Call, all: &Collections, screen: &Screen) -> Result<(), Failure> {
    match call.word(1) {
        "add" => add(call, all, screen),
        "list" | "" => list(call, all),
        "show" | "info" => show(&all.named(call.word(2))?),
        "remove" | "rm" => remove(call.word(2), all),
        other => Err(super::unknown(&format!("collection {other}"))),
    }
}

fn add(call: &Call, all: &Collections, screen: &Screen) -> Result<(), Failure> {
    let given = call.word(2);
    let path = std::path::absolute(if given.is_empty() { "." } else { given })
        .map_err(|source| Failure::CurrentDir { source })?;
    let folder = || path.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy());
    let name = call.value("name").map_or_else(|| folder().into_owned(), str::to_owned);
    let pattern = call.value("mask").or_else(|| call.value("glob")).unwrap_or(MARKDOWN).to_owned();
    let new = Collection { name, path, pattern };
    refuse(&new, all)?;
    let bytes = serde_json::to_vec_pretty(&new).map_err(std::io::Error::from)?;
    durable::replace(&all.file(&new.name), &bytes)?;
    // It is added, whatever comes of indexing it: the next search tries again.
    if let Err(failure) = update::sync(all, screen) {
        screen.warn(&format!("not indexed yet: {}", failure.words()));
    }
    Ok(output::text(&format!("✓ Collection '{}' created\n", new.name))?)
}

/// In QMD's words, which hosts look for.
fn refuse(new: &Collection, all: &Collections) -> Result<(), Failure> {
    let no = |message: String, hint: &str| Err(Failure::Usage { message, hint: hint.to_owned() });
    if !is_name(&new.name) {
        return Err(no_name(&new.name));
    }
    if !new.path.is_dir() {
        return no(format!("Collection path does not exist: {}", new.path.display()), "name a folder");
    }
    let known = all.all()?;
    if known.iter().any(|one| one.name == new.name) {
        return no(
            format!("Collection '{}' already exists.", new.name),
            "qmd collection remove takes it away first",
        );
    }
    match known.iter().find(|one| one.path == new.path && one.pattern == new.pattern) {
        Some(same) => no(
            format!(
                "A collection already exists for this path and pattern:\n  Name: {0} (qmd://{0}/)\n  Pattern: {1}",
                same.name, same.pattern
            ),
            "use that one, or remove it first",
        ),
        None => Ok(()),
    }
}

fn list(call: &Call, all: &Collections) -> Result<(), Failure> {
    let known = all.all()?;
    if call.has("json") {
        return Ok(output::json(&known)?);
    }
    let mut text = format!("Collections ({}):\n", known.len());
    for one in &known {
        text.push_str(&format!("\n{0} (qmd://{0}/)\n  Pattern:  {1}\n", one.name, one.pattern));
    }
    Ok(output::text(&text)?)
}

fn show(one: &Collection) -> Result<(), Failure> {
    Ok(output::text(&format!(
        "Collection: {}\n  Path:     {}\n  Pattern:  {}\n  Include:  yes (default)\n",
        one.name,
        one.path.display(),
        one.pattern
    ))?)
}

fn remove(name: &str, all: &Collections) -> Result<(), Failure> {
    let one = all.named(name)?;
    let file = all.file(&one.name);
    match std::fs::remove_file(&file) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(source) => return Err(Failure::File { path: file.display().to_string(), source }),
    }
    held::unlist(&one.name, &all.folders)?;
    Ok(output::text(&format!("✓ Removed collection '{}'\n", one.name))?)
}

impl Collections {
    pub(super) fn of(folders: Folders) -> Self {
        Self { folders }
    }

    /// All of them, by name.
    pub(super) fn all(&self) -> Result<Vec<Collection>, Failure> {
        let folder = &self.folders.collections;
        let failed = |path: &Path, source| Failure::File { path: path.display().to_string(), source };
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|source| failed(folder, source))?,
        };
        let mut all = Vec::new();
        for entry in entries {
            let path = entry.map_err(|source| failed(folder, source))?.path();
            if path.extension().is_none_or(|end| end != "json") {
                continue;
            }
            match std::fs::read(&path) {
                // Another process has just removed it.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                bytes => {
                    let bytes = bytes.map_err(|source| failed(&path, source))?;
                    all.push(serde_json::from_slice(&bytes).map_err(|error| failed(&path, error.into()))?);
                }
            }
        }
        all.sort_by(|a: &Collection, b| a.name.cmp(&b.name));
        Ok(all)
    }

    pub(super) fn named(&self, name: &str) -> Result<Collection, Failure> {
        self.all()?.into_iter().find(|one| one.name == name).ok_or_else(|| not_found(name))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folders.collections.join(format!("{name}.json"))
    }
}

pub(super) fn not_found(name: &str) -> Failure {
    Failure::Usage {
        message: format!("Collection not found: {name}"),
        hint: "qmd collection list names those there are".to_owned(),
    }
}

/// A name is part of a file's name and of an address.
pub(super) fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.len() <= 200 && name.chars().all(is_plain)
}

pub(super) fn no_name(name: &str) -> Failure {
    Failure::Usage {
        message: format!("\"{name}\" cannot be a name"),
        hint: "a name is made of letters, digits, '.', '_' and '-'".to_owned(),
    }
}
