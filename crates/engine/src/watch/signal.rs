//! From what the system says about a path to whether notes may have changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use notify::EventKind;
use notify::event::{CreateKind, ModifyKind, RemoveKind};

use mindfile_workspace::is_watched_name;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Change,
    Folders,
    Overflow,
    Failed(String),
}

/// Where the system's watcher puts its events, on its own thread. It holds few of them: one that finds no room only
/// says that there were more.
#[derive(Clone)]
pub(super) struct Inbox {
    root: PathBuf,
    sender: SyncSender<Signal>,
    overflowed: Arc<AtomicBool>,
}

impl Inbox {
    pub(super) fn new(root: &Path) -> (Self, Receiver<Signal>) {
        let (sender, receiver) = sync_channel(256);
        (Self { root: root.to_owned(), sender, overflowed: Arc::default() }, receiver)
    }

    pub(super) fn put(&self, event: notify::Result<notify::Event>) {
        let signal = match event {
            Ok(event) => classify(&self.root, &event),
            Err(error) => Some(Signal::Failed(error.to_string())),
        };
        match signal.map(|signal| self.sender.try_send(signal)) {
            Some(Err(TrySendError::Full(_))) => self.overflowed.store(true, Ordering::Relaxed),
            // A watcher that is being dropped may speak once more to a loop that has ended.
            Some(Err(TrySendError::Disconnected(_)) | Ok(())) | None => {}
        }
    }

    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed.swap(false, Ordering::Relaxed)
    }
}

/// `None` for what cannot concern a note: reading, hidden files, the temporary files of editors, files of other kinds.
pub(super) fn classify(root: &Path, event: &notify::Event) -> Option<Signal> {
    if event.need_rescan() {
        return Some(Signal::Overflow);
    }
    if matches!(event.kind, EventKind::Access(_)) {
        return None;
    }
    let all = event.paths.iter().filter_map(|path| judge(root, path, event.kind));
    all.reduce(|a, b| if a == Signal::Folders { a } else { b })
}

fn judge(root: &Path, path: &Path, kind: EventKind) -> Option<Signal> {
    let rel = path.strip_prefix(root).unwrap_or(path);
    // Outside the workspace only the name counts: hidden folders on the way to an extra path are the user's choice.
    let hidden = match path.strip_prefix(root) {
        Ok(rel) => rel.iter().any(is_hidden),
        Err(_outside) => path.file_name().is_some_and(is_hidden),
    };
    let top = rel.iter().count() == 1 && rel != path;
    if hidden || (top && !rel.to_str().is_some_and(is_watched_name)) {
        return None;
    }
    if is_folder(path, kind) {
        return Some(Signal::Folders);
    }
    path.extension().is_some_and(|ending| ending == "md").then_some(Signal::Change)
}

fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// A folder that came, went or was renamed. What is gone can only be told by how the system called it, and a name
/// that went could have been a folder's unless it is a note's.
fn is_folder(path: &Path, kind: EventKind) -> bool {
    let note = path.extension().is_some_and(|ending| ending == "md");
    match kind {
        EventKind::Create(CreateKind::Folder) | EventKind::Remove(RemoveKind::Folder) => true,
        EventKind::Create(CreateKind::File) | EventKind::Remove(RemoveKind::File) => false,
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)) | EventKind::Remove(_) => {
            std::fs::symlink_metadata(path).map_or(!note, |found| found.is_dir())
        }
        EventKind::Any | EventKind::Other | EventKind::Access(_) | EventKind::Modify(_) => false,
    }
}
