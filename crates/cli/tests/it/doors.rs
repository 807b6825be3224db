//! Who is let in by `mindfile serve`: with TLS by a real handshake, and by a socket only processes of the same user.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::process::{Uid, geteuid};
use rustix::thread::set_thread_res_uid;
use serde_json::json;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::certificate::Certificate;
use crate::exchange::{Answer, exchange};
use crate::home::{Home, write};
use crate::serve::Served;

/// A certificate that signs itself, and settings that name it.
fn certified(home: &Home) -> CertificateDer<'static> {
    let made = Certificate::new("localhost");
    let (cert, key) = (home.path().join("cert.pem"), home.path().join("key.pem"));
    write(&cert, made.pem().as_bytes());
    write(&key, made.key_pem().as_bytes());
    home.config(&format!(
        "{{ memory: {{ server: {{ tls: {{ cert: {}, key: {} }} }} }} }}",
        json!(cert.to_str().unwrap()),
        json!(key.to_str().unwrap())
    ));
    made.der.into()
}

/// A client that trusts these certificates and no others.
fn client(trusted: &[CertificateDer<'static>], address: &str) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    trusted.iter().for_each(|certificate| roots.add(certificate.clone()).unwrap());
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    StreamOwned::new(connection, TcpStream::connect(address).unwrap())
}

fn ask(certificate: &CertificateDer<'static>, address: &str, path: &str, token: &str) -> Answer {
    let bearer = format!("Bearer {token}");
    let headers = [&("Host", address), &("Authorization", bearer.as_str())];
    exchange(client(std::slice::from_ref(certificate), address), "GET", path, &headers, "")
}

#[test]
fn a_client_that_trusts_the_certificate_is_answered_with_tls() {
    let home = Home::new();
    let certificate = certified(&home);
    let served = Served::new(&home, &[]);
    let found = ask(&certificate, &served.address, "/v1/search?query=dog", &served.token);
    assert_eq!(found.json()["results"][0]["path"], json!("MEMORY.md"));
    assert_eq!(ask(&certificate, &served.address, "/v1/search?query=dog", "another").status, 401);
}

#[test]
fn strangers_and_plain_text_get_nothing_where_tls_is_spoken_and_the_server_goes_on() {
    let home = Home::new();
    let certificate = certified(&home);
    let served = Served::new(&home, &[]);
    let other = Certificate::new("localhost");
    let mut stranger = client(&[other.der.into()], &served.address);
    let refused = stranger.write_all(b"GET /healthz HTTP/1.1\r\n\r\n").unwrap_err();
    assert!(refused.to_string().contains("invalid peer certificate"), "{refused}");
    let mut plain = TcpStream::connect(&served.address).unwrap();
    plain.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut bytes = Vec::new();
    // An alert of TLS, or nothing at all.
    drop(plain.read_to_end(&mut bytes));
    assert!(!String::from_utf8_lossy(&bytes).contains("HTTP/"), "{bytes:?}");
    assert_eq!(ask(&certificate, &served.address, "/healthz", "").status, 200);
}

#[test]
fn with_tls_or_a_flag_other_addresses_are_served() {
    let home = Home::new();
    let came = home.run(&["serve", "--host", "0.0.0.0", "--port", "0"]);
    assert_eq!(came.code, 2, "{came:?}");
    let port = |served: &Served| served.address.rsplit(':').next().unwrap().to_owned();
    let open = Served::new(&home, &["--host", "0.0.0.0", "--insecure-http"]);
    let stream = TcpStream::connect(format!("127.0.0.1:{}", port(&open))).unwrap();
    assert_eq!(exchange(stream, "GET", "/healthz", &[&("Host", "localhost")], "").status, 200);
    let certificate = certified(&home);
    let closed = Served::new(&home, &["--host", "0.0.0.0"]);
    let address = format!("127.0.0.1:{}", port(&closed));
    let stream = client(&[certificate], &address);
    assert_eq!(exchange(stream, "GET", "/healthz", &[&("Host", "localhost")], "").status, 200);
}

/// A user that is not this one. The system asks who connects thread by thread.
fn as_nobody<T: Send + 'static>(deed: impl FnOnce() -> T + Send + 'static) -> T {
    let nobody = Uid::from_raw(65_534);
    let thread = std::thread::spawn(move || {
        set_thread_res_uid(nobody, nobody, nobody).unwrap();
        deed()
    });
    thread.join().unwrap()
}

/// What comes back for a request at a socket: nothing, if the other end hangs up.
fn asked_at(path: &Path) -> std::io::Result<String> {
    let mut stream = UnixStream::connect(path)?;
    let mut bytes = Vec::new();
    // To write to, or read from, what was hung up may fail or not.
    drop(
        stream
            .write_all(b"GET /v1/search?query=dog HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
    );
    drop(stream.read_to_end(&mut bytes));
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn a_socket_answers_no_process_of_another_user() {
    if !geteuid().is_root() {
        eprintln!("SKIPPED: only root can be another user");
        return;
    }
    let home = Home::new();
    let path = home.path().join("mindfile.sock");
    let _served = Served::at_socket(&home, &path);
    let other = path.clone();
    let refused = as_nobody(move || asked_at(&other)).unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::PermissionDenied);
    opened(&path);
    let other: PathBuf = path.clone();
    assert_eq!(as_nobody(move || asked_at(&other)).unwrap(), "", "the file says yes, the peer's user no");
    assert!(asked_at(&path).unwrap().contains("MEMORY.md"));
}

/// As if somebody had opened the file and every folder above it to all.
fn opened(path: &Path) {
    let mode =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(path, 0o666);
    mode(path.parent().unwrap(), 0o755);
}
