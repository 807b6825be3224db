//! Settings with readers of their own: two keys that decide together, paths that are relative to something else,
//! and what the environment adds.

use std::path::{Path, PathBuf};

use mindfile_model::provider::Secret;
use mindfile_model::provider::chat::ChatProtocol;
use mindfile_note::Source;
use mindfile_note::chunk::Chunking;
use mindfile_trust::age::Passphrase;
use mindfile_trust::policy::Rules;
use serde::Deserialize;
use serde_json::Value;

use crate::agents::AgentId;
use crate::declare::Field;
use crate::error::Error;
use crate::origin::Origin;
use crate::paths::expand;
use crate::reader::SettingReader;
use crate::scope::ScopeRule;
use crate::words::Engine;

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
pub struct QmdPath {
    /// Absolute.
    pub path: PathBuf,
    pub name: Option<String>,
    /// A glob below it.
    pub pattern: Option<String>,
}

/// What switches an agent's memory off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchedOff {
    /// The key, and a value that switches it on.
    pub on: (&'static str, &'static str),
    /// The setting as it stands there.
    pub why: String,
}

/// The conversations whose agent may not write to the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClosedTo {
    None,
    /// All but the agent's main one. What says so, as it stands in the settings.
    NotMain {
        why: String,
    },
    All {
        why: String,
    },
}

/// A folder or a file of notes as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Folder {
    Path(PathBuf),
    Named { path: PathBuf, name: Option<String>, pattern: Option<String> },
}

/// By either of two keys.
pub(crate) fn switched_off(reader: &SettingReader<'_>, key: &str) -> Result<Option<SwitchedOff>, Error> {
    const SLOT: &str = "plugins.slots.memory";
    let off = |on, key: &str| Some(SwitchedOff { on, why: reader.merged.stated(key) });
    if !reader.value::<bool>(key)? {
        return Ok(off(("enabled", "true"), key));
    }
    let slot: Option<String> = reader.value(SLOT)?;
    Ok(if slot.as_deref() == Some("none") { off((SLOT, "mindfile"), SLOT) } else { None })
}

/// As OpenClaw resolves it: outside a sandbox everything may be written, and a sandbox has "none" where nothing is said.
/// OpenClaw's mode is "off" where it is not written; who writes the access alone means it all the same.
pub(crate) fn closed_to(reader: &SettingReader<'_>, key: &str) -> Result<ClosedTo, Error> {
    const MODE: &str = "sandbox.mode";
    let access: Option<String> = reader.value(key)?;
    let mode: Option<String> = reader.value(MODE)?;
    let why = reader.merged.stated(if access.is_some() { key } else { MODE });
    Ok(match (mode.as_deref(), access.as_deref()) {
        (_, Some("rw")) | (Some("off"), _) | (None, None) => ClosedTo::None,
        (Some("non-main"), _) => ClosedTo::NotMain { why },
        (Some(_), _) | (None, Some(_)) => ClosedTo::All { why },
    })
}

pub(crate) fn agent(reader: &SettingReader<'_>) -> AgentId {
    reader.agent.clone()
}

pub(crate) fn state_dir(reader: &SettingReader<'_>) -> PathBuf {
    reader.state_dir.to_owned()
}

pub(crate) fn workspace(reader: &SettingReader<'_>) -> PathBuf {
    reader.workspace.to_owned()
}

/// Transcripts are searched if both keys ask for it.
pub(crate) fn sources(reader: &SettingReader<'_>, key: &str) -> Result<Vec<Source>, Error> {
    let transcripts: bool = reader.value("experimental.sessionMemory")?;
    let names: Vec<String> = reader.value(key)?;
    let found = names.iter().filter_map(|name| Source::parse(name));
    Ok(found.filter(|source| transcripts || *source == Source::Memory).collect())
}

pub(crate) fn are_transcripts_searched(reader: &SettingReader<'_>, _: &str) -> Result<bool, Error> {
    Ok(sources(reader, "sources")?.contains(&Source::Sessions))
}

