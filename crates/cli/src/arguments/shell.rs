//! The arguments of the commands that make a shell comfortable.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(crate) struct Completions {
    /// Whose completions
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MAN)]
pub(crate) struct Man {
    /// Write a page for each command into this folder, instead of printing the first one
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
