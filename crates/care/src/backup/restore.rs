//! Restores a backup. The whole archive and every file in the way are checked before the first byte is written.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;

use crate::Error;
use mindfile::archive::{self, Member};
use mindfile::forget::SieveOutcome;
use mindfile_disk::Error as Disk;
use mindfile_disk::absent::if_there;
use mindfile_disk::durable;

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
pub struct RestoreReport {
    pub written: usize,
    /// Files that were there already, with the same bytes.
    pub already: usize,
    pub overwritten: usize,
    /// Files of which something stays away because it was forgotten.
    pub withheld: Vec<WithheldFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithheldFile {
    /// As it is called in the archive.
    pub name: String,
    pub lines: usize,
}

/// What is restored of a file.
pub(super) type Sift<'a> = dyn Fn(&str, &[u8]) -> SieveOutcome + 'a;

/// Restores what `sift` leaves of a backup. Files that differ are overwritten only with `force`.
pub(super) fn unpack(
    file: &Path,
    places: &Places,
    force: bool,
    sift: &Sift<'_>,
) -> Result<RestoreReport, Error> {
    let mut wanted = Vec::new();
    archive::each::<Error>(file, &mut |entry| {
        wanted.extend(left(entry, sift).map(|bytes| (entry.listed.path.clone(), Digest::of(&bytes))));
        Ok(())
    })?;
    let mut in_the_way = Vec::new();
    for (name, digest) in &wanted {
        let path = places.of(name);
        refuse_links(file, places, name)?;
        match standing(&path, *digest)? {
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
    let mut done = RestoreReport::default();
    archive::each(file, &mut |entry| put(entry, places, sift, &mut done))?;
    Ok(done)
}

/// The bytes that are restored; none if the file is left out.
fn left<'a>(entry: &Member<'a>, sift: &Sift<'_>) -> Option<Cow<'a, [u8]>> {
    match sift(&entry.listed.path, entry.bytes) {
        SieveOutcome::Same => Some(Cow::Borrowed(entry.bytes)),
        SieveOutcome::Other(bytes, _) => Some(Cow::Owned(bytes)),
        SieveOutcome::Gone(_) => None,
    }
}

enum Standing {
    Absent,
    Same,
    Other,
}

fn standing(path: &Path, wanted: Digest) -> Result<Standing, Error> {
    Ok(match if_there(std::fs::read(path)).map_err(Disk::at(path))? {
        Some(bytes) if Digest::of(&bytes) == wanted => Standing::Same,
        Some(_) => Standing::Other,
        None => Standing::Absent,
    })
}

fn put(entry: &Member<'_>, places: &Places, sift: &Sift<'_>, done: &mut RestoreReport) -> Result<(), Error> {
    let name = &entry.listed.path;
    match sift(name, entry.bytes) {
        SieveOutcome::Other(_, lines @ 1..) | SieveOutcome::Gone(lines @ 1..) => {
            done.withheld.push(WithheldFile { name: name.clone(), lines });
        }
        SieveOutcome::Same | SieveOutcome::Other(..) | SieveOutcome::Gone(_) => {}
    }
    let Some(bytes) = left(entry, sift) else { return Ok(()) };
    let path = places.of(name);
    let count = match standing(&path, Digest::of(&bytes))? {
        Standing::Same => {
            done.already += 1;
            return Ok(());
        }
        Standing::Absent => &mut done.written,
        Standing::Other => &mut done.overwritten,
    };
    *count += 1;
    let io = Disk::at(&path);
    durable::replace(&path, &bytes).map_err(&io)?;
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
            return Err(archive::Error::Unsafe { path: file.to_owned(), name: name.to_owned(), what }.into());
        }
    }
    Ok(())
}
