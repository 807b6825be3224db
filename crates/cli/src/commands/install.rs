//! `mindfile install`

use std::path::PathBuf;
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config;
use mindfile_hosts::host::Program;
use mindfile_hosts::host::install::{self, Act, Kind, Plan};
use serde::Serialize;

use super::Run;
use crate::arguments::Install;
use crate::failure::Failure;
use crate::output;
use crate::{confirm, environment};

pub(super) fn run(asked: &Install, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let overrides = environment::overrides(run.globals)?;
    let state = config::paths(&overrides)?.state_dir.path;
    let notes = asked.host.is_for_notes().then(|| environment::load(run.globals, run.screen)).transpose()?;
    let notes = notes.map(|loaded| loaded.settings.workspace);
    let project = asked.project.as_deref().or(notes.as_deref());
    let places = environment::places(&overrides, project)?;
    let program = environment::program(&overrides, asked.command.as_deref())?;
    let program = Program { server_only: asked.mcp, ..program };
    let act = if asked.uninstall { Act::Uninstall } else { Act::Install };
    let plan = install::plan(act, asked.host, &places, &program, &state)?;
    let done = plan.is_done() || asked.dry_run;
    if !run.screen.json {
        output::text(&shown(&plan))?;
    }
    if !done && !confirm::ask("Write this?", asked.yes, run.screen)? {
        run.screen.say("Nothing was changed.");
        return Ok(ExitCode::SUCCESS);
    }
    if act == Act::Install && !asked.dry_run && !asked.host.is_for_notes() {
        let settings = environment::load(run.globals, run.screen)?.settings;
        Memory::new(settings, Box::new(System)).settle_in()?;
    }
    let copies = if done { Vec::new() } else { install::apply(&plan, &state)? };
    if run.screen.json {
        output::json(&Installed::new(&plan, &copies, asked.dry_run))?;
        return Ok(ExitCode::SUCCESS);
    }
    for copy in &copies {
        run.screen.say(&format!("What was there is kept in {}", copy.display()));
    }
    if !done {
        run.screen.say(next(&plan, asked.mcp));
    }
    Ok(ExitCode::SUCCESS)
}

fn shown(plan: &Plan) -> String {
    let mut text = String::new();
    for change in &plan.changes {
        match change.kind() {
            Kind::Unchanged => text.push_str(&format!("{} stays as it is\n", change.path.display())),
            Kind::Created | Kind::Changed | Kind::Removed => text.push_str(&change.diff()),
        }
    }
    text
}

/// What a person does now.
fn next(plan: &Plan, server_only: bool) -> &'static str {
    if plan.act == Act::Uninstall {
        return "Taken out. Start the program anew to let it notice.";
    }
    plan.host.next_step(server_only)
}

/// What `install` did, or would do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Installed {
    ok: bool,
    host: &'static str,
    act: &'static str,
    dry_run: bool,
    files: Vec<InstalledFile>,
    /// Copies of what was there.
    copies: Vec<String>,
}

#[derive(Debug, Serialize)]
struct InstalledFile {
    path: String,
    change: &'static str,
    diff: String,
}

impl Installed {
    fn new(plan: &Plan, copies: &[PathBuf], dry_run: bool) -> Self {
        let files = plan.changes.iter().map(|change| InstalledFile {
            path: change.path.display().to_string(),
            change: change.kind().as_str(),
            diff: change.diff(),
        });
        let act = match plan.act {
            Act::Install => "install",
            Act::Uninstall => "uninstall",
        };
        let copies = copies.iter().map(|copy| copy.display().to_string()).collect();
        Self { ok: true, host: plan.host.name, act, dry_run, files: files.collect(), copies }
    }
}
