//! The program under the name of `qmd`: what a host made for QMD asks of it, answered by a memory. OpenClaw up to 2026.7
//! calls the command that `memory.qmd.command` names and nothing else, so that the name is all there is to tell by. Only
//! that translation is here.

mod arguments;
mod collection;
mod folders;
mod held;
mod search;
mod update;

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use crate::arguments::Globals;
use crate::failure::Failure;
use crate::output::{self, Screen};
use arguments::{Call, Verb};
use collection::Collections;
use folders::Folders;

const HELP: &str = include_str!("help.txt");
/// The version of QMD whose words and shapes these are.
const LIKE: &str = "2.8.3";

/// Whether the program goes by that name now: a link called `qmd`, or a copy.
pub(crate) fn is_meant(program: Option<&OsStr>) -> bool {
    program.and_then(|program| Path::new(program).file_stem()).is_some_and(|name| name == "qmd")
}

/// Any failure is words on stderr and 1: hosts look for the words.
pub(crate) fn run(words: impl Iterator<Item = String>) -> ExitCode {
    let screen = Screen::new(&Globals::default());
    match answer(&Call::read(words), &screen) {
        Ok(code) => code,
        Err(failure) => failure.report_as_text(&screen),
    }
}

fn answer(call: &Call, screen: &Screen) -> Result<ExitCode, Failure> {
    match call.verb() {
        Verb::Help => output::text(HELP)?,
        Verb::Version => {
            output::text(&format!("qmd {LIKE} (mindfile {})\n", env!("CARGO_PKG_VERSION")))?;
        }
        Verb::Nothing => {
            output::text(HELP)?;
            return Ok(ExitCode::FAILURE);
        }
        Verb::Collection => collection::run(call, &collections(call)?, screen)?,
        Verb::Update => update::run(&collections(call)?, screen)?,
        Verb::Embed => update::embed(&collections(call)?, screen)?,
        Verb::Status => update::status(&collections(call)?, screen)?,
        Verb::Search(depth) => search::run(depth, call, &collections(call)?, screen)?,
        Verb::Unknown => return Err(unknown(call.word(0))),
    }
    Ok(ExitCode::SUCCESS)
}

fn collections(call: &Call) -> Result<Collections, Failure> {
    Ok(Collections::of(Folders::find(call.value("index"))?))
}

fn unknown(word: &str) -> Failure {
    Failure::Usage {
        message: format!("Unknown command: {word}"),
        hint: "qmd --help lists what mindfile does under this name".to_owned(),
    }
}
