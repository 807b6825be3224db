//! What is put into a host's files: one MCP server, and one hook for each event that the host has.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::files::{self, Places, Program};
use super::{Error, Event, Host};

/// The name of the server in every host.
pub(super) const NAME: &str = "mindfile";
/// How long a host waits for a hook. mindfile itself gives up long before.
const SECONDS: u64 = 10;

/// One thing that stands in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Put {
    /// A value under a name of its own.
    Entry { at: Vec<&'static str>, value: Value },
    /// An element of a list that others write to as well.
    Element { at: Vec<&'static str>, value: Value },
    /// A value that the file needs, whoever wrote it; it stays.
    Needed { at: Vec<&'static str>, value: Value },
}

/// A file and what is put into it.
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) puts: Vec<Put>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Toml,
}

pub(super) fn targets(host: Host, places: &Places, program: &Program) -> Result<Vec<Target>, Error> {
    let files = files::of(host, places)?;
    let format = if host == Host::Codex { Format::Toml } else { Format::Json };
    let mut all = vec![Target { path: files.servers, format, puts: vec![server(host, program)] }];
    if let Some(path) = files.hooks {
        let puts = hooks(host, program);
        match all.iter_mut().find(|target| target.path == path) {
            Some(same) => same.puts.extend(puts),
            None => all.push(Target { path, format: Format::Json, puts }),
        }
    }
    Ok(all)
}

fn server(host: Host, program: &Program) -> Put {
    let mut args = vec!["mcp".to_owned()];
    args.extend(program.flags.iter().cloned());
    let plain = json!({"command": program.command, "args": args});
    let typed = json!({"type": "stdio", "command": program.command, "args": args});
    let (at, value) = match host {
        Host::ClaudeCode => (vec!["mcpServers", NAME], typed),
        Host::VsCode => (vec!["servers", NAME], typed),
        Host::Cursor | Host::GeminiCli => (vec!["mcpServers", NAME], plain),
        Host::Codex => (vec!["mcp_servers", NAME], plain),
        Host::OpenClaw => (vec!["mcp", "servers", NAME], plain),
    };
    Put::Entry { at, value }
}

/// What the host calls each event.
pub(super) fn names(host: Host) -> &'static [(Event, &'static str)] {
    use Event::{PreCompact, PromptSubmit, SessionEnd, SessionStart, Stop};
    match host {
        Host::ClaudeCode => &[
            (SessionStart, "SessionStart"),
            (PromptSubmit, "UserPromptSubmit"),
            (PreCompact, "PreCompact"),
            (Stop, "Stop"),
            (SessionEnd, "SessionEnd"),
        ],
        Host::Codex | Host::VsCode => &[
            (SessionStart, "SessionStart"),
            (PromptSubmit, "UserPromptSubmit"),
            (PreCompact, "PreCompact"),
            (Stop, "Stop"),
        ],
        Host::Cursor => &[
            (SessionStart, "sessionStart"),
            (PromptSubmit, "beforeSubmitPrompt"),
            (PreCompact, "preCompact"),
            (Stop, "afterAgentResponse"),
            (SessionEnd, "sessionEnd"),
        ],
        Host::GeminiCli => &[
            (SessionStart, "SessionStart"),
            (PromptSubmit, "BeforeAgent"),
            (PreCompact, "PreCompress"),
            (Stop, "AfterAgent"),
            (SessionEnd, "SessionEnd"),
        ],
        Host::OpenClaw => &[],
    }
}

fn hooks(host: Host, program: &Program) -> Vec<Put> {
    let mut puts = Vec::new();
    if host == Host::Cursor {
        puts.push(Put::Needed { at: vec!["version"], value: json!(1) });
    }
    for (event, name) in names(host) {
        let value = hook(host, &line(host, *event, program));
        puts.push(Put::Element { at: vec!["hooks", name], value });
    }
    puts
}

fn hook(host: Host, command: &str) -> Value {
    match host {
        Host::Cursor => json!({"command": command, "timeout": SECONDS}),
        Host::VsCode => json!({"type": "command", "command": command, "timeout": SECONDS}),
        Host::GeminiCli => json!({"hooks": [
            {"name": NAME, "type": "command", "command": command, "timeout": SECONDS * 1000},
        ]}),
        Host::ClaudeCode | Host::Codex | Host::OpenClaw => {
            json!({"hooks": [{"type": "command", "command": command, "timeout": SECONDS}]})
        }
    }
}

fn line(host: Host, event: Event, program: &Program) -> String {
    let Program { shell, shell_flags, .. } = program;
    format!("{shell} hook {} --host {}{shell_flags}", event.as_str(), host.as_str())
}

/// Whether an element of a list of hooks is one that mindfile put there, in whatever version.
pub(super) fn is_ours(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            Event::ALL.iter().any(|event| text.contains(&format!(" hook {} --host ", event.as_str())))
                && text.contains(NAME)
        }
        Value::Array(items) => items.iter().any(is_ours),
        Value::Object(fields) => fields.values().any(is_ours),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
