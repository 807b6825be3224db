//! The arguments of reflect.

use clap::Args;
use mindfile_operations as operations;

use super::chat::Model;

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Reflect {
    #[command(flatten)]
    pub(crate) asked: operations::Reflect,
    /// The agent whose memory it is; the same as --agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent_id: Option<String>,
    /// Bring back what stood there before the last reflection
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) undo: bool,
    #[command(flatten)]
    pub(crate) model: Model,
}
