//! Which files a host reads, for a person or for one project.

use std::path::{Path, PathBuf};

use super::{Error, Host};

/// Where a person's programs keep their settings, as the environment says.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub home: PathBuf,
    /// Install for this project alone.
    pub project: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`
    pub config: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`
    pub claude: Option<PathBuf>,
    /// `CODEX_HOME`
    pub codex: Option<PathBuf>,
    /// `COPILOT_HOME`
    pub copilot: Option<PathBuf>,
    /// `OPENCLAW_CONFIG_PATH`, or `openclaw.json` in `OPENCLAW_STATE_DIR`
    pub openclaw: Option<PathBuf>,
    /// `OPENCLAW_STATE_DIR`, or the folder of `OPENCLAW_CONFIG_PATH`
    pub openclaw_home: Option<PathBuf>,
}

/// How a host starts mindfile.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    pub command: String,
    /// `--workspace`, `--state-dir` and `--agent`, as they were given.
    pub flags: Vec<String>,
    /// The command as a shell reads it, and the flags.
    pub shell: String,
    pub shell_flags: String,
    /// Of OpenClaw, the MCP server instead of the plugin for the memory slot.
    pub server_only: bool,
}

/// The files that are written for a host: the one that names MCP servers, and the one that names hooks.
pub(super) struct Files {
    pub(super) servers: PathBuf,
    pub(super) hooks: Option<PathBuf>,
    /// The folder of a plugin, of OpenClaw.
    pub(super) plugin: PathBuf,
}

impl Files {
    fn new(servers: PathBuf, hooks: PathBuf) -> Self {
        Self { servers, hooks: Some(hooks), plugin: PathBuf::new() }
    }
}

pub(super) fn of(host: Host, places: &Places) -> Result<Files, Error> {
    match &places.project {
        Some(project) => in_project(host, project),
        None => Ok(of_person(host, places)),
    }
}

fn in_project(host: Host, project: &Path) -> Result<Files, Error> {
    let files = |servers: &str, hooks: &str| Files::new(project.join(servers), project.join(hooks));
    Ok(match host {
        Host::ClaudeCode => files(".mcp.json", ".claude/settings.json"),
        Host::Codex => files(".codex/config.toml", ".codex/hooks.json"),
        Host::Cursor => files(".cursor/mcp.json", ".cursor/hooks.json"),
        Host::VsCode => files(".vscode/mcp.json", ".github/hooks/mindfile.json"),
        Host::GeminiCli => files(".gemini/settings.json", ".gemini/settings.json"),
        Host::OpenClaw => return Err(Error::NoProject { host: host.title() }),
    })
}

fn of_person(host: Host, places: &Places) -> Files {
    let home = &places.home;
    let folder = |given: &Option<PathBuf>, usual: &str| given.clone().unwrap_or_else(|| home.join(usual));
    match host {
        Host::ClaudeCode => Files::new(
            places.claude.as_ref().unwrap_or(home).join(".claude.json"),
            folder(&places.claude, ".claude").join("settings.json"),
        ),
        Host::Codex => {
            let codex = folder(&places.codex, ".codex");
            Files::new(codex.join("config.toml"), codex.join("hooks.json"))
        }
        Host::Cursor => {
            let cursor = home.join(".cursor");
            Files::new(cursor.join("mcp.json"), cursor.join("hooks.json"))
        }
        Host::VsCode => Files::new(
            code_user(places).join("mcp.json"),
            folder(&places.copilot, ".copilot").join("hooks/mindfile.json"),
        ),
        Host::GeminiCli => {
            let settings = home.join(".gemini/settings.json");
            Files::new(settings.clone(), settings)
        }
        Host::OpenClaw => Files {
            servers: folder(&places.openclaw, ".openclaw/openclaw.json"),
            hooks: None,
            plugin: folder(&places.openclaw_home, ".openclaw").join("extensions/mindfile"),
        },
    }
}

/// VS Code's folder of a person's settings.
fn code_user(places: &Places) -> PathBuf {
    if cfg!(target_os = "macos") {
        return places.home.join("Library/Application Support/Code/User");
    }
    places.config.clone().unwrap_or_else(|| places.home.join(".config")).join("Code/User")
}
