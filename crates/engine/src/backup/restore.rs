//! Putting a backup back. The whole archive is checked, and every file that is in the way is looked at, before the first
//! byte is written.

use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;

use super::archive::{self, Entry, Listed};
use super::error::Error;
use crate::durable;

/// Where the two parts of a backup go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    pub workspace: PathBuf,
    pub state: PathBuf,
}

impl Places {
    /// Both below one folder.
    pub fn below(folder: &Path) -> Self {
        Self { workspace: folder.join("workspace"), state: folder.join("state") }
    }

    pub(super) fn of(&self, name: &str) -> PathBuf {
        match name.split_once('/') {
            Some(("workspace", rest)) => self.workspace.join(rest),
            Some((_, rest)) => self.state.join(rest),
            None => self.state.join(name),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restored {
    pub written: usize,
    /// Files that were there already, with the same bytes.
    pub already: usize,
    pub overwritten: usize,
}

/// Restores a backup. Files that differ are overwritten only with `force`.
pub fn restore(file: &Path, places: &Places, force: bool) -> Result<Restored, Error> {
    let listed = archive::each(file, &mut |_| Ok(()))?;
    let mut in_the_way = Vec::new();
    for one in &listed {
        let path = places.of(&one.path);
        refuse_links(file, places, &one.path)?;
        match standing(&path, one)? {
            Standing::Other => in_the_way.push(path),
            Standing::Absent | Standing::Same => {}
        }
    }
    match in_the_way.first() {
        Some(first) if !force => {
            return Err(Error::Differs { count: in_the_way.len(), first: first.clone() });
        }
        Some(_) | None => {}
    }
    let mut done = Restored::default();
    archive::each(file, &mut |entry| put(entry, places, &mut done))?;
    Ok(done)
}

enum Standing {
    Absent,
    Same,
    Other,
}

fn standing(path: &Path, listed: &Listed) -> Result<Standing, Error> {
    match std::fs::read(path) {
        Ok(bytes) if Digest::of(&bytes).to_string() == listed.sha256 => Ok(Standing::Same),
        Ok(_) => Ok(Standing::Other),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Standing::Absent),
        Err(source) => Err(Error::Io { path: path.to_owned(), source }),
    }
}

fn put(entry: &Entry<'_>, places: &Places, done: &mut Restored) -> Result<(), Error> {
    let path = places.of(&entry.listed.path);
    let count = match standing(&path, &entry.listed)? {
        Standing::Same => {
            done.already += 1;
            return Ok(());
        }
        Standing::Absent => &mut done.written,
        Standing::Other => &mut done.overwritten,
    };
    *count += 1;
    let io = |source| Error::Io { path: path.clone(), source };
    durable::replace(&path, entry.bytes).map_err(io)?;
    if entry.mode & 0o100 != 0 {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).map_err(io)?;
    }
    Ok(())
}

/// Nothing is written through a link that stands on the way: it may lead anywhere.
fn refuse_links(file: &Path, places: &Places, name: &str) -> Result<(), Error> {
    let (root, rest) = match name.split_once('/') {
        Some(("workspace", rest)) => (&places.workspace, rest),
        Some((_, rest)) => (&places.state, rest),
        None => (&places.state, name),
    };
    let mut path = root.clone();
    for part in Path::new(rest).components() {
        path.push(part);
        if std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            let what = "a link is in its place";
            return Err(Error::Unsafe { path: file.to_owned(), name: name.to_owned(), what });
        }
    }
    Ok(())
}
