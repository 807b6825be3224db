//! What can go wrong with a host's files.

use std::path::PathBuf;

use crate::fault::{Fault, Hint};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} cannot be read as {format}: {what}", path.display())]
    Unreadable { path: PathBuf, format: &'static str, what: String },
    #[error("{} cannot be changed: {what}", path.display())]
    CannotEdit { path: PathBuf, what: String },
    #[error("{} was changed by someone else meanwhile", path.display())]
    Changed { path: PathBuf },
    #[error("{host} has no settings of a project")]
    NoProject { host: &'static str },
    #[error("what a hook is given must be a JSON object: {what}")]
    NotACall { what: String },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}

impl Error {
    pub fn fault(&self) -> Fault {
        match self {
            Self::Unreadable { .. }
            | Self::CannotEdit { .. }
            | Self::NoProject { .. }
            | Self::NotACall { .. } => Fault::Caller,
            Self::Changed { .. } | Self::Io { .. } => Fault::Environment,
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Unreadable { .. } => Some("mend the file first; nothing was changed".into()),
            Self::CannotEdit { .. } => Some("nothing was changed; add the entry by hand".into()),
            Self::Changed { .. } => Some("nothing of it was overwritten; run the same command again".into()),
            Self::NoProject { .. } => Some(Hint::say("install it without ").field("project")),
            Self::NotACall { .. } | Self::Io { .. } => None,
        }
    }
}
