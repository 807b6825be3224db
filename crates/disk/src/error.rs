//! A failed file operation: the file, and the system's error.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct Error {
    pub path: PathBuf,
    pub source: io::Error,
}

impl Error {
    /// For `map_err`: adds the file to the system's error.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self { path: path.to_owned(), source }
    }
}
