//! What is added to a host's files: one MCP server, and a hook for each event that the host has. OpenClaw gets a plugin
//! for its memory slot instead; with both, a model would see every tool twice. Git gets a merge driver.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::places::{Files, Places, Program};
use super::spec::{Slot, Way};
use super::{Event, Host, git, plugin};
use crate::Error;

/// The name of the server in every host.
pub(super) const NAME: &str = "mindfile";
/// How long a host waits for a hook. mindfile itself gives up long before.
pub(super) const SECONDS: u64 = 10;

/// One thing that stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Insertion {
    /// A value under a name of its own.
    Entry { at: Vec<&'static str>, value: Value },
    /// An element of a list that others write to as well.
    Element { at: Vec<&'static str>, value: Value },
    /// A value that the file needs, whoever wrote it; it stays.
    Needed { at: Vec<&'static str>, value: Value },
    /// Fields of an object that is ours, in which a person may set others.
    Object { at: Vec<&'static str>, fields: Vec<(&'static [&'static str], Value)> },
    /// A value of the host's own: what stood there before comes back.
    Lent { at: Vec<&'static str>, value: Value },
    /// A name in a list that says what is allowed. Where there is no such list, everything is.
    Allowed { at: Vec<&'static str> },
}

impl Insertion {
    pub(super) fn at(&self) -> &[&'static str] {
        match self {
            Self::Entry { at, .. }
            | Self::Element { at, .. }
            | Self::Needed { at, .. }
            | Self::Object { at, .. }
            | Self::Lent { at, .. }
            | Self::Allowed { at } => at,
        }
    }
}

/// A file and what is put into it.
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) puts: Vec<Insertion>,
    /// What another way of installing puts there; it goes.
    pub(super) instead: Vec<Insertion>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Toml,
    Yaml,
    /// Git's settings.
    GitConfig,
    /// Lines that say how git treats files.
    GitAttributes,
    /// A file that is ours as a whole.
    Whole(&'static str),
}

impl Target {
    pub(super) fn new(path: PathBuf, format: Format, puts: Vec<Insertion>) -> Self {
        Self { path, format, puts, instead: Vec::new() }
    }
}

pub(super) fn targets(host: &Host, places: &Places, program: &Program) -> Result<Vec<Target>, Error> {
    Ok(match &host.way {
        Way::Server => {
            let mut all = served(host, Files::of(host, places)?, program);
            if places.project.is_none() {
                let own = (host.own)(places).into_iter();
                all.extend(own.map(|(path, text)| Target::new(path, Format::Whole(text), Vec::new())));
            }
            all
        }
        Way::Plugin(slot) => plugged(host, slot, Files::of(host, places)?, places, program),
        Way::MergeDriver => git::targets(places, program)?,
    })
}

fn served(host: &Host, files: Files, program: &Program) -> Vec<Target> {
    let mut all = vec![Target::new(files.servers, host.format, vec![server(host, program)])];
    if let Some(path) = files.hooks {
        let puts = hooks(host, program);
        match all.iter_mut().find(|target| target.path == path) {
            Some(same) => same.puts.extend(puts),
            None => all.push(Target::new(path, Format::Json, puts)),
        }
    }
    all
}

/// The plugin with what switches it on, or the server alone.
fn plugged(host: &Host, slot: &Slot, files: Files, places: &Places, program: &Program) -> Vec<Target> {
    let own = filled(program);
    let server = vec![server(host, program)];
    let (puts, instead) = if program.server_only { (server, own) } else { (own, server) };
    let mut all = vec![Target { path: files.servers, format: host.format, puts, instead }];
    if !program.server_only {
        let folder = (slot.folder)(places);
        let file = |(name, text): &(&str, &'static str)| {
            Target::new(folder.join(name), Format::Whole(text), Vec::new())
        };
        all.extend(plugin::FILES.iter().map(file));
    }
    all
}

/// OpenClaw's own memory beside the plugin would offer two tools of each name.
fn filled(program: &Program) -> Vec<Insertion> {
    let fields: Vec<(&[&str], Value)> =
        vec![(&["enabled"], json!(true)), (&["config", "command"], json!(program.command))];
    vec![
        Insertion::Lent { at: vec!["plugins", "slots", "memory"], value: json!(NAME) },
        Insertion::Object { at: vec!["plugins", "entries", NAME], fields },
        Insertion::Lent { at: vec!["plugins", "entries", "memory-core", "enabled"], value: json!(false) },
        Insertion::Allowed { at: vec!["plugins", "allow"] },
    ]
}

fn server(host: &Host, program: &Program) -> Insertion {
    let mut args = vec!["mcp".to_owned()];
    args.extend(program.flags.iter().cloned());
    Insertion::Entry { at: [host.servers, &[NAME]].concat(), value: (host.server)(&program.command, &args) }
}

/// A server as most hosts have it.
pub(super) fn plain_server(command: &str, args: &[String]) -> Value {
    json!({"command": command, "args": args})
}

/// The same where it says how it is spoken to.
pub(super) fn typed_server(command: &str, args: &[String]) -> Value {
    json!({"type": "stdio", "command": command, "args": args})
}

fn hooks(host: &Host, program: &Program) -> Vec<Insertion> {
    let version =
        host.hooks_version.map(|version| Insertion::Needed { at: vec!["version"], value: json!(version) });
    let hook = |(event, name): &(Event, &'static str)| {
        let value = (host.hook)(&line(host, *event, program));
        Insertion::Element { at: vec!["hooks", name], value }
    };
    version.into_iter().chain(host.events.iter().map(hook)).collect()
}

/// A hook as Claude Code writes it down.
pub(super) fn nested_hook(command: &str) -> Value {
    json!({"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]})
}

fn line(host: &Host, event: Event, program: &Program) -> String {
    let Program { shell, shell_flags, .. } = program;
    [shell.as_str(), "hook", event.as_str(), "--host", host.name].join(" ") + shell_flags
}

/// Whether an element of a list of hooks is one that mindfile put there, in whatever version.
pub(super) fn is_ours(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            let calls = |event: &Event| text.contains(&["", "hook", event.as_str(), "--host", ""].join(" "));
            text.contains(NAME) && Event::ALL.iter().any(calls)
        }
        Value::Array(items) => items.iter().any(is_ours),
        Value::Object(fields) => fields.values().any(is_ours),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
