//! The index in one SQLite file.
//!
//! A connection a snapshot or a write, taken from a pool: what was read before a write and what it wrote are at hand after
//! it. One of them writes at a time; write-ahead logging stands between them and other processes. The file is checked when
//! it is opened; every row carries a checksum that is compared when it is read, so that a damaged index is noticed instead
//! of answering wrongly.

mod about;
mod associate;
mod backend;
mod blocks;
mod cache;
mod checksum;
mod doc;
mod extension;
mod graph;
mod in_memory;
mod log;
mod memo;
mod pool;
mod postings;
mod purge;
mod read;
mod rebuild;
mod rows;
mod schema;
mod shelf;
mod sql;
mod stack;
mod state;
mod verify;
mod write;

use std::fs::{DirBuilder, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::backup::StepResult;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::{Backend, Batch, Error, Index, NoteQuery, Snapshot, StoredNote};
pub use about::{scan_instructions, sqlite_vec_version, sqlite_version};
use memo::Memo;
use pool::Pool;
use read::Reader;
pub use rebuild::{beside, database_files, delete_database};
use sql::Fault;

const BUSY: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(2);
/// Larger than usual, since a search reads long runs of pages; not larger still, since a fact that is kept changes
/// dozens of them.
const PAGE: u32 = 8192;
/// What a connection keeps of the pages it reads, at first: a single question reads little twice, and memory that is
/// touched for the first time costs time.
const COLD_KIB: i64 = 256;
/// The same for one that is asked again, or comes back to the pages that it wrote.
const WARM_KIB: i64 = 2048;
const OLDEST_SAFE: i32 = 3_051_003;

/// Which code ranks by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VectorEngine {
    /// The scan over 8-bit codes in memory.
    #[default]
    Scan,
    /// `vec_distance_cosine` of sqlite-vec over the stored vectors.
    SqliteVec,
}

pub struct SqliteIndex {
    path: PathBuf,
    /// None in memory.
    inode: Option<u64>,
    engine: VectorEngine,
    pool: Pool,
    warm: Mutex<Memo>,
}

impl SqliteIndex {
    /// Opens the index, making an empty one where there is no file.
    pub fn open(path: &Path, engine: VectorEngine) -> Result<Self, Error> {
        if rusqlite::version_number() < OLDEST_SAFE {
            return Err(Error::OldSqlite { found: rusqlite::version().to_owned() });
        }
        extension::register();
        create_private(path)?;
        let first = first_connection(path)?;
        let inode = Some(inode(path)?);
        Ok(Self { path: path.to_owned(), inode, engine, pool: Pool::of(first), warm: Mutex::default() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts everything that the index `aside` holds in place of what this one holds, in one transaction: readers see
    /// the old index or the new one.
    pub fn replace_with(&self, aside: &Path) -> Result<(), Error> {
        self.pool.write(&self.path, |writer| {
            let newest = state::generation(writer)?;
            let mut source = connect(aside)?;
            state::raise_generation(&mut source, newest + 1).map_err(|error| classify(aside, error))?;
            let copied = rusqlite::backup::Backup::new(&source, writer)?.step(-1)?;
            if copied == StepResult::Done { Ok(()) } else { Err(kept_busy().into()) }
        })
    }

    /// Another process may have set the file aside.
    fn check_current(&self) -> Result<(), Error> {
        if self.is_current() { Ok(()) } else { Err(Error::Moved { path: self.path.clone() }) }
    }

    fn reader(&self) -> Result<Reader<'_>, Error> {
        self.check_current()?;
        Reader::begin(self, self.pool.take(&self.path)?)
    }

    fn error(&self, error: rusqlite::Error) -> Error {
        classify(&self.path, error)
    }

    fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { path: self.path.clone(), what: what.into() }
    }
}

impl Index for SqliteIndex {
    fn apply(&self, batch: &Batch) -> Result<u64, Error> {
        self.check_current()?;
        self.pool.write(&self.path, |writer| {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let generation = write::apply(&transaction, batch)?;
            transaction.commit()?;
            Ok(generation)
        })
    }

    fn snapshot(&self) -> Result<Box<dyn Snapshot + '_>, Error> {
        Ok(Box::new(self.reader()?))
    }

    fn snapshot_until(&self, deadline: Instant) -> Result<Box<dyn Snapshot + '_>, Error> {
        Ok(Box::new(self.reader()?.until(deadline)?))
    }

    fn meta(&self, key: &str) -> Result<Option<Arc<str>>, Error> {
        self.reader()?.meta(key)
    }

    fn notes(&self, query: NoteQuery<'_>) -> Result<Vec<StoredNote>, Error> {
        self.reader()?.notes(query)
    }
}

fn kept_busy() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
        Some("another process kept the index busy while the rebuilt one was put in place".to_owned()),
    )
}

/// A poisoned lock guards a connection whose transaction was rolled back, or a cache that is checked when it is used.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn create_private(path: &Path) -> Result<(), Error> {
    let io = |source| Error::Io { path: path.to_owned(), source };
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(io)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(io(error)),
    }
}

