//! Reading all layers, the strongest last.

use std::cell::RefCell;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::agents::{self, AgentId};
use crate::declare::Group;
use crate::document::{self, Document, FileRole};
use crate::error::Error;
use crate::key::{Effect, Key, closest};
use crate::kind::SECRET_SHOWN;
use crate::origin::{Origin, Setting, Warning, shown, shown_key};
use crate::paths::{self, Overrides, Paths, Place, WORKSPACE_JSON};
use crate::profiles::Profiles;
use crate::provider::{EMBEDDED, is_known};
use crate::read::is_beside;
use crate::reader::{LentKey, MergedLayers, SettingReader, path_value};
use crate::scan::{self, AgentChoice};
use crate::services::{self, Entries};
use crate::settings::{KEYS, Settings};

/// The settings, and everything that can be said about how they came to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Configuration {
    pub settings: Settings,
    pub warnings: Vec<Warning>,
    /// Every key, in the order of the declarations.
    pub origins: Vec<Setting>,
    pub paths: Paths,
    pub workspace: Place,
    /// The agent that is used when none is named.
    pub default_agent: AgentId,
    /// All agents that files name, sorted.
    pub agents: Vec<AgentId>,
    /// The files that were found, the weakest first.
    pub files: Vec<PathBuf>,
}

/// Reads the files and combines all layers.
pub fn load(overrides: &Overrides) -> Result<Configuration, Error> {
    let paths = paths::paths(overrides)?;
    let openclaw = document::read(&paths.openclaw_json, FileRole::OpenClaw)?;
    let mindfile = document::read(&paths.mindfile_json, FileRole::Mindfile)?;
    combine(overrides, paths, openclaw, mindfile)
}

/// The value of a key, or of all keys below a name, such as `query.hybrid`.
pub fn get(loaded: &Configuration, name: &str) -> Result<Value, Error> {
    let path = canonical(name);
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
    if group.as_object().is_some_and(|group| !group.is_empty()) { Ok(group) } else { Err(missing(name)) }
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
    let openclaw = openclaw.unwrap_or_else(|| Document::absent(&paths.openclaw_json, FileRole::OpenClaw));
    let mindfile = mindfile.unwrap_or_else(|| Document::absent(&paths.mindfile_json, FileRole::Mindfile));
    let mut warnings = Vec::new();
    let ours = agents::entries(&mindfile, &mut warnings)?;
    let theirs = agents::entries(&openclaw, &mut warnings)?;
    let default_agent = agents::default_agent(&theirs, &ours);
    let agent = overrides.agent()?.unwrap_or_else(|| default_agent.clone());
    let choice = AgentChoice { agent: &agent, is_default: agent == default_agent };

    let mut merged = MergedLayers::defaults(&KEYS);
    merged.apply(scan::read(&openclaw, &theirs, &choice, &mut warnings)?);
    merged.apply(scan::read(&mindfile, &ours, &choice, &mut warnings)?);
    let mut entries = Entries::new();
    services::read(&openclaw, &mut entries)?;
    services::read(&mindfile, &mut entries)?;
    let agents = agents::known(theirs.iter().chain(&ours), &agent)?;

    let workspace = workspace(overrides, &paths, &choice, &mut merged)?;
    if let Some(document) = document::read(&workspace.path.join(WORKSPACE_JSON), FileRole::Workspace)? {
        services::read(&document, &mut entries)?;
        merged.apply(scan::read(&document, &[], &choice, &mut warnings)?);
        files.push(document.file);
    }
    backend(overrides, &mut merged)?;
    warnings.extend(unavailable(&merged, &entries));
    let profiles = Profiles::read(&paths.state_dir.path, &agent, &mut warnings);
    let reader = SettingReader {
        merged: &merged,
        entries: &entries,
        profiles: &profiles,
        agent: &agent,
        state_dir: &paths.state_dir.path,
        workspace: &workspace.path,
        home: overrides.home.as_deref(),
        env: &overrides.env,
        openclaw: is_openclaw.then_some(&*paths.openclaw_json),
        notes: RefCell::default(),
        lent: RefCell::default(),
    };
    let settings = Settings::read(&reader)?;
    let is_beside = is_beside(&merged.origin("store.path"), reader.openclaw);
    let (notes, lent) = (reader.notes.into_inner(), reader.lent.into_inner());
    notes.into_iter().for_each(|(key, note)| merged.note(key, note));
    show_lent(&mut merged, &settings, lent);
    if is_beside {
        merged.set("store.path", path_value(&settings.index_path), merged.origin("store.path"));
    }
    show_defaults(&mut merged, &settings);
    let origins = merged.settings;
    Ok(Configuration { settings, warnings, origins, paths, workspace, default_agent, agents, files })
}

