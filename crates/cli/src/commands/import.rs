//! `mindfile import`

use std::process::ExitCode;

use mindfile::origin::Door;
use mindfile_hosts::import::{self, Mode, Report, Tally};

use super::Run;
use crate::arguments::Import;
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, clean, json};

pub(super) fn run(asked: &Import, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let door = if asked.trust { Door::Terminal } else { Door::Import };
    let memory = run.open(run.globals, door)?;
    let mode = if asked.dry_run { Mode::Preview } else { Mode::Write };
    let report = import::run(&memory, asked.from, &asked.path, mode)?;
    if run.screen.json {
        output::json(&json::Imported::new(&report, asked.dry_run))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::text(&text(&report, asked.dry_run))?;
    for notice in &report.notices {
        run.screen.warn(notice);
    }
    for bad in &report.bad {
        let line = bad.line.map(|line| format!(":{line}")).unwrap_or_default();
        run.screen.warn(&format!("left out: {}{line}: {}", bad.path, bad.what));
    }
    if report.bad_rows > report.bad.len() {
        run.screen.warn(&format!("left out: {} more", report.bad_rows - report.bad.len()));
    }
    if asked.dry_run {
        run.screen.say("Nothing was written.");
    }
    Ok(ExitCode::SUCCESS)
}

fn text(report: &Report, dry_run: bool) -> String {
    let mut text = String::new();
    for shown in &report.shown {
        text.push_str(&format!("  {}\n", clean::text(shown)));
    }
    let new = report.notes.new + report.conversations + report.facts.new;
    if new > report.shown.len() {
        text.push_str(&format!("  … {} more\n", new - report.shown.len()));
    }
    let verb = if dry_run { "would be taken over" } else { "taken over" };
    let rows = [("note", report.notes), ("turn", report.turns), ("fact", report.facts)];
    for (what, tally) in rows.into_iter().filter(|(_, tally)| *tally != Tally::default()) {
        text.push_str(&format!("{} {verb}{}\n", count(tally.new, what), rest(&tally)));
    }
    if text.is_empty() {
        text.push_str("There is nothing to take over.\n");
    }
    text
}

fn rest(tally: &Tally) -> String {
    let parts =
        [(tally.known, "here already"), (tally.kept, "kept as it is here"), (tally.refused, "refused")];
    let told: Vec<String> = parts
        .into_iter()
        .filter(|(many, _)| *many > 0)
        .map(|(many, what)| format!("{many} {what}"))
        .collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}
