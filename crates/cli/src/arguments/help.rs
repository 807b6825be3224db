//! The arguments of help.

use clap::Args;

use super::examples;

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
