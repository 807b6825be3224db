//! The arguments of `rekey`.

use clap::Args;
use mindfile_operations as operations;

#[derive(Debug, Args)]
#[group(skip)]
pub(crate) struct Rekey {
    #[command(flatten)]
    pub(crate) asked: operations::Rekey,
    /// Lock the new key with a passphrase: MINDFILE_NEW_PASSPHRASE, or what is typed
    #[arg(long, conflicts_with = "no_passphrase")]
    pub(crate) passphrase: bool,
    /// Keep the new key without a passphrase
    #[arg(long)]
    pub(crate) no_passphrase: bool,
}
