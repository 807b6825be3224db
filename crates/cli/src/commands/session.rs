//! `mindfile session append`, `flush` and `compact`: with turns from standard input, and with a model.

use std::io::Read;
use std::process::ExitCode;

use mindfile::Error;
use mindfile::session::{self, parse_lines};
use mindfile_operations::{AgentTools, Caller, Operation};

use super::Run;
use crate::arguments::{Model, SessionAppend, SessionCompact, SessionFlush};
use crate::environment;
use crate::failure::Failure;

/// What is read of the input at most.
const LARGEST_INPUT: u64 = 256 << 20;

pub(super) fn append(asked: &SessionAppend, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let caller = Caller::person(&memory);
    let mut append = asked.asked.clone();
    let appended = if asked.message.text.is_empty() {
        append.write(&parse_lines(&input()?)?, &caller)?
    } else if asked.message.text.iter().all(|word| word.trim().is_empty()) {
        let what = "the text is empty".to_owned();
        return Err(Error::from(session::Error::NotAMessage { what }).into());
    } else {
        append.messages = vec![asked.message.clone()];
        append.run(&caller)?
    };
    run.print(&appended, &memory)
}

fn input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let io = |source: std::io::Error| Failure::file("standard input", &source);
    std::io::stdin().take(LARGEST_INPUT).read_to_end(&mut bytes).map_err(io)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(super) fn flush(asked: &SessionFlush, run: &Run<'_>) -> Result<ExitCode, Failure> {
    with_model(asked.asked.clone(), &asked.model, run)
}

pub(super) fn compact(asked: &SessionCompact, run: &Run<'_>) -> Result<ExitCode, Failure> {
    with_model(asked.asked.clone(), &asked.model, run)
}

fn with_model<O: Operation>(asked: O, model: &Model, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let model = environment::chat_model(&memory, model)?;
    let tools = AgentTools { memory: &memory };
    let caller = Caller { model: model.as_deref(), tools: &tools, ..Caller::person(&memory) };
    run.print(&asked.run(&caller)?, &memory)
}
