//! `mindfile completions`

use std::process::ExitCode;

use super::{Run, tree};
use crate::arguments::Completions;
use crate::failure::Failure;
use crate::output;

pub(super) fn run(asked: &Completions, _: &Run<'_>) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut tree::command(), "mindfile", &mut script);
    output::exact(&script)?;
    Ok(ExitCode::SUCCESS)
}
