//! `mindfile help`

use std::process::ExitCode;

use clap::CommandFactory;

use crate::arguments::{Arguments, Help, help};
use crate::failure::{self, Failure};

pub(super) fn run(asked: &Help) -> Result<ExitCode, Failure> {
    if asked.all {
        Arguments::command().print_help()?;
    } else if asked.words.is_empty() {
        help::command().print_help()?;
    } else {
        let words = asked.words.iter().map(String::as_str);
        let words = ["mindfile"].into_iter().chain(words).chain(["--help"]);
        if let Err(shown) = Arguments::command().try_get_matches_from(words) {
            return Ok(failure::misread(&shown));
        }
    }
    Ok(ExitCode::SUCCESS)
}
