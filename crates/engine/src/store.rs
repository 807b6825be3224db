//! The index: which one it is, opening it, and taking it out of use when it cannot be trusted.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use mindfile_index::{Backend, Error as IndexError, SqliteIndex, VectorEngine, beside};
pub use mindfile_index::{database_files, delete_database};
use mindfile_settings::{Engine, Settings};

use crate::backend::{self, Availability, Outage, Outages, Purpose};
use crate::clock::Clock;
use crate::error::Error;

/// Where mindfile keeps its own index when the file that the settings name is somebody else's.
pub(crate) fn own_path(wanted: &Path) -> PathBuf {
    wanted.with_extension("mindfile.sqlite")
}

/// The index as it is, to be looked at: opened only where there is one, and never mended.
pub struct Existing {
    pub path: PathBuf,
    /// Why it is not the file that the settings name.
    pub why: Option<String>,
    /// None where there is none.
    pub opened: Result<Option<Arc<dyn Backend>>, IndexError>,
}

impl Existing {
    pub fn of(settings: &Settings) -> Self {
        let wanted = &settings.index_path;
        if !settings.backend.is_file() {
            let opened = backend::open(settings, Purpose::Look);
            return Self { path: wanted.clone(), why: None, opened };
        }
        let engine = vector_engine(settings.vector.engine);
        match open_existing(wanted, engine) {
            Err(IndexError::Foreign { .. }) => {
                let path = own_path(wanted);
                let why = format!("{} was made by another program and is left alone", wanted.display());
                Self { opened: open_existing(&path, engine), path, why: Some(why) }
            }
            Err(error) if error.is_unwritable() => {
                let why = format!("it cannot be written: {error}");
                let opened = SqliteIndex::in_memory(wanted, engine);
                let opened = opened.map(|index| Some(Arc::new(index) as Arc<dyn Backend>));
                Self { path: wanted.clone(), why: Some(why), opened }
            }
            opened => Self { path: wanted.clone(), why: None, opened },
        }
    }
}

/// Nothing where no file is. An empty file, as an interrupted first start leaves it, counts as none.
fn open_existing(path: &Path, engine: VectorEngine) -> Result<Option<Arc<dyn Backend>>, IndexError> {
    let io = |source| IndexError::Io { path: path.to_owned(), source };
    let [_, wal, _] = database_files(path);
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(error)),
        Ok(found) if !found.is_file() => Err(io(std::io::Error::other("not a file"))),
        Ok(found) if found.len() == 0 && std::fs::metadata(wal).map_or(0, |found| found.len()) == 0 => {
            Ok(None)
        }
        Ok(_) => Ok(Some(Arc::new(SqliteIndex::open(path, engine)?))),
    }
}

/// How long an index stays in memory before its file is tried again.
const IN_MEMORY: SignedDuration = SignedDuration::from_mins(1);

/// Set-aside files that are kept for a look; older ones are deleted.
const KEPT_ASIDE: usize = 2;

pub(crate) struct Store {
    wanted: PathBuf,
    engine: VectorEngine,
    /// Of whichever engine is not the built-in one.
    elsewhere: Option<Settings>,
    outages: Arc<Outages>,
    state: Mutex<OpenIndex>,
}

#[derive(Default)]
struct OpenIndex {
    open: Option<Arc<dyn Backend>>,
    /// Why the built-in index is open in the place of another engine's.
    instead: Option<Outage>,
    notices: Vec<String>,
    /// The notice that the index is in memory, where nothing can be written, and since when it is.
    unwritten: Option<(String, Timestamp)>,
    /// What was just taken out of use: its cache may be worth money.
    aside: Option<PathBuf>,
}

impl Store {
    pub(crate) fn new(settings: &Settings, outages: &Arc<Outages>) -> Self {
        let elsewhere = (!settings.backend.is_file()).then(|| settings.clone());
        Self { elsewhere, ..Self::built_in(settings, settings.index_path.clone(), outages) }
    }

