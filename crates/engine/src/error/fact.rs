//! Why a fact or an entity cannot be shown or changed.

use mindfile_fault::Hint;

use mindfile_ranking::Code;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("there is no fact ^{id}")]
    NoFact { id: String },
    #[error("ENOENTITY: no fact names @{name}")]
    NoEntity { name: String, near: Option<String> },
    #[error("^{id} is the value of {key}, and a key has one value at a time")]
    Keyed { id: String, key: String },
    #[error("^{id} cannot be settled with itself")]
    Itself { id: String },
    #[error("@{name} is known already")]
    EntityExists { name: String },
}

impl Error {
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::NoEntity { .. } => Some(Code::NoEntity.as_str()),
            Self::NoFact { .. } | Self::Keyed { .. } | Self::Itself { .. } | Self::EntityExists { .. } => {
                None
            }
        }
    }

    pub fn hint(&self) -> Hint {
        match self {
            Self::NoFact { .. } => Hint::say("`").run("recall", &[]).and("` tells the ids of facts"),
            Self::Keyed { key, .. } => {
                Hint::say("to change it: `").run("retain", &[("key", key.as_str())]).and("`")
            }
            Self::Itself { .. } => {
                Hint::say("`").run("disagreements", &[]).and("` lists the facts that do not agree")
            }
            Self::NoEntity { near: Some(near), .. } => {
                Hint::say(format!("did you mean @{near}? `")).run("entities", &[]).and("` lists all of them")
            }
            Self::NoEntity { near: None, .. } => Hint::say("`")
                .run("entities", &[])
                .and("` lists those that facts name; tag one with ")
                .field("entity"),
            Self::EntityExists { name } => Hint::say("to make two entities one: ")
                .run("entities", &[("name", "OLD"), ("merge_into", name.as_str())]),
        }
    }
}
