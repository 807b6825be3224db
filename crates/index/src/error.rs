//! Errors of an index, classified by what must be done about them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be trusted. Set it aside and make it again from the notes.
    #[error("the index {path} is damaged: {what}")]
    Damaged { path: PathBuf, what: String },
    #[error("{path} is a database that mindfile did not make")]
    Foreign { path: PathBuf },
    #[error("the index {path} has format {found}, this program knows format {known}")]
    Version { path: PathBuf, found: i64, known: i64 },
    #[error("SQLite {found} is linked; at least 3.51.3 is needed")]
    OldSqlite { found: String },
    #[error("{path} cannot use write-ahead logging: SQLite stays in mode \"{mode}\"")]
    NoWal { path: PathBuf, mode: String },
    #[error("a vector has {found} dimensions where the index has {expected}")]
    Dimensions { expected: usize, found: usize },
    #[error("a vector holds a value that is not a finite number")]
    NotFinite,
    #[error("the index {path} was moved or deleted while it was open")]
    Moved { path: PathBuf },
    #[error("no answer within the deadline")]
    Deadline,
    /// Read the texts again, and make another batch.
    #[error("something was forgotten after the texts were read")]
    Superseded,
    /// The engine cannot be asked now. Another one may answer meanwhile.
    #[error("{engine} at {place} cannot be reached: {why}")]
    Unavailable { engine: &'static str, place: String, why: String },
    /// A person must do something before the engine can be used; `hint` says what.
    #[error("{engine} at {place} cannot be used: {why}")]
    Unusable { engine: &'static str, place: String, why: String, hint: String },
    /// Any other error of the engine.
    #[error("{engine} at {place}: {why}")]
    Engine { engine: &'static str, place: String, why: String },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("index {path}: {source}")]
    Sqlite { path: PathBuf, source: rusqlite::Error },
}

impl Error {
    /// Whether it is about the state of this file, which a rebuild mends.
    pub fn is_damage_of(&self, file: &Path) -> bool {
        matches!(self, Self::Damaged { path, .. } | Self::Version { path, .. } | Self::Moved { path } if path == file)
    }

    /// Whether another engine can answer meanwhile.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }

    /// Whether nothing can be written where the index is: the disk is full, or the place may only be read.
    pub fn is_unwritable(&self) -> bool {
        match self {
            Self::Io { source, .. } => matches!(
                source.kind(),
                ErrorKind::PermissionDenied
                    | ErrorKind::ReadOnlyFilesystem
                    | ErrorKind::StorageFull
                    | ErrorKind::QuotaExceeded
            ),
            Self::Sqlite { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(
                    ErrorCode::DiskFull
                        | ErrorCode::CannotOpen
                        | ErrorCode::PermissionDenied
                        | ErrorCode::ReadOnly
                        | ErrorCode::SystemIoFailure
                )
            ),
            Self::Damaged { .. }
            | Self::Foreign { .. }
            | Self::Version { .. }
            | Self::OldSqlite { .. }
            | Self::NoWal { .. }
            | Self::Dimensions { .. }
            | Self::NotFinite
            | Self::Moved { .. }
            | Self::Deadline
            | Self::Superseded
            | Self::Unavailable { .. }
            | Self::Unusable { .. }
            | Self::Engine { .. } => false,
        }
    }

    /// Whether a rebuild from the notes mends it.
    pub fn is_mended_by_rebuild(&self) -> bool {
        matches!(
            self,
            Self::Damaged { .. } | Self::Version { .. } | Self::Dimensions { .. } | Self::Moved { .. }
        )
    }
}
