//! The environment, read once and passed on: the library never asks for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mindfile::age::Passphrase;
use mindfile::chat::{self, ChatModel, ChatProtocol, Secret};
use mindfile::clock::System;
use mindfile::config::{self, Chat, Configuration, Env, Flags, Overrides};
use mindfile::origin::Door;
use mindfile::{Memory, private};
use mindfile_hosts::host::{Places, Program};

use crate::arguments::{Globals, Model};
use crate::failure::Failure;
use crate::output::{Screen, shell};
use crate::secret;

/// How long a person waits for one number.
const QUICK: Duration = Duration::from_secs(30);

/// The memory that the flags, the variables and the files name.
pub(crate) fn memory(globals: &Globals, screen: &Screen) -> Result<Memory, Failure> {
    let memory = Memory::new(load(globals, screen)?.settings, Box::new(System)).through(Door::Terminal);
    if private::needs_passphrase(&memory)
        && let Some(passphrase) = secret::ask("Passphrase of the private notes (empty: leave them closed): ")?
    {
        memory.unlock(passphrase);
    }
    Ok(memory)
}

/// What a key is to be locked with from now on.
pub(crate) fn new_passphrase() -> Result<Passphrase, Failure> {
    if let Some(passphrase) = text("MINDFILE_NEW_PASSPHRASE").as_deref().and_then(Passphrase::new) {
        return Ok(passphrase);
    }
    let first = secret::ask("New passphrase: ")?;
    let again = if first.is_some() { secret::ask("Once more: ")? } else { None };
    let wrong =
        |message: &str| Failure::usage(message).hint("type it in a terminal, or set MINDFILE_NEW_PASSPHRASE");
    match first {
        None => Err(wrong("there is no new passphrase")),
        first if first != again => Err(wrong("the two passphrases differ")),
        Some(passphrase) => Ok(passphrase),
    }
}

/// The settings; what is odd in the files is said.
pub(crate) fn load(globals: &Globals, screen: &Screen) -> Result<Configuration, Failure> {
    let loaded = config::load(&overrides(globals)?)?;
    for warning in &loaded.warnings {
        screen.warn(&warning.to_string());
    }
    Ok(loaded)
}

pub(crate) fn overrides(globals: &Globals) -> Result<Overrides, Failure> {
    let cwd = std::env::current_dir()
        .map_err(|source| Failure::environment(format!("the current directory cannot be read: {source}")))?;
    let flags = Flags {
        state_dir: globals.state_dir.clone(),
        workspace: globals.workspace.clone(),
        agent: globals.agent.clone(),
        backend: globals.backend.clone(),
    };
    let path = folder;
    let env = Env {
        mindfile_state_dir: path("MINDFILE_STATE_DIR"),
        openclaw_state_dir: path("OPENCLAW_STATE_DIR"),
        mindfile_workspace: path("MINDFILE_WORKSPACE"),
        mindfile_agent: text("MINDFILE_AGENT"),
        lookup: Some(text),
    };
    Ok(Overrides { flags, env, home: path("HOME"), cwd })
}

/// A folder or a file that a variable names.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

/// Where the person's other programs keep their settings.
pub(crate) fn places(overrides: &Overrides, project: Option<&Path>) -> Result<Places, Failure> {
    let path = folder;
    let home = overrides.home.clone().ok_or(config::Error::NoHome)?;
    let (state, given) = (path("OPENCLAW_STATE_DIR"), path("OPENCLAW_CONFIG_PATH"));
    let in_state = state.as_ref().map(|state| state.join(config::OPENCLAW_JSON));
    let beside = given.as_deref().and_then(Path::parent).map(Path::to_owned);
    Ok(Places {
        home,
        project: project.map(|project| overrides.cwd.join(project)),
        config: path("XDG_CONFIG_HOME"),
        claude: path("CLAUDE_CONFIG_DIR"),
        codex: path("CODEX_HOME"),
        copilot: path("COPILOT_HOME"),
        openclaw: given.or(in_state),
        openclaw_home: state.or(beside),
    })
}

/// How long a hook may take, in milliseconds.
pub(crate) fn hook_time_limit() -> Option<u64> {
    text("MINDFILE_HOOK_TIME_LIMIT")?.parse().ok()
}

