//! `mindfile doctor`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config;
use mindfile::origin::Door;
use mindfile_operations::{Caller, Doctor, Operation};

use super::Run;
use crate::environment;
use crate::failure::Failure;
use crate::output::spelling::Terminal;

pub(super) fn run(asked: &Doctor, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let loaded = config::load(&environment::overrides(run.globals)?)?;
    let memory = Memory::new(loaded.settings, Box::new(System)).through(Door::Terminal);
    let caller = Caller { warnings: &loaded.warnings, spelling: &Terminal, ..Caller::person(&memory) };
    run.print(&asked.clone().run(&caller)?, &memory)
}
