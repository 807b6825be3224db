//! The origin journal records through which door each text came in. The notes cannot restore it, so it is a text file of
//! its own beside the index.
//!
//! One JSON object per line: `{"at":MILLISECONDS,"door":"import","origin":"untrusted","marks":["…"]}`; `"set":true`
//! overrides earlier lines. Marks are keyed digests, so the journal reveals nothing of the texts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use mindfile_disk::Error;
use mindfile_disk::durable::is_unwritable;
use mindfile_disk::log::{CompactionDue, Log, Sync, Tail};
use mindfile_disk::secret_key::Mark;
use mindfile_note::Origin;
use serde::{Deserialize, Serialize};

use crate::speaker::Door;

/// Bindings that are kept. The oldest of the owner's go first: what nobody knows of is the owner's anyway.
const MOST: usize = 400_000;
/// Marks on one line of the file.
const ON_A_LINE: usize = 256;

/// What is known of a text's way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Binding {
    pub at_ms: i64,
    pub origin: Origin,
    pub door: Door,
}

pub type Bindings = HashMap<Mark, Binding>;

pub struct Origins {
    log: Log,
    known: Mutex<BindingsRead>,
}

/// A binding that is written and may not be on the disk yet.
#[must_use = "what it binds is not to be acknowledged before"]
pub struct UnsyncedBinding<'a>(Option<&'a Origins>);

impl UnsyncedBinding<'_> {
    /// When this returns, it is on the disk.
    pub fn settle(&self) -> Result<(), Error> {
        let Some(origins) = self.0 else { return Ok(()) };
        origins.log.settle()
    }
}

/// What was read so far.
#[derive(Default)]
struct BindingsRead {
    tail: Option<Tail>,
    bindings: Arc<Bindings>,
}

#[derive(Serialize, Deserialize)]
struct BindingLine {
    at: i64,
    door: String,
    origin: String,
    marks: Vec<Mark>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    set: bool,
}

/// Whether an entry only adds to what is known, or decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    Adds,
    Decides,
}

impl Origins {
    pub fn new(path: &Path) -> Self {
        Self { log: Log::new(path, "origins"), known: Mutex::default() }
    }

    pub fn path(&self) -> &Path {
        self.log.path()
    }

    /// Binds marks. When this returns, a binding that lowers trust or decides is on the disk.
    pub fn append(&self, binding: Binding, force: Force, marks: &[Mark]) -> Result<(), Error> {
        self.append_ahead(binding, force, marks)?.settle()
    }

    /// The same, not waited for yet.
    pub fn append_ahead(
        &self,
        binding: Binding,
        force: Force,
        marks: &[Mark],
    ) -> Result<UnsyncedBinding<'_>, Error> {
        let lost_is_harmless = binding.origin >= Origin::Owner && force == Force::Adds;
        let mut lines = Vec::new();
        for marks in marks.chunks(ON_A_LINE) {
            lines.extend(line(binding, force, marks.to_vec()).map_err(|source| self.error(source))?);
        }
        if lines.is_empty() {
            return Ok(UnsyncedBinding(None));
        }
        let appended = match self.log.append(&lines, Sync::No) {
            // A line of which nothing is known is the owner's.
            Err(error) if lost_is_harmless && is_unwritable(&error.source) => {
                return Ok(UnsyncedBinding(None));
            }
            appended => appended?,
        };
        match appended {
            // What is written anew is synced.
            CompactionDue::Yes => self.rewrite(|_| true).map(|()| UnsyncedBinding(None)),
            CompactionDue::No => Ok(UnsyncedBinding((!lost_is_harmless).then_some(self))),
        }
    }

    pub fn bindings(&self) -> Result<Arc<Bindings>, Error> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let more = self.log.read_new(&mut known.tail)?;
        if more.afresh {
            known.bindings = Arc::default();
        }
        if !more.bytes.is_empty() {
            take(Arc::make_mut(&mut known.bindings), &more.bytes);
        }
        Ok(Arc::clone(&known.bindings))
    }

    /// Forgets marks.
    pub fn remove(&self, marks: &BTreeSet<Mark>) -> Result<(), Error> {
        self.rewrite(|mark| !marks.contains(mark))
    }

    fn rewrite(&self, keep: impl Fn(&Mark) -> bool) -> Result<(), Error> {
        self.log.rewrite(|bytes| {
            let mut bindings = Bindings::new();
            take(&mut bindings, bytes);
            bindings.retain(|mark, _| keep(mark));
            Ok((written(bindings)?, ()))
        })?;
        Ok(())
    }

    fn error(&self, source: io::Error) -> Error {
        Error { path: self.log.path().to_owned(), source }
    }
}

