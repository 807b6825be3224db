//! What a memory can fail with: the failures of its features, and whose fault each is.

mod date;
mod denial;
pub(crate) mod fact;
pub(crate) mod reflect;
pub(crate) mod retain;

use std::path::PathBuf;

use mindfile_fault::{Explain, Fault, Hint, OutOfRange, Spelling};
use mindfile_settings::SwitchedOff;
use mindfile_trust::policy::NeverStore;
use mindfile_trust::vault::KeyError;
use mindfile_workspace::transcripts::SessionError;
use mindfile_workspace::{self as workspace, key_fault, key_hint};

pub use date::NotADate;
pub use denial::Denial;

use crate::archive;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Config(#[from] mindfile_settings::Error),
    #[error(transparent)]
    Workspace(#[from] workspace::Error),
    #[error(transparent)]
    Archive(#[from] archive::Error),
    #[error(transparent)]
    Index(#[from] mindfile_index::Error),
    #[error(transparent)]
    Model(#[from] mindfile_model::Error),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error(transparent)]
    Denied(#[from] Denial),
    #[error(transparent)]
    Question(mindfile_ranking::Error),
    #[error(transparent)]
    When(#[from] NotADate),
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    #[error(transparent)]
    Retain(#[from] retain::Error),
    #[error(transparent)]
    Fact(#[from] fact::Error),
    #[error(transparent)]
    Reflect(#[from] reflect::Error),
    #[error(transparent)]
    Session(SessionError),
    #[error("memory is switched off for agent \"{agent}\": {}", off.why)]
    Disabled { agent: String, off: SwitchedOff },
    #[error("session {session} is sandboxed and may not write to the workspace: {why}")]
    Sandboxed { session: String, why: String },
    #[error("stopped before it was finished")]
    Interrupted,
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Disk(#[from] mindfile_disk::Error),
    #[error("a bug in mindfile: {what}")]
    Bug { what: String },
}

impl Explain for Error {
    fn fault(&self) -> Fault {
        match self {
            Self::Config(error) => error.fault(),
            Self::Workspace(error) => error.fault(),
            Self::Archive(error) => error.fault(),
            Self::Key(error) => key_fault(error),
            Self::Reflect(error) => error.fault(),
            Self::Session(error) => error.fault(),
            Self::Model(error) => error.fault(),
            Self::Denied(_)
            | Self::Question(_)
            | Self::When(_)
            | Self::OutOfRange(_)
            | Self::Retain(_)
            | Self::Fact(_)
            | Self::Disabled { .. }
            | Self::Sandboxed { .. } => Fault::Caller,
            Self::Index(_) | Self::Interrupted | Self::Disk(_) | Self::Io { .. } => Fault::Environment,
            Self::Bug { .. } => Fault::Bug,
        }
    }

    fn code(&self) -> Option<&'static str> {
        match self {
            Self::Question(error) => error.code(),
            Self::Retain(error) => error.code(),
            Self::Fact(error) => error.code(),
            Self::Reflect(error) => error.code(),
            Self::Config(_)
            | Self::Workspace(_)
            | Self::Archive(_)
            | Self::Index(_)
            | Self::Model(_)
            | Self::Key(_)
            | Self::Denied(_)
            | Self::When(_)
            | Self::OutOfRange(_)
            | Self::Session(_)
            | Self::Disabled { .. }
            | Self::Sandboxed { .. }
            | Self::Interrupted
            | Self::Disk(_)
            | Self::Io { .. }
            | Self::Bug { .. } => None,
        }
    }

    fn hint(&self) -> Option<Hint> {
        match self {
            Self::Config(error) => error.hint(),
            Self::Workspace(error) => error.hint(),
            Self::Archive(error) => error.hint(),
            Self::Model(mindfile_model::Error::Overflow { .. }) => {
                Some(Hint::say("compact it: ").run("session compact", &[("session", "ID"), ("overflow", "")]))
            }
            Self::Model(error) => error.hint().map(Hint::from),
            Self::Key(error) => key_hint(error).map(Hint::from),
            Self::Index(error) => Some(index_hint(error)),
            Self::Denied(error) => error.hint(),
            Self::Question(error) => error.hint(),
            Self::When(error) => Some(error.hint()),
            Self::Retain(error) => Some(error.hint()),
            Self::Fact(error) => Some(error.hint()),
            Self::Reflect(error) => error.hint(),
            Self::Session(error) => error.hint(),
            Self::Disabled { off: SwitchedOff { on: (key, value), .. }, .. } => Some(Hint::set(key, *value)),
            Self::Sandboxed { .. } => Some(Hint::set("sandbox.workspaceAccess", "rw")),
            Self::Interrupted => Some("run the same command again: it goes on where it stopped".into()),
            Self::Bug { .. } => Some("please report it with the command that led here".into()),
            Self::OutOfRange(_) | Self::Disk(_) | Self::Io { .. } => None,
        }
    }

    fn spelled(&self, spelling: &dyn Spelling) -> String {
        if let Self::OutOfRange(error) = self { error.spelled(spelling) } else { self.to_string() }
    }
}

fn index_hint(error: &mindfile_index::Error) -> Hint {
    use mindfile_index::Error as Index;
    match error {
        Index::Damaged { .. } | Index::Version { .. } | Index::Moved { .. } | Index::Dimensions { .. } => {
            Hint::say("`").run("index", &[("force", "")]).and("` makes it again from the notes")
        }
        Index::Foreign { .. } => "choose another place with memorySearch.store.path".into(),
        Index::OldSqlite { .. } => "build mindfile with its bundled SQLite".into(),
        Index::NoWal { .. } => Hint::say("move the index to a local disk: ").and_set("store.path", "PATH"),
        Index::NotFinite => "the embedding model gave an unusable vector: check the model".into(),
        Index::Superseded => "run the same command again".into(),
        Index::Unusable { hint, .. } => hint.clone().into(),
        Index::Unavailable { .. } => {
            Hint::say("see that it runs and can be reached; the built-in index is there without it: ")
                .and_set("memory.backend", "builtin")
        }
        Index::Engine { .. } => Hint::say("look at its log; the built-in index is there without it: ")
            .and_set("memory.backend", "builtin"),
        Index::Deadline => "ask with fewer words, or raise query.deadlineMs".into(),
        Index::Io { .. } | Index::Sqlite { .. } => {
            "check the disk and the permissions of the state directory".into()
        }
    }
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Id(error) => error.into(),
            SessionError::Disk(error) => error.into(),
            error @ (SessionError::NoSession { .. }
            | SessionError::ReadOnly { .. }
            | SessionError::NotAMessage { .. }
            | SessionError::Database { .. }) => Self::Session(error),
        }
    }
}

impl From<mindfile_ranking::Error> for Error {
    fn from(error: mindfile_ranking::Error) -> Self {
        match error {
            mindfile_ranking::Error::Index(error) => error.into(),
            mindfile_ranking::Error::OutOfRange(error) => error.into(),
            mindfile_ranking::Error::Bug { what } => Self::Bug { what },
            error @ (mindfile_ranking::Error::Empty
            | mindfile_ranking::Error::NotAPlace { .. }
            | mindfile_ranking::Error::TooBig { .. }) => Self::Question(error),
        }
    }
}

impl From<NeverStore> for Error {
    fn from(NeverStore { what, rule }: NeverStore) -> Self {
        Denial::NeverStore { what, rule }.into()
    }
}
