//! What may be stored, and who wrote and saw what.

use std::str::FromStr;

use clap::{Args, Subcommand};

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::POLICY)]
pub(crate) struct Policy {
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Every rule with its class
    #[command(after_help = examples::POLICY_SHOW)]
    Show,
    /// Say what the rules find in a file or a text, and what would happen to it; a value is never printed
    #[command(after_help = examples::POLICY_CHECK)]
    Check {
        /// A file, a text, or - for standard input
        #[arg(value_name = "FILE|TEXT", required = true)]
        words: Vec<String>,
    },
    /// Find what is already stored against the rules, and take it out of notes, conversations and the index
    #[command(after_help = examples::POLICY_APPLY)]
    Apply {
        /// Only list what would go
        #[arg(long, conflicts_with = "yes")]
        dry_run: bool,
        /// Do it; without this, the list is printed and nothing is changed
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
#[command(after_help = examples::AUDIT)]
pub(crate) struct Audit {
    #[command(subcommand)]
    pub(crate) command: AuditCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Check every entry; exits with 1 and names the first one that is not as it was written
    #[command(after_help = examples::AUDIT_VERIFY)]
    Verify {
        /// A head that was kept elsewhere, as verify printed it
        #[arg(long, value_name = "NUMBER:DIGEST")]
        anchor: Option<Anchor>,
    },
    /// Who did what, and when
    #[command(after_help = examples::AUDIT_SHOW)]
    Show {
        /// From this day on: 2026-07-14, or 7d before today
        #[arg(long, value_name = "WHEN")]
        since: Option<String>,
        /// The last N entries
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
    },
}

/// How far a log went at some time.
#[derive(Debug, Clone)]
pub(crate) struct Anchor {
    pub(crate) entry: u64,
    pub(crate) digest: String,
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once(':').and_then(|(entry, digest)| Some((entry.parse().ok()?, digest.trim())));
        match parts {
            Some((entry, digest)) if digest.len() == 64 => Ok(Self { entry, digest: digest.to_owned() }),
            _ => Err("write it as verify prints it, such as 12:9f2c…".to_owned()),
        }
    }
}