/// Shows the effective values of keys without a constant default.
fn show_defaults(merged: &mut MergedLayers, settings: &Settings) {
    merged.show_default("store.path", path_value(&settings.index_path));
    merged.show_default("encryption.keyFile", path_value(&settings.encryption.key_file));
    merged.show_default("memory.qmd.sessions.exportDir", path_value(&settings.qmd.sessions.folder));
    let direct_chats = json!([{ "action": "allow", "match": { "chatType": "direct" } }]);
    merged.show_default("memory.qmd.scope.rules", direct_chats);
}

/// Shows keys of OpenClaw's profiles where they are used: of the embedding service in use, and of the chat model.
fn show_lent(merged: &mut MergedLayers, settings: &Settings, lent: Vec<LentKey>) {
    let used =
        |key: &LentKey| key.setting != "remote.apiKey" || key.provider == settings.embedding.primary.name();
    for key in lent.into_iter().filter(used) {
        merged.set(key.setting, SECRET_SHOWN.into(), key.origin);
    }
}

/// The engine that a flag names.
fn backend(overrides: &Overrides, merged: &mut MergedLayers) -> Result<(), Error> {
    const KEY: &str = "memory.backend";
    let (Some(name), Some(key)) = (&overrides.flags.backend, find(KEY)) else { return Ok(()) };
    let value = Value::from(name.as_str());
    let is_allowed = key.kind.accept(&value).is_some();
    merged.set(KEY, value, Origin::Flag("backend"));
    if is_allowed { Ok(()) } else { Err(merged.refused(KEY, format!("\"{name}\""), key.kind.to_string())) }
}

/// The workspace, by the strongest layer that names one.
fn workspace(
    overrides: &Overrides,
    paths: &Paths,
    choice: &AgentChoice<'_>,
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
        (None, None) => {
            (paths::default_workspace(state_dir, choice.agent, choice.is_default), Origin::Default)
        }
    };
    merged.set(KEY, path_value(&path), origin.clone());
    Ok(Place { path, why: origin.place() })
}

/// The key of that name; the places where files keep it are accepted as prefixes.
pub fn find(name: &str) -> Option<&'static Key> {
    let short = canonical(name);
    KEYS.iter().find(|key| key.path == short)
}

/// The known key that a person most likely meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    let name = canonical(name);
    let group = format!("{name}.");
    let below = KEYS.iter().map(|key| key.path).find(|path| path.starts_with(&group));
    below.or_else(|| closest(name, KEYS.iter().map(|key| key.path)))
}

/// The error for a name that is no key.
pub(crate) fn missing(name: &str) -> Error {
    Error::NoSuchKey { key: shown_key(name), nearest: nearest(name) }
}

/// The name without the place that a file keeps it in.
fn canonical(name: &str) -> &str {
    const PLACES: [&str; 4] =
        ["agents.defaults.memorySearch.", "agents.defaults.", "memorySearch.", "memory.search."];
    PLACES.iter().find_map(|place| name.strip_prefix(place)).unwrap_or(name)
}

/// What was asked for and will not happen: one warning for each file and outcome.
fn unavailable(merged: &MergedLayers, entries: &Entries) -> Vec<Warning> {
    // Settings of one file that come to the same end.
    let mut groups: Vec<((&PathBuf, &str), Vec<&Setting>)> = Vec::new();
    for (key, setting) in KEYS.iter().zip(&merged.settings) {
        if let (Some(instead), Origin::File { path, .. }) = (instead(key, setting, entries), &setting.origin)
        {
            let group = (path, instead);
            match groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, settings)) => settings.push(setting),
                None => groups.push((group, vec![setting])),
            }
        }
    }
    let warning = |((file, instead), settings): ((&PathBuf, &str), Vec<&Setting>)| Warning {
        file: file.clone(),
        key: settings[0].key.to_owned(),
        message: format!("{} not available in this version; {instead}", subject(&settings)),
    };
    groups.into_iter().map(warning).collect()
}

/// What happens in place of what a setting asks for, if it asks for something that this version does not do.
fn instead(key: &Key, setting: &Setting, entries: &Entries) -> Option<&'static str> {
    let is_strange = || setting.value.as_str().is_some_and(|name| !is_known(name, entries));
    match (key.effect, key.path) {
        (Effect::NotInThisVersion { instead }, _) => (setting.value != key.default).then_some(instead),
        (Effect::Used, "provider") => is_strange().then_some(EMBEDDED),
        (Effect::Used, "fallback") => is_strange().then_some("there is no fallback"),
        (Effect::Used | Effect::DetailOf(_), _) => None,
    }
}

/// The settings with their values, and the verb for so many.
fn subject(settings: &[&Setting]) -> String {
    let shown: Vec<String> = settings.iter().map(|s| format!("{} {}", s.key, shown(&s.value))).collect();
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last} are", first.join(", ")),
        one => format!("{} is", one.concat()),
    }
}
