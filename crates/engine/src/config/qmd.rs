//! The settings of QMD, the engine that is another program.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::error::Error;
use super::kind::{Kind, span};
use super::merge::Merged;
use super::origin::Origin;
use super::paths::expand;
use super::resolve::{Context, refused};
use super::settings::{Collected, Qmd, QmdLimits, QmdMode, QmdSessions, QmdUpdate};
use crate::qmd::{Rule, Scope};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QmdValues {
    command: String,
    search_mode: QmdMode,
    rerank: bool,
    server: bool,
    include_default_memory: bool,
    paths: Vec<Written>,
    sessions: SessionValues,
    update: UpdateValues,
    limits: LimitValues,
    scope: ScopeValues,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Written {
    Path(PathBuf),
    Named { path: PathBuf, name: Option<String>, pattern: Option<String> },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SessionValues {
    enabled: bool,
    export_dir: Option<PathBuf>,
    retention_days: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateValues {
    interval: String,
    debounce_ms: u64,
    on_boot: bool,
    wait_for_boot_sync: bool,
    embed_interval: String,
    command_timeout_ms: u64,
    update_timeout_ms: u64,
    embed_timeout_ms: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LimitValues {
    max_results: usize,
    max_snippet_chars: usize,
    max_injected_chars: usize,
    timeout_ms: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopeValues {
    default: String,
    rules: Option<Vec<Rule>>,
}

const RULES: &str = "memory.qmd.scope.rules";
const PATHS: &str = "memory.qmd.paths";

pub(super) fn settings(
    values: QmdValues,
    extra: Vec<Written>,
    merged: &mut Merged,
    context: &Context<'_>,
) -> Result<Qmd, Error> {
    let home = context.state_dir.join("agents").join(context.agent.as_str()).join("qmd");
    let mut paths = collected(values.paths, PATHS, merged, context)?;
    paths.extend(collected(extra, "qmd.extraCollections", merged, context)?);
    Ok(Qmd {
        command: command(&values.command, merged, context)?,
        mode: values.search_mode,
        rerank: values.rerank,
        server: values.server,
        include_default_memory: values.include_default_memory,
        paths,
        sessions: sessions(values.sessions, &home, merged, context)?,
        update: update(&values.update, merged)?,
        limits: QmdLimits {
            max_results: values.limits.max_results,
            max_snippet_chars: values.limits.max_snippet_chars,
            max_injected_chars: values.limits.max_injected_chars,
            timeout: Duration::from_millis(values.limits.timeout_ms),
        },
        scope: scope(values.scope, merged),
        models: models(context),
        home,
    })
}

/// A name is looked for where programs are; a path is one.
fn command(text: &str, merged: &Merged, context: &Context<'_>) -> Result<PathBuf, Error> {
    if text.contains('/') {
        let origin = merged.origin("memory.qmd.command");
        return expand(text.as_ref(), context.state_dir, context.home, &origin);
    }
    Ok(PathBuf::from(text))
}

fn collected(
    written: Vec<Written>,
    key: &str,
    merged: &Merged,
    context: &Context<'_>,
) -> Result<Vec<Collected>, Error> {
    let origin = merged.origin(key);
    let one = |written| {
        let (path, name, pattern) = match written {
            Written::Path(path) => (path, None, None),
            Written::Named { path, name, pattern } => (path, name, pattern),
        };
        Ok(Collected { path: expand(&path, &context.workspace, context.home, &origin)?, name, pattern })
    };
    written.into_iter().map(one).collect()
}

fn sessions(
    values: SessionValues,
    home: &Path,
    merged: &mut Merged,
    context: &Context<'_>,
) -> Result<QmdSessions, Error> {
    const FOLDER: &str = "memory.qmd.sessions.exportDir";
    let origin = merged.origin(FOLDER);
    let folder = match &values.export_dir {
        Some(folder) => expand(folder, context.state_dir, context.home, &origin)?,
        None => {
            let folder = home.join("sessions");
            merged.set(FOLDER, folder.display().to_string().into(), Origin::Default);
            folder
        }
    };
    Ok(QmdSessions { enabled: values.enabled, folder, retention_days: values.retention_days })
}

fn update(values: &UpdateValues, merged: &Merged) -> Result<QmdUpdate, Error> {
    let time = |text: &str, key: &str| {
        let wrong = || refused(merged.origin(key), key, text, Kind::Span.to_string());
        Ok::<_, Error>(Some(span(text).ok_or_else(wrong)?).filter(|time| !time.is_zero()))
    };
    Ok(QmdUpdate {
        interval: time(&values.interval, "memory.qmd.update.interval")?,
        debounce: Duration::from_millis(values.debounce_ms),
        on_boot: values.on_boot,
        wait_for_boot: values.wait_for_boot_sync,
        embed_interval: time(&values.embed_interval, "memory.qmd.update.embedInterval")?,
        command_timeout: Duration::from_millis(values.command_timeout_ms),
        update_timeout: Duration::from_millis(values.update_timeout_ms),
        embed_timeout: Duration::from_millis(values.embed_timeout_ms),
    })
}

/// Where nothing is said, direct chats are answered and no others.
fn scope(values: ScopeValues, merged: &mut Merged) -> Scope {
    let allow = values.default == "allow";
    let rules = values.rules.unwrap_or_else(|| {
        merged.set(RULES, usual(), Origin::Default);
        vec![Rule::direct()]
    });
    Scope { allow, rules }
}

fn usual() -> Value {
    json!([{ "action": "allow", "match": { "chatType": "direct" } }])
}

/// The models that the person's own QMD has downloaded.
fn models(context: &Context<'_>) -> Option<PathBuf> {
    let cache = context.env.variable("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(context.home?.join(".cache")))?;
    Some(cache.join("qmd").join("models"))
}
