//! `mindfile export`

use std::io::{self, Write};
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::durable;
use mindfile_hosts::export::{self, Shape};
use serde::Serialize;

use super::Run;
use crate::arguments::Export;
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, clean};

pub(super) fn run(asked: &Export, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let shape = if asked.markdown { Shape::Markdown } else { Shape::Jsonl };
    let Some(path) = &asked.out else {
        if run.screen.is_terminal() {
            return on_terminal(&memory, shape, run);
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        let done = export::write(&memory, shape, &mut out)?;
        out.flush()?;
        done.notices.iter().for_each(|notice| run.screen.warn(notice));
        return Ok(ExitCode::SUCCESS);
    };
    let mut bytes = Vec::new();
    let done = export::write(&memory, shape, &mut bytes)?;
    let name = path.display().to_string();
    durable::replace(path, &bytes).map_err(|source: std::io::Error| Failure::file(&name, &source))?;
    done.notices.iter().for_each(|notice| run.screen.warn(notice));
    if run.screen.json {
        output::json(&ExportedTo { ok: true, path: name, notes: done.notes, facts: done.facts })?;
    } else {
        output::text(&format!(
            "{} and {} in {name}\n",
            count(done.notes, "note"),
            count(done.facts, "fact")
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Written out as a person can look at it.
fn on_terminal(memory: &Memory, shape: Shape, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let mut bytes = Vec::new();
    let done = export::write(memory, shape, &mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let shown = match shape {
        Shape::Jsonl => clean::json(&text),
        Shape::Markdown => clean::text(&text),
    };
    output::exact(shown.as_bytes())?;
    done.notices.iter().for_each(|notice| run.screen.warn(notice));
    Ok(ExitCode::SUCCESS)
}

#[derive(Debug, Serialize)]
struct ExportedTo {
    ok: bool,
    path: String,
    notes: usize,
    facts: usize,
}
