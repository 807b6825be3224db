//! Where requests come in: an address, with TLS or without, or a socket in the file system that only its owner's
//! processes may use.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use mindfile::config::Server;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::error::Error;

/// Connections at the same time; others wait at the door.
const MOST: usize = 1024;
/// How long a stranger may take for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

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
    room: Arc<Semaphore>,
}

enum Kind {
    Plain(TcpListener),
    /// Handshakes are made aside, so that a slow one keeps nobody waiting.
    Tls {
        ready: mpsc::Receiver<(Box<dyn Io>, SocketAddr)>,
        address: SocketAddr,
    },
    Socket {
        listener: UnixListener,
        uid: u32,
        _file: SocketFile,
    },
}

pub(crate) trait Io: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Io for T {}

impl Entrance {
    pub(crate) async fn open(place: &Place, settings: &Server) -> Result<Self, Error> {
        let room = Arc::new(Semaphore::new(MOST));
        let kind = match place {
            Place::Address { address, insecure } => {
                let tls = acceptor(settings)?;
                if !address.ip().is_loopback() && tls.is_none() && !insecure {
                    return Err(Error::Exposed { address: *address });
                }
                at_address(*address, tls).await?
            }
            Place::Socket(path) => at_socket(path)?,
        };
        Ok(Self { kind, room })
    }

    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match &self.kind {
            Kind::Plain(listener) => listener.local_addr().ok(),
            Kind::Tls { address, .. } => Some(*address),
            Kind::Socket { .. } => None,
        }
    }

    pub(crate) fn ip(&self) -> Option<IpAddr> {
        self.address().map(|address| address.ip())
    }

    pub(crate) fn is_tls(&self) -> bool {
        matches!(self.kind, Kind::Tls { .. })
    }

    async fn next(&mut self) -> (Box<dyn Io>, Peer) {
        match &mut self.kind {
            Kind::Plain(listener) => {
                let (stream, address) = Listener::accept(listener).await;
                quick(&stream);
                (Box::new(stream), Peer::Address(address))
            }
            Kind::Tls { ready, .. } => match ready.recv().await {
                Some((stream, address)) => (stream, Peer::Address(address)),
                None => std::future::pending().await,
            },
            Kind::Socket { listener, uid, .. } => loop {
                let (stream, _) = Listener::accept(listener).await;
                if stream.peer_cred().is_ok_and(|peer| peer.uid() == *uid) {
                    return (Box::new(stream), Peer::Socket);
                }
            },
        }
    }
}

/// Small answers go out at once.
fn quick(stream: &TcpStream) {
    // Without it answers are only later.
    drop(stream.set_nodelay(true));
}

async fn at_address(address: SocketAddr, tls: Option<TlsAcceptor>) -> Result<Kind, Error> {
    let bind = |source| Error::Bind { address, source };
    let listener = TcpListener::bind(address).await.map_err(bind)?;
    let Some(acceptor) = tls else { return Ok(Kind::Plain(listener)) };
    let address = listener.local_addr().map_err(bind)?;
    let (sender, ready) = mpsc::channel(64);
    tokio::spawn(handshakes(listener, acceptor, sender));
    Ok(Kind::Tls { ready, address })
}

async fn handshakes(
    mut listener: TcpListener,
    acceptor: TlsAcceptor,
    ready: mpsc::Sender<(Box<dyn Io>, SocketAddr)>,
) {
    loop {
        let (stream, address) = Listener::accept(&mut listener).await;
        quick(&stream);
        let (acceptor, ready) = (acceptor.clone(), ready.clone());
        tokio::spawn(async move {
            if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await {
                let stream: Box<dyn Io> = Box::new(stream);
                // The server has ended.
                drop(ready.send((stream, address)).await);
            }
        });
    }
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

impl Listener for Entrance {
    type Io = Connection;
    type Addr = Peer;

    async fn accept(&mut self) -> (Connection, Peer) {
        loop {
            let Ok(place) = Arc::clone(&self.room).acquire_owned().await else { continue };
            let (io, peer) = self.next().await;
            return (Connection { io, _place: place }, peer);
        }
    }

    fn local_addr(&self) -> io::Result<Peer> {
        Ok(self.address().map_or(Peer::Socket, Peer::Address))
    }
}

impl Connected<IncomingStream<'_, Entrance>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Entrance>) -> Self {
        *stream.remote_addr()
    }
}

/// A connection, and its place among those that may be open.
pub(crate) struct Connection {
    io: Box<dyn Io>,
    _place: OwnedSemaphorePermit,
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buf)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}
