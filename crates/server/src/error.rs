//! Why a server could not be started, or had to end.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use mindfile::fault::{Explain, Fault, Hint, Spelling};
use mindfile_operations::Failure;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Memory(#[from] mindfile::Error),
    #[error("{host} is not an address to listen at")]
    NotAnAddress { host: String },
    #[error("nothing can listen at {address}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("nothing can listen at {}", path.display())]
    Socket { path: PathBuf, source: io::Error },
    #[error("{address} can be reached from other machines, and what is sent there is not encrypted")]
    Exposed { address: SocketAddr },
    #[error("a certificate needs its key, and a key its certificate: only {given} is set")]
    HalfOfTls { given: &'static str },
    #[error("{}: {what}", path.display())]
    Certificate { path: PathBuf, what: String },
    #[error("the token cannot be kept in {}", path.display())]
    Token { path: PathBuf, source: io::Error },
    #[error("the server cannot run")]
    Runtime { source: io::Error },
    #[error("the conversation with the client failed: {what}")]
    Client { what: String },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if let Error::Memory(error) = error {
            return error.into();
        }
        Self::explained(error)
    }
}

impl Explain for Error {
    fn fault(&self) -> Fault {
        match self {
            Self::Memory(error) => error.fault(),
            Self::NotAnAddress { .. } | Self::Exposed { .. } | Self::HalfOfTls { .. } => Fault::Caller,
            Self::Bind { .. }
            | Self::Socket { .. }
            | Self::Certificate { .. }
            | Self::Token { .. }
            | Self::Runtime { .. }
            | Self::Client { .. } => Fault::Environment,
        }
    }

    fn code(&self) -> Option<&'static str> {
        if let Self::Memory(error) = self { error.code() } else { None }
    }

    fn hint(&self) -> Option<Hint> {
        match self {
            Self::Memory(error) => error.hint(),
            Self::NotAnAddress { .. } => Some("for example 127.0.0.1, or ::1".into()),
            Self::Bind { source, .. } | Self::Socket { source, .. }
                if source.kind() == io::ErrorKind::AddrInUse =>
            {
                Some(
                    Hint::say("another server is there; choose another ")
                        .field("port")
                        .and(", or 0 for any that is free"),
                )
            }
            Self::Exposed { .. } => Some(
                Hint::say("set memory.server.tls.cert and memory.server.tls.key, or say ")
                    .field("insecure_http")
                    .and(" behind a proxy that encrypts"),
            ),
            Self::HalfOfTls { .. } => {
                Some("set memory.server.tls.cert and memory.server.tls.key, both in PEM".into())
            }
            Self::Bind { .. }
            | Self::Socket { .. }
            | Self::Certificate { .. }
            | Self::Token { .. }
            | Self::Runtime { .. }
            | Self::Client { .. } => None,
        }
    }

    fn spelled(&self, spelling: &dyn Spelling) -> String {
        if let Self::Memory(error) = self { error.spelled(spelling) } else { self.to_string() }
    }
}
