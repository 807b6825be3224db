//! What changed among the notes, without looking at them.
//!
//! Linux queues a change before the call that made it returns. Whoever reads the queue before an answer therefore knows of
//! everything that was saved before the question. That holds while every folder is watched, no event was lost and nobody but
//! this machine writes there; where it does not, [`Lookout::look`] says nothing, and the notes are walked.

mod ears;
mod network;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mindfile_workspace::{NotePath, Workspace, is_leftover_name, is_watched_name};

use ears::{Ears, Heard, Kind};
pub(crate) use network::network;

/// How often watching begins again because folders came meanwhile.
const ATTEMPTS: usize = 4;
/// More changed notes are not kept apart.
const MOST_CHANGED: usize = 4096;

/// Shared by whoever asks the same notes.
#[derive(Default)]
pub struct Lookout(Mutex<Hearing>);

#[derive(Default)]
struct Hearing {
    /// How many changes were heard of; it only grows.
    now: u64,
    /// None while nobody watches.
    post: Option<Post>,
}

struct Post {
    ears: Option<Ears>,
    /// What is watched, as it was found there.
    places: Vec<(PathBuf, Option<(u64, u64)>)>,
    /// Why nothing is known.
    blind: Option<Blind>,
    /// Whether folders came, went or may have.
    restless: bool,
    /// When anything may have changed.
    doubted: u64,
    /// When each note changed that did so since then.
    changed: HashMap<NotePath, u64>,
    /// Hidden files of writes that are not finished, which a walk would finish.
    unfinished: HashSet<(i32, String)>,
}

/// What is known at a moment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    pub(crate) at: u64,
    /// The notes that changed since somebody looked; none where anything may have.
    pub(crate) changed: Option<Vec<NotePath>>,
}

/// Why the notes are walked for every answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blind {
    /// No watch runs in this process.
    Unwatched,
    /// The system allows no more watches, or none at all.
    NoWatches { why: String },
    /// Other machines change files there without this one being told.
    Network { path: PathBuf, kind: &'static str },
    /// What changes a file by another name is not told under this one.
    Names { path: String },
    /// A folder that cannot be listed.
    Unread { path: String },
    /// Folders come and go all the time.
    Restless,
}

impl Lookout {
    /// From now on changes are heard of.
    pub(crate) fn open(&self) {
        let mut state = self.lock();
        state.now += 1;
        let doubted = state.now;
        state.post = Some(Post {
            ears: None,
            places: Vec::new(),
            blind: None,
            restless: true,
            doubted,
            changed: HashMap::new(),
            unfinished: HashSet::new(),
        });
    }

    pub(crate) fn close(&self) {
        self.lock().post = None;
    }

    /// Something changed that was not heard of, or may have. What could not be watched is tried again.
    pub(crate) fn doubt(&self) {
        let mut state = self.lock();
        state.now += 1;
        let now = state.now;
        if let Some(post) = &mut state.post {
            post.doubt(now);
            post.restless = true;
        }
    }

    /// What changed since `seen`. None: nobody knows.
    pub(crate) fn look(&self, workspace: &Workspace, seen: u64) -> Option<Sight> {
        let mut state = self.lock();
        let Hearing { now, post } = &mut *state;
        let post = post.as_mut()?;
        post.listen(workspace, now);
        if post.restless || post.places != places(workspace) {
            post.renew(workspace, now);
        }
        if post.blind.is_some() || !post.unfinished.is_empty() {
            return None;
        }
        let since = |(note, at): (&NotePath, &u64)| (*at > seen).then(|| note.clone());
        let changed = (seen >= post.doubted).then(|| post.changed.iter().filter_map(since).collect());
        Some(Sight { at: *now, changed })
    }

