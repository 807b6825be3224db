//! `mindfile index`

use std::process::ExitCode;
use std::time::Duration;

use mindfile::reconcile::{Progress, Report};
use mindfile::{Error, Memory};

use super::Run;
use crate::arguments::Index;
use crate::failure::{Class, Failure};
use crate::interrupt;
use crate::output::progress::Bar;
use crate::output::quantity::{bytes, count, number, time};
use crate::output::{self, Screen, estimate, json};

/// What was done, how much was read for it, and how long it took.
pub(super) struct Done {
    pub(super) report: Report,
    pub(super) bytes: u64,
    pub(super) took: Duration,
}

pub(super) fn run(asked: &Index, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    if asked.dry_run {
        return dry_run(&memory, run);
    }
    interrupt::listen()?;
    let done = index(&memory, asked.force, run.screen)?;
    let engine = mindfile_qmd::update(&memory);
    if run.screen.json {
        let cost = cost(&memory, &done.report);
        let told = engine.as_ref().map_or_else(|why| Some(why.clone()), Clone::clone);
        let notices = memory.notices().into_iter().chain(told).collect();
        output::json(&json::Indexed::new(&done.report, done.bytes, done.took, cost, notices))?;
    } else {
        for complaint in complaints(&done.report, &memory) {
            run.screen.warn(&complaint);
        }
        output::text(&format!("{}\n", summary(&done)))?;
        output::text(&spent(&memory, &done.report))?;
        match &engine {
            Ok(told) => output::text(&told.iter().map(|told| format!("{told}\n")).collect::<String>())?,
            Err(why) => run.screen.warn(&format!("{why}; the built-in index answers until that is mended")),
        }
    }
    Ok(if engine.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn dry_run(memory: &Memory, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let estimate = mindfile::estimate(memory)?;
    if run.screen.json {
        output::json(&json::Estimated::new(&estimate))?;
    } else {
        output::text(&estimate::text(&estimate))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the provider was asked for, and what that costs. Nothing for the model inside the program.
fn spent(memory: &Memory, report: &Report) -> String {
    let made = &report.made;
    let mut text = String::new();
    if made.embedded + made.from_cache > 0 {
        let asked = estimate::asked(&made.spent, cost(memory, report));
        text = format!(
            "Embedded {} with {} {}: {} new, {} known; {asked}\n",
            count(made.embedded + made.from_cache, "chunk"),
            memory.provider(),
            memory.model(),
            number(made.embedded),
            number(made.from_cache)
        );
    }
    if made.waiting_jobs > 0 {
        let jobs = count(made.waiting_jobs, "batch job");
        text.push_str(&format!("{jobs} under way: the next mindfile index collects what is done\n"));
    }
    text
}

pub(super) fn cost(memory: &Memory, report: &Report) -> Option<f64> {
    let none = report.made.embedded == 0 || report.fallback.is_some();
    if none { None } else { mindfile::cost(memory, report.made.spent.tokens, report.made.by_jobs) }
}

/// Brings the index up to date, or makes it again, with a bar.
pub(super) fn index(memory: &Memory, force: bool, screen: &Screen) -> Result<Done, Failure> {
    let mut bar = Bar::new(screen);
    let mut read = 0;
    let mut on_progress = |progress: &Progress| {
        read = read.max(progress.bytes);
        if progress.of_embedded > 0 {
            let (done, of) = (progress.embedded as u64, progress.of_embedded as u64);
            bar.show(done, of, |_| {
                format!("{}/{} chunks embedded", number(progress.embedded), number(progress.of_embedded))
            });
        } else {
            bar.show(progress.bytes, progress.of_bytes, |elapsed| words(progress, elapsed));
        }
        interrupt::go_on()
    };
    let report = if force { memory.rebuild(&mut on_progress) } else { memory.sync(&mut on_progress) };
    let took = bar.elapsed();
    bar.clear();
    match report {
        Ok(report) => Ok(Done { report, bytes: read, took }),
        Err(Error::Interrupted) => {
            let message = "stopped; what is indexed stays, run the same command again to go on";
            Err(Failure::new(Class::Interrupted, message))
        }
        Err(error) => Err(error.into()),
    }
}

fn words(progress: &Progress, elapsed: Duration) -> String {
    let rate = progress.notes as f64 / elapsed.as_secs_f64().max(0.001);
    format!(
        "{}/{} notes, {}/s, {}",
        number(progress.notes),
        number(progress.of_notes),
        number(rate as usize),
        count(progress.chunks, "chunk")
    )
}

/// `Indexed 10,000 notes (20.6 MB): 10,000 new, 0 changed, 0 removed, 19,823 chunks in 3.1 s`
pub(super) fn summary(done: &Done) -> String {
    let report = &done.report;
    if report.is_unchanged() {
        return format!("Up to date: {}, nothing changed ({})", count(report.notes, "note"), time(done.took));
    }
    let read = report.added + report.changed + report.renamed;
    let all = if read < report.notes { format!("{} of ", number(read)) } else { String::new() };
    let renamed =
        if report.renamed > 0 { format!("{} renamed, ", number(report.renamed)) } else { String::new() };
    format!(
        "Indexed {all}{} ({}): {} new, {} changed, {renamed}{} removed, {} in {}",
        count(report.notes, "note"),
        bytes(done.bytes),
        number(report.added),
        number(report.changed),
        number(report.removed),
        count(report.chunks, "chunk"),
        time(done.took)
    )
}

/// What is not indexed, and why.
pub(super) fn complaints(report: &Report, memory: &Memory) -> Vec<String> {
    let mut all = memory.notices();
    all.extend(report.fallback.iter().map(mindfile::Fallback::words));
    all.extend(report.skipped.iter().map(|skipped| format!("skipped {}: {}", skipped.path, skipped.reason)));
    all.extend(report.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.what)));
    if report.held > 0 {
        let held = count(report.held, "note");
        all.push(format!(
            "{held} vanished at once and stay in the index, in case the disk is not mounted (`mindfile status --json` \
             names them); if they were deleted: mindfile index --force"
        ));
    }
    all
}
