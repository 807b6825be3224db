//! `mindfile forget` and `mindfile delete`

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

use mindfile::{Memory, forget};
use mindfile_operations::{self as operations, Answer, Caller, Gone, Operation};
use serde::Serialize;

use super::Run;
use crate::arguments::{Delete, Forget};
use crate::failure::Failure;
use crate::output;
use crate::output::quantity::count;

pub(super) fn run(asked: &Forget, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    if let Some(text) = &asked.allow {
        let known = forget::allow(&memory, text)?;
        if run.screen.json {
            output::json(&Allowed { ok: true, entries: known })?;
        } else {
            output::text(&format!("{} taken out of the ledger\n", count(known, "entry")))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let how = How::new(asked.asked.dry_run, asked.yes);
    let forget =
        |dry_run| operations::Forget { dry_run, ..asked.asked.clone() }.run(&Caller::person(&memory));
    carry_out(how, forget, &memory, run)
}

pub(super) fn delete(asked: &Delete, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let how = How::new(asked.asked.dry_run, asked.yes);
    let delete =
        |dry_run| operations::Delete { dry_run, ..asked.asked.clone() }.run(&Caller::person(&memory));
    carry_out(how, delete, &memory, run)
}

/// Whether it is looked at first, and what follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Look,
    Ask,
    Forget,
}

impl How {
    fn new(dry_run: bool, yes: bool) -> Self {
        match (dry_run, yes) {
            (true, _) => Self::Look,
            (false, true) => Self::Forget,
            (false, false) => Self::Ask,
        }
    }
}

/// Shows what would go, asks, and lets it go.
fn carry_out(
    how: How,
    forget: impl Fn(bool) -> Result<Gone, Failure>,
    memory: &Memory,
    run: &Run<'_>,
) -> Result<ExitCode, Failure> {
    if how != How::Forget {
        let would = forget(true)?;
        if how == How::Look || would.is_empty() {
            return run.print(&would, memory);
        }
        if !is_agreed(&would, memory, run)? {
            return Ok(ExitCode::SUCCESS);
        }
    }
    run.print(&forget(false)?, memory)
}

/// Somebody at a terminal is asked; nobody else can answer.
fn is_agreed(would: &Gone, memory: &Memory, run: &Run<'_>) -> Result<bool, Failure> {
    if run.screen.json || !std::io::stdin().is_terminal() {
        return Err(Failure::usage("what would go was not looked at, and nobody can be asked")
            .hint("--dry-run lists exactly what goes, --yes lets it go"));
    }
    output::text(&would.shown(&run.page(memory)).text)?;
    output::text("Forget this? It cannot be brought back. [y/N] ")?;
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|source| Failure::file("standard input", &source))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What was let be stored again.
#[derive(Debug, Serialize)]
struct Allowed {
    ok: bool,
    entries: usize,
}
