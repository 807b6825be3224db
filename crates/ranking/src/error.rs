//! Why a question to the memory cannot be answered.

use mindfile_fault::{Hint, OutOfRange};

use crate::code::Code;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the query is empty")]
    Empty,
    #[error("\"{text}\" is not a place in a note")]
    NotAPlace { text: String },
    #[error("E2BIG: the shortest relevant fact needs {tokens} tokens, the budget is {budget}")]
    TooBig { tokens: usize, budget: usize },
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Index(#[from] mindfile_index::Error),
    #[error("a bug in mindfile: {what}")]
    Bug { what: String },
}

impl Error {
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::TooBig { .. } => Some(Code::TooBig.as_str()),
            Self::Empty
            | Self::NotAPlace { .. }
            | Self::OutOfRange(_)
            | Self::Index(_)
            | Self::Bug { .. } => None,
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Empty => Some(
                Hint::say("say what to look for: ").run("search", &[("query", "what did we decide about X")]),
            ),
            Self::NotAPlace { .. } => {
                Some("write it as PATH#L40, for example memory/2026-07-14.md#L40".into())
            }
            Self::TooBig { tokens, .. } => Some(format!("give it at least {tokens} tokens").into()),
            Self::OutOfRange(_) | Self::Index(_) | Self::Bug { .. } => None,
        }
    }
}
