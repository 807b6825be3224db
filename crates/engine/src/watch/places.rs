//! The folders that are watched: the workspace itself, `memory` and `bank` with all in them, and the extra paths.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use mindfile_workspace::Workspace;
use notify::{Config, ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::Degraded;
use super::signal::Inbox;
use crate::lookout::network;

pub(super) struct Places {
    /// `None` where the system gives no watcher at all.
    watcher: Option<RecommendedWatcher>,
    places: Vec<Place>,
    unavailable: Option<Degraded>,
}

struct Place {
    path: PathBuf,
    mode: RecursiveMode,
    /// Device and inode of what is watched there now.
    armed: Option<(u64, u64)>,
}

pub(super) struct Armed {
    /// A place that was not there is, or is another one, or is gone.
    pub(super) changed: bool,
    pub(super) degraded: Vec<Degraded>,
}

impl Places {
    pub(super) fn new(workspace: &Workspace, inbox: Inbox) -> Self {
        let config = Config::default().with_follow_symlinks(false);
        let made = RecommendedWatcher::new(move |event| inbox.put(event), config);
        let unavailable = made.as_ref().err().map(|error| Degraded::NoWatches { why: error.to_string() });
        let root = workspace.root();
        let mut places = vec![Place::new(root.to_owned(), RecursiveMode::NonRecursive)];
        let folders =
            ["memory", "bank"].map(|name| root.join(name)).into_iter().chain(workspace.extra_paths());
        places.extend(folders.map(|path| Place::new(path, RecursiveMode::Recursive)));
        Self { watcher: made.ok(), places, unavailable }
    }

    /// Nothing is watched, and nobody misses it.
    pub(super) fn none() -> Self {
        Self { watcher: None, places: Vec::new(), unavailable: None }
    }

    pub(super) fn arm(&mut self, all: bool) -> Armed {
        let mut armed = Armed { changed: false, degraded: self.unavailable.iter().cloned().collect() };
        let Some(watcher) = &mut self.watcher else { return armed };
        for place in &mut self.places {
            place.arm(watcher, all, &mut armed);
        }
        armed
    }
}

impl Place {
    fn new(path: PathBuf, mode: RecursiveMode) -> Self {
        Self { path, mode, armed: None }
    }

    fn arm(&mut self, watcher: &mut RecommendedWatcher, all: bool, armed: &mut Armed) {
        let found = identity(&self.path);
        if found == self.armed && !all {
            return;
        }
        armed.changed |= found != self.armed;
        self.armed = found;
        if found.is_none() {
            return;
        }
        let kind = network(&self.path);
        let degraded = kind.map(|kind| Degraded::NetworkFileSystem { path: self.path.clone(), kind });
        armed.degraded.extend(degraded);
        match watcher.watch(self.watched(), self.mode).map_err(|error| (error.to_string(), error.kind)) {
            Ok(()) => {}
            Err((_, ErrorKind::PathNotFound)) => self.armed = None,
            Err((why, _)) => armed.degraded.push(Degraded::NoWatches { why }),
        }
    }

    /// A single file is watched through its folder: editors put a new file in its place.
    fn watched(&self) -> &Path {
        let folder = if self.path.is_dir() { None } else { self.path.parent() };
        folder.unwrap_or(&self.path)
    }
}

/// Links are not followed: what lies behind them is not memory.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::symlink_metadata(path).ok()?;
    (!found.is_symlink()).then(|| (found.dev(), found.ino()))
}
