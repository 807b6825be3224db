//! Why a reflection cannot be written or undone.

use std::path::PathBuf;

use mindfile_fault::{Fault, Hint};
use mindfile_note::reflected::{BEGIN, END};
use mindfile_ranking::Code;

/// Why a file's section cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Torn {
    NoBegin,
    NoEnd,
    /// A marker stands there twice, or the end stands before the begin.
    Tangled,
    /// Nobody reads a note of this size, and no reflection rewrites it.
    TooLong,
}

impl std::fmt::Display for Torn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoBegin => write!(f, "it has \"{END}\" and no \"{BEGIN}\""),
            Self::NoEnd => write!(f, "it has \"{BEGIN}\" and no \"{END}\""),
            Self::Tangled => {
                write!(f, "\"{BEGIN}\" and \"{END}\" do not stand there once each, in this order")
            }
            Self::TooLong => write!(f, "it is too long"),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("E2BIG: the core memory of one fact needs {tokens} tokens, the budget is {budget}")]
    TooBig { tokens: usize, budget: usize },
    #[error("{path} cannot be written to: {why}")]
    Torn { path: String, why: Torn },
    #[error("no reflection is left to undo")]
    NothingToUndo,
    #[error("what the last reflection wrote to {path} was changed since")]
    ChangedSince { path: String },
    #[error("the workspace {workspace} is read-only: {path} cannot be written to: {source}")]
    ReadOnly { workspace: String, path: PathBuf, source: std::io::Error },
}

impl Error {
    pub fn fault(&self) -> Fault {
        match self {
            Self::ReadOnly { .. } => Fault::Environment,
            Self::TooBig { .. } | Self::Torn { .. } | Self::NothingToUndo | Self::ChangedSince { .. } => {
                Fault::Caller
            }
        }
    }

    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::TooBig { .. } => Some(Code::TooBig.as_str()),
            Self::Torn { .. } | Self::NothingToUndo | Self::ChangedSince { .. } | Self::ReadOnly { .. } => {
                None
            }
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::TooBig { tokens, .. } => Some(format!("give it at least {tokens} tokens").into()),
            Self::Torn { .. } => {
                Some("put the missing marker back, or delete both; nothing was changed".into())
            }
            Self::ChangedSince { .. } => {
                Some("nothing was changed; take the lines out by hand, or reflect again".into())
            }
            Self::ReadOnly { .. } => {
                Some(Hint::say("nothing was changed; check the permissions, or look with ").field("dry_run"))
            }
            Self::NothingToUndo => None,
        }
    }
}
