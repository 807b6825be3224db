//! Opens the index. Checks whose folder it is before it writes the first byte.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::{Arc, Mutex};

use mindfile_index::Error;

use crate::head::{FOLDER, Head, Part};
use crate::lock::{self, LockKind};
use crate::options::{Options, Target};
use crate::store::Store;
use crate::{LanceIndex, TableSet};

impl LanceIndex {
    /// Opens the agent's index and creates it if there is none.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let target = Target::of(options)?;
        if let Some(folder) = &target.folder {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|error| target.place.writing(&error))?;
        }
        let store = Arc::new(Store::open(target)?);
        match found(&store) {
            Ok(true) => {}
            Ok(false) | Err(Error::Version { .. } | Error::Damaged { .. }) => make(&store)?,
            Err(error) => return Err(error),
        }
        Ok(Self::ready(store))
    }

    /// Opens the agent's index without creating anything; `None` if there is none.
    pub fn look(options: &Options) -> Result<Option<Self>, Error> {
        let target = Target::of(options)?;
        if target.folder.as_ref().is_some_and(|folder| !folder.is_dir()) {
            return Ok(None);
        }
        let store = Arc::new(Store::open(target)?);
        Ok(found(&store)?.then(|| Self::ready(store)))
    }

    fn ready(store: Arc<Store>) -> Self {
        Self { store, which: TableSet::Current, warm: Mutex::default(), keeps: None }
    }
}

/// Whether there is an index of this program here. Refuses a folder that somebody else uses.
fn found(store: &Store) -> Result<bool, Error> {
    if let Some((_, bytes)) = store.newest()? {
        Head::parse(&bytes, &store.target.place)?;
        return Ok(true);
    }
    let ours = |name: &str| name == FOLDER || LockKind::ALL.iter().any(|what| what.name() == name);
    match store.list("")?.into_iter().find(|name| !ours(name)) {
        None => Ok(false),
        Some(name) => Err(store.target.place.unusable(
            format!("\"{name}\" is there, and mindfile did not make it"),
            "name another place: mindfile config set memory.lancedb.uri FOLDER",
        )),
    }
}

/// Creates the first head. One process does it while the others wait. Removes tables of an older format, and those whose
/// head cannot be read.
fn make(store: &Arc<Store>) -> Result<(), Error> {
    let _lock = lock::take(store, LockKind::Writing, None)?;
    let head = match store.newest()? {
        None => Head::after(0, part_name(store)?, store.key()?),
        Some((commit, bytes)) => match Head::parse(&bytes, &store.target.place) {
            Err(Error::Version { .. } | Error::Damaged { .. }) => {
                Head::after(commit, part_name(store)?, store.key()?)
            }
            result => return result.map(drop),
        },
    };
    store.commit(&head)?;
    sweep(store, &head)
}

/// Whether the folder was never used.
pub(crate) fn part_name(store: &Store) -> Result<String, Error> {
    Ok(format!("part-{}", &store.key()?[..8]))
}

/// Removes tables that no head names.
pub(crate) fn sweep(store: &Store, head: &Head) -> Result<(), Error> {
    let unused = |name: &String| name.starts_with("part-") && !head.parts.contains_key(name);
    store.list("")?.into_iter().filter(unused).try_for_each(|name| store.delete_folder(&name))
}

/// The next head, with other parts.
pub(crate) fn next(store: &Store, head: &Head) -> Result<Head, Error> {
    Ok(Head { commit: head.commit + 1, key: store.key()?, ..head.clone() })
}

/// An empty set of tables that continues after a generation.
pub(crate) fn with_empty(store: &Store, head: &Head, generation: u64) -> Result<(Head, String), Error> {
    let mut next = next(store, head)?;
    let name = part_name(store)?;
    next.parts.insert(name.clone(), Part::empty(generation));
    Ok((next, name))
}
