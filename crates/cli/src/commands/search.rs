//! `mindfile search`

use std::process::ExitCode;

use mindfile_operations::{Caller, Operation};

use super::{Run, browse};
use crate::arguments::Search;
use crate::failure::Failure;

pub(super) fn run(asked: &Search, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let caller = Caller::person(&memory);
    let mut search = asked.asked.clone();
    if let Some(text) = &asked.text {
        search.query = vec![text.clone()];
    }
    if asked.interactive {
        return browse::run(&memory, &search.request(&caller)?);
    }
    run.print(&search.run(&caller)?, &memory)
}