/// How another program starts this one, with the places that were named for it.
pub(crate) fn program(overrides: &Overrides, command: Option<&str>) -> Result<Program, Failure> {
    let command = match command {
        Some(command) => command.to_owned(),
        None => own_command()?,
    };
    let cwd = &overrides.cwd;
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| cwd.join(path).display().to_string());
    let given = [
        ("--workspace", path(&overrides.flags.workspace)),
        ("--state-dir", path(&overrides.flags.state_dir)),
        ("--agent", overrides.flags.agent.clone()),
        ("--backend", overrides.flags.backend.clone()),
    ];
    let given = given.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
    let flags: Vec<String> = given.flatten().collect();
    let shell_flags = flags.iter().map(|flag| format!(" {}", shell::word(flag))).collect();
    let shell = shell::word(&command).into_owned();
    Ok(Program { command, flags, shell, shell_flags, server_only: false })
}

/// The name, if PATH leads to this program; else its path.
fn own_command() -> Result<String, Failure> {
    let own = std::env::current_exe().map_err(|source: std::io::Error| Failure::file("mindfile", &source))?;
    let path = variable("PATH").unwrap_or_default();
    let mut found =
        std::env::split_paths(&path).filter_map(|folder| folder.join("mindfile").canonicalize().ok());
    let is_own = found.next().is_some_and(|found| own.canonicalize().is_ok_and(|own| own == found));
    Ok(if is_own { "mindfile".to_owned() } else { own.display().to_string() })
}

/// What the person edits with.
pub(crate) fn editor() -> Option<String> {
    text("VISUAL").or_else(|| text("EDITOR"))
}

fn text(name: &str) -> Option<String> {
    variable(name).map(|value| value.to_string_lossy().into_owned())
}

/// A variable that is set to something.
#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The chat model that the flags, the variables and the files name, in this order; none if they name none.
pub(crate) fn chat_model(memory: &Memory, asked: &Model) -> Result<Option<Box<dyn ChatModel>>, Failure> {
    let chat = chat(&memory.settings().chat, asked);
    Ok(chat.endpoint().map(|service| chat::open(memory, service)).transpose()?)
}

/// The same for a short question, of which nobody waits long for the answer.
pub(crate) fn quick_chat_model(
    memory: &Memory,
    asked: &Model,
) -> Result<Option<Box<dyn ChatModel>>, Failure> {
    let chat = chat(&memory.settings().chat, asked);
    let chat = Chat { timeout: chat.timeout.min(QUICK), ..chat };
    Ok(chat.endpoint().map(|service| chat::open(memory, service)).transpose()?)
}

fn chat(known: &Chat, asked: &Model) -> Chat {
    let provider = asked.provider.map(ChatProtocol::from);
    let provider = provider.or_else(|| ChatProtocol::parse(&text("MINDFILE_CHAT_PROVIDER")?));
    let protocol = provider.unwrap_or(known.protocol);
    let address = asked.base_url.clone().or_else(|| text("MINDFILE_CHAT_BASE_URL"));
    // A key is sent to the provider and the address that it was written for alone.
    let same = protocol == known.protocol && (address.is_none() || address == known.base_url);
    let base_url = address.or_else(|| known.base_url.clone().filter(|_| same));
    let own = || text(protocol.key_variable()).filter(|_| base_url.is_none());
    let said = text("MINDFILE_CHAT_API_KEY").as_deref().and_then(Secret::new);
    let key = said.or_else(|| known.key.clone().filter(|_| same)).or_else(|| Secret::new(&own()?));
    let mut headers = if same { known.headers.clone() } else { Vec::new() };
    headers.extend(asked.header.iter().filter_map(|header| split(header)));
    Chat {
        protocol,
        model: asked.model.clone().or_else(|| text("MINDFILE_CHAT_MODEL")).or_else(|| known.model.clone()),
        base_url,
        key,
        headers,
        window: asked.context_window.unwrap_or(known.window),
        timeout: asked.timeout.map_or(known.timeout, Duration::from_secs),
        ca_file: known.ca_file.clone(),
    }
}

fn split(header: &str) -> Option<(String, Secret)> {
    let (name, value) = header.split_once(':')?;
    Some((name.trim().to_owned(), Secret::new(value)?))
}
