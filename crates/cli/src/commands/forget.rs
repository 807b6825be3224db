//! `mindfile forget`

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::forget::{self, Erasure, Forgotten, What};
use mindfile::when;

use super::Run;
use crate::arguments::{Forget, Sure};
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, Screen, controls, json};

pub(super) fn run(asked: &Forget, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    if let Some(text) = &asked.allow {
        let known = forget::allow(&memory, text)?;
        if run.screen.json {
            output::json(&json::Allowed { ok: true, entries: known })?;
        } else {
            output::text(&format!("{} taken out of the ledger\n", count(known, "entry")))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    carry_out(what(asked, &memory)?, &asked.sure, run)
}

fn what(asked: &Forget, memory: &Memory) -> Result<What, Failure> {
    let day = |text: &String| when::day(memory.clock(), text);
    let days = |since: Option<&String>, until: Option<&String>| -> Result<What, Failure> {
        Ok(What::Days { since: since.map(day).transpose()?, until: until.map(day).transpose()? })
    };
    let Forget { last, since, until, entity, query, session, origin, .. } = asked;
    match (entity, query, session, origin) {
        (Some(name), _, _, _) => Ok(What::Entity(name.clone())),
        (None, Some(words), _, _) => Ok(What::Query(words.clone())),
        (None, None, Some(session), _) => Ok(What::Session(session.clone())),
        (None, None, None, Some(origin)) => Ok(What::Origin((*origin).into())),
        (None, None, None, None) => days(last.as_ref().or(since.as_ref()), until.as_ref()),
    }
}

/// Shows what would go, asks, and lets it go.
pub(super) fn carry_out(what: What, sure: &Sure, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let request = |dry_run| Erasure { what: what.clone(), dry_run };
    if sure.dry_run || !sure.yes {
        let would = memory.forget(&request(true))?;
        if sure.dry_run || would.is_empty() {
            print(&would, true, run.screen)?;
            return Ok(ExitCode::SUCCESS);
        }
        if !is_agreed(&would, run.screen)? {
            return Ok(ExitCode::SUCCESS);
        }
    }
    print(&memory.forget(&request(false))?, false, run.screen)?;
    Ok(ExitCode::SUCCESS)
}

fn print(forgotten: &Forgotten, dry_run: bool, screen: &Screen) -> Result<(), Failure> {
    for notice in &forgotten.notices {
        screen.warn(notice);
    }
    if screen.json {
        output::json(&json::Gone::new(forgotten, dry_run))?;
    } else {
        output::text(&controls::forgotten(forgotten, dry_run))?;
    }
    Ok(())
}

/// Somebody at a terminal is asked; nobody else can answer.
fn is_agreed(would: &Forgotten, screen: &Screen) -> Result<bool, Failure> {
    if screen.json || !std::io::stdin().is_terminal() {
        return Err(Failure::usage("what would go was not looked at, and nobody can be asked")
            .hint("--dry-run lists exactly what goes, --yes lets it go"));
    }
    output::text(&controls::forgotten(would, true))?;
    output::text("Forget this? It cannot be brought back. [y/N] ")?;
    let mut line = String::new();
    let io = |source: std::io::Error| Failure::file("standard input", &source);
    std::io::stdin().lock().read_line(&mut line).map_err(io)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
