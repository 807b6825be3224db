//! `mindfile help`, and the help that fits one screen: the commands that people use, in groups, each with its own words.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Command;
use clap::builder::StyledStr;

use super::{Run, tree};
use crate::arguments::{Help, examples};
use crate::failure::{self, Failure};

/// The groups and their commands. `mindfile help --all` lists the others too.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Start", &["demo", "init", "install", "import"]),
    ("Ask", &["search", "recall", "get"]),
    ("Remember", &["retain", "reflect", "forget"]),
    ("Look after", &["status", "doctor", "serve"]),
];

pub(super) fn run(asked: &Help, _: &Run<'_>) -> Result<ExitCode, Failure> {
    if asked.all {
        tree::command().print_help()?;
    } else if asked.words.is_empty() {
        command().print_help()?;
    } else {
        let words = asked.words.iter().map(String::as_str);
        let words = ["mindfile"].into_iter().chain(words).chain(["--help"]);
        if let Err(shown) = tree::command().try_get_matches_from(words) {
            return Ok(failure::misread(&shown));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the words ask for the help of the program itself: none of them names a command.
pub(crate) fn is_wanted(words: &[OsString]) -> bool {
    let asks = words.iter().any(|word| word == "-h" || word == "--help");
    let program = tree::command();
    words.is_empty() || asks && !words.iter().any(|word| program.find_subcommand(word).is_some())
}

/// The program's command with the help that fits one screen.
pub(crate) fn command() -> Command {
    tree::command().override_help(screen())
}

fn screen() -> StyledStr {
    let mut command = tree::command();
    command.build();
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("{}\n\n{header}Usage:{header:#} mindfile COMMAND [OPTIONS]\n", about(&command));
    for (group, names) in GROUPS {
        text.push('\n');
        for (at, found) in names.iter().filter_map(|name| command.find_subcommand(name)).enumerate() {
            let group = if at == 0 { group } else { "" };
            let (name, words) = (found.get_name(), about(found));
            text.push_str(&format!("{header}{group:10}{header:#} {literal}{name:7}{literal:#} {words}\n"));
        }
    }
    text.push_str(&format!("\n{}\n", examples::MINDFILE));
    StyledStr::from(text)
}
