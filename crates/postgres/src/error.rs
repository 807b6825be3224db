//! Errors of PostgreSQL, classified by what must be done about them.

use std::error::Error as _;

use mindfile_index::Error;
use postgres::error::SqlState;

/// The engine's name in settings and messages.
pub(crate) const ENGINE: &str = "postgres";

const PASSWORD: &str = "check the user and the password of memory.postgres.url, or PGPASSWORD";

/// What went wrong in a step.
#[derive(Debug)]
pub(crate) enum StepError {
    Server(postgres::Error),
    Index(Error),
    /// Stored rows are corrupt.
    Damaged(String),
}

impl From<postgres::Error> for StepError {
    fn from(error: postgres::Error) -> Self {
        Self::Server(error)
    }
}

impl From<Error> for StepError {
    fn from(error: Error) -> Self {
        Self::Index(error)
    }
}

impl StepError {
    /// The error for the index's caller.
    pub(crate) fn at(self, place: &str) -> Error {
        match self {
            Self::Index(error) => error,
            Self::Server(error) => classify(place, &error),
            Self::Damaged(what) => damaged(place, what),
        }
    }

    /// Whether a retry of the whole step may succeed.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Server(error) if error.code().is_some_and(|code| {
            [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(code)
        }))
    }

    /// Whether the connection was lost, so that the outcome of the last step is unknown.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self, Self::Server(error) if is_cut(error) && !is_certificate(error))
    }
}

fn is_cut(error: &postgres::Error) -> bool {
    match error.code() {
        Some(code) => {
            let ended = [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN, SqlState::CANNOT_CONNECT_NOW];
            ended.contains(code) || code.code().starts_with("08")
        }
        None => error.is_closed() || has_io(error),
    }
}

fn has_io(error: &postgres::Error) -> bool {
    let mut cause = error.source();
    while let Some(found) = cause {
        if found.is::<std::io::Error>() {
            return true;
        }
        cause = found.source();
    }
    false
}

fn classify(place: &str, error: &postgres::Error) -> Error {
    let why = with_cause(error);
    if let Some(refused) = refused(place, error, &why) {
        return refused;
    }
    if is_cut(error) || error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS) {
        return unavailable(place, why);
    }
    let Some(code) = error.code() else { return engine(place, why) };
    let hint = if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION].contains(code) {
        PASSWORD
    } else if *code == SqlState::INVALID_CATALOG_NAME {
        "make it first (CREATE DATABASE …), or name another one in memory.postgres.url"
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        "the owner of the tables admits a role with: SELECT mindfile.admit('ROLE', 'AGENT')"
    } else if *code == SqlState::QUERY_CANCELED || *code == SqlState::LOCK_NOT_AVAILABLE {
        return Error::Deadline;
    } else {
        return engine(place, why);
    };
    unusable(place, &why, hint)
}

/// A server that cannot prove its identity, or that does not encrypt although it must.
fn refused(place: &str, error: &postgres::Error, why: &str) -> Option<Error> {
    let certificate = "name the authority of the server's certificate in memory.postgres.caFile, and the server by the name \
        that its certificate is for";
    if is_certificate(error) {
        return Some(unusable(place, why, certificate));
    }
    // Errors of the library itself have no code.
    let plain = "let the server encrypt (ssl = on); `sslmode=disable` in memory.postgres.url speaks in clear";
    let hint = match (error.code(), why) {
        (None, "server does not support TLS") => plain,
        (None, "password missing") => PASSWORD,
        (Some(_) | None, _) => return None,
    };
    Some(unusable(place, why, hint))
}

/// Whether the server's certificate is invalid.
fn is_certificate(error: &postgres::Error) -> bool {
    let mut cause = error.source();
    while let Some(found) = cause {
        let inner = found.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        let tls = inner.and_then(|inner| inner.downcast_ref::<rustls::Error>());
        if matches!(tls, Some(rustls::Error::InvalidCertificate(_))) {
            return true;
        }
        cause = found.source();
    }
    false
}

pub(crate) fn unavailable(place: &str, why: String) -> Error {
    Error::Unavailable { engine: ENGINE, place: place.to_owned(), why }
}

pub(crate) fn unusable(place: &str, why: &str, hint: &str) -> Error {
    Error::Unusable { engine: ENGINE, place: place.to_owned(), why: why.to_owned(), hint: hint.to_owned() }
}

pub(crate) fn engine(place: &str, why: String) -> Error {
    Error::Engine { engine: ENGINE, place: place.to_owned(), why }
}

/// Corrupt rows.
pub(crate) fn damaged(place: &str, what: impl Into<String>) -> Error {
    Error::Damaged { path: place.into(), what: what.into() }
}

/// The server's message, or else the cause: the library's own message says little.
pub(crate) fn with_cause(error: &postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        return said.message().to_owned();
    }
    match error.source() {
        Some(cause) => cause.to_string(),
        None => error.to_string(),
    }
}
