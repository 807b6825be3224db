//! `mindfile memory-tool`: a command of a model, on standard input. What it writes is an agent's word.

use std::io::{self, Read};
use std::process::ExitCode;

use mindfile::origin::Door;
use mindfile::session::ChatType;
use mindfile_operations::{Caller, MemoryTool, Operation};

use super::Run;
use crate::failure::Failure;

/// More than any model says at once.
const LARGEST: u64 = 16 << 20;

pub(super) fn run(_: &MemoryTool, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let mut text = String::new();
    let io = |source: io::Error| Failure::file("standard input", &source);
    io::stdin().take(LARGEST).read_to_string(&mut text).map_err(io)?;
    let asked = MemoryTool::parse(&text)?;
    let memory = run.open(run.globals, Door::Hook)?;
    run.print(&asked.run(&Caller::program(&memory, ChatType::Direct))?, &memory)
}
