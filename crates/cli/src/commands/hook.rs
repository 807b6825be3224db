//! `mindfile hook`: whatever happens, the host gets a valid answer in time and goes on. What went wrong is in the log.

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use mindfile::clock::{Clock, System};
use mindfile::config;
use mindfile::origin::Door;
use mindfile_hosts::host::hook;
use mindfile_hosts::host::log::{self, HookRun};
use mindfile_hosts::host::{self, Call, Host};

use super::Run;
use crate::arguments::{Globals, Hook};
use crate::environment;
use crate::failure::Failure;
use crate::output::spelling::Terminal;
use crate::output::{self, Screen};

/// A person waits for this at most; a host would wait longer.
const USUAL_LIMIT: u64 = 2_000;
/// More than any host hands over.
const LARGEST_INPUT: u64 = 64 << 20;

pub(super) fn run(asked: &Hook, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let began = Instant::now();
    let (host, event) = (asked.host, asked.event.into());
    let limit = asked.time_limit.or_else(environment::hook_time_limit).unwrap_or(USUAL_LIMIT);
    let (say, hear) = mpsc::channel();
    let globals = run.globals.clone();
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::spawn(move || {
        // A receiver that has given up is not there to be told.
        match say.send(answer(host, event, &globals)) {
            Ok(()) | Err(_) => {}
        }
    });
    let heard = hear.recv_timeout(Duration::from_millis(limit));
    let (context, error) = match heard {
        Ok(Ok(context)) => (context, None),
        Ok(Err(failure)) => (None, Some(failure.message(&Terminal))),
        Err(RecvTimeoutError::Timeout) => (None, Some(format!("no answer within {limit} ms"))),
        Err(RecvTimeoutError::Disconnected) => (None, Some("a bug in mindfile: it panicked".to_owned())),
    };
    if let Some(reply) = host::reply(host, event, context.as_deref()) {
        output::json_line(&reply)?;
    }
    let went = HookRun { at: System.now(), host, event, took: began.elapsed(), error: error.as_deref() };
    if let Some(state) = state_dir(run.globals) {
        // There is nowhere left to say that the log cannot be written.
        match log::note(&state, &went) {
            Ok(()) | Err(_) => {}
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn answer(host: &'static Host, event: host::Event, globals: &Globals) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let io = |source: std::io::Error| Failure::file("standard input", &source);
    io::stdin().take(LARGEST_INPUT).read_to_end(&mut bytes).map_err(io)?;
    let call = Call::read(host, event, &bytes)?;
    let quiet = Screen::silent();
    Ok(hook::run(&environment::memory(globals, &quiet)?.through(Door::Hook), &call)?)
}

fn state_dir(globals: &Globals) -> Option<PathBuf> {
    let overrides = environment::overrides(globals).ok()?;
    Some(config::paths(&overrides).ok()?.state_dir.path)
}
