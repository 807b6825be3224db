//! The arguments of the commands that bring memories in, take them out and keep copies.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use mindfile_hosts::import::{SOURCES, Source};

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::IMPORT)]
pub(crate) struct Import {
    /// Whose memory it is
    #[arg(value_parser = sources())]
    pub(crate) from: &'static Source,
    /// The file or folder
    pub(crate) path: PathBuf,
    /// Only say what would be taken over
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// It is your own: take it for the owner's word, under the names that it has
    #[arg(long)]
    pub(crate) trust: bool,
}

/// The programs by name.
fn sources() -> impl TypedValueParser<Value = &'static Source> {
    let value = |source: &Source| PossibleValue::new(source.name).help(source.about);
    let names = PossibleValuesParser::new(SOURCES.iter().map(value));
    names.try_map(|name| Source::named(&name).ok_or("no such program"))
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

#[derive(Debug, Args)]
#[command(after_help = examples::BACKUP)]
pub(crate) struct Backup {
    /// The archive; without it, mindfile-<agent>-<day>.tar.zst here
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::RESTORE)]
pub(crate) struct Restore {
    /// The archive
    pub(crate) file: PathBuf,
    /// Prove it: restore into a temporary folder, compare every byte and the answers, write nothing here
    #[arg(long, conflicts_with_all = ["into", "force"])]
    pub(crate) verify: bool,
    /// Restore into this folder instead of the places in use
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Overwrite files that differ
    #[arg(long)]
    pub(crate) force: bool,
}
