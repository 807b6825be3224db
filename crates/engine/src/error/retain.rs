//! Why a fact cannot be kept as it was given.

use mindfile_fault::Hint;
use mindfile_ranking::Code;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("the fact has no text")]
    Empty,
    #[error("the fact is {bytes} bytes long; it must be at most {limit}")]
    TooLong { bytes: usize, limit: usize },
    #[error("{entity:?} is not an entity's name: {why}")]
    NotAnEntity { entity: String, why: &'static str },
    #[error("EDUPFACTS: {} as ^{id} in {path}:{line}: {text}", if *.exact { "already known" } else { "nearly the same is known" })]
    Duplicate { id: String, path: String, line: u32, text: String, exact: bool },
    #[error("\"{key}\" is at version {found}, not {expected}")]
    OtherVersion { key: String, expected: u32, found: u32 },
}

impl Error {
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Duplicate { .. } => Some(Code::DuplicateFacts.as_str()),
            Self::Empty | Self::TooLong { .. } | Self::NotAnEntity { .. } | Self::OtherVersion { .. } => None,
        }
    }

    pub fn hint(&self) -> Hint {
        match self {
            Self::Empty => Hint::say("say what to keep: ").run("retain", &[("text", "Sarah leads the team")]),
            Self::TooLong { .. } => "a fact is one sentence; write longer text into a note of its own".into(),
            Self::NotAnEntity { .. } => "name a person or a thing, such as Sarah or slow-endpoint".into(),
            Self::Duplicate { .. } => Hint::say("to write it all the same: ").field("force"),
            Self::OtherVersion { key, .. } => {
                Hint::say("look at the value that is there now: ").run("inspect", &[("name", key.as_str())])
            }
        }
    }
}
