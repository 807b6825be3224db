//! All commands as clap's: built from the tables, and read.

use clap::{ArgMatches, Args, FromArgMatches};

use crate::arguments::{Globals, examples};

/// Before any command, as OpenClaw spells them.
pub(crate) const AGAIN: &str = "memory";

/// Commands that are found below another one.
const GROUPS: [(&str, &str, &str); 3] = [
    ("audit", "Show who wrote what and who saw what, in a log that reveals tampering", examples::AUDIT),
    ("policy", "Show what may be stored, and test a text against the rules", examples::POLICY),
    ("session", "Record, flush and compact conversations", examples::SESSION),
];

/// The program's command, with all commands below it. The arguments of one are put together when it is the one that is
/// asked for.
pub(crate) fn command() -> clap::Command {
    let program = Globals::augment_args(clap::Command::new("mindfile"))
        .about("Plain-Markdown memory for AI agents, in notes that stay yours")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .disable_help_subcommand(true)
        .after_help(examples::ALL);
    let again = clap::Command::new(AGAIN).about("The same commands, as OpenClaw spells them").hide(true);
    filled(program).subcommand(filled(again))
}

fn filled(parent: clap::Command) -> clap::Command {
    let parent = parent.arg_required_else_help(true).subcommand_required(true);
    let groups = GROUPS.iter().map(|(name, about, examples)| {
        let group = clap::Command::new(*name).about(*about).after_help(*examples);
        group.arg_required_else_help(true).subcommand_required(true)
    });
    let parent = parent.subcommands(groups);
    super::all().iter().fold(parent, |parent, command| match command.words().split_once(' ') {
        None => parent.subcommand(built(command.words(), command)),
        Some((group, name)) => parent.mut_subcommand(group, |group| group.subcommand(built(name, command))),
    })
}

fn built(name: &'static str, command: &super::Command) -> clap::Command {
    clap::Command::new(name).about(command.row.about).after_help(command.row.examples).defer(command.augment)
}

/// What was typed.
pub(crate) fn parse() -> Result<(ArgMatches, Globals), clap::Error> {
    let matches = command().try_get_matches()?;
    let globals = Globals::from_arg_matches(&matches)?;
    Ok((matches, globals))
}
