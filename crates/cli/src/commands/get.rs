//! `mindfile get`

use std::process::ExitCode;

use mindfile::search::Place;
use mindfile::workspace::Lines;

use super::Run;
use crate::arguments::Get;
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, clean, json};

pub(super) fn run(asked: &Get, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let wanted = Wanted::of(asked)?;
    let lines = memory.get(&wanted.path, wanted.from, wanted.lines)?;
    if run.screen.json {
        output::json(&json::Lines::new(&wanted.path, &lines))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&lines, run)?;
    remark(&lines, &wanted.path, run);
    Ok(ExitCode::SUCCESS)
}

/// On a terminal cleaned, elsewhere byte by byte.
fn print(lines: &Lines, run: &Run<'_>) -> std::io::Result<()> {
    if !run.screen.is_terminal() {
        return output::exact(&lines.bytes);
    }
    let mut text = clean::text(&String::from_utf8_lossy(&lines.bytes)).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    output::text(&text)
}

fn remark(lines: &Lines, path: &str, run: &Run<'_>) {
    if lines.truncated {
        run.screen.warn(&format!("there is more: mindfile get {path} --from {}", lines.from + lines.lines));
    }
    match lines.total_lines {
        Some(total) if lines.lines == 0 => {
            run.screen.warn(&format!("{path} has {}", count(total as usize, "line")));
        }
        Some(_) | None => {}
    }
}

/// The path and the lines, from flags or from a citation.
struct Wanted {
    path: String,
    from: u32,
    lines: Option<u32>,
}

impl Wanted {
    fn of(asked: &Get) -> Result<Self, Failure> {
        let given = Self { path: asked.path.clone(), from: asked.from.unwrap_or(1), lines: asked.lines };
        if !asked.path.contains(".md#L") || asked.from.is_some() || asked.lines.is_some() {
            return Ok(given);
        }
        let place: Place = asked.path.parse().map_err(mindfile::Error::from)?;
        let last = asked.path.rsplit_once("-L").and_then(|(_, last)| last.parse().ok()).unwrap_or(place.line);
        Ok(Self { lines: Some(last.saturating_sub(place.line) + 1), from: place.line, path: place.path })
    }
}
