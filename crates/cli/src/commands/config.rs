//! `mindfile config`

use std::path::Path;
use std::process::ExitCode;

use mindfile::config::{self, Configuration};
use mindfile::durable;
use serde::Serialize;
use serde_json::Value;

use super::Run;
use crate::arguments::{Config, ConfigCommand};
use crate::environment;
use crate::failure::Failure;
use crate::output::table::{self, Side};
use crate::output::{self, clean};

pub(super) fn run(asked: &Config, run: &Run<'_>) -> Result<ExitCode, Failure> {
    match &asked.command {
        ConfigCommand::Show { origin } => show(*origin, run)?,
        ConfigCommand::Get { key } => get(key, run)?,
        ConfigCommand::Set { key, value } => set(key, value, run)?,
        ConfigCommand::Path => path(run)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn show(origin: bool, run: &Run<'_>) -> Result<(), Failure> {
    let loaded = environment::load(run.globals, run.screen)?;
    if run.screen.json {
        let settings: Vec<Setting<'_>> = loaded.origins.iter().map(as_json).collect();
        return Ok(output::json(&settings)?);
    }
    let rows: Vec<[String; 3]> = loaded.origins.iter().map(|setting| row(setting, origin)).collect();
    let lines = table::lines([Side::Left; 3], &rows);
    let text: String = lines.iter().map(|line| format!("{}\n", clean::text(line))).collect();
    Ok(output::text(&text)?)
}

fn as_json(setting: &config::Setting) -> Setting<'_> {
    Setting {
        key: setting.key,
        value: &setting.value,
        origin: setting.origin.place(),
        note: setting.note.as_deref(),
    }
}

fn row(setting: &config::Setting, origin: bool) -> [String; 3] {
    let origin = if origin { setting.origin.to_string() } else { String::new() };
    let noted = match &setting.note {
        Some(note) if origin.is_empty() => format!("({note})"),
        Some(note) => format!("{origin} ({note})"),
        None => origin,
    };
    [setting.key.to_owned(), shown(&setting.value), noted]
}

fn get(key: &str, run: &Run<'_>) -> Result<(), Failure> {
    let loaded = environment::load(run.globals, run.screen)?;
    let value = config::get(&loaded, key)?;
    if run.screen.json {
        return Ok(output::json(&value)?);
    }
    let text = match &value {
        Value::String(text) => text.clone(),
        Value::Object(_) => serde_json::to_string_pretty(&value).map_err(std::io::Error::from)?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => shown(&value),
    };
    Ok(output::text(&format!("{}\n", clean::text(&text)))?)
}

fn shown(value: &Value) -> String {
    if value.is_null() { "-".to_owned() } else { value.to_string() }
}

fn set(key: &str, value: &str, run: &Run<'_>) -> Result<(), Failure> {
    let change = config::set(&environment::overrides(run.globals)?, key, value)?;
    let file = change.file.display().to_string();
    let unwritten = |source: std::io::Error| Failure::file(&file, &source);
    durable::replace(&change.file, change.text.as_bytes()).map_err(unwritten)?;
    let overruled_by = change.overruled_by.as_ref().map(config::Origin::place);
    if run.screen.json {
        let config::Change { key, at, value, .. } = change;
        return Ok(output::json(&Changed { ok: true, file, key, at, value, overruled_by })?);
    }
    if let Some(origin) = &overruled_by {
        run.screen.warn(&format!("{origin} still has the last word on {}", change.key));
    }
    let text = format!("{} = {} in {file}", change.at, change.value);
    Ok(output::text(&format!("{}\n", clean::text(&text)))?)
}

fn path(run: &Run<'_>) -> Result<(), Failure> {
    let loaded = environment::load(run.globals, run.screen)?;
    let paths = paths(&loaded);
    if run.screen.json {
        return Ok(output::json(&paths)?);
    }
    let rows: Vec<[String; 3]> =
        paths.into_iter().map(|path| [path.what.to_owned(), path.path, path.why]).collect();
    let lines = table::lines([Side::Left; 3], &rows);
    let text: String = lines.iter().map(|line| format!("{}\n", clean::text(line))).collect();
    Ok(output::text(&text)?)
}

fn paths(loaded: &Configuration) -> Vec<NamedPath> {
    let path = |what, path: &Path, why: &str| NamedPath {
        what,
        path: path.display().to_string(),
        why: why.to_owned(),
    };
    let file = |what, at: &Path| {
        let found = loaded.files.iter().any(|file| file == at);
        path(what, at, if found { "read" } else { "does not exist" })
    };
    let origin =
        |key| loaded.origins.iter().find(|s| s.key == key).map_or_else(String::new, |s| s.origin.place());
    let workspace = &loaded.workspace;
    vec![
        path("state", &loaded.paths.state_dir.path, &loaded.paths.state_dir.why),
        file("OpenClaw's", &loaded.paths.openclaw_json),
        file("ours", &loaded.paths.mindfile_json),
        path("workspace", &workspace.path, &workspace.why),
        file("workspace's", &workspace.path.join(config::WORKSPACE_JSON)),
        path("index", &loaded.settings.index_path, &origin("store.path")),
    ]
}

/// One key of `config show`.
#[derive(Debug, Serialize)]
struct Setting<'a> {
    key: &'a str,
    value: &'a Value,
    origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

/// What `config set` did.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    ok: bool,
    file: String,
    key: &'static str,
    at: String,
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    overruled_by: Option<String>,
}

/// One line of `config path`.
#[derive(Debug, Serialize)]
struct NamedPath {
    what: &'static str,
    path: String,
    why: String,
}
