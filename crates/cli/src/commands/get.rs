//! `mindfile get`

use std::process::ExitCode;

use mindfile::Error;
use mindfile::search::Place;
use mindfile_operations::{Caller, Get, Operation};

use super::Run;
use crate::failure::Failure;
use crate::output;
use crate::output::spelling::Terminal;

/// On a terminal cleaned, elsewhere byte by byte.
pub(super) fn run(asked: &Get, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let lines = cited(asked)?.run(&Caller::person(&memory))?;
    if run.screen.json || run.screen.is_terminal() {
        return run.print(&lines, &memory);
    }
    output::exact(lines.bytes())?;
    lines.caveats(&Terminal).iter().for_each(|caveat| run.screen.warn(caveat));
    Ok(ExitCode::SUCCESS)
}

/// A citation names its lines itself.
fn cited(asked: &Get) -> Result<Get, Failure> {
    if !asked.path.contains(".md#L") || asked.from.is_some() || asked.lines.is_some() {
        return Ok(asked.clone());
    }
    let place: Place = asked.path.parse().map_err(Error::from)?;
    let last = asked.path.rsplit_once("-L").and_then(|(_, last)| last.parse().ok()).unwrap_or(place.line);
    let lines = Some(last.saturating_sub(place.line) + 1);
    Ok(Get { lines, from: Some(place.line), path: place.path, ..asked.clone() })
}
