//! What can go wrong with QMD. A search does not fail for it: the built-in index answers, and this is the reason.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mindfile::Error;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("{} was not found", command.display())]
    Missing { command: PathBuf },
    #[error("{} cannot be started: {source}", command.display())]
    NotStarted { command: PathBuf, source: io::Error },
    #[error("`qmd {what}` {ended}{}", after(said))]
    Ended { what: String, ended: String, said: String },
    #[error("`qmd {what}` took longer than {} ms", after.as_millis())]
    TimedOut { what: String, after: Duration },
    #[error("`qmd {what}` answered with more than {limit} bytes")]
    TooMuch { what: String, limit: usize },
    #[error("`qmd {what}` did not answer with JSON: {why}")]
    NotJson { what: String, why: String },
    #[error("QMD's server: {what}")]
    Server { what: String },
    #[error("searchMode {mode:?} needs QMD's models, and {} has {found} of {needed}", folder.display())]
    NoModels { mode: &'static str, folder: PathBuf, found: usize, needed: usize },
    #[error("QMD has nothing to search: {why}")]
    NoCollections { why: String },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// The notes cannot be looked at, which is no failure of QMD.
    #[error(transparent)]
    Notes(Box<Error>),
    #[error("another process updates QMD's index and has not finished")]
    Busy,
}

impl Trouble {
    /// The same where the whole had more time than its last step.
    pub(crate) fn within(self, whole: Duration) -> Self {
        if let Self::TimedOut { what, .. } = self { Self::TimedOut { what, after: whole } } else { self }
    }

    pub(crate) fn notes(error: impl Into<Error>) -> Self {
        Self::Notes(Box::new(error.into()))
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

fn after(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}
