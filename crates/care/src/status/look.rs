//! Inspects the index as it is; it is never created or mended.

use std::path::PathBuf;
use std::sync::Arc;

use mindfile_index::{About, Backend, Error as IndexError, NoteQuery, Stats, StoredNote};

use mindfile::embed::{self, refused::Refusal};
use mindfile::fallback::{self, Fallback};
use mindfile::fingerprint;
use mindfile::report::Problem;
use mindfile::store::Existing;
use mindfile_settings::{BackendName, Settings};

/// More pending chunks than any index has.
const ALL: usize = i64::MAX as usize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexState {
    /// There is none yet.
    Absent,
    Ready,
    /// It cannot be trusted: `what` was found.
    Damaged {
        what: String,
    },
    /// Made by an older or a newer mindfile.
    Version {
        found: i64,
        known: i64,
    },
    /// It cannot be opened at all, such as for lack of permission.
    Unusable {
        what: String,
    },
}

/// Which index was looked at, and what came of it.
pub(crate) struct IndexInspection {
    pub(crate) engine: BackendName,
    /// The built-in index's file, also where another engine is in use.
    pub(crate) path: PathBuf,
    /// Where the index is, for a person.
    pub(crate) place: String,
    pub(crate) why: Option<String>,
    pub(crate) state: IndexState,
    /// There while the state is `Ready`.
    pub(crate) open: Option<Arc<dyn Backend>>,
}

/// What the index says of itself, all of one generation but the sizes.
pub(crate) struct Facts {
    pub(crate) generation: u64,
    pub(crate) stats: Stats,
    pub(crate) notes: Vec<StoredNote>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) pending: u64,
    pub(crate) about: About,
    /// How often a vector was in the cache, and how often it was looked for.
    pub(crate) cache_use: (u64, u64),
    pub(crate) refused: Vec<Problem>,
    pub(crate) failure: Option<Fallback>,
}

pub(crate) fn look(settings: &Settings) -> IndexInspection {
    let Existing { path, why, opened } = Existing::of(settings);
    IndexInspection::of(settings.backend, path, why, opened)
}

impl IndexInspection {
    fn of(
        engine: BackendName,
        path: PathBuf,
        why: Option<String>,
        opened: Result<Option<Arc<dyn Backend>>, IndexError>,
    ) -> Self {
        let shown = if engine.is_file() { path.display().to_string() } else { engine.as_str().to_owned() };
        let (state, open) = match opened {
            Ok(None) => (IndexState::Absent, None),
            Ok(Some(index)) => (IndexState::Ready, Some(index)),
            Err(error) => (IndexState::of(error), None),
        };
        let place = open.as_ref().map_or(shown, |index: &Arc<dyn Backend>| index.place());
        Self { engine, path, place, why, state, open }
    }

    /// An index that opens may still turn out to be damaged when it is read.
    pub(crate) fn facts(&mut self) -> Option<Facts> {
        match facts(&**self.open.as_ref()?) {
            Ok(facts) => Some(facts),
            Err(error) => {
                self.give_up(error);
                None
            }
        }
    }

    pub(crate) fn give_up(&mut self, error: IndexError) {
        self.state = IndexState::of(error);
        self.open = None;
    }
}

impl IndexState {
    fn of(error: IndexError) -> Self {
        match error {
            IndexError::Damaged { what, .. } => Self::Damaged { what },
            IndexError::Version { found, known, .. } => Self::Version { found, known },
            other @ IndexError::Dimensions { .. } => Self::Damaged { what: other.to_string() },
            other @ (IndexError::Foreign { .. }
            | IndexError::OldSqlite { .. }
            | IndexError::NoWal { .. }
            | IndexError::NotFinite
            | IndexError::Moved { .. }
            | IndexError::Deadline
            | IndexError::Superseded
            | IndexError::Unavailable { .. }
            | IndexError::Unusable { .. }
            | IndexError::Engine { .. }
            | IndexError::Io { .. }
            | IndexError::Sqlite { .. }) => Self::Unusable { what: other.to_string() },
        }
    }
}

fn facts(index: &dyn Backend) -> Result<Facts, IndexError> {
    let snapshot = index.snapshot()?;
    let cache_use = snapshot.meta(embed::CACHE_USE)?.as_deref().and_then(embed::parse_use);
    Ok(Facts {
        cache_use: cache_use.unwrap_or_default(),
        refused: embed::refused::listed(&*snapshot)?.iter().map(Refusal::problem).collect(),
        failure: snapshot.meta(fallback::KEY)?.as_deref().and_then(Fallback::parse),
        generation: snapshot.generation(),
        stats: snapshot.stats()?,
        notes: snapshot.notes(NoteQuery::All)?,
        fingerprint: snapshot.meta(fingerprint::KEY)?.map(|print| print.to_string()),
        pending: snapshot.unembedded(ALL)?.len() as u64,
        about: index.about()?,
    })
}
