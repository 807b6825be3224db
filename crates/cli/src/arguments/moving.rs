//! The arguments of the commands that bring memories in and take them out.

use std::path::PathBuf;

use clap::Args;
use mindfile_operations as operations;

use super::examples;

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Import {
    #[command(flatten)]
    pub(crate) asked: operations::Import,
    /// It is your own: take it for the owner's word, under the names that it has
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXPORT)]
#[command(group = clap::ArgGroup::new("shape").required(true))]
pub(crate) struct Export {
    /// Notes and facts, one JSON object a line
    #[arg(long, group = "shape")]
    pub(crate) jsonl: bool,
    /// One Markdown document
    #[arg(long, group = "shape")]
    pub(crate) markdown: bool,
    /// Write to this file instead of printing
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
