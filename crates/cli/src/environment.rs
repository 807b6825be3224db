//! The environment, read once and passed on: the library never asks for it.

use std::ffi::OsString;
use std::path::PathBuf;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{self, Env, Flags, Loaded, Overrides};

use crate::arguments::Globals;
use crate::failure::Failure;
use crate::output::Screen;

/// The memory that the flags, the variables and the files name.
pub(crate) fn memory(globals: &Globals, screen: &Screen) -> Result<Memory, Failure> {
    Ok(Memory::new(load(globals, screen)?.settings, Box::new(System)))
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
    let path = |name| variable(name).map(PathBuf::from);
    let env = Env {
        mindfile_state_dir: path("MINDFILE_STATE_DIR"),
        openclaw_state_dir: path("OPENCLAW_STATE_DIR"),
        mindfile_workspace: path("MINDFILE_WORKSPACE"),
        mindfile_agent: text("MINDFILE_AGENT"),
        lookup: Some(text),
    };
    Ok(Overrides { flags, env, home: path("HOME"), cwd })
}

fn text(name: &str) -> Option<String> {
    variable(name).map(|value| value.to_string_lossy().into_owned())
}

/// A variable that is set to something.
#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}
