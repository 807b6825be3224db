//! The hosts, one row each. To add one, add a row here and nothing elsewhere.

use std::fmt;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::Event::{self, PreCompact, PromptSubmit, SessionEnd, SessionStart, Stop};
use super::places::{Files, Places};
use super::turn::{self, Telling};
use super::{entries, reply};
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
    /// Where MCP servers are named in its settings, and whether each says how it is spoken to.
    pub(super) servers: &'static [&'static str],
    pub(super) names_transport: bool,
    pub(super) files: fn(&Places) -> Files,
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
    pub(super) reply: fn(&'static str, Event, Option<&str>) -> Value,
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
    (SessionEnd, "SessionEnd"),
];
const CLAUDE_EVENTS_BUT_END: &[(Event, &str)] = CLAUDE_EVENTS.split_at(4).0;

/// A host that calls at no event.
const WITHOUT_HOOKS: Host = Host {
    name: "",
    title: "",
    afterwards: "",
    format: entries::Format::Json,
    servers: &[],
    names_transport: false,
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
        names_transport: true,
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
    },
    Host {
        name: "codex",
        title: "Codex",
        afterwards: "Start Codex anew; it asks once whether the hooks may run. /mcp shows mindfile.",
        format: entries::Format::Toml,
        servers: &["mcp_servers"],
        names_transport: false,
        files: |places| {
            let codex = places.folder(places.codex.as_ref(), ".codex");
            Files { servers: codex.join("config.toml"), hooks: Some(codex.join("hooks.json")) }
        },
        project_files: Some([".codex/config.toml", ".codex/hooks.json"]),
        way: Way::Server,
        events: CLAUDE_EVENTS_BUT_END,
        hooks_version: None,
        hook: entries::nested_hook,
        asked: (PromptSubmit, "prompt"),
        answered: (Stop, "last_assistant_message"),
        transcript: &[turn::codex_shown, turn::codex_sent],
        reply: reply::nested,
    },
    Host {
        name: "cursor",
        title: "Cursor",
        afterwards: "Start Cursor anew; Settings, MCP and Hooks show mindfile.",
        format: entries::Format::Json,
        servers: &["mcpServers"],
        names_transport: false,
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
    },
    Host {
        name: "openclaw",
        title: "OpenClaw",
        afterwards: "Restart the gateway; `openclaw memory status` is answered by mindfile.",
        format: entries::Format::Json,
        servers: &["mcp", "servers"],
        names_transport: false,
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
        names_transport: true,
        files: |places| Files {
            servers: places.code_user().join("mcp.json"),
            hooks: Some(places.folder(places.copilot.as_ref(), ".copilot").join("hooks/mindfile.json")),
        },
        project_files: Some([".vscode/mcp.json", ".github/hooks/mindfile.json"]),
        way: Way::Server,
        events: CLAUDE_EVENTS_BUT_END,
        hooks_version: None,
        hook: |command| json!({"type": "command", "command": command, "timeout": entries::SECONDS}),
        asked: (PromptSubmit, "prompt"),
        answered: (Stop, "last_assistant_message"),
        transcript: &[turn::copilot],
        reply: reply::nested,
    },
    Host {
        name: "gemini-cli",
        title: "Gemini CLI",
        afterwards: "Start Gemini CLI anew; /mcp and /hooks show mindfile.",
        format: entries::Format::Json,
        servers: &["mcpServers"],
        names_transport: false,
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
