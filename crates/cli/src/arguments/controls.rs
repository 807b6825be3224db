//! The arguments of a person's controls over what is remembered.

use clap::Args;
use mindfile_operations as operations;
use mindfile_operations::values::Origin;

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The id of a fact, or a key
    pub(crate) id: String,
    /// What it says from now on; without it, $EDITOR is opened
    #[arg(value_name = "TEXT", conflicts_with = "text")]
    pub(crate) words: Vec<String>,
    /// The same as a flag
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// Whose word it is from now on
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) origin: Option<Origin>,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Delete {
    #[command(flatten)]
    pub(crate) asked: operations::Delete,
    /// Do not ask
    #[arg(long, short, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Forget {
    #[command(flatten)]
    pub(crate) asked: operations::Forget,
    /// The other way round: let this text be stored again
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["last", "since", "until", "entity", "query", "session", "origin"])]
    pub(crate) allow: Option<String>,
    /// Do not ask
    #[arg(long, short, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
}
