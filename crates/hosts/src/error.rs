//! Why a host's files cannot be read or changed, and why an import fails. Bad rows of an import are in its report.

use std::path::PathBuf;

use mindfile_fault::{Explain, Fault, Hint, Spelling};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Memory(mindfile::Error),
    #[error("{} cannot be read as {format}: {what}", path.display())]
    Unreadable { path: PathBuf, format: &'static str, what: String },
    #[error("{} cannot be changed: {what}", path.display())]
    CannotEdit { path: PathBuf, what: String },
    #[error("{} was changed by someone else meanwhile", path.display())]
    Changed { path: PathBuf },
    #[error("{host} has no settings of a project")]
    NoProject { host: &'static str },
    #[error("{} is in no git repository", path.display())]
    NoRepository { path: PathBuf },
    #[error("{path} is no text")]
    NoText { path: String },
    #[error("what a hook is given must be a JSON object: {what}")]
    NotACall { what: String },
    #[error("there is nothing at {}", path.display())]
    Missing { path: PathBuf },
    #[error("{} is this memory itself", path.display())]
    Own { path: PathBuf },
    #[error("{} holds nothing that can be taken over: {what}", path.display())]
    Nothing { path: PathBuf, what: &'static str },
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
            Self::Unreadable { .. }
            | Self::CannotEdit { .. }
            | Self::NoProject { .. }
            | Self::NoRepository { .. }
            | Self::NoText { .. }
            | Self::NotACall { .. }
            | Self::Missing { .. }
            | Self::Own { .. }
            | Self::Nothing { .. } => Fault::Caller,
            Self::Changed { .. } => Fault::Environment,
        }
    }

    fn code(&self) -> Option<&'static str> {
        if let Self::Memory(error) = self { error.code() } else { None }
    }

    fn hint(&self) -> Option<Hint> {
        match self {
            Self::Memory(error) => error.hint(),
            Self::Unreadable { .. } => Some("mend the file first; nothing was changed".into()),
            Self::CannotEdit { .. } => Some("nothing was changed; add the entry by hand".into()),
            Self::Changed { .. } => Some("nothing of it was overwritten; run the same command again".into()),
            Self::NoProject { .. } => Some(Hint::say("install it without ").field("project")),
            Self::Missing { .. } | Self::Nothing { .. } => {
                Some("docs/moving.md says where each program keeps its memory".into())
            }
            Self::Own { .. } => Some("it is used already; nothing has to be taken over".into()),
            Self::NoRepository { .. } => Some("`git init` makes it one".into()),
            Self::NoText { .. } => Some("git keeps both versions; choose one of them".into()),
            Self::NotACall { .. } => None,
        }
    }

    fn spelled(&self, spelling: &dyn Spelling) -> String {
        if let Self::Memory(error) = self { error.spelled(spelling) } else { self.to_string() }
    }
}
