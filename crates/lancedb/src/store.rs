//! The agent's folder or its part of a bucket, opened once and shared.

use std::collections::HashMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use lance_core::Error as LanceError;
use lancedb::{Connection, Session};
use mindfile_index::Error;

use crate::head::{self, Head};
use crate::objects::Objects;
use crate::options::Target;
use crate::runtime::{Threads, WaitError};

pub(crate) struct Store {
    pub(crate) target: Target,
    threads: Threads,
    session: Arc<Session>,
    objects: Objects,
    /// A connection for each set of tables.
    connections: Mutex<HashMap<String, Connection>>,
    /// Whether the store could not be reached, so that the holder must open the index again.
    lost: AtomicBool,
}

impl Store {
    pub(crate) fn open(target: Target) -> Result<Self, Error> {
        let threads = Threads::start().map_err(|error| target.place.engine(error.to_string()))?;
        let session = Arc::new(Session::default());
        let until = target.place.cloud.then(|| Instant::now() + target.timeout);
        let opened = threads.wait(until, Objects::open(target.clone(), session.store_registry()));
        let objects = match opened {
            Ok(opened) => opened.map_err(|error| target.place.writing(&error))?,
            Err(stopped) => return Err(silent(&target, &stopped)),
        };
        Ok(Self {
            target,
            threads,
            session,
            objects,
            connections: Mutex::default(),
            lost: AtomicBool::default(),
        })
    }

    /// Whether the store answered last time and is still in its place.
    pub(crate) fn is_there(&self) -> bool {
        let gone = |folder: &PathBuf| !folder.join(head::FOLDER).is_dir();
        !self.lost.load(Ordering::Relaxed) && !self.target.folder.as_ref().is_some_and(gone)
    }

    /// Notes that the store cannot be reached.
    fn noting<T>(&self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(Error::Unavailable { .. }) = &result {
            self.lost.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Works on small objects, within the timeout of the settings.
    fn small<T: Send + 'static, F>(&self, work: impl FnOnce(Objects) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, LanceError>> + Send + 'static,
    {
        let until = self.target.place.cloud.then(|| Instant::now() + self.target.timeout);
        self.noting(match self.threads.wait(until, work(self.objects.clone())) {
            Ok(result) => result.map_err(|error| self.target.place.writing(&error)),
            Err(stopped) => Err(silent(&self.target, &stopped)),
        })
    }

    pub(crate) fn list(&self, folder: &str) -> Result<Vec<String>, Error> {
        let folder = folder.to_owned();
        self.small(|objects| async move { objects.list(&folder).await })
    }

    pub(crate) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let name = name.to_owned();
        self.small(|objects| async move { objects.read(&name).await })
    }

    pub(crate) fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool, Error> {
        let name = name.to_owned();
        self.small(|objects| async move { objects.create(&name, bytes).await })
    }

    pub(crate) fn delete(&self, name: &str) -> Result<(), Error> {
        let name = name.to_owned();
        self.small(|objects| async move { objects.delete(&name).await })
    }

    pub(crate) fn newest(&self) -> Result<Option<(u64, Vec<u8>)>, Error> {
        self.small(|objects| async move { head::newest(&objects).await })
    }

    /// The number of the last head: files that only an earlier one names may be gone.
    pub(crate) fn newest_number(&self) -> Result<Option<u64>, Error> {
        self.small(|objects| async move { Ok(head::numbers(&objects).await?.pop()) })
    }

    /// The current head.
    pub(crate) fn head(&self) -> Result<Head, Error> {
        self.parsed(self.newest()?)
    }

    /// The current head, within a question's deadline.
    pub(crate) fn head_until(&self, until: Option<Instant>) -> Result<Head, Error> {
        let latest = Instant::now() + self.target.timeout;
        let Some(until) = until.filter(|until| *until < latest) else { return self.head() };
        let objects = self.objects.clone();
        let found = self.reading(Some(until), async move { Ok(head::newest(&objects).await?) })?;
        self.parsed(found)
    }

    fn parsed(&self, found: Option<(u64, Vec<u8>)>) -> Result<Head, Error> {
        let (_, bytes) = found.ok_or_else(|| Error::Moved { path: self.target.uri.clone().into() })?;
        Head::parse(&bytes, &self.target.place)
    }

    /// Makes a head the current one; `false` if another writer came first.
    pub(crate) fn commit(&self, head: &Head) -> Result<bool, Error> {
        let bytes = head.bytes(&self.target.place)?;
        let commit = head.commit;
        let key = head.key.clone();
        let done = self.small(|objects| async move { head::commit(&objects, commit, &key, bytes).await })?;
        if done {
            match self.small(|objects| async move { head::tidy_usually(&objects, commit).await }) {
                // The commit stands, whether or not old heads could be removed.
                Ok(()) | Err(_) => {}
            }
        }
        Ok(done)
    }

    pub(crate) fn tidy(&self, commit: u64) -> Result<(), Error> {
        self.small(|objects| async move { head::tidy(&objects, commit, 0).await })
    }

    pub(crate) fn delete_folder(&self, name: &str) -> Result<(), Error> {
        self.connections().remove(name);
        let objects = self.objects.clone();
        let name = name.to_owned();
        self.writing(async move { objects.delete_folder(&name).await })
    }

    pub(crate) fn size(&self) -> Result<u64, Error> {
        let objects = self.objects.clone();
        self.writing(async move { objects.size().await })
    }

    fn connections(&self) -> std::sync::MutexGuard<'_, HashMap<String, Connection>> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables of a part.
    pub(crate) fn part(&self, name: &str) -> Result<Connection, Error> {
        if let Some(known) = self.connections().get(name) {
            return Ok(known.clone());
        }
        let uri = self.target.part(name);
        let builder = lancedb::connect(&uri)
            .storage_options(self.target.options.clone())
            .session(Arc::clone(&self.session));
        let made = self.writing(builder.execute())?;
        self.connections().insert(name.to_owned(), made.clone());
        Ok(made)
    }

    /// Runs work that changes something, for as long as the store's client tries.
    pub(crate) fn writing<T: Send + 'static, E: std::error::Error + Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, E>> + Send + 'static,
    ) -> Result<T, Error> {
        self.noting(match self.threads.wait(None, work) {
            Ok(result) => result.map_err(|error| self.target.place.writing(&error)),
            Err(stopped) => Err(silent(&self.target, &stopped)),
        })
    }

    /// Runs work that only reads.
    pub(crate) fn reading<T: Send + 'static>(
        &self,
        until: Option<Instant>,
        work: impl Future<Output = lancedb::Result<T>> + Send + 'static,
    ) -> Result<T, Error> {
        self.noting(match self.threads.wait(until, work) {
            Ok(result) => result.map_err(|error| self.target.place.reading(&error)),
            Err(WaitError::Late) => Err(Error::Deadline),
            Err(WaitError::Broke) => Err(self.target.place.damaged("what is stored cannot be read")),
        })
    }

    /// A unique name.
    pub(crate) fn key(&self) -> Result<String, Error> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| self.target.place.engine(error.to_string()))?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

fn silent(target: &Target, stopped: &WaitError) -> Error {
    match stopped {
        WaitError::Late => target.place.unavailable(format!("no answer within {:?}", target.timeout)),
        WaitError::Broke => target.place.engine("the library gave up"),
    }
}
