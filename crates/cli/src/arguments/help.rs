//! The help that fits one screen: the commands that people use, in groups, each with its own words.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{Args, Command, CommandFactory};

use super::{Arguments, examples};

/// The groups and their commands. `mindfile help --all` lists the others too.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Start", &["demo", "init", "install", "import"]),
    ("Ask", &["search", "recall", "get"]),
    ("Remember", &["retain", "reflect", "forget"]),
    ("Look after", &["status", "doctor", "serve"]),
];

#[derive(Debug, Args)]
#[command(after_help = examples::HELP)]
pub(crate) struct Help {
    /// The command to explain
    #[arg(value_name = "COMMAND")]
    pub(crate) words: Vec<String>,
    /// List every command and option
    #[arg(long, conflicts_with = "words")]
    pub(crate) all: bool,
}

/// Whether the words ask for the help of the program itself: none of them names a command.
pub(crate) fn is_wanted(words: &[OsString]) -> bool {
    let asks = words.iter().any(|word| word == "-h" || word == "--help");
    let command = Arguments::command;
    words.is_empty() || asks && !words.iter().any(|word| command().find_subcommand(word).is_some())
}

/// The program's command with the help that fits one screen.
pub(crate) fn command() -> Command {
    Arguments::command().override_help(screen())
}

fn screen() -> StyledStr {
    let mut command = Arguments::command();
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
