//! What can go wrong with a file: the file, and what the system said.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct Error {
    pub path: PathBuf,
    pub source: io::Error,
}

impl Error {
    /// For `map_err`: what the system said, with the file that it is about.
    pub fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self { path: path.to_owned(), source }
    }
}
