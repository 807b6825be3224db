//! The arguments of `heartbeat`.

use clap::Args;
use mindfile_operations as operations;

use super::{Every, Model};

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Heartbeat {
    #[command(flatten)]
    pub(crate) asked: operations::Heartbeat,
    /// Keep going, one pass each time: 30m, 12h, 1d
    #[arg(long, value_name = "TIME")]
    pub(crate) every: Option<Every>,
    #[command(flatten)]
    pub(crate) model: Model,
}
