//! Files that may be missing: absence is an answer, every other failure an error.

use std::fs::DirEntry;
use std::io;
use std::path::Path;

/// `None` for what does not exist.
pub fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// What a folder holds; nothing if it does not exist.
pub fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    if_there(std::fs::read_dir(folder))?.map_or_else(|| Ok(Vec::new()), Iterator::collect)
}

/// Removes a file, if it exists.
pub fn remove_file(path: &Path) -> io::Result<()> {
    if_there(std::fs::remove_file(path)).map(drop)
}