    /// Why notes are walked; none where they are not.
    pub fn blind(&self) -> Option<Blind> {
        self.lock().post.as_ref().map_or(Some(Blind::Unwatched), |post| post.blind.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Hearing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Post {
    fn doubt(&mut self, now: u64) {
        self.doubted = now;
        self.changed.clear();
    }

    /// Watches every folder that there is now.
    fn renew(&mut self, workspace: &Workspace, now: &mut u64) {
        for _ in 0..ATTEMPTS {
            *now += 1;
            self.doubt(*now);
            self.restless = false;
            self.unfinished.clear();
            self.places = places(workspace);
            match watched(workspace) {
                Ok(ears) => (self.ears, self.blind) = (Some(ears), None),
                Err(blind) => (self.ears, self.blind) = (None, Some(blind)),
            }
            self.listen(workspace, now);
            if !self.restless {
                return;
            }
        }
        self.blind = Some(Blind::Restless);
    }

    fn listen(&mut self, workspace: &Workspace, now: &mut u64) {
        let Some(ears) = &self.ears else { return };
        let heard = match ears.listen() {
            Ok(heard) => heard,
            Err(error) => {
                self.blind = Some(Blind::NoWatches { why: error.to_string() });
                return;
            }
        };
        let is_plain = self.places.iter().skip(1).any(|(path, _)| path == workspace.root());
        for Heard { watch, folder, name, kind } in heard {
            if kind == Kind::Lost {
                self.restless = true;
                continue;
            }
            if is_leftover_name(&name) {
                match kind {
                    Kind::Gone => self.unfinished.remove(&(watch, name)),
                    Kind::Lost | Kind::Folder | Kind::Content => self.unfinished.insert((watch, name)),
                };
                continue;
            }
            if name.starts_with('.') {
                continue;
            }
            if kind == Kind::Folder {
                self.restless |= !folder.is_empty() || is_plain || is_watched_name(&name);
                continue;
            }
            let Some(note) = workspace.note_in(&folder, &name) else { continue };
            *now += 1;
            self.changed.insert(note, *now);
        }
        if self.changed.len() > MOST_CHANGED {
            *now += 1;
            self.doubt(*now);
        }
    }
}

/// Ears at every folder of the notes.
fn watched(workspace: &Workspace) -> Result<Ears, Blind> {
    let scan = workspace.scan().map_err(|error| Blind::Unread { path: error.to_string() })?;
    if let Some(path) = scan.unread.first() {
        return Err(Blind::Unread { path: path.clone() });
    }
    if let Some(file) = scan.files.iter().find(|file| file.links > 1) {
        return Err(Blind::Names { path: file.path.to_string() });
    }
    let mut ears = Ears::open().map_err(|why| Blind::NoWatches { why: why.to_string() })?;
    for folder in scan.folders() {
        let path = workspace.root().join(folder);
        if let Some(kind) = network(&path) {
            return Err(Blind::Network { path, kind });
        }
        ears.watch(&path, folder).map_err(|why| Blind::NoWatches { why: why.to_string() })?;
    }
    Ok(ears)
}

/// The workspace and the extra paths, and what stands there now: they are moved by moving a folder above them, of which nobody tells.
fn places(workspace: &Workspace) -> Vec<(PathBuf, Option<(u64, u64)>)> {
    let all = std::iter::once(workspace.root().to_owned()).chain(workspace.extra_paths());
    all.map(|path| {
        let found = path.metadata().ok().map(|found| (found.dev(), found.ino()));
        (path, found)
    })
    .collect()
}

impl fmt::Display for Blind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unwatched => f.write_str("nothing watches them in this process"),
            Self::NoWatches { why } => write!(f, "the system does not tell of changes: {why}"),
            Self::Network { path, kind } => {
                write!(f, "{} is on {kind}, where other machines may write", path.display())
            }
            Self::Names { path } => {
                write!(f, "{path} has another name, by which it may be changed unnoticed")
            }
            Self::Unread { path } => write!(f, "{path} cannot be listed"),
            Self::Restless => f.write_str("folders come and go all the time"),
        }
    }
}

#[cfg(test)]
mod tests;
