//! Paths: what the command line passes in, and the state directory that follows from it.

use std::path::{Component, Path, PathBuf};

use crate::agents::AgentId;
use crate::error::Error;
use crate::origin::Origin;

/// The file of ours in the state directory.
pub const MINDFILE_JSON: &str = "mindfile.json";
/// OpenClaw's own file there: read, never written.
pub const OPENCLAW_JSON: &str = "openclaw.json";
/// The same, as it was called when OpenClaw was called so.
const MOLTBOT_JSON: &str = "moltbot.json";
/// OpenClaw's homes, the newest name first.
const OPENCLAW_HOMES: [(&str, &str); 2] =
    [(".openclaw", "the OpenClaw home exists"), (".moltbot", "the Moltbot home exists")];
/// The file that a workspace may bring along.
pub const WORKSPACE_JSON: &str = ".mindfile.json";

/// What the command line has read from flags and environment: this crate never does.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    pub flags: Flags,
    pub env: Env,
    /// The user's home directory, if there is one.
    pub home: Option<PathBuf>,
    /// The directory that relative paths in flags and variables start from.
    pub cwd: PathBuf,
}

/// `--state-dir`, `--workspace`, `--agent` and `--backend`.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    pub state_dir: Option<PathBuf>,
    pub workspace: Option<PathBuf>,
    pub agent: Option<String>,
    pub backend: Option<String>,
}

/// The variables that matter, as they are set; an empty one counts as unset.
#[derive(Debug, Clone, Default)]
pub struct Env {
    pub mindfile_state_dir: Option<PathBuf>,
    pub openclaw_state_dir: Option<PathBuf>,
    pub mindfile_workspace: Option<PathBuf>,
    pub mindfile_agent: Option<String>,
    /// Looks up a variable that a setting names, or that holds the key of a provider.
    pub lookup: Option<fn(&str) -> Option<String>>,
}

impl Env {
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        self.lookup.and_then(|lookup| lookup(name)).filter(|value| !value.is_empty())
    }
}

/// A path, and why it is this one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    pub why: String,
}

/// The paths that are known before any file is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    pub state_dir: Place,
    pub openclaw_json: PathBuf,
    pub mindfile_json: PathBuf,
}

/// The state directory and the files in it. Works with a configuration that cannot be read.
pub fn paths(overrides: &Overrides) -> Result<Paths, Error> {
    let state_dir = state_dir(overrides)?;
    let [current, old] = [OPENCLAW_JSON, MOLTBOT_JSON].map(|name| state_dir.path.join(name));
    let openclaw_json = if !current.exists() && old.exists() { old } else { current };
    let mindfile_json = state_dir.path.join(MINDFILE_JSON);
    Ok(Paths { state_dir, openclaw_json, mindfile_json })
}

fn state_dir(overrides: &Overrides) -> Result<Place, Error> {
    let env = &overrides.env;
    let given = [
        (&overrides.flags.state_dir, Origin::Flag("state_dir")),
        (&env.mindfile_state_dir, Origin::Env("MINDFILE_STATE_DIR")),
        (&env.openclaw_state_dir, Origin::Env("OPENCLAW_STATE_DIR")),
    ];
    if let Some((path, origin)) = overrides.first(given)? {
        return Ok(Place { path, why: origin.to_string() });
    }
    let home = overrides.home.as_ref().ok_or(Error::NoHome)?;
    for (name, why) in OPENCLAW_HOMES {
        let path = home.join(name);
        if path.is_dir() {
            return Ok(Place { path, why: why.to_owned() });
        }
    }
    Ok(Place { path: home.join(".mindfile"), why: "default".to_owned() })
}

/// The workspace of an agent where nobody names one.
pub(crate) fn default_workspace(state_dir: &Path, agent: &AgentId, is_default: bool) -> PathBuf {
    state_dir.join(if is_default { "workspace".to_owned() } else { format!("workspace-{agent}") })
}

/// Whether a state directory is OpenClaw's by its name: `.openclaw`, or that of a profile, `.openclaw-work`.
pub(crate) fn is_openclaw_home(state_dir: &Path) -> bool {
    let name = state_dir.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    OPENCLAW_HOMES.iter().any(|(home, _)| *home == name) || name.starts_with(".openclaw-")
}

impl Overrides {
    /// The workspace that a flag or a variable names.
    pub(crate) fn workspace(&self) -> Result<Option<(PathBuf, Origin)>, Error> {
        self.first([
            (&self.flags.workspace, Origin::Flag("workspace")),
            (&self.env.mindfile_workspace, Origin::Env("MINDFILE_WORKSPACE")),
        ])
    }

    /// The agent that a flag or a variable names.
    pub(crate) fn agent(&self) -> Result<Option<AgentId>, Error> {
        let env = self.env.mindfile_agent.as_ref().filter(|id| !id.is_empty());
        let given = match (&self.flags.agent, env) {
            (Some(id), _) => Some((id, Origin::Flag("agent"))),
            (None, Some(id)) => Some((id, Origin::Env("MINDFILE_AGENT"))),
            (None, None) => None,
        };
        given
            .map(|(id, origin)| AgentId::parse(id).ok_or_else(|| Error::BadAgent { origin, id: id.clone() }))
            .transpose()
    }

    /// The first path that is given; an empty variable gives none.
    fn first<const N: usize>(
        &self,
        given: [(&Option<PathBuf>, Origin); N],
    ) -> Result<Option<(PathBuf, Origin)>, Error> {
        for (path, origin) in given {
            match path {
                Some(path) if !path.as_os_str().is_empty() => {
                    return Ok(Some((expand(path, &self.cwd, self.home.as_deref(), &origin)?, origin)));
                }
                Some(_) if matches!(origin, Origin::Flag(_)) => {
                    return Err(Error::BadPath { origin, text: String::new(), reason: "it is empty" });
                }
                Some(_) | None => {}
            }
        }
        Ok(None)
    }
}

/// An absolute path: a leading `~` is the home directory, a relative path is below `base`.
pub(crate) fn expand(
    path: &Path,
    base: &Path,
    home: Option<&Path>,
    origin: &Origin,
) -> Result<PathBuf, Error> {
    let refuse = |reason| {
        let text = path.display().to_string();
        Err(Error::BadPath { origin: origin.clone(), text, reason })
    };
    let text = path.to_string_lossy();
    if text.contains('\0') {
        return refuse("it holds a null character");
    }
    if text.contains("${") {
        return refuse("variables are not replaced");
    }
    match path.strip_prefix("~") {
        Ok(rest) => Ok(tidy(&home.ok_or(Error::NoHome)?.join(rest))),
        Err(_) if text.starts_with('~') => refuse("only one's own home directory can be named with ~"),
        Err(_) => Ok(tidy(&base.join(path))),
    }
}

/// The path without `.` and `..`, as it is written: links are not followed.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => tidy.push(part),
        }
    }
    tidy
}
