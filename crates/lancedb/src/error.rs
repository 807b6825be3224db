//! Errors of LanceDB and its object store, classified by what must be done about them.

use std::error::Error as Cause;

use mindfile_index::Error;

/// The engine's name in settings and messages.
pub(crate) const ENGINE: &str = "lancedb";

/// Where the tables are, for messages, and whether that is another machine.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) text: String,
    pub(crate) cloud: bool,
}

impl Place {
    pub(crate) fn unavailable(&self, why: impl Into<String>) -> Error {
        Error::Unavailable { engine: ENGINE, place: self.text.clone(), why: why.into() }
    }

    pub(crate) fn unusable(&self, why: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::Unusable { engine: ENGINE, place: self.text.clone(), why: why.into(), hint: hint.into() }
    }

    pub(crate) fn engine(&self, why: impl Into<String>) -> Error {
        Error::Engine { engine: ENGINE, place: self.text.clone(), why: why.into() }
    }

    /// Corrupt tables.
    pub(crate) fn damaged(&self, what: impl Into<String>) -> Error {
        Error::Damaged { path: self.text.clone().into(), what: what.into() }
    }

    /// An error of reading tables: what cannot be read is made again from the notes.
    pub(crate) fn reading(&self, error: &(dyn Cause + 'static)) -> Error {
        match trouble(error) {
            Trouble::Gone => self.damaged(line(error)),
            Trouble::Denied => self.denied(error),
            Trouble::Other if self.cloud => self.unavailable(line(error)),
            Trouble::System => self.engine(line(error)),
            Trouble::Other => self.damaged(line(error)),
        }
    }

    /// An error of writing, or of anything that is not a table.
    pub(crate) fn writing(&self, error: &(dyn Cause + 'static)) -> Error {
        match trouble(error) {
            Trouble::Denied => self.denied(error),
            Trouble::Gone | Trouble::Other if self.cloud => self.unavailable(line(error)),
            Trouble::Gone | Trouble::System | Trouble::Other => self.engine(line(error)),
        }
    }

    fn denied(&self, error: &(dyn Cause + 'static)) -> Error {
        let hint = if self.cloud {
            "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do there"
        } else {
            "check who owns the folder, or name another one in memory.lancedb.uri"
        };
        self.unusable(line(error), hint)
    }
}

enum Trouble {
    /// A file or object is missing or corrupt.
    Gone,
    Denied,
    /// The machine itself, such as a full disk.
    System,
    Other,
}

fn trouble(error: &(dyn Cause + 'static)) -> Trouble {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(known) = of_store(cause).or_else(|| of_lance(cause)).or_else(|| of_system(cause)) {
            return known;
        }
        next = cause.source();
    }
    Trouble::Other
}

fn of_store(cause: &(dyn Cause + 'static)) -> Option<Trouble> {
    use object_store::Error::{NotFound, PermissionDenied, Unauthenticated};
    let error = cause.downcast_ref::<object_store::Error>()?;
    if matches!(error, NotFound { .. }) {
        return Some(Trouble::Gone);
    }
    matches!(error, PermissionDenied { .. } | Unauthenticated { .. }).then_some(Trouble::Denied)
}

fn of_lance(cause: &(dyn Cause + 'static)) -> Option<Trouble> {
    use lance_core::Error::{CorruptFile, DatasetNotFound, NotFound};
    let error = cause.downcast_ref::<lance_core::Error>()?;
    matches!(error, NotFound { .. } | DatasetNotFound { .. } | CorruptFile { .. }).then_some(Trouble::Gone)
}

/// Whether another writer of the same table came first.
pub(crate) fn is_conflict(error: &(dyn Cause + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(cause) = next {
        let conflict = matches!(
            cause.downcast_ref::<lance_core::Error>(),
            Some(
                lance_core::Error::CommitConflict { .. }
                    | lance_core::Error::IncompatibleTransaction { .. }
                    | lance_core::Error::RetryableCommitConflict { .. }
                    | lance_core::Error::TooMuchWriteContention { .. }
            )
        );
        if conflict {
            return true;
        }
        next = cause.source();
    }
    false
}

fn of_system(cause: &(dyn Cause + 'static)) -> Option<Trouble> {
    use std::io::ErrorKind;
    let kind = cause.downcast_ref::<std::io::Error>()?.kind();
    let is = |kinds: &[ErrorKind]| kinds.contains(&kind);
    if is(&[ErrorKind::NotFound, ErrorKind::UnexpectedEof, ErrorKind::InvalidData]) {
        return Some(Trouble::Gone);
    }
    if is(&[ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::ReadOnlyFilesystem]) {
        return Some(Trouble::System);
    }
    is(&[ErrorKind::PermissionDenied]).then_some(Trouble::Denied)
}

/// The first line of the library's message, without places in its source.
pub(crate) fn line(error: &(dyn Cause + 'static)) -> String {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    first.split(", /").next().unwrap_or_default().trim_end_matches(", ").to_owned()
}
