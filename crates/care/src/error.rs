//! Why a backup cannot be made or trusted, and why a data set cannot be read.

use std::path::PathBuf;

use mindfile_fault::{Explain, Fault, Hint, Spelling};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Memory(mindfile::Error),
    #[error("{} is there already", path.display())]
    Exists { path: PathBuf },
    #[error("{count} files are there already and differ, such as {}", first.display())]
    Differs { count: usize, first: PathBuf },
    #[error("{} has another key than {}, and something was forgotten there", path.display(), key.display())]
    OtherKey { path: PathBuf, key: PathBuf },
    #[error("{} was changed while it was read", path.display())]
    Moving { path: PathBuf },
    #[error("what was restored answers otherwise than what is here: {question:?}")]
    Answers { question: String },
    #[error("{}: {what}", path.display())]
    Dataset { path: PathBuf, what: String },
}

impl<E: Into<mindfile::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Memory(error.into())
    }
}

impl Explain for Error {
    fn fault(&self) -> Fault {
        match self {
            Self::Memory(error) => error.fault(),
            Self::Exists { .. } | Self::Differs { .. } | Self::OtherKey { .. } | Self::Dataset { .. } => {
                Fault::Caller
            }
            Self::Moving { .. } | Self::Answers { .. } => Fault::Environment,
        }
    }

    fn code(&self) -> Option<&'static str> {
        if let Self::Memory(error) = self { error.code() } else { None }
    }

    fn hint(&self) -> Option<Hint> {
        match self {
            Self::Memory(error) => error.hint(),
            Self::Exists { .. } => Some("name another file; a backup is never overwritten".into()),
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
            Self::Dataset { .. } => Some("see docs/evals.md for the formats".into()),
        }
    }

    fn spelled(&self, spelling: &dyn Spelling) -> String {
        if let Self::Memory(error) = self { error.spelled(spelling) } else { self.to_string() }
    }
}
