//! Reading all layers, the strongest last.

use std::cell::RefCell;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::agents::{self, AgentId};
use crate::declare::{Group, Reader};
use crate::document::{self, Document, Role};
use crate::error::Error;
use crate::merge::{MergedLayers, path_value};
use crate::names;
use crate::origin::{Origin, Setting, Warning};
use crate::paths::{self, Overrides, Paths, Place, WORKSPACE_JSON};
use crate::read::is_beside;
use crate::scan::{self, Whom};
use crate::services;
use crate::settings::{KEYS, Settings};
use crate::unavailable;

/// The settings, and everything that can be said about how they came to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    pub settings: Settings,
    pub warnings: Vec<Warning>,
    /// Every key, in the order of the declarations.
    pub origins: Vec<Setting>,
    pub paths: Paths,
    pub workspace: Place,
    /// The agent that is meant when none is named.
    pub default_agent: AgentId,
    /// All agents that files name, sorted.
    pub agents: Vec<AgentId>,
    /// The files that were found, the weakest first.
    pub files: Vec<PathBuf>,
}

/// Reads the files and combines all layers.
pub fn load(overrides: &Overrides) -> Result<Configuration, Error> {
    let paths = paths::paths(overrides)?;
    let openclaw = document::read(&paths.openclaw_json, Role::OpenClaw)?;
    let mindfile = document::read(&paths.mindfile_json, Role::Mindfile)?;
    combine(overrides, paths, openclaw, mindfile)
}

/// The value of a key, or of all keys below a name, such as `query.hybrid`.
pub fn get(loaded: &Configuration, name: &str) -> Result<Value, Error> {
    let path = names::canonical(name);
    let mut group = Value::Object(Map::new());
    for setting in &loaded.origins {
        match setting.key.strip_prefix(path) {
            Some("") => return Ok(setting.value.clone()),
            Some(rest) if rest.starts_with('.') => {
                let below = rest[1..].split('.').fold(&mut group, |group, name| &mut group[name]);
                *below = setting.value.clone();
            }
            Some(_) | None => {}
        }
    }
    if group.as_object().is_some_and(|group| !group.is_empty()) {
        Ok(group)
    } else {
        Err(names::missing(name))
    }
}

/// Combines the layers from files that are already parsed.
pub(crate) fn combine(
    overrides: &Overrides,
    paths: Paths,
    openclaw: Option<Document>,
    mindfile: Option<Document>,
) -> Result<Configuration, Error> {
    let mut files: Vec<PathBuf> =
        [&openclaw, &mindfile].into_iter().flatten().map(|document| document.file.clone()).collect();
    let is_openclaw = openclaw.is_some() || paths::is_openclaw_home(&paths.state_dir.path);
    let openclaw = openclaw.unwrap_or_else(|| Document::absent(&paths.openclaw_json, Role::OpenClaw));
    let mindfile = mindfile.unwrap_or_else(|| Document::absent(&paths.mindfile_json, Role::Mindfile));
    let mut warnings = Vec::new();
    let ours = agents::entries(&mindfile, &mut warnings)?;
    let theirs = agents::entries(&openclaw, &mut warnings)?;
    let default_agent = agents::default_agent(&theirs, &ours);
    let agent = overrides.agent()?.unwrap_or_else(|| default_agent.clone());
    let whom = Whom { agent: &agent, is_default: agent == default_agent };

    let mut merged = MergedLayers::defaults(&KEYS);
    merged.apply(scan::read(&openclaw, &theirs, &whom, &mut warnings)?);
    merged.apply(scan::read(&mindfile, &ours, &whom, &mut warnings)?);
    let mut entries = services::Entries::new();
    services::read(&openclaw, &mut entries)?;
    services::read(&mindfile, &mut entries)?;
    let agents = agents::known(theirs.iter().chain(&ours), &agent)?;

    let workspace = workspace(overrides, &paths, &whom, &mut merged)?;
    if let Some(document) = document::read(&workspace.path.join(WORKSPACE_JSON), Role::Workspace)? {
        services::read(&document, &mut entries)?;
        merged.apply(scan::read(&document, &[], &whom, &mut warnings)?);
        files.push(document.file);
    }
    backend(overrides, &mut merged)?;
    warnings.extend(unavailable::warnings(&merged, &entries));
    let reader = Reader {
        merged: &merged,
        entries: &entries,
        agent: &agent,
        state_dir: &paths.state_dir.path,
        workspace: &workspace.path,
        home: overrides.home.as_deref(),
        env: &overrides.env,
        openclaw: is_openclaw.then_some(&*paths.openclaw_json),
        notes: RefCell::default(),
    };
    let settings = Settings::read(&reader)?;
    let is_beside = is_beside(&merged.origin("store.path"), reader.openclaw);
    let notes = reader.notes.into_inner();
    notes.into_iter().for_each(|(key, note)| merged.note(key, note));
    if is_beside {
        merged.set("store.path", path_value(&settings.index_path), merged.origin("store.path"));
    }
    show_defaults(&mut merged, &settings);
    let origins = merged.into_settings();
    Ok(Configuration { settings, warnings, origins, paths, workspace, default_agent, agents, files })
}

/// Shows what keys without a constant default come to.
fn show_defaults(merged: &mut MergedLayers, settings: &Settings) {
    merged.show_default("store.path", path_value(&settings.index_path));
    merged.show_default("encryption.keyFile", path_value(&settings.encryption.key_file));
    merged.show_default("memory.qmd.sessions.exportDir", path_value(&settings.qmd.sessions.folder));
    let direct_chats = json!([{ "action": "allow", "match": { "chatType": "direct" } }]);
    merged.show_default("memory.qmd.scope.rules", direct_chats);
}

/// The engine that a flag names.
fn backend(overrides: &Overrides, merged: &mut MergedLayers) -> Result<(), Error> {
    const KEY: &str = "memory.backend";
    let (Some(name), Some(key)) = (&overrides.flags.backend, names::find(KEY)) else { return Ok(()) };
    let value = Value::from(name.as_str());
    let is_allowed = key.kind.accept(&value).is_some();
    merged.set(KEY, value, Origin::Flag("backend"));
    if is_allowed { Ok(()) } else { Err(merged.refused(KEY, format!("\"{name}\""), key.kind.to_string())) }
}

/// The workspace, by the strongest layer that names one.
fn workspace(
    overrides: &Overrides,
    paths: &Paths,
    whom: &Whom<'_>,
    merged: &mut MergedLayers,
) -> Result<Place, Error> {
    const KEY: &str = "workspace";
    let state_dir = &paths.state_dir.path;
    let written = merged.value(KEY).as_str();
    let (path, origin) = match (overrides.workspace()?, written) {
        (Some(given), _) => given,
        (None, Some(text)) => {
            let origin = merged.origin(KEY);
            (paths::expand(text.as_ref(), state_dir, overrides.home.as_deref(), &origin)?, origin)
        }
        (None, None) if whom.is_default => (state_dir.join("workspace"), Origin::Default),
        (None, None) => (state_dir.join(format!("workspace-{}", whom.agent)), Origin::Default),
    };
    merged.set(KEY, path_value(&path), origin.clone());
    Ok(Place { path, why: origin.place() })
}
