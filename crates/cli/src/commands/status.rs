//! `mindfile status`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config::{self, Overrides};
use mindfile_care::status;

use super::Run;
use crate::arguments::Status;
use crate::environment;
use crate::failure::Failure;
use crate::output;
use crate::output::json::Agent;

pub(super) fn run(asked: &Status, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let overrides = environment::overrides(run.globals)?;
    let mut all = Vec::new();
    for agent in agents(&overrides)? {
        let mut overrides = overrides.clone();
        overrides.flags.agent = Some(agent);
        let loaded = config::load(&overrides)?;
        for warning in &loaded.warnings {
            run.screen.warn(&warning.to_string());
        }
        all.push(status::of(&Memory::new(loaded.settings, Box::new(System)), asked.deep)?);
    }
    if run.screen.json {
        output::json(&all.iter().map(Agent::new).collect::<Vec<_>>())?;
    } else {
        let home = overrides.home.as_deref();
        let texts: Vec<String> = all.iter().map(|status| output::status::text(status, home)).collect();
        output::text(&texts.join("\n"))?;
    }
    Ok(ExitCode::SUCCESS)
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
