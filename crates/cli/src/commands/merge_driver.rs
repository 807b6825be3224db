//! `mindfile merge-driver`: git calls it with three versions of a note.

use std::process::ExitCode;

use mindfile_hosts::merge::{DriverCall, settle};

use super::Run;
use crate::arguments::MergeDriver;
use crate::failure::Failure;

pub(super) fn run(asked: &MergeDriver, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let MergeDriver { base, ours, theirs, note, marker } = asked;
    let [base, ours, theirs] = [base, ours, theirs].map(Clone::clone);
    let call = DriverCall { base, ours, theirs, note: note.clone(), marker: *marker };
    if settle(&call)? {
        return Ok(ExitCode::SUCCESS);
    }
    run.screen.say(&format!("{note} has lines that both sides changed; its facts are merged"));
    Ok(ExitCode::FAILURE)
}
