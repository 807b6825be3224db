//! `mindfile stats`

use std::process::ExitCode;

use super::Run;
use crate::arguments::Stats;
use crate::failure::Failure;
use crate::output::{self, json, stats};

pub(super) fn run(asked: &Stats, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let found = memory.stats(usize::from(asked.weeks))?;
    if run.screen.json {
        output::json(&json::Grown::new(&found))?;
    } else {
        output::text(&stats::text(&found, run.screen.width))?;
    }
    Ok(ExitCode::SUCCESS)
}
