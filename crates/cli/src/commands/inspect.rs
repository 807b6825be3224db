//! `mindfile inspect`

use std::process::ExitCode;

use mindfile::clock::today;
use mindfile::when;

use super::Run;
use crate::arguments::Inspect;
use crate::failure::Failure;
use crate::output::{self, facts, json};

pub(super) fn run(asked: &Inspect, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let day = asked.as_of.as_deref().map(|text| when::day(memory.clock(), text)).transpose()?;
    let found = memory.inspect(&asked.id, day)?;
    if run.screen.json {
        output::json(&json::Inspected::new(&found))?;
    } else {
        output::text(&facts::inspected(&found, today(memory.clock())))?;
    }
    Ok(ExitCode::SUCCESS)
}
