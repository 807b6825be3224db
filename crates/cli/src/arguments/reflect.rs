//! The arguments of reflect.

use clap::Args;

use super::chat::Model;
use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::REFLECT)]
pub(crate) struct Reflect {
    /// The agent whose memory it is; the same as --agent
    #[arg(long, value_name = "ID")]
    pub(crate) agent_id: Option<String>,
    /// How many tokens the core memory may have
    #[arg(long, value_name = "TOKENS")]
    pub(crate) max_tokens: Option<usize>,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "undo")]
    pub(crate) dry_run: bool,
    /// Bring back what stood there before the last reflection
    #[arg(long)]
    pub(crate) undo: bool,
    /// List more of the facts, and what became of them
    #[arg(long)]
    pub(crate) debug: bool,
    #[command(flatten)]
    pub(crate) model: Model,
}
