//! What a sync would change, judged by names and times alone.

use std::collections::BTreeMap;

use mindfile_index::{FileStat, Source, StoredNote};

use mindfile::reconcile;
use mindfile_workspace::{Scan, Stat, Workspace};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Drift {
    pub new: Vec<String>,
    pub changed: Vec<String>,
    pub removed: Vec<String>,
    /// Gone from the disk, but so many at once that a sync keeps them.
    pub held: Vec<String>,
    /// Unchanged by their times, but saved so shortly before they were read that the next sync looks again.
    pub recheck: usize,
}

impl Drift {
    pub fn is_dirty(&self) -> bool {
        !(self.new.is_empty() && self.changed.is_empty() && self.removed.is_empty())
    }
}

/// Without a workspace nothing can be said to have changed.
pub(crate) fn compare(seen: Option<(&Workspace, &Scan)>, known: &[StoredNote]) -> Drift {
    let Some((workspace, scan)) = seen else { return Drift::default() };
    let mut drift = Drift::default();
    let own = known.iter().filter(|note| note.source == Source::Memory);
    let mut gone: BTreeMap<&str, &StoredNote> = own.map(|note| (note.path.as_str(), note)).collect();
    let before = gone.len();
    for found in &scan.files {
        let path = found.path.as_str();
        match gone.remove(path) {
            None => drift.new.push(path.to_owned()),
            Some(note) if !is_same(&note.stat, &found.stat) => drift.changed.push(path.to_owned()),
            Some(note) => drift.recheck += usize::from(note.racy),
        }
    }
    let is_gone = |path: &&str| workspace.is_memory_path(path).map_or(true, |path| scan.covers(&path));
    drift.removed = gone.into_keys().filter(is_gone).map(str::to_owned).collect();
    if reconcile::is_held_back(drift.removed.len(), before, scan.files.len(), drift.new.len()) {
        drift.held = std::mem::take(&mut drift.removed);
    }
    drift
}

pub(super) fn is_same(known: &FileStat, found: &Stat) -> bool {
    let Stat { mtime_ns, ctime_ns, size, inode } = *found;
    *known == FileStat { mtime_ns, ctime_ns, size, inode }
}