fn collections(reader: &SettingReader<'_>, key: &str) -> Result<Vec<QmdPath>, Error> {
    let collected = |folder| {
        let (path, name, pattern) = match folder {
            Folder::Path(path) => (path, None, None),
            Folder::Named { path, name, pattern } => (path, name, pattern),
        };
        let path = expand(&path, reader.workspace, reader.home, &reader.merged.origin(key))?;
        Ok(QmdPath { path, name, pattern })
    };
    reader.value::<Vec<Folder>>(key)?.into_iter().map(collected).collect()
}

/// Each once.
pub(crate) fn extra_paths(reader: &SettingReader<'_>, key: &str) -> Result<Vec<ExtraPath>, Error> {
    let mut paths = Vec::new();
    for QmdPath { path, pattern, .. } in collections(reader, key)? {
        let found = ExtraPath { path, pattern };
        if !paths.contains(&found) {
            paths.push(found);
        }
    }
    Ok(paths)
}

/// In an OpenClaw home the usual place, and the one that OpenClaw's own file names, are OpenClaw's: a gateway does not
/// start while it finds a database there that is none of its own. Ours lies beside it.
pub(crate) fn index_path(reader: &SettingReader<'_>, key: &str) -> Result<PathBuf, Error> {
    let named = reader.value::<Option<String>>(key)?;
    let named =
        named.as_deref().unwrap_or("memory/{agentId}.sqlite").replace("{agentId}", reader.agent.as_str());
    let mut path = reader.path(&named, key)?;
    if is_beside(&reader.merged.origin(key), reader.openclaw) {
        path.set_extension("mindfile.sqlite");
    }
    Ok(path)
}

pub(crate) fn is_beside(origin: &Origin, openclaw: Option<&Path>) -> bool {
    match origin {
        Origin::Default => openclaw.is_some(),
        Origin::File { path, .. } => openclaw.is_some_and(|openclaw| openclaw == path),
        Origin::Env(_) | Origin::Flag(_) => false,
    }
}

pub(crate) fn vector_engine(reader: &SettingReader<'_>, key: &str) -> Result<Engine, Error> {
    if reader.value("store.vector.enabled")? { reader.value(key) } else { Ok(Engine::Scan) }
}

/// An overlap as large as the chunk would never get to the end of a note.
pub(crate) fn chunking(reader: &SettingReader<'_>, _: &str) -> Result<Chunking, Error> {
    const TOKENS: &str = "chunking.tokens";
    const OVERLAP: &str = "chunking.overlap";
    let tokens: u32 = reader.value(TOKENS)?;
    let overlap: u32 = reader.value(OVERLAP)?;
    if overlap < tokens {
        return Ok(Chunking { tokens, overlap });
    }
    if reader.is_written(OVERLAP) {
        return Err(reader.merged.refused(OVERLAP, overlap, format!("less than {TOKENS} ({tokens})")));
    }
    Err(reader.merged.refused(TOKENS, tokens, format!("more than {OVERLAP} ({overlap})")))
}

/// Scales both weights to sum 1, so that one of them is enough.
pub(crate) fn vector_weight(reader: &SettingReader<'_>, key: &'static str) -> Result<f32, Error> {
    const TEXT: &str = "query.hybrid.textWeight";
    let vector: f64 = reader.value(key)?;
    let text: f64 = reader.value(TEXT)?;
    let sum = vector + text;
    if sum <= 0.0 {
        return Err(reader.merged.refused(key, 0, format!("more than 0, because {TEXT} is 0 too")));
    }
    if (sum - 1.0).abs() > 1e-9 {
        reader.note(key, format!("{:.3} of 1", vector / sum));
        reader.note(TEXT, format!("{:.3} of 1", text / sum));
    }
    Ok((vector / sum) as f32)
}

