//! The arguments of `heartbeat`.

use clap::Args;

use super::examples;
use super::{Every, Model};

#[derive(Debug, Args)]
#[command(after_help = examples::HEARTBEAT)]
pub(crate) struct Heartbeat {
    /// Keep going, one pass each time: 30m, 12h, 1d
    #[arg(long, value_name = "TIME")]
    pub(crate) every: Option<Every>,
    /// Say what would be done, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The most tokens that a model may take in one pass
    #[arg(long, value_name = "TOKENS", default_value_t = mindfile_care::heartbeat::BUDGET)]
    pub(crate) budget: u64,
    #[command(flatten)]
    pub(crate) model: Model,
}
