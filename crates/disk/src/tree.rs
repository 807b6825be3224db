//! The files below a folder, in order. Links are not followed.

use std::path::{Path, PathBuf};

use crate::Error;

const DEEPEST: usize = 32;

/// Every regular file below `root` that `takes` accepts, or `root` itself if it is a file. Folders that `enters` rejects
/// are skipped.
pub fn files(
    root: &Path,
    enters: &dyn Fn(&str) -> bool,
    takes: &dyn Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    if root.is_file() {
        all.push(root.to_owned());
    } else {
        walk(root, enters, takes, 0, &mut all)?;
    }
    all.sort();
    Ok(all)
}

fn walk(
    folder: &Path,
    enters: &dyn Fn(&str) -> bool,
    takes: &dyn Fn(&Path) -> bool,
    depth: usize,
    all: &mut Vec<PathBuf>,
) -> Result<(), Error> {
    let io = Error::at(folder);
    for entry in std::fs::read_dir(folder).map_err(&io)? {
        let entry = entry.map_err(&io)?;
        let path = entry.path();
        let kind = entry.file_type().map_err(&io)?;
        let name = entry.file_name();
        if kind.is_dir() && depth < DEEPEST && name.to_str().is_some_and(enters) {
            walk(&path, enters, takes, depth + 1, all)?;
        } else if kind.is_file() && takes(&path) {
            all.push(path);
        }
    }
    Ok(())
}

/// Whether a file has this extension, in any case.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// A path below another, with `/`.
pub fn below(root: &Path, path: &Path) -> Option<String> {
    let rest = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = rest.components().map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/")).filter(|rest| !rest.is_empty())
}