    /// The built-in index in a file, whatever engine the settings name.
    pub(crate) fn built_in(settings: &Settings, wanted: PathBuf, outages: &Arc<Outages>) -> Self {
        let engine = vector_engine(settings.vector.engine);
        Self { wanted, engine, elsewhere: None, outages: Arc::clone(outages), state: Mutex::default() }
    }

    /// What happened to the index file since the program started, in words.
    pub(crate) fn notices(&self) -> Vec<String> {
        self.lock().notices.clone()
    }

    /// Why the built-in index is in the place of another engine's, where it is.
    pub(crate) fn instead(&self) -> Option<Outage> {
        self.lock().instead.clone()
    }

    /// Whether the index in use is shared with other hosts.
    pub(crate) fn is_shared(&self) -> bool {
        self.elsewhere.is_some() && self.lock().instead.is_none()
    }

    /// Something that a person should know of this run.
    pub(crate) fn note(&self, notice: String) {
        self.lock().note(notice);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, OpenIndex> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open index. One that was moved away by another process is opened anew; one that is damaged or of another
    /// format is set aside first, and an empty one takes its place.
    pub(crate) fn index(&self, clock: &dyn Clock) -> Result<Arc<dyn Backend>, Error> {
        let mut state = self.lock();
        let waited = |since: Timestamp| clock.now().duration_since(since) >= IN_MEMORY;
        let over = state.instead.as_ref().is_some_and(|outage| !outage.rests(clock.now()))
            || state.unwritten.as_ref().is_some_and(|(_, since)| waited(*since));
        if let Some(index) = state.open.as_ref().filter(|index| !over && index.is_current()) {
            return Ok(Arc::clone(index));
        }
        let index = self.open(&mut state, clock)?;
        state.open = Some(Arc::clone(&index));
        Ok(index)
    }

    /// Closes a file until it is asked for again. What is in memory alone is kept.
    pub(crate) fn close(&self) {
        self.lock().open.take_if(|open| open.file().is_some());
    }

    fn open(&self, state: &mut OpenIndex, clock: &dyn Clock) -> Result<Arc<dyn Backend>, Error> {
        if let Some(settings) = &self.elsewhere {
            return self.open_elsewhere(settings, state, clock);
        }
        self.open_builtin(state, clock)
    }

    /// The other engine's index where it answers; where it does not, the built-in one until its next turn.
    fn open_elsewhere(
        &self,
        settings: &Settings,
        state: &mut OpenIndex,
        clock: &dyn Clock,
    ) -> Result<Arc<dyn Backend>, Error> {
        let engine = settings.backend.as_str();
        let outage = match self.outages.turn(engine, clock.now()) {
            Availability::Rest(outage) => outage,
            Availability::Ask => match backend::open(settings, Purpose::Use) {
                Ok(Some(index)) => {
                    self.outages.answered(engine, clock.now());
                    state.instead = None;
                    return Ok(index);
                }
                Ok(None) => return Err(Error::Bug { what: format!("{engine} opened no index") }),
                Err(error) if error.is_outage() => {
                    self.outages.failed(engine, &error.to_string(), clock.now())
                }
                Err(error) => return Err(error.into()),
            },
        };
        state.note(format!("the built-in index answers in place of {engine}: {}", outage.reason));
        state.instead = Some(outage);
        self.open_builtin(state, clock)
    }

    fn open_builtin(&self, state: &mut OpenIndex, clock: &dyn Clock) -> Result<Arc<dyn Backend>, Error> {
        let index = match self.open_file(state, clock) {
            Err(Error::Index(error)) if error.is_unwritable() => {
                return self.open_in_memory(&error, state, clock);
            }
            index => index?,
        };
        if let Some((notice, _)) = state.unwritten.take() {
            state.notices.retain(|other| *other != notice);
        }
        if let Some(aside) = state.aside.take() {
            match index.carry_cache(&aside) {
                // What cannot be read any more is embedded again.
                Ok(()) | Err(_) => {}
            }
        }
        Ok(Arc::new(index))
    }

    /// Questions are answered where nothing can be written: from a copy of the index as it is, brought up to date in memory.
    fn open_in_memory(
        &self,
        error: &IndexError,
        state: &mut OpenIndex,
        clock: &dyn Clock,
    ) -> Result<Arc<dyn Backend>, Error> {
        let index = SqliteIndex::in_memory(&self.wanted, self.engine)?;
        let notice = format!("the index is kept in memory, since it cannot be written: {error}");
        state.note(notice.clone());
        state.unwritten = Some((notice, clock.now()));
        Ok(Arc::new(index))
    }

    /// Goes on in memory where the open index cannot be written. False where it is there already.
    pub(crate) fn go_on_in_memory(&self, error: &IndexError, clock: &dyn Clock) -> Result<bool, Error> {
        let mut state = self.lock();
        if state.unwritten.is_some() {
            return Ok(false);
        }
        state.open = Some(self.open_in_memory(error, &mut state, clock)?);
        Ok(true)
    }

    fn open_file(&self, state: &mut OpenIndex, clock: &dyn Clock) -> Result<SqliteIndex, Error> {
        match SqliteIndex::open(&self.wanted, self.engine) {
            Err(IndexError::Foreign { path }) => {
                let own = own_path(&self.wanted);
                state.note(format!(
                    "{} was made by another program and is left alone; the index is {}",
                    path.display(),
                    own.display()
                ));
                self.open_or_set_aside(&own, state, clock)
            }
            Err(error) if error.is_mended_by_rebuild() => {
                set_aside(&self.wanted, &error, state, clock)?;
                Ok(SqliteIndex::open(&self.wanted, self.engine)?)
            }
            other => Ok(other?),
        }
    }

    fn open_or_set_aside(
        &self,
        path: &Path,
        state: &mut OpenIndex,
        clock: &dyn Clock,
    ) -> Result<SqliteIndex, Error> {
        match SqliteIndex::open(path, self.engine) {
            Err(error) if error.is_mended_by_rebuild() => {
                set_aside(path, &error, state, clock)?;
                Ok(SqliteIndex::open(path, self.engine)?)
            }
            other => Ok(other?),
        }
    }

    /// Takes an index that gave `error` out of use. The next call of `index` makes an empty one.
    pub(crate) fn discard(&self, error: &IndexError, clock: &dyn Clock) -> Result<(), Error> {
        let mut state = self.lock();
        if let Some(index) = state.open.take()
            && index.is_current()
        {
            match index.file() {
                Some(file) => set_aside(file, error, &mut state, clock)?,
                None => {
                    index.reset()?;
                    state.note(format!("{error}; it is made again from the notes"));
                }
            }
        }
        Ok(())
    }
}

impl OpenIndex {
    fn note(&mut self, notice: String) {
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

pub(crate) fn vector_engine(engine: Engine) -> VectorEngine {
    match engine {
        Engine::Scan => VectorEngine::Scan,
        Engine::SqliteVec => VectorEngine::SqliteVec,
    }
}

fn set_aside(path: &Path, error: &IndexError, state: &mut OpenIndex, clock: &dyn Clock) -> Result<(), Error> {
    let aside = beside(path, &format!("aside-{}", clock.now().as_millisecond()));
    for (from, to) in database_files(path).into_iter().zip(database_files(&aside)) {
        match std::fs::rename(&from, &to) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::Io { path: from, source }),
        }
    }
    state.note(format!("{error}; it was set aside as {} and made again from the notes", aside.display()));
    state.aside = Some(aside);
    forget_old(path)
}

fn forget_old(path: &Path) -> Result<(), Error> {
    let old = asides(path)?;
    let mut old = old.iter().rev().skip(KEPT_ASIDE);
    Ok(old.try_for_each(|path| delete_database(path))?)
}

/// The indexes that were set aside in the place of one, the oldest first.
pub(crate) fn asides(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let prefix = beside(path, "aside-");
    let (Some(folder), Some(prefix)) = (path.parent(), prefix.file_name().and_then(|name| name.to_str()))
    else {
        return Ok(Vec::new());
    };
    let io = |source| Error::Io { path: folder.to_owned(), source };
    let mut old: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(io)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|entry| {
            let name = entry.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| {
                name.starts_with(prefix) && !name.ends_with("-wal") && !name.ends_with("-shm")
            })
        })
        .collect();
    old.sort();
    Ok(old)
}
