//! What the terminal adds to the commands about conversations.

use clap::Args;
use mindfile_operations::sessions::{Append, Compact, Flush, NewMessage};

use super::chat::Model;

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct SessionAppend {
    #[command(flatten)]
    pub(crate) asked: Append,
    #[command(flatten)]
    pub(crate) message: NewMessage,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct SessionFlush {
    #[command(flatten)]
    pub(crate) asked: Flush,
    #[command(flatten)]
    pub(crate) model: Model,
}

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct SessionCompact {
    #[command(flatten)]
    pub(crate) asked: Compact,
    #[command(flatten)]
    pub(crate) model: Model,
}
