//! Why nothing can be taken over at all. What is wrong with single rows is in the report.

use std::path::PathBuf;

use crate::fault::{Fault, Hint};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is nothing at {}", path.display())]
    Missing { path: PathBuf },
    #[error("{} is this memory itself", path.display())]
    Own { path: PathBuf },
    #[error("{} holds nothing that can be taken over: {what}", path.display())]
    Nothing { path: PathBuf, what: &'static str },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}

impl Error {
    pub fn fault(&self) -> Fault {
        match self {
            Self::Missing { .. } | Self::Own { .. } | Self::Nothing { .. } => Fault::Caller,
            Self::Io { .. } => Fault::Environment,
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Missing { .. } | Self::Nothing { .. } => {
                Some("docs/moving.md says where each program keeps its memory".into())
            }
            Self::Own { .. } => Some("it is used already; nothing has to be taken over".into()),
            Self::Io { .. } => None,
        }
    }
}
