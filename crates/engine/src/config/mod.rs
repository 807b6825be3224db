//! Configuration: what is written in files, variables and flags becomes one set of settings that is valid as a whole.
//!
//! The layers, the strongest last: defaults, OpenClaw's file, our file beside it, the workspace's own file, the
//! environment, flags. A key or a value that is not allowed is an error that names the file and the key; nothing is
//! clamped. One table of keys (`KEYS`) is what unknown keys, wrong values, `config show`, `get` and `set` are judged by.

mod agents;
mod chat;
mod document;
mod edit;
mod error;
mod keys;
mod kind;
mod lancedb;
mod merge;
mod options;
mod origin;
mod paths;
mod postgres;
mod provider;
mod qmd;
mod resolve;
mod secret;
mod server;
mod services;
mod sessions;
mod settings;
mod table;

use std::path::PathBuf;

use serde_json::Value;

pub use agents::AgentId;
pub use chat::Chat;
pub(crate) use edit::input;
pub use edit::{Change, edit, set};
pub use error::Error;
pub use keys::{Effect, Key, Section, find, nearest};
pub use kind::{Kind, Preset, SECRET_SHOWN, span};
pub use lancedb::LanceDb;
pub use origin::{Origin, Setting, Warning};
pub use paths::{Env, Flags, MINDFILE_JSON, OPENCLAW_JSON, Overrides, Paths, Place, WORKSPACE_JSON, paths};
pub use postgres::Postgres;
pub use settings::{
    BackendName, BatchJobs, Bootstrap, Cache, Citations, Collected, Compaction, ContextPruning, Decay,
    Embedding, Encryption, Engine, ExtraPath, Flush, Fusion, Hybrid, Maker, Mmr, Pruning, Qmd, QmdLimits,
    QmdMode, QmdSessions, QmdUpdate, Query, Server, Settings, Sync, Tls, Transcripts, VectorStore,
};
pub use table::KEYS;

use document::{Document, Role};
use merge::Merged;
use options::Reader;

/// The settings, and everything that can be said about how they came to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    pub settings: Settings,
    pub warnings: Vec<Warning>,
    /// Every key of the table, in its order.
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
pub fn load(overrides: &Overrides) -> Result<Loaded, Error> {
    let paths = paths(overrides)?;
    let openclaw = document::read(&paths.openclaw_json, Role::OpenClaw)?;
    let mindfile = document::read(&paths.mindfile_json, Role::Mindfile)?;
    combine(overrides, paths, openclaw, mindfile)
}

/// The value of a key, or of all keys below a name, such as `query.hybrid`.
pub fn get(loaded: &Loaded, name: &str) -> Result<Value, Error> {
    let path = keys::canonical(name);
    if let Some(setting) = loaded.origins.iter().find(|setting| setting.key == path) {
        return Ok(setting.value.clone());
    }
    let below = |setting: &&Setting| setting.key.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    let mut group = loaded.origins.iter().filter(below).peekable();
    if group.peek().is_none() {
        return Err(keys::missing(name));
    }
    Ok(merge::nested(group.map(|setting| (&setting.key[path.len() + 1..], &setting.value))))
}

/// Combines the layers from files that are already parsed.
fn combine(
    overrides: &Overrides,
    paths: Paths,
    openclaw: Option<Document>,
    mindfile: Option<Document>,
) -> Result<Loaded, Error> {
    let mut files: Vec<PathBuf> =
        [&openclaw, &mindfile].into_iter().flatten().map(|d| d.file.clone()).collect();
    let is_openclaw = openclaw.is_some() || paths::is_openclaw_home(&paths.state_dir.path);
    let openclaw = openclaw.unwrap_or_else(|| Document::absent(&paths.openclaw_json, Role::OpenClaw));
    let mindfile = mindfile.unwrap_or_else(|| Document::absent(&paths.mindfile_json, Role::Mindfile));
    let mut warnings = Vec::new();
    let ours = agents::entries(&mindfile, &mut warnings)?;
    let theirs = agents::entries(&openclaw, &mut warnings)?;
    let default_agent = agents::default_agent(&theirs, &ours);
    let agent = overrides.agent()?.unwrap_or_else(|| default_agent.clone());
    let reader = Reader { agent: &agent, is_default: agent == default_agent };

    let mut merged = Merged::new();
    merged.apply(options::read(&openclaw, &theirs, &reader, &mut warnings)?);
    merged.apply(options::read(&mindfile, &ours, &reader, &mut warnings)?);
    let mut entries = services::Entries::new();
    services::read(&openclaw, &mut entries)?;
    services::read(&mindfile, &mut entries)?;
    let agents = agents::known(theirs.iter().chain(&ours));
    agents::check_known(&agent, &agents)?;

    let workspace = workspace(overrides, &paths, &reader, &mut merged)?;
    if let Some(document) = document::read(&workspace.path.join(WORKSPACE_JSON), Role::Workspace)? {
        services::read(&document, &mut entries)?;
        merged.apply(options::read(&document, &[], &reader, &mut warnings)?);
        files.push(document.file);
    }
    backend(overrides, &mut merged)?;
    warnings.extend(merged.warnings(&entries));
    let context = resolve::Context {
        agent,
        state_dir: &paths.state_dir.path,
        workspace: workspace.path.clone(),
        home: overrides.home.as_deref(),
        env: &overrides.env,
        entries: &entries,
        openclaw: is_openclaw.then_some(&*paths.openclaw_json),
    };
    let settings = resolve::settings(&mut merged, context)?;
    let origins = merged.into_settings();
    Ok(Loaded { settings, warnings, origins, paths, workspace, default_agent, agents, files })
}

/// The engine that a flag names.
fn backend(overrides: &Overrides, merged: &mut Merged) -> Result<(), Error> {
    const KEY: &str = "memory.backend";
    let (Some(name), Some(key)) = (&overrides.flags.backend, find(KEY)) else { return Ok(()) };
    let origin = Origin::Flag("--backend");
    match key.kind.accept(&Value::from(name.as_str())) {
        Some(value) => merged.set(KEY, value, origin),
        None => {
            let (key, value, allowed) = (KEY.to_owned(), format!("\"{name}\""), key.kind.to_string());
            return Err(Error::BadValue { origin, key, value, allowed });
        }
    }
    Ok(())
}

/// The workspace, by the strongest layer that names one.
fn workspace(
    overrides: &Overrides,
    paths: &Paths,
    reader: &Reader<'_>,
    merged: &mut Merged,
) -> Result<Place, Error> {
    let state_dir = &paths.state_dir.path;
    let (path, origin) = match (overrides.workspace()?, merged.text("workspace")) {
        (Some(given), _) => given,
        (None, Some((text, origin))) => {
            (paths::expand(text.as_ref(), state_dir, overrides.home.as_deref(), &origin)?, origin)
        }
        (None, None) if reader.is_default => (state_dir.join("workspace"), Origin::Default),
        (None, None) => (state_dir.join(format!("workspace-{}", reader.agent)), Origin::Default),
    };
    merged.set("workspace", path.display().to_string().into(), origin.clone());
    Ok(Place { path, why: origin.place() })
}
