//! A door that speaks TLS as PostgreSQL does, before a server that was built without it: the client asks for encryption,
//! is told yes, and goes on encrypted.

use std::sync::Arc;

use rcgen::{Certificate, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// As the client asks: its length and a number that is no version.
const REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/// Returns the port. It lasts as long as the tests.
pub(crate) fn open(to: u16, certificate: &Certificate, key: &KeyPair) -> u16 {
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config =
        builder.unwrap().with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key);
    let acceptor = TlsAcceptor::from(Arc::new(config.unwrap()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        runtime.block_on(async move {
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move { pass_on(client, to, &acceptor).await });
            }
        });
    });
    port
}

/// Nothing comes of a client that does not ask for encryption, or that does not believe the certificate.
async fn pass_on(mut client: TcpStream, to: u16, acceptor: &TlsAcceptor) -> Option<()> {
    let mut asked = [0; 8];
    client.read_exact(&mut asked).await.ok()?;
    if asked != REQUEST {
        return None;
    }
    client.write_all(b"S").await.ok()?;
    let mut client = acceptor.accept(client).await.ok()?;
    let mut server = TcpStream::connect(("127.0.0.1", to)).await.ok()?;
    copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}
