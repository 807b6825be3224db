//! `mindfile heartbeat`

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mindfile_operations::{Caller, Operation};

use super::Run;
use crate::arguments::Heartbeat;
use crate::environment;
use crate::failure::{Class, Failure};
use crate::interrupt;
use crate::output::spelling::Terminal;

/// How soon a Ctrl-C between two passes is noticed.
const STEP: Duration = Duration::from_millis(100);

pub(super) fn run(asked: &Heartbeat, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let model = environment::chat_model(&memory, &asked.model)?;
    let caller = Caller { model: model.as_deref(), ..Caller::person(&memory) };
    let pass = || run.print_line(&asked.asked.run(&caller)?, &memory);
    match asked.every {
        None => pass(),
        Some(every) => keep_going(every.0, run, pass),
    }
}

/// A disk that is away or full for the moment does not end it; the next pass tries again.
fn keep_going(
    every: Duration,
    run: &Run<'_>,
    pass: impl Fn() -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    let stop = interrupt::listen()?;
    while !stop.load(Ordering::Relaxed) {
        match pass() {
            Err(failure) if failure.class == Class::Environment => {
                run.screen.warn(&failure.message(&Terminal));
            }
            Err(failure) => return Err(failure),
            Ok(_) => {}
        }
        wait(every, stop);
    }
    Ok(ExitCode::SUCCESS)
}

fn wait(every: Duration, stop: &AtomicBool) {
    let began = Instant::now();
    while began.elapsed() < every && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(STEP.min(every.saturating_sub(began.elapsed())));
    }
}
