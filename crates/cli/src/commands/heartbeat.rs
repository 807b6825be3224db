//! `mindfile heartbeat`

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mindfile::Memory;
use mindfile::chat::ChatModel;
use mindfile_care::heartbeat::{self, Request};

use super::Run;
use crate::arguments::Heartbeat;
use crate::environment;
use crate::failure::{Class, Failure};
use crate::interrupt;
use crate::output::spelling::Terminal;
use crate::output::{self, json};

/// How soon a Ctrl-C between two passes is noticed.
const STEP: Duration = Duration::from_millis(100);

pub(super) fn run(asked: &Heartbeat, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let model = environment::chat_model(&memory, &asked.model)?;
    let request = Request { dry_run: asked.dry_run, budget: asked.budget };
    match asked.every {
        None => pass(&memory, request, model.as_deref(), run)?,
        Some(every) => keep_going(every.0, run, |run| pass(&memory, request, model.as_deref(), run))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn pass(
    memory: &Memory,
    request: Request,
    model: Option<&dyn ChatModel>,
    run: &Run<'_>,
) -> Result<(), Failure> {
    let beat = heartbeat::run(memory, request, model)?;
    for notice in &beat.notices {
        run.screen.warn(notice);
    }
    if run.screen.json {
        return Ok(output::json_line(&json::Beats::new(&beat))?);
    }
    Ok(output::text(&output::heartbeat::text(&beat, memory.clock()))?)
}

/// A disk that is away or full for the moment does not end it; the next pass tries again.
fn keep_going(
    every: Duration,
    run: &Run<'_>,
    pass: impl Fn(&Run<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stop = interrupt::listen()?;
    while !stop.load(Ordering::Relaxed) {
        match pass(run) {
            Err(failure) if failure.class == Class::Environment => {
                run.screen.warn(&failure.message(&Terminal));
            }
            done => done?,
        }
        wait(every, stop);
    }
    Ok(())
}

fn wait(every: Duration, stop: &AtomicBool) {
    let began = Instant::now();
    while began.elapsed() < every && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(STEP.min(every.saturating_sub(began.elapsed())));
    }
}
