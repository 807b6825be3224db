//! Encrypted services: certificates are made here, and the test server stands behind a door that speaks TLS.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mindfile_model::provider::chat::{ChatEndpoint, ChatProtocol};
use mindfile_model::provider::{Local, Service, chat};
use mindfile_model::{Error, Role, chat as talk};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

use crate::asking::{Still, open, outcomes, service, truth};
use crate::server::Server;

/// A company's own authority, and what it signs.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    folder: TempDir,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let folder = tempfile::tempdir().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        write(&folder.path().join("ca.pem"), &format!("A company's own.\n{pem}"));
        Self { issuer: Issuer::new(params, key), folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    fn signed(&self, host: &str, until_year: i32) -> ServerConfig {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        params.not_after = date_time_ymd(until_year, 1, 1);
        let certificate: CertificateDer<'static> = params.signed_by(&key, &self.issuer).unwrap().into();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        builder.unwrap().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap()
    }
}

fn write(path: &Path, text: &str) {
    File::create(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// Opens an encrypted door before a server; returns its address. It lasts as long as the tests.
fn door(to: &str, config: ServerConfig) -> String {
    let to: SocketAddr = to.strip_prefix("http://").unwrap().parse().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let config = Arc::new(config);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let tls = StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream);
            std::thread::spawn(move || pass_on(tls, to));
        }
    });
    format!("https://{address}")
}

/// Requests in, answers out, until somebody is gone.
fn pass_on(mut tls: StreamOwned<ServerConnection, TcpStream>, to: SocketAddr) -> Option<()> {
    let mut plain = TcpStream::connect(to).ok()?;
    loop {
        plain.write_all(&message(&mut tls)?).ok()?;
        tls.write_all(&message(&mut plain)?).ok()?;
        tls.flush().ok()?;
    }
}

fn message(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        match from.read(&mut buffer).ok()? {
            0 => return None,
            read => bytes.extend_from_slice(&buffer[..read]),
        }
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if bytes.len() >= head.len() + 4 + length.unwrap_or(0usize) {
            return Some(bytes);
        }
    }
}

/// The test server behind a door, and who asks it.
fn behind(server: &Server, config: ServerConfig, ca_file: Option<PathBuf>) -> Service {
    let base_url = format!("{}/v1", door(&server.url(), config));
    Service { base_url, ca_file, ..service(server, "openai") }
}

fn refused(service: Service) -> (Error, String) {
    let at = service.base_url.clone();
    let (embedder, still) = open(service);
    let error = embedder.embed(Role::Query, &["a question"], None).unwrap_err();
    assert_eq!(still.slept(), [], "what is not trusted now is not trusted in a second");
    let said = error.to_string().replace(&at, "URL");
    (error, said)
}

#[test]
fn a_certificate_that_nobody_known_has_signed_is_refused_before_anything_is_sent() {
    let server = Server::start();
    let (error, said) = refused(behind(&server, Authority::new().signed("127.0.0.1", 2100), None));
    let expected = "URL has a certificate that is not trusted: who signed it is not known (UnknownIssuer)";
    assert_eq!(said, expected);
    assert_eq!(
        error.hint().unwrap(),
        "if an authority of your own signed it, put that authority's certificate into a PEM file and name the file in \
         remote.caFile, chat.caFile or SSL_CERT_FILE"
    );
    assert_eq!(server.take_seen().len(), 0);
}

#[test]
fn an_authority_of_a_file_is_trusted() {
    let (server, authority) = (Server::start(), Authority::new());
    let service = behind(&server, authority.signed("127.0.0.1", 2100), Some(authority.file()));
    let (embedder, _) = open(service);
    let (all, came) = outcomes(&*embedder, &["one", "two"]);
    assert_eq!((all, came), (vec![truth("one"), truth("two")], Ok(())));
    assert_eq!(server.take_seen().len(), 1);
}

#[test]
fn the_authority_of_a_file_is_trusted_instead_of_others() {
    let server = Server::start();
    let service = behind(&server, Authority::new().signed("127.0.0.1", 2100), Some(Authority::new().file()));
    // The folder of the other authority is gone with it: the file has to be there when it is read.
    let (error, _) = refused(service);
    assert!(matches!(error, Error::Authorities { .. }), "{error}");
    let other = Authority::new();
    let (error, _) = refused(behind(&server, Authority::new().signed("127.0.0.1", 2100), Some(other.file())));
    assert!(matches!(error, Error::Untrusted { .. }), "{error}");
}

#[test]
fn a_certificate_for_another_host_or_of_another_time_is_refused() {
    let (server, authority) = (Server::start(), Authority::new());
    let (_, said) = refused(behind(&server, authority.signed("notes.example", 2100), Some(authority.file())));
    assert!(said.contains("it is for another host"), "{said}");
    let (_, said) = refused(behind(&server, authority.signed("127.0.0.1", 2001), Some(authority.file())));
    assert!(said.contains("it has expired"), "{said}");
}

#[test]
fn a_file_without_certificates_is_said_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.pem");
    write(&file, "not a certificate\n");
    let server = Server::start();
    let service = Service {
        ca_file: Some(file),
        base_url: "https://127.0.0.1:1/v1".to_owned(),
        ..service(&server, "openai")
    };
    let (error, said) = refused(service);
    assert!(said.ends_with("empty.pem cannot be used: it has no PEM certificate in it"), "{said}");
    assert!(error.hint().unwrap().contains("SSL_CERT_FILE"));
}

#[test]
fn a_service_that_is_not_encrypted_needs_no_authorities() {
    let server = Server::start();
    let service = Service { ca_file: Some(PathBuf::from("/no/such/file")), ..service(&server, "openai") };
    let (embedder, _) = open(service);
    assert_eq!(outcomes(&*embedder, &["one"]).0, [truth("one")]);
}

#[test]
fn downloads_and_chat_models_are_held_to_the_same() {
    let (server, authority) = (Server::start(), Authority::new());
    let url = door(&server.url(), authority.signed("127.0.0.1", 2100));
    let folder = tempfile::tempdir().unwrap();
    let download = |ca_file| {
        let (cache, endpoint) = (folder.path().to_owned(), url.clone());
        Local { model: "hf:owner/repository/model.gguf".to_owned(), cache, endpoint, ca_file }
            .file()
            .unwrap_err()
    };
    assert!(matches!(download(None), Error::Untrusted { .. }), "{}", download(None));
    let found = download(Some(authority.file())).to_string();
    assert!(found.contains("failed with status 401: it is not open to everybody"), "{found}");
    let ask = |ca_file| {
        let endpoint = ChatEndpoint {
            protocol: ChatProtocol::OpenAi,
            base_url: url.clone(),
            model: "test-1".to_owned(),
            key: None,
            headers: Vec::new(),
            window: 8_192,
            timeouts: ChatEndpoint::TIMEOUTS,
            ca_file,
        };
        let model = chat::open(endpoint, Arc::new(Still::default())).unwrap();
        let request = talk::Request { system: "", turns: &[], tools: &[], max_tokens: 10 };
        model.answer(&request, &mut |_| ()).unwrap_err()
    };
    assert!(matches!(ask(None), Error::Untrusted { .. }), "{}", ask(None));
    assert!(matches!(ask(Some(authority.file())), Error::Denied { .. }), "{}", ask(Some(authority.file())));
}
