//! The files that a host reads, for a person or for one project.

use std::path::PathBuf;

use super::Host;
use crate::Error;

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
}

impl Files {
    pub(super) fn of(host: &Host, places: &Places) -> Result<Self, Error> {
        let Some(project) = &places.project else { return Ok((host.files)(places)) };
        let Some([servers, hooks]) = host.project_files else {
            return Err(Error::NoProject { host: host.title });
        };
        let hooks = (!host.events.is_empty()).then(|| project.join(hooks));
        Ok(Self { servers: project.join(servers), hooks })
    }
}

impl Places {
    /// A folder as the environment names it, or the usual one in a person's home.
    pub(super) fn folder(&self, given: Option<&PathBuf>, usual: &str) -> PathBuf {
        given.cloned().unwrap_or_else(|| self.home.join(usual))
    }

    pub(super) fn opencode(&self) -> PathBuf {
        self.folder(self.config.as_ref(), ".config").join("opencode")
    }

    /// Where programs look that read plugins of the Open Plugins form.
    pub(super) fn open_plugin(&self) -> PathBuf {
        self.home.join(".agents/plugins/mindfile")
    }

    /// VS Code's folder of a person's settings.
    pub(super) fn code_user(&self) -> PathBuf {
        if cfg!(target_os = "macos") {
            return self.home.join("Library/Application Support/Code/User");
        }
        self.folder(self.config.as_ref(), ".config").join("Code/User")
    }
}
