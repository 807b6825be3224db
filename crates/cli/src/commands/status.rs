//! `mindfile status`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{self, Overrides};
use mindfile_operations::{Caller, Operation, ShowStatus, Statuses};

use super::Run;
use crate::environment;
use crate::failure::Failure;

pub(super) fn run(asked: &ShowStatus, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let overrides = environment::overrides(run.globals)?;
    let memory = |agent: String| {
        let mut overrides = overrides.clone();
        overrides.flags.agent = Some(agent);
        let loaded = config::load(&overrides)?;
        for warning in &loaded.warnings {
            run.screen.warn(&warning.to_string());
        }
        Ok(Memory::new(loaded.settings, Box::new(System)))
    };
    let memories: Vec<Memory> =
        agents(&overrides)?.into_iter().map(memory).collect::<Result<_, Failure>>()?;
    let mut all = Statuses(Vec::new());
    for memory in &memories {
        all.0.extend(asked.run(&Caller::person(memory))?.0);
    }
    run.print(&all, &memories[0])
}

/// The agent that is named, or all that are configured.
fn agents(overrides: &Overrides) -> Result<Vec<String>, Failure> {
    let loaded = config::load(overrides)?;
    let is_named = overrides.flags.agent.is_some() || overrides.env.mindfile_agent.is_some();
    if is_named || loaded.agents.is_empty() {
        return Ok(vec![loaded.settings.agent.to_string()]);
    }
    Ok(loaded.agents.iter().map(ToString::to_string).collect())
}
