//! Why a question to the memory cannot be answered.

use crate::fact::diagnostics::Code;
use crate::fault::Hint;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the query is empty")]
    Empty,
    #[error("\"{text}\" is not a place in a note")]
    NotAPlace { text: String },
    #[error("E2BIG: the shortest relevant fact needs {tokens} tokens, the budget is {budget}")]
    TooBig { tokens: usize, budget: usize },
}

impl Error {
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::TooBig { .. } => Some(Code::TooBig.as_str()),
            Self::Empty | Self::NotAPlace { .. } => None,
        }
    }

    pub fn hint(&self) -> Hint {
        match self {
            Self::Empty => {
                Hint::say("say what to look for: ").run("search", &[("query", "what did we decide about X")])
            }
            Self::NotAPlace { .. } => "write it as PATH#L40, for example memory/2026-07-14.md#L40".into(),
            Self::TooBig { tokens, .. } => format!("give it at least {tokens} tokens").into(),
        }
    }
}
