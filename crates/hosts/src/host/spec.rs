//! The hosts, one row each. To add one, add a row here and nothing elsewhere.

use std::fmt;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Event::{
    self, PostCompact, PreCompact, PromptSubmit, SessionEnd, SessionStart, Stop, SubagentStop,
};
use super::places::{Files, Places};
use super::turn::{self, Telling};
use super::{entries, plugin, reply};
use mindfile::session::Role;

/// A program that talks to a person, and that mindfile can be put into.
pub struct Host {
    /// As it is typed, and as it stands in ids.
    pub name: &'static str,
    /// As its makers write it.
    pub title: &'static str,
    /// What a person does after an installation.
    pub(super) afterwards: &'static str,
    pub(super) format: entries::Format,
    /// Where MCP servers are named in its settings, and what says how one is started.
    pub(super) servers: &'static [&'static str],
    pub(super) server: fn(&str, &[String]) -> Value,
    pub(super) files: fn(&Places) -> Files,
    /// Files that are ours as a whole, for a person.
    pub(super) own: fn(&Places) -> Vec<(PathBuf, &'static str)>,
    /// The file with the servers and that with the hooks, below a project.
    pub(super) project_files: Option<[&'static str; 2]>,
    pub(super) way: Way,
    /// What the host calls each event that it has hooks for.
    pub(super) events: &'static [(Event, &'static str)],
    /// The version of its file of hooks, where that must say it.
    pub(super) hooks_version: Option<u32>,
    pub(super) hook: fn(&str) -> Value,
    /// Which field of which call tells what a person said, and which what the agent answered.
    pub(super) asked: (Event, &'static str),
    pub(super) answered: (Event, &'static str),
    /// How lines of its transcript tell a turn: as it was shown, then as the model was sent it. Empty for a host whose
    /// transcripts are not lines that are only ever added: it tells a turn in the call.
    pub(super) transcript: &'static [LineReader],
    pub(super) reply: fn(&'static str, Event, Option<&str>) -> Option<Value>,
}

/// Who said what in a line of a transcript.
pub(super) type LineReader = fn(&Value) -> Option<(Role, String)>;

/// What is put into a host.
pub(super) enum Way {
    /// A server, and hooks where it has them.
    Server,
    /// A plugin for OpenClaw's slot for a memory.
    Plugin(Slot),
    /// A merge driver, for the repository of a folder of notes.
    MergeDriver,
}

/// What a plugin needs beside its files.
pub(super) struct Slot {
    pub(super) folder: fn(&Places) -> PathBuf,
    /// What a person does after the server was installed without the plugin.
    pub(super) afterwards_server_only: &'static str,
}

/// The events of a host that names them as Claude Code does.
const CLAUDE_EVENTS: &[(Event, &str)] = &[
    (SessionStart, "SessionStart"),
    (PromptSubmit, "UserPromptSubmit"),
    (PreCompact, "PreCompact"),
    (Stop, "Stop"),
    (PostCompact, "PostCompact"),
    (SubagentStop, "SubagentStop"),
    (SessionEnd, "SessionEnd"),
];
const FIRST_CLAUDE_EVENTS: &[(Event, &str)] = CLAUDE_EVENTS.split_at(4).0;

/// A host that calls at no event.
const WITHOUT_HOOKS: Host = Host {
    name: "",
    title: "",
    afterwards: "",
    format: entries::Format::Json,
    servers: &[],
    server: entries::plain_server,
    own: |_| Vec::new(),
    files: |places| Files { servers: places.home.clone(), hooks: None },
    project_files: None,
    way: Way::Server,
    events: &[],
    hooks_version: None,
    hook: entries::nested_hook,
    asked: (PromptSubmit, "prompt"),
    answered: (Stop, "last_assistant_message"),
    transcript: &[],
    reply: reply::nested,
};

pub static HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        title: "Claude Code",
        afterwards: "Start Claude Code anew; /mcp and /hooks show mindfile.",
        format: entries::Format::Json,
        servers: &["mcpServers"],
        server: entries::typed_server,
        files: |places| Files {
            servers: places.claude.as_ref().unwrap_or(&places.home).join(".claude.json"),
            hooks: Some(places.folder(places.claude.as_ref(), ".claude").join("settings.json")),
        },
        project_files: Some([".mcp.json", ".claude/settings.json"]),
        way: Way::Server,
        events: CLAUDE_EVENTS,
        hooks_version: None,
        hook: entries::nested_hook,
        asked: (PromptSubmit, "prompt"),
        answered: (Stop, "last_assistant_message"),
        transcript: &[turn::claude],
        reply: reply::nested,
        ..WITHOUT_HOOKS
    },
    Host {
        name: "codex",
        title: "Codex",
        afterwards: "Start Codex anew; it asks once whether the hooks may run. /mcp shows mindfile.",
        format: entries::Format::Toml,
        servers: &["mcp_servers"],
        server: entries::plain_server,
        files: |places| {
            let codex = places.folder(places.codex.as_ref(), ".codex");
            Files { servers: codex.join("config.toml"), hooks: Some(codex.join("hooks.json")) }
        },
        project_files: Some([".codex/config.toml", ".codex/hooks.json"]),
        way: Way::Server,
        events: CLAUDE_EVENTS,
        hooks_version: None,
        hook: entries::nested_hook,
        asked: (PromptSubmit, "prompt"),
        answered: (Stop, "last_assistant_message"),
        transcript: &[turn::codex_shown, turn::codex_sent],
        reply: reply::nested,
        ..WITHOUT_HOOKS
    },
    Host {
        name: "cursor",
        title: "Cursor",
        afterwards: "Start Cursor anew; Settings, MCP and Hooks show mindfile.",
        format: entries::Format::Json,
        servers: &["mcpServers"],
        server: entries::plain_server,
        files: |places| {
            let cursor = places.home.join(".cursor");
            Files { servers: cursor.join("mcp.json"), hooks: Some(cursor.join("hooks.json")) }
        },
        project_files: Some([".cursor/mcp.json", ".cursor/hooks.json"]),
        way: Way::Server,
        events: &[
            (SessionStart, "sessionStart"),
            (PromptSubmit, "beforeSubmitPrompt"),
            (PreCompact, "preCompact"),
            (Stop, "afterAgentResponse"),
            (SessionEnd, "sessionEnd"),
        ],
        hooks_version: Some(1),
        hook: |command| json!({"command": command, "timeout": entries::SECONDS}),
        asked: (PromptSubmit, "prompt"),
        answered: (Stop, "text"),
        transcript: &[],
        reply: reply::flat,
        ..WITHOUT_HOOKS
    },
    Host {
        name: "openclaw",
        title: "OpenClaw",
        afterwards: "Restart the gateway; `openclaw memory status` is answered by mindfile.",
        format: entries::Format::Json,
        servers: &["mcp", "servers"],
        server: entries::plain_server,
        files: |places| Files {
            servers: places.folder(places.openclaw.as_ref(), ".openclaw/openclaw.json"),
            hooks: None,
        },
        way: Way::Plugin(Slot {
            folder: |places| {
                places.folder(places.openclaw_home.as_ref(), ".openclaw").join("extensions/mindfile")
            },
            afterwards_server_only: "Restart the gateway; `openclaw mcp list` shows mindfile.",
        }),
        ..WITHOUT_HOOKS
    },
    Host {
        name: "vscode",
        title: "VS Code",
        afterwards: "Reload the window; \"MCP: List Servers\" shows mindfile.",
        format: entries::Format::Json,
        servers: &["servers"],
        server: entries::typed_server,
        files: |places| Files {
            servers: places.code_user().join("mcp.json"),
            hooks: Some(places.folder(places.copilot.as_ref(), ".copilot").join("hooks/mindfile.json")),
        },
        project_files: Some([".vscode/mcp.json", ".github/hooks/mindfile.json"]),
        way: Way::Server,
        events: FIRST_CLAUDE_EVENTS,
        hooks_version: None,
        hook: |command| json!({"type": "command", "command": command, "timeout": entries::SECONDS}),
        asked: (PromptSubmit, "prompt"),
        answered: (Stop, "last_assistant_message"),
        transcript: &[turn::copilot],
        reply: reply::nested,
        ..WITHOUT_HOOKS
    },
    Host {
        name: "gemini-cli",
        title: "Gemini CLI",
        afterwards: "Start Gemini CLI anew; /mcp and /hooks show mindfile.",
        format: entries::Format::Json,
        servers: &["mcpServers"],
        server: entries::plain_server,
        files: |places| {
            let settings = places.home.join(".gemini/settings.json");
            Files { servers: settings.clone(), hooks: Some(settings) }
        },
        project_files: Some([".gemini/settings.json", ".gemini/settings.json"]),
        way: Way::Server,
        events: &[
            (SessionStart, "SessionStart"),
            (PromptSubmit, "BeforeAgent"),
            (PreCompact, "PreCompress"),
            (Stop, "AfterAgent"),
            (SessionEnd, "SessionEnd"),
        ],
        hooks_version: None,
        hook: |command| {
            let milliseconds = entries::SECONDS * 1000;
            json!({"hooks": [
                {"name": entries::NAME, "type": "command", "command": command, "timeout": milliseconds},
            ]})
        },
        asked: (Stop, "prompt"),
        answered: (Stop, "prompt_response"),
        transcript: &[],
        reply: reply::nested,
        ..WITHOUT_HOOKS
    },
    Host {
        name: "opencode",
        title: "OpenCode",
        afterwards: "Start OpenCode anew; `opencode mcp list` shows mindfile.",
        servers: &["mcp"],
        server: |command, args| {
            let all: Vec<&str> = std::iter::once(command).chain(args.iter().map(String::as_str)).collect();
            json!({"type": "local", "command": all, "enabled": true})
        },
        files: |places| Files { servers: places.opencode().join("opencode.json"), hooks: None },
        own: |places| vec![(places.opencode().join("plugins/mindfile.js"), plugin::OPENCODE)],
        ..WITHOUT_HOOKS
    },
    Host {
        name: "goose",
        title: "Goose",
        afterwards: "Start Goose anew; its extensions and plugins show mindfile.",
        format: entries::Format::Yaml,
        servers: &["extensions"],
        server: |command, args| {
            json!({"name": entries::NAME, "description": "Memory", "type": "stdio", "cmd": command, "args": args,
                   "enabled": true, "timeout": 60})
        },
        files: |places| Files {
            servers: places.folder(places.config.as_ref(), ".config").join("goose/config.yaml"),
            hooks: Some(places.open_plugin().join("hooks/hooks.json")),
        },
        own: |places| {
            let file = |(name, text): &(&str, &'static str)| (places.open_plugin().join(name), *text);
            plugin::OPEN_PLUGIN.iter().map(file).collect()
        },
        // It tells of a prompt and waits for nothing: what is known is asked for by the model.
        events: &[(PromptSubmit, "UserPromptSubmit"), (Stop, "Stop"), (SessionEnd, "SessionEnd")],
        asked: (PromptSubmit, "message"),
        ..WITHOUT_HOOKS
    },
    Host {
        name: "windsurf",
        title: "Windsurf",
        afterwards: "Start Windsurf anew; Cascade's MCP servers show mindfile.",
        servers: &["mcpServers"],
        files: |places| {
            let windsurf = places.home.join(".codeium/windsurf");
            Files { servers: windsurf.join("mcp_config.json"), hooks: Some(windsurf.join("hooks.json")) }
        },
        // What a hook prints reaches no model: what is known is asked for by the model.
        events: &[(PromptSubmit, "pre_user_prompt"), (Stop, "post_cascade_response")],
        hook: |command| json!({"command": command, "show_output": false}),
        asked: (PromptSubmit, "user_prompt"),
        answered: (Stop, "response"),
        ..WITHOUT_HOOKS
    },
    Host {
        name: "zed",
        title: "Zed",
        afterwards: "Zed reads its settings by itself; the agent panel's settings show mindfile.",
        servers: &["context_servers"],
        files: |places| Files {
            servers: places.folder(places.config.as_ref(), ".config").join("zed/settings.json"),
            hooks: None,
        },
        project_files: Some([".zed/settings.json", ""]),
        ..WITHOUT_HOOKS
    },
    Host {
        name: "hermes",
        title: "Hermes",
        afterwards: "Start Hermes anew; its tools show mindfile.",
        format: entries::Format::Yaml,
        servers: &["mcp_servers"],
        files: |places| Files { servers: places.home.join(".hermes/config.yaml"), hooks: None },
        ..WITHOUT_HOOKS
    },
    Host {
        name: "git",
        title: "git",
        afterwards: "Commit .gitattributes, and install it in each clone: facts are merged by their ids.",
        way: Way::MergeDriver,
        ..WITHOUT_HOOKS
    },
];

impl Host {
    pub fn named(name: &str) -> Option<&'static Self> {
        HOSTS.iter().find(|host| host.name == name)
    }

    /// What a person does after an installation of the server alone, or with all that the host can have.
    pub fn next_step(&self, server_only: bool) -> &'static str {
        match &self.way {
            Way::Plugin(slot) if server_only => slot.afterwards_server_only,
            Way::Plugin(_) | Way::Server | Way::MergeDriver => self.afterwards,
        }
    }

    /// Whether it is installed for a folder of notes, and not for a person.
    pub fn is_for_notes(&self) -> bool {
        matches!(self.way, Way::MergeDriver)
    }

    /// What the host calls an event.
    pub(super) fn event_name(&self, event: Event) -> &'static str {
        let known = self.events.iter().find(|(known, _)| *known == event);
        known.map_or(event.as_str(), |(_, name)| name)
    }

    /// Whether transcripts tell a turn as it was shown, or only as it was sent; none of a host that has no readable ones.
    pub(super) fn reader(&self, telling: Telling) -> Option<LineReader> {
        let at = match telling {
            Telling::Shown => 0,
            Telling::Sent => 1,
        };
        self.transcript.get(at).copied()
    }
}

/// By name: no two rows have the same.
impl PartialEq for Host {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Host {}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
