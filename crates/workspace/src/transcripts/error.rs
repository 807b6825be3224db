//! Why a conversation cannot be read or written.

use std::path::PathBuf;

use mindfile_fault::{Fault, Hint, OutOfRange};

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("there is no session \"{session}\"")]
    NoSession { session: String },
    #[error("session \"{session}\" is in OpenClaw's database, which is only read")]
    ReadOnly { session: String },
    #[error("a message needs a role and text: {what}")]
    NotAMessage { what: String },
    #[error(transparent)]
    Id(#[from] OutOfRange),
    #[error(transparent)]
    Disk(#[from] mindfile_disk::Error),
    #[error("OpenClaw's database {} cannot be read", path.display())]
    Database { path: PathBuf, source: rusqlite::Error },
}

impl SessionError {
    pub fn fault(&self) -> Fault {
        match self {
            Self::NoSession { .. } | Self::ReadOnly { .. } | Self::NotAMessage { .. } | Self::Id(_) => {
                Fault::Caller
            }
            Self::Disk(_) | Self::Database { .. } => Fault::Environment,
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        Some(match self {
            Self::NoSession { .. } => {
                Hint::say("`").run("session list", &[]).and("` shows those that are there")
            }
            Self::ReadOnly { .. } => {
                Hint::say("begin another one: ").run("session append", &[("session", "NEW-ID")]).and(" …")
            }
            Self::NotAMessage { .. } => {
                "for example {\"role\":\"user\",\"content\":\"hello\"}, one a line".into()
            }
            Self::Database { .. } => "check the disk and the permissions of the state directory".into(),
            Self::Id(_) | Self::Disk(_) => return None,
        })
    }
}
