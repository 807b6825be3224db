//! `mindfile completions`

use std::process::ExitCode;

use clap::CommandFactory;

use crate::arguments::{Arguments, Completions};
use crate::failure::Failure;
use crate::output;

pub(super) fn run(asked: &Completions) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut Arguments::command(), "mindfile", &mut script);
    output::exact(&script)?;
    Ok(ExitCode::SUCCESS)
}
