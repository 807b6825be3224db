//! The arguments of each command.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use mindfile_operations as operations;
use mindfile_operations::values::Mode;

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::INIT)]
pub(crate) struct Init {
    /// Where; without it, the workspace that the settings name
    pub(crate) dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::DEMO)]
pub(crate) struct Demo {
    /// Put the sample here and leave it there
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Search {
    #[command(flatten)]
    pub(crate) asked: operations::Search,
    /// The same as the argument; wins over it
    #[arg(id = "text", long = "query", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Search as you type, with a preview; Enter opens the note in $EDITOR
    #[arg(long, short, conflicts_with_all = ["json", "explain", "why_not"])]
    pub(crate) interactive: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::WATCH)]
pub(crate) struct Watch {}

#[derive(Debug, Args)]
#[command(after_help = examples::CONFIG)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Every key and its value
    #[command(after_help = examples::CONFIG_SHOW)]
    Show {
        /// Where each value comes from
        #[arg(long)]
        origin: bool,
    },
    /// The value of one key, or of all below a name
    #[command(after_help = examples::CONFIG_GET)]
    Get { key: String },
    /// Set one key in mindfile.json; nothing else in the file changes
    #[command(after_help = examples::CONFIG_SET)]
    Set {
        key: String,
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// The files and directories in use, and why these
    #[command(after_help = examples::CONFIG_PATH)]
    Path,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EVAL)]
pub(crate) struct Eval {
    #[command(subcommand)]
    pub(crate) command: EvalCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// Ask your own questions, whose answers you know, and report at which rank the answers come back
    #[command(after_help = examples::EVAL)]
    Truth(Truth),
}

#[derive(Debug, Args)]
pub(crate) struct Truth {
    /// A file of questions, one JSON object a line, each with the lines of your notes that answer it
    pub(crate) path: PathBuf,
    /// One mode instead of all
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) mode: Option<Mode>,
    /// Also list every question and the rank of its evidence
    #[arg(long)]
    pub(crate) questions: bool,
}
