use std::io;
use std::path::PathBuf;

/// Why something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// A file that is not in the format of its data set.
    #[error("{}: {what}", path.display())]
    Dataset { path: PathBuf, what: String },
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Memory(#[from] mindfile::Error),
    #[error(transparent)]
    Care(#[from] mindfile_care::Error),
}

impl Error {
    /// A temporary folder that cannot be made.
    pub fn scratch(source: io::Error) -> Self {
        Self::Io { path: std::env::temp_dir(), source }
    }
}
