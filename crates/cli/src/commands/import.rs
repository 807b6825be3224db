//! `mindfile import`

use std::process::ExitCode;

use mindfile::origin::Door;
use mindfile_operations::{Caller, Operation};

use super::Run;
use crate::arguments::Import;
use crate::failure::Failure;

pub(super) fn run(asked: &Import, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let door = if asked.trust { Door::Terminal } else { Door::Import };
    let memory = run.open(run.globals, door)?;
    run.print(&asked.asked.clone().run(&Caller::person(&memory))?, &memory)
}
