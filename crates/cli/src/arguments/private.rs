//! The arguments of the commands about private notes.

use clap::Args;

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::ENCRYPT)]
pub(crate) struct Encrypt {
    /// Notes to make private; each moves to memory/private/
    #[arg(value_name = "PATH", required_unless_present = "all", conflicts_with = "all")]
    pub(crate) paths: Vec<String>,
    /// Every note in memory/private/ that stands there in clear
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
#[command(after_help = examples::DECRYPT)]
pub(crate) struct Decrypt {
    /// A note in memory/private/
    pub(crate) path: String,
    /// Where to; without it, the same name in memory/
    #[arg(long, value_name = "PATH")]
    pub(crate) to: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::REKEY)]
pub(crate) struct Rekey {
    /// Lock the new key with a passphrase: MINDFILE_NEW_PASSPHRASE, or what is typed
    #[arg(long, conflicts_with = "no_passphrase")]
    pub(crate) passphrase: bool,
    /// Keep the new key without a passphrase
    #[arg(long)]
    pub(crate) no_passphrase: bool,
    /// Leave the old keys out of the key file: notes of other workspaces and of backups that need them are lost
    #[arg(long)]
    pub(crate) drop_old: bool,
}