/// A line that cannot be read is what a power cut left of one.
fn take(bindings: &mut Bindings, bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        let Ok(entry) = serde_json::from_slice::<BindingLine>(line) else { continue };
        let (Some(door), Some(origin)) = (Door::parse(&entry.door), Origin::parse(&entry.origin)) else {
            continue;
        };
        let force = if entry.set { Force::Decides } else { Force::Adds };
        for mark in entry.marks {
            add(bindings, mark, Binding { at_ms: entry.at, origin, door }, force);
        }
    }
}

/// The first binding holds. One of the owner's raises it: that is somebody else than whoever said it first, and the only
/// one who cannot have it from there. An agent may only have read it.
fn add(bindings: &mut Bindings, mark: Mark, new: Binding, force: Force) {
    let known = bindings.entry(mark).or_insert(new);
    let raises = new.origin == Origin::Owner && known.origin < Origin::Owner;
    if force == Force::Decides || raises {
        *known = new;
    }
}

fn written(bindings: Bindings) -> io::Result<Vec<u8>> {
    let mut all: Vec<(Mark, Binding)> = bindings.into_iter().collect();
    if all.len() > MOST {
        let (mut owners, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(_, binding)| binding.origin == Origin::Owner);
        owners.sort_by_key(|(mark, binding)| std::cmp::Reverse((binding.at_ms, *mark)));
        owners.truncate(MOST.saturating_sub(others.len()));
        all = others;
        all.extend(owners);
    }
    let mut grouped: BTreeMap<Binding, Vec<Mark>> = BTreeMap::new();
    all.sort_by_key(|(mark, _)| *mark);
    for (mark, binding) in all {
        grouped.entry(binding).or_default().push(mark);
    }
    let mut body = Vec::new();
    for (binding, marks) in grouped {
        for marks in marks.chunks(ON_A_LINE) {
            body.extend(line(binding, Force::Decides, marks.to_vec())?);
        }
    }
    Ok(body)
}

fn line(binding: Binding, force: Force, marks: Vec<Mark>) -> io::Result<Vec<u8>> {
    let entry = BindingLine {
        at: binding.at_ms,
        door: binding.door.to_string(),
        origin: binding.origin.as_str().to_owned(),
        marks,
        set: force == Force::Decides,
    };
    let mut bytes = serde_json::to_vec(&entry)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mindfile_disk::secret_key::Key;

    fn mark(text: &str) -> Mark {
        Key::from_bytes([1; 32]).mark("t", text)
    }

    fn binding(door: Door) -> Binding {
        Binding { at_ms: 1, origin: door.origin(), door }
    }

    #[test]
    fn the_first_binding_holds_and_only_the_owner_raises_it() {
        let folder = tempfile::tempdir().unwrap();
        let origins = Origins::new(&folder.path().join("o.jsonl"));
        let origin = |origins: &Origins| origins.bindings().unwrap()[&mark("a")].origin;
        origins.append(binding(Door::Import), Force::Adds, &[mark("a")]).unwrap();
        for _ in 0..50 {
            origins.append(binding(Door::Mcp), Force::Adds, &[mark("a")]).unwrap();
        }
        assert_eq!(origin(&origins), Origin::Untrusted);
        origins.append(binding(Door::Terminal), Force::Adds, &[mark("a")]).unwrap();
        assert_eq!(origin(&origins), Origin::Owner);
        origins.append(binding(Door::Import), Force::Adds, &[mark("a")]).unwrap();
        assert_eq!(origin(&origins), Origin::Owner);
        let lowered = Binding { origin: Origin::Untrusted, ..binding(Door::Terminal) };
        origins.append(lowered, Force::Decides, &[mark("a")]).unwrap();
        assert_eq!(origin(&origins), Origin::Untrusted);
    }

    #[test]
    fn rewriting_changes_no_origin_and_removing_takes_only_what_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o.jsonl");
        let origins = Origins::new(&path);
        for (n, door) in Door::ALL.into_iter().enumerate() {
            origins.append(binding(door), Force::Adds, &[mark(&n.to_string()), mark("shared")]).unwrap();
        }
        let before = origins.bindings().unwrap();
        origins.rewrite(|_| true).unwrap();
        assert_eq!(origins.bindings().unwrap(), before);
        assert_eq!(Origins::new(&path).bindings().unwrap(), before);
        origins.remove(&BTreeSet::from([mark("shared")])).unwrap();
        assert_eq!(origins.bindings().unwrap().len(), before.len() - 1);
    }

    #[test]
    fn a_line_that_is_cut_off_costs_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("o.jsonl");
        Origins::new(&path).append(binding(Door::Import), Force::Adds, &[mark("a")]).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"at\":1,\"door\":\"imp");
        mindfile_disk::durable::replace(&path, &bytes).unwrap();
        let origins = Origins::new(&path);
        origins.append(binding(Door::Tool), Force::Adds, &[mark("b")]).unwrap();
        assert_eq!(origins.bindings().unwrap().len(), 2);
    }
}
