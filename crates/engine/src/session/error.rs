//! Why a conversation cannot be read or written.

use crate::fault::Hint;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("there is no session \"{session}\"")]
    NoSession { session: String },
    #[error("session \"{session}\" is in OpenClaw's database, which is only read")]
    ReadOnly { session: String },
    #[error("a message needs a role and text: {what}")]
    NotAMessage { what: String },
}

impl Error {
    pub fn hint(&self) -> Hint {
        match self {
            Self::NoSession { .. } => {
                Hint::say("`").run("session list", &[]).and("` shows those that are there")
            }
            Self::ReadOnly { .. } => {
                Hint::say("begin another one: ").run("session append", &[("session", "NEW-ID")]).and(" …")
            }
            Self::NotAMessage { .. } => {
                "for example {\"role\":\"user\",\"content\":\"hello\"}, one a line".into()
            }
        }
    }
}
