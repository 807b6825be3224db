//! `mindfile inspect`

use std::process::ExitCode;

use mindfile::clock::today;

use super::Run;
use crate::arguments::{Inspect, When};
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, facts, json};

pub(super) fn run(asked: &Inspect, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = environment::memory(run.globals, run.screen)?;
    let clock = memory.clock();
    let now = || clock.now().to_zoned(clock.zone());
    let day = asked.as_of.as_deref().map(|text| text.parse::<When>()?.day(&now())).transpose()?;
    let found = memory.inspect(&asked.id, day)?;
    if run.screen.json {
        output::json(&json::Inspected::new(&found))?;
    } else {
        output::text(&facts::inspected(&found, today(clock)))?;
    }
    Ok(ExitCode::SUCCESS)
}