/// An error names an unusable pattern by its place in the list.
pub(crate) fn policy(reader: &SettingReader<'_>, key: &str) -> Result<Rules, Error> {
    let rules = reader.merged.value(key);
    Rules::read(rules, reader.merged.value("memory.policy.builtin")).map_err(|(place, allowed)| {
        // `[2].pattern` as a JSON pointer.
        let pointer = place.replace('[', "/").replace(']', "").replace('.', "/");
        let value = rules.pointer(&pointer).map_or_else(String::new, Value::to_string);
        let origin = reader.merged.origin(key);
        Error::BadValue { key: format!("{}{place}", origin.key(key)), origin, value, allowed }
    })
}

/// A key of OpenClaw's profiles or of the environment is for the provider's own address alone.
pub(crate) fn chat_key(reader: &SettingReader<'_>, key: &'static str) -> Result<Option<Secret>, Error> {
    if reader.is_written(key) || reader.is_written("chat.baseUrl") {
        return reader.secret(key);
    }
    let protocol = ChatProtocol::read(reader, "chat.provider")?;
    let profile = reader.profile_key(key, protocol.name());
    Ok(profile.or_else(|| reader.variable(protocol.key_variable())))
}

pub(crate) fn ca_file(reader: &SettingReader<'_>, key: &str) -> Result<Option<PathBuf>, Error> {
    Ok(Option::<PathBuf>::read(reader, key)?.or_else(|| reader.authorities()))
}

pub(crate) fn postgres_url(reader: &SettingReader<'_>, key: &str) -> Result<Option<Secret>, Error> {
    if reader.is_written(key) { reader.secret(key) } else { Ok(reader.variable("MINDFILE_POSTGRES_URL")) }
}

pub(crate) fn postgres_password(reader: &SettingReader<'_>) -> Option<Secret> {
    reader.variable("PGPASSWORD")
}

pub(crate) fn passphrase(reader: &SettingReader<'_>) -> Option<Passphrase> {
    reader.env.variable("MINDFILE_PASSPHRASE").and_then(|text| Passphrase::new(&text))
}

/// A folder of the state directory, or an address.
pub(crate) fn lancedb_uri(reader: &SettingReader<'_>, key: &str) -> Result<String, Error> {
    let uri: String = reader.value(key)?;
    if uri.contains("://") {
        return Ok(uri);
    }
    Ok(reader.path(&uri, key)?.to_string_lossy().into_owned())
}

/// A name is looked up in PATH; a path is used as it is.
pub(crate) fn program(reader: &SettingReader<'_>, key: &str) -> Result<PathBuf, Error> {
    let command: String = reader.value(key)?;
    if command.contains('/') { reader.path(&command, key) } else { Ok(PathBuf::from(command)) }
}

pub(crate) fn qmd_paths(reader: &SettingReader<'_>, key: &str) -> Result<Vec<QmdPath>, Error> {
    Ok([collections(reader, key)?, collections(reader, "qmd.extraCollections")?].concat())
}

pub(crate) fn qmd_home(reader: &SettingReader<'_>) -> PathBuf {
    reader.state_dir.join("agents").join(reader.agent.as_str()).join("qmd")
}

pub(crate) fn export_folder(reader: &SettingReader<'_>, key: &str) -> Result<PathBuf, Error> {
    match reader.value::<Option<String>>(key)? {
        Some(folder) => reader.path(&folder, key),
        None => Ok(qmd_home(reader).join("sessions")),
    }
}

/// The models that the person's own QMD has downloaded.
pub(crate) fn qmd_models(reader: &SettingReader<'_>) -> Option<PathBuf> {
    let below_home = || reader.home.map(|home| home.join(".cache"));
    let cache = reader.env.variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(below_home);
    cache.map(|cache| cache.join("qmd/models"))
}

pub(crate) fn is_allowed(reader: &SettingReader<'_>, key: &str) -> Result<bool, Error> {
    Ok(reader.value::<String>(key)? == "allow")
}

/// By default only direct chats are answered.
pub(crate) fn scope_rules(reader: &SettingReader<'_>, key: &str) -> Result<Vec<ScopeRule>, Error> {
    Ok(reader.value::<Option<Vec<ScopeRule>>>(key)?.unwrap_or_else(|| vec![ScopeRule::direct()]))
}
