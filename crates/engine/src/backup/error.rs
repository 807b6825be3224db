//! Why a backup cannot be made or trusted.

use std::path::PathBuf;

use crate::fault::{Fault, Hint};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} is there already", path.display())]
    Exists { path: PathBuf },
    #[error("{} is not a backup of mindfile: {what}", path.display())]
    NotABackup { path: PathBuf, what: String },
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("{} holds {name:?}, which is refused: {what}", path.display())]
    Unsafe { path: PathBuf, name: String, what: &'static str },
    #[error("{count} files are there already and differ, such as {}", first.display())]
    Differs { count: usize, first: PathBuf },
    #[error("{} has another key than {}, and something was forgotten there", path.display(), key.display())]
    OtherKey { path: PathBuf, key: PathBuf },
    #[error("{} was changed while it was read", path.display())]
    Moving { path: PathBuf },
    #[error("what was restored answers otherwise than what is here: {question:?}")]
    Answers { question: String },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}

impl Error {
    pub fn fault(&self) -> Fault {
        match self {
            Self::Exists { .. }
            | Self::NotABackup { .. }
            | Self::Unsafe { .. }
            | Self::Differs { .. }
            | Self::OtherKey { .. } => Fault::Caller,
            Self::Damaged { .. } | Self::Moving { .. } | Self::Answers { .. } | Self::Io { .. } => {
                Fault::Environment
            }
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Exists { .. } => Some("name another file; a backup is never overwritten".into()),
            Self::NotABackup { .. } | Self::Io { .. } => None,
            Self::Damaged { .. } | Self::Unsafe { .. } => {
                Some("nothing was written; use another copy of the backup".into())
            }
            Self::Differs { .. } => {
                let hint =
                    Hint::say("nothing was written; ").field("into").and(" DIR restores beside them, ");
                Some(hint.field("force").and(" overwrites them"))
            }
            Self::OtherKey { .. } => {
                let hint = Hint::say("nothing was written; it is the backup of another memory: ");
                Some(hint.field("into").and(" DIR restores it beside this one"))
            }
            Self::Moving { .. } => Some("run the same command again".into()),
            Self::Answers { .. } => Some("the files are the same: please report it".into()),
        }
    }
}
