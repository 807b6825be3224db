//! `mindfile reflect`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::origin::Door;
use mindfile::reflect::CoreRequest;

use super::Run;
use crate::arguments::{Globals, Reflect};
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, clean, json, reflect};

pub(super) fn run(asked: &Reflect, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let agent = asked.agent_id.clone().or_else(|| run.globals.agent.clone());
    let globals = Globals { agent, ..run.globals.clone() };
    let memory = run.open(&globals, Door::Terminal)?;
    if asked.undo {
        undo(&memory, run)?
    } else {
        consolidate(asked, &memory, run)?
    }
    Ok(ExitCode::SUCCESS)
}

fn consolidate(asked: &Reflect, memory: &Memory, run: &Run<'_>) -> Result<(), Failure> {
    let model = environment::chat_model(memory, &asked.model)?;
    let request = CoreRequest { max_tokens: asked.max_tokens, dry_run: asked.dry_run };
    let reflected = mindfile::reflect::reflect(memory, request, model.as_deref())?;
    for notice in &reflected.notices {
        run.screen.warn(notice);
    }
    if run.screen.json {
        return Ok(output::json(&json::Reflection::new(&reflected, asked.dry_run))?);
    }
    Ok(output::text(&reflect::text(&reflected, asked.dry_run, asked.debug))?)
}

fn undo(memory: &Memory, run: &Run<'_>) -> Result<(), Failure> {
    let files = memory.undo_reflection()?;
    if run.screen.json {
        return Ok(output::json(&json::Undone { ok: true, files })?);
    }
    Ok(output::text(&format!("✓ Undone: {}\n", clean::text(&files.join(", "))))?)
}