fn inode(path: &Path) -> Result<u64, Error> {
    let metadata = std::fs::metadata(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
    Ok(metadata.ino())
}

/// Turning an empty file to write-ahead logging does not wait for another process that is about to do the same, whatever
/// the timeout is: it is tried again.
fn first_connection(path: &Path) -> Result<Connection, Error> {
    let began = Instant::now();
    loop {
        let first = connect(path).and_then(|mut first| match prepare(path, &mut first) {
            Ok(()) => Ok(first),
            Err(fault) => Err(fault.at(path)),
        });
        match first {
            Err(error) if is_busy(&error) && began.elapsed() < BUSY => std::thread::sleep(PAUSE),
            result => return result,
        }
    }
}

fn is_busy(error: &Error) -> bool {
    matches!(error, Error::Sqlite { source, .. } if source.sqlite_error_code() == Some(ErrorCode::DatabaseBusy))
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let flags = if in_memory::is(path) { flags | in_memory::FLAGS } else { flags };
    let connection = Connection::open_with_flags(path, flags).map_err(|e| classify(path, e))?;
    configure(&connection).and_then(|()| postings::register(&connection)).map_err(|e| classify(path, e))?;
    Ok(connection)
}

fn configure(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
         PRAGMA journal_size_limit = 16777216; PRAGMA temp_store = MEMORY;",
    )?;
    // Else a statement whose plan could depend on a value is prepared anew with every value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(160);
    cache(connection, COLD_KIB)
}

/// Takes effect when the statement is prepared: asking again for what a connection has costs nothing.
fn cache(connection: &Connection, kib: i64) -> rusqlite::Result<()> {
    connection.prepare_cached(&format!("PRAGMA cache_size = -{kib}")).map(drop)
}

/// Checks whose file it is and which format it has, and fills an empty one.
fn prepare(path: &Path, connection: &mut Connection) -> Result<(), Fault> {
    let known = identity_at_once(connection)?;
    if known.objects > 0 {
        check_identity(path, &known)?;
    } else {
        connection.execute_batch(&format!("PRAGMA page_size = {PAGE}"))?;
    }
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" && !in_memory::is(path) {
        return Err(Error::NoWal { path: path.to_owned(), mode }.into());
    }
    if known.objects == 0 {
        create_tables(connection)?;
        check_identity(path, &identity_at_once(connection)?)?;
    }
    Ok(())
}

struct FileIdentity {
    application: i64,
    format: i64,
    objects: i64,
}

/// All of it as it is at one moment: another process may be filling the file.
fn identity_at_once(connection: &Connection) -> rusqlite::Result<FileIdentity> {
    let reading = connection.unchecked_transaction()?;
    let known = identity(&reading)?;
    reading.commit()?;
    Ok(known)
}

fn identity(connection: &Connection) -> rusqlite::Result<FileIdentity> {
    let pragma = |sql| connection.query_row(sql, [], |row| row.get(0));
    Ok(FileIdentity {
        application: pragma("PRAGMA application_id")?,
        format: pragma("PRAGMA user_version")?,
        objects: pragma("SELECT count(*) FROM sqlite_schema")?,
    })
}

fn check_identity(path: &Path, identity: &FileIdentity) -> Result<(), Error> {
    if identity.application != schema::APPLICATION_ID {
        return Err(Error::Foreign { path: path.to_owned() });
    }
    if identity.format != schema::FORMAT {
        return Err(Error::Version { path: path.to_owned(), found: identity.format, known: schema::FORMAT });
    }
    Ok(())
}

/// Two processes may find the file empty at once: the second one to get the lock finds it filled.
fn create_tables(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if identity(&transaction)?.objects == 0 {
        transaction.execute_batch(schema::TABLES)?;
        transaction.execute_batch(&format!(
            "PRAGMA application_id = {}; PRAGMA user_version = {};",
            schema::APPLICATION_ID,
            schema::FORMAT
        ))?;
        state::initialise(&transaction)?;
    }
    transaction.commit()
}

/// Tells what the machine did from what the file is. Statements and types are fixed, so that whatever else SQLite or the
/// reading of a row complains of can only come from a file that is not as it was written. One that SQLite will not write
/// to is among them where the system would: a bit of its header says so.
pub(crate) fn classify(path: &Path, error: rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) if !has_magic(path) => Error::Foreign { path: path.to_owned() },
        Some(ErrorCode::OperationInterrupted) => Error::Deadline,
        Some(ErrorCode::ReadOnly) if OpenOptions::new().write(true).open(path).is_err() => {
            Error::Sqlite { path: path.to_owned(), source: error }
        }
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::OutOfMemory
            | ErrorCode::SystemIoFailure
            | ErrorCode::DiskFull
            | ErrorCode::CannotOpen
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::NoLargeFileSupport
            | ErrorCode::PermissionDenied
            | ErrorCode::OperationAborted,
        ) => Error::Sqlite { path: path.to_owned(), source: error },
        Some(_) | None => Error::Damaged { path: path.to_owned(), what: error.to_string() },
    }
}

/// Whether the file begins as every SQLite database does. Only asked when SQLite has refused the file, so that no lock
/// of this process is on it.
fn has_magic(path: &Path) -> bool {
    let mut start = [0; 16];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && &start == b"SQLite format 3\0"
}
