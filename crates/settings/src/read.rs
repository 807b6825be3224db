//! Settings that are read in a way of their own: paths that are relative to something else, and what only the environment
//! says.

use std::path::{Path, PathBuf};

use mindfile_model::provider::Secret;
use mindfile_trust::age::Passphrase;
use serde::Deserialize;

use crate::declare::Reader;
use crate::error::Error;
use crate::scope::ScopeRule;

/// More notes than the workspace's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraPath {
    /// Absolute.
    pub path: PathBuf,
    /// A glob below it.
    pub pattern: Option<String>,
}

/// One more folder, or file, that QMD searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// Absolute.
    pub path: PathBuf,
    pub name: Option<String>,
    /// A glob below it.
    pub pattern: Option<String>,
}

/// A folder or a file of notes as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Folder {
    Path(PathBuf),
    Named { path: PathBuf, name: Option<String>, pattern: Option<String> },
}

pub(crate) fn collections(reader: &Reader<'_>, key: &str) -> Result<Vec<Collected>, Error> {
    let collected = |folder| {
        let (path, name, pattern) = match folder {
            Folder::Path(path) => (path, None, None),
            Folder::Named { path, name, pattern } => (path, name, pattern),
        };
        Ok(Collected { path: reader.path_of_workspace(&path, key)?, name, pattern })
    };
    reader.value::<Vec<Folder>>(key)?.into_iter().map(collected).collect()
}

/// Each once.
pub(crate) fn extra_paths(reader: &Reader<'_>, key: &str) -> Result<Vec<ExtraPath>, Error> {
    let mut paths = Vec::new();
    for Collected { path, pattern, .. } in collections(reader, key)? {
        let found = ExtraPath { path, pattern };
        if !paths.contains(&found) {
            paths.push(found);
        }
    }
    Ok(paths)
}

/// Decided by two keys together, once both are read.
pub(crate) fn nothing(_: &Reader<'_>, _: &str) -> Result<bool, Error> {
    Ok(false)
}

pub(crate) fn passphrase(reader: &Reader<'_>, _: &str) -> Result<Option<Passphrase>, Error> {
    Ok(reader.vault.env.variable("MINDFILE_PASSPHRASE").and_then(|text| Passphrase::new(&text)))
}

pub(crate) fn postgres_password(reader: &Reader<'_>, _: &str) -> Result<Option<Secret>, Error> {
    Ok(reader.vault.variable("PGPASSWORD"))
}

/// A folder of the state directory, or an address.
pub(crate) fn lancedb_uri(reader: &Reader<'_>, key: &str) -> Result<String, Error> {
    let uri: String = reader.value(key)?;
    if uri.contains("://") {
        return Ok(uri);
    }
    Ok(reader.path(&uri, key)?.to_string_lossy().into_owned())
}

/// A name is looked for where programs are; a path is one.
pub(crate) fn program(reader: &Reader<'_>, key: &str) -> Result<PathBuf, Error> {
    let command: String = reader.value(key)?;
    if command.contains('/') { reader.path(&command, key) } else { Ok(PathBuf::from(command)) }
}

pub(crate) fn qmd_home(reader: &Reader<'_>, _: &str) -> Result<PathBuf, Error> {
    Ok(reader.vault.state_dir.join("agents").join(reader.agent.as_str()).join("qmd"))
}

pub(crate) fn export_folder(reader: &Reader<'_>, key: &str) -> Result<PathBuf, Error> {
    match reader.value::<Option<String>>(key)? {
        Some(folder) => reader.path(&folder, key),
        None => Ok(qmd_home(reader, key)?.join("sessions")),
    }
}

/// The models that the person's own QMD has downloaded.
pub(crate) fn qmd_models(reader: &Reader<'_>, _: &str) -> Result<Option<PathBuf>, Error> {
    let below_home = || reader.vault.home.map(|home| home.join(".cache"));
    let cache = reader.vault.env.variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(below_home);
    Ok(cache.map(|cache| cache.join(Path::new("qmd/models"))))
}

pub(crate) fn is_allowed(reader: &Reader<'_>, key: &str) -> Result<bool, Error> {
    Ok(reader.value::<String>(key)? == "allow")
}

/// Where nothing is said, direct chats are answered and no others.
pub(crate) fn scope_rules(reader: &Reader<'_>, key: &str) -> Result<Vec<ScopeRule>, Error> {
    Ok(reader.value::<Option<Vec<ScopeRule>>>(key)?.unwrap_or_else(|| vec![ScopeRule::direct()]))
}
