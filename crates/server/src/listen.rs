//! Where requests come in: an address, with TLS or without, or a socket in the file system that only its owner's
//! processes may use.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::serve::Listener;
use mindfile::config::Server;
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::Error;

/// Connections that the system keeps until they are taken in: where it is full, a client comes again after a second.
const QUEUE: u32 = 4096;

/// Where to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Address {
        address: SocketAddr,
        /// Listen where other machines can reach it, though nothing is encrypted.
        insecure: bool,
    },
    Socket(PathBuf),
}

/// Who is at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Address(SocketAddr),
    /// A process of the same user.
    Socket,
}

/// An open door.
pub(crate) struct Entrance {
    kind: Kind,
    tls: Option<TlsAcceptor>,
}

enum Kind {
    Address(TcpListener),
    Socket { listener: UnixListener, uid: u32, _file: SocketFile },
}

/// Who has come, before a word was said.
pub(crate) enum Arrival {
    Plain(TcpStream),
    /// Its handshake is still to be made.
    Tls(TlsAcceptor, TcpStream),
    Socket(UnixStream),
}

impl Entrance {
    /// In the runtime.
    pub(crate) fn open(place: &Place, settings: &Server) -> Result<Self, Error> {
        match place {
            Place::Address { address, insecure } => {
                let tls = acceptor(settings)?;
                if !address.ip().is_loopback() && tls.is_none() && !insecure {
                    return Err(Error::Exposed { address: *address });
                }
                let listener = at_address(*address);
                let listener = listener.map_err(|source| Error::Bind { address: *address, source })?;
                Ok(Self { kind: Kind::Address(listener), tls })
            }
            Place::Socket(path) => Ok(Self { kind: at_socket(path)?, tls: None }),
        }
    }

    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match &self.kind {
            Kind::Address(listener) => listener.local_addr().ok(),
            Kind::Socket { .. } => None,
        }
    }

    pub(crate) fn ip(&self) -> Option<IpAddr> {
        self.address().map(|address| address.ip())
    }

    pub(crate) fn is_tls(&self) -> bool {
        self.tls.is_some()
    }

    pub(crate) async fn next(&mut self) -> (Arrival, Peer) {
        match &mut self.kind {
            Kind::Address(listener) => {
                let (stream, address) = Listener::accept(listener).await;
                // Small answers go out at once; without it they are only later.
                drop(stream.set_nodelay(true));
                let arrival = match &self.tls {
                    Some(acceptor) => Arrival::Tls(acceptor.clone(), stream),
                    None => Arrival::Plain(stream),
                };
                (arrival, Peer::Address(address))
            }
            Kind::Socket { listener, uid, .. } => loop {
                let (stream, _) = Listener::accept(listener).await;
                if stream.peer_cred().is_ok_and(|peer| peer.uid() == *uid) {
                    return (Arrival::Socket(stream), Peer::Socket);
                }
            },
        }
    }
}

fn at_address(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(QUEUE)
}

fn acceptor(settings: &Server) -> Result<Option<TlsAcceptor>, Error> {
    let (cert, key) = match (&settings.tls.cert, &settings.tls.key) {
        (Some(cert), Some(key)) => (cert, key),
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(Error::HalfOfTls { given: "memory.server.tls.cert" }),
        (None, Some(_)) => return Err(Error::HalfOfTls { given: "memory.server.tls.key" }),
    };
    let wrong = |path: &Path, what: String| Error::Certificate { path: path.to_owned(), what };
    let chain = CertificateDer::pem_file_iter(cert).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| wrong(cert, error.to_string()))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, error.to_string()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|error| wrong(cert, error.to_string()))?;
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}

fn at_socket(path: &Path) -> Result<Kind, Error> {
    let wrong = |source| Error::Socket { path: path.to_owned(), source };
    clear(path).map_err(wrong)?;
    let listener = UnixListener::bind(path).map_err(wrong)?;
    let file = SocketFile(path.to_owned());
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(wrong)?;
    let uid = own_uid().map_err(wrong)?;
    Ok(Kind::Socket { listener, uid, _file: file })
}

/// Removes a socket that nobody listens at any more; anything else stays.
fn clear(path: &Path) -> io::Result<()> {
    let found = match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.file_type().is_socket() || std::os::unix::net::UnixStream::connect(path).is_ok() {
        return Err(io::ErrorKind::AddrInUse.into());
    }
    std::fs::remove_file(path)
}

/// The user that this process runs as, as the system tells it to a process at the other end.
fn own_uid() -> io::Result<u32> {
    let (one, _other) = UnixStream::pair()?;
    Ok(one.peer_cred()?.uid())
}

/// Gone with the server.
struct SocketFile(PathBuf);

impl Drop for SocketFile {
    fn drop(&mut self) {
        // What is left is cleared by the next start.
        drop(std::fs::remove_file(&self.0));
    }
}
