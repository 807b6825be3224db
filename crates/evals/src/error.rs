use std::io;
use std::path::PathBuf;

/// A measurement that failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// A file does not have its data set's format.
    #[error("{}: {what}", path.display())]
    Dataset { path: PathBuf, what: String },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Memory(#[from] mindfile::Error),
    #[error(transparent)]
    Ranking(#[from] mindfile_ranking::Error),
    #[error(transparent)]
    Care(Box<mindfile_care::Error>),
}

impl From<mindfile_care::Error> for Error {
    fn from(error: mindfile_care::Error) -> Self {
        Self::Care(Box::new(error))
    }
}

impl Error {
    /// A temporary folder could not be created.
    pub fn scratch(source: io::Error) -> Self {
        Self::Io { path: std::env::temp_dir(), source }
    }
}
