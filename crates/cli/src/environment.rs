//! The environment, read once and passed on: the library never asks for it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use mindfile::Memory;
use mindfile::chat::{ChatEndpoint, ChatModel, ChatProtocol, Secret, Timeouts};
use mindfile::clock::System;
use mindfile::config::{self, Env, Flags, Loaded, Overrides};
use mindfile::origin::Door;

use crate::arguments::{ChatProvider, Globals, Model};
use crate::failure::Failure;
use crate::output::Screen;

/// The memory that the flags, the variables and the files name.
pub(crate) fn memory(globals: &Globals, screen: &Screen) -> Result<Memory, Failure> {
    Ok(Memory::new(load(globals, screen)?.settings, Box::new(System)).through(Door::Terminal))
}

/// The settings; what is odd in the files is said.
pub(crate) fn load(globals: &Globals, screen: &Screen) -> Result<Loaded, Failure> {
    let loaded = config::load(&overrides(globals)?)?;
    for warning in &loaded.warnings {
        screen.warn(&warning.to_string());
    }
    Ok(loaded)
}

pub(crate) fn overrides(globals: &Globals) -> Result<Overrides, Failure> {
    let cwd = std::env::current_dir().map_err(|source| Failure::CurrentDir { source })?;
    let flags = Flags {
        state_dir: globals.state_dir.clone(),
        workspace: globals.workspace.clone(),
        agent: globals.agent.clone(),
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

fn text(name: &str) -> Option<String> {
    variable(name).map(|value| value.to_string_lossy().into_owned())
}

/// A variable that is set to something.
#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The chat model that the flags and the variables name; none if they name none.
pub(crate) fn chat_model(memory: &Memory, asked: &Model) -> Result<Option<Box<dyn ChatModel>>, Failure> {
    let Some(model) = asked.model.clone().or_else(|| text("MINDFILE_CHAT_MODEL")) else { return Ok(None) };
    let protocol = match (asked.provider, text("MINDFILE_CHAT_PROVIDER").as_deref()) {
        (Some(ChatProvider::Anthropic), _) | (None, Some("anthropic")) => ChatProtocol::Anthropic,
        (Some(ChatProvider::Openai), _) | (None, _) => ChatProtocol::OpenAi,
    };
    let (usual, key) = match protocol {
        ChatProtocol::OpenAi => ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ChatProtocol::Anthropic => ("https://api.anthropic.com", "ANTHROPIC_API_KEY"),
    };
    let base_url = asked.base_url.clone().or_else(|| text("MINDFILE_CHAT_BASE_URL"));
    // A provider's key is sent to that provider alone.
    let key = text("MINDFILE_CHAT_API_KEY").or_else(|| text(key).filter(|_| base_url.is_none()));
    let timeouts = Timeouts { whole: Duration::from_secs(asked.timeout), ..ChatEndpoint::TIMEOUTS };
    let service = ChatEndpoint {
        protocol,
        base_url: base_url.unwrap_or_else(|| usual.to_owned()),
        model,
        key: key.as_deref().and_then(Secret::new),
        headers: asked.header.iter().filter_map(|header| split(header)).collect(),
        window: asked.context_window,
        timeouts,
    };
    Ok(Some(memory.chat_model(service)?))
}

fn split(header: &str) -> Option<(String, Secret)> {
    let (name, value) = header.split_once(':')?;
    Some((name.trim().to_owned(), Secret::new(value)?))
}
