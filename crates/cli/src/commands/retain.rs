//! `mindfile retain`

use std::io::Read;
use std::process::ExitCode;

use mindfile::retain::TEXT_LIMIT;
use mindfile_operations::{Caller, Operation};

use super::Run;
use crate::arguments::Retain;
use crate::environment;
use crate::failure::Failure;

pub(super) fn run(asked: &Retain, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let mut retain = asked.asked.clone();
    if retain.text == ["-"] {
        retain.text = vec![input()?];
    }
    let is_weighed = retain.salience.is_some_and(|salience| salience.0.is_some());
    let model = if is_weighed { None } else { environment::quick_chat_model(&memory, &asked.model)? };
    let caller = Caller { model: model.as_deref(), ..Caller::person(&memory) };
    run.print(&retain.run(&caller)?, &memory)
}

/// What stands in the input: no more of it than says that it is too long.
fn input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().take(64 * TEXT_LIMIT as u64).read_to_end(&mut bytes);
    input.map_err(|source| Failure::file("standard input", &source))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
