//! Whoever speaks to a server over a network speaks to that server and to nobody else, and with a password that is right.
//! A name that is not this machine's leads to it by `hostaddr`.

use std::path::PathBuf;

use mindfile_index::{Backend, Error};
use mindfile_postgres::{Options, PostgresIndex};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use zeroize::Zeroizing;

use crate::door;
use crate::own::Own;
use crate::server::{admin, options};

const HOST: &str = "db.example";

struct Authority {
    issuer: Issuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let own = params.self_signed(&key).unwrap();
        std::fs::write(folder.path().join("ca.pem"), own.pem()).unwrap();
        Self { issuer: Issuer::new(params, key), folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A server with a certificate for that name. One that was built without encryption stands behind a door that speaks it.
    fn server(&self, name: &str) -> Option<Encrypted> {
        let mut own = Own::prepare("")?;
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let itself = own.speaks_tls();
        if itself {
            own.put("server.crt", &certificate.pem());
            own.put("server.key", &key.serialize_pem());
            own.set("ssl=on");
        } else {
            eprintln!("this PostgreSQL was built without TLS: it stands behind a door that speaks it");
        }
        own.again();
        let port = if itself { own.port() } else { door::open(own.port(), &certificate, &key) };
        Some(Encrypted { own, port, itself })
    }
}

struct Encrypted {
    own: Own,
    port: u16,
    itself: bool,
}

/// The server by a name that is not this machine's.
fn afar(port: u16) -> String {
    format!("postgresql://mindfile@{HOST}:{port}/postgres?hostaddr=127.0.0.1")
}

fn open(url: &str, ca_file: Option<PathBuf>) -> Result<PostgresIndex, Error> {
    PostgresIndex::open(&Options { ca_file, ..options(url, "main") })
}

fn refused(url: &str, ca_file: Option<PathBuf>) -> (String, String) {
    let error = open(url, ca_file).map(drop).unwrap_err();
    let Error::Unusable { hint, .. } = &error else { panic!("{error}") };
    (error.to_string(), hint.clone())
}

#[test]
fn a_server_in_the_network_is_spoken_to_encrypted_and_verified() {
    let authority = Authority::new();
    let Some(Encrypted { own, port, itself }) = authority.server(HOST) else { return };
    let index = open(&afar(port), Some(authority.file())).unwrap();
    index.verify().unwrap();
    if !itself {
        return;
    }
    let encrypted = "SELECT count(*) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
        WHERE a.application_name = 'mindfile' AND s.ssl";
    assert!(admin(&own.url()).number(encrypted) > 0);
}

#[test]
fn a_certificate_of_another_authority_or_for_another_name_is_refused() {
    let authority = Authority::new();
    let other = Authority::new();
    let Some(Encrypted { own: _own, port, .. }) = authority.server(HOST) else { return };
    for ca_file in [Some(other.file()), None] {
        let (error, hint) = refused(&afar(port), ca_file);
        assert!(error.contains("invalid peer certificate"), "{error}");
        assert!(hint.contains("memory.postgres.caFile"), "{hint}");
    }
    let Some(Encrypted { own, port, .. }) = authority.server("other.example") else { return };
    let (error, hint) = refused(&afar(port), Some(authority.file()));
    assert!(error.contains("certificate not valid for name \"db.example\""), "{error}");
    assert!(hint.contains("memory.postgres.caFile"), "{hint}");
    assert_eq!(admin(&own.url()).number("SELECT count(*) FROM pg_namespace WHERE nspname = 'mindfile'"), 0);
}

#[test]
fn a_server_without_encryption_is_refused_off_loopback_unless_that_is_wanted() {
    let Some(own) = Own::start("") else { return };
    for url in [afar(own.port()), format!("{}?sslmode=require", own.url())] {
        let (error, hint) = refused(&url, None);
        assert!(error.contains("server does not support TLS"), "{error}");
        assert!(hint.contains("sslmode=disable"), "{hint}");
    }
    assert_eq!(admin(&own.url()).number("SELECT count(*) FROM pg_namespace WHERE nspname = 'mindfile'"), 0);
    open(&format!("{}&sslmode=disable", afar(own.port())), None).unwrap().verify().unwrap();
    open(&own.url(), None).unwrap().verify().unwrap();
}

#[test]
fn a_password_that_is_wrong_is_refused_and_shown_nowhere() {
    let Some(own) = Own::start("") else { return };
    let right = ["open", "sesame"].join("-");
    let wrong = ["open", "barley"].join("-");
    let owner = admin(&own.url());
    owner
        .batch_execute(&format!(
            "CREATE ROLE ann LOGIN PASSWORD '{right}'; GRANT CREATE ON DATABASE postgres TO ann"
        ))
        .unwrap();
    own.put("pg_hba.conf", "host all ann 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n");
    owner.batch_execute("SELECT pg_reload_conf()").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let url = own.url().replace("mindfile@", "ann@");
    for (url, password) in [
        (url.replace("ann@", &format!("ann:{wrong}@")), None),
        (url.clone(), Some(&wrong)),
        (url.clone(), None),
    ] {
        let password = password.map(|text| Zeroizing::new(text.clone()));
        let error =
            PostgresIndex::open(&Options { password, ..options(&url, "main") }).map(drop).unwrap_err();
        let Error::Unusable { hint, .. } = &error else { panic!("{error}") };
        assert!(hint.contains("the user and the password of memory.postgres.url, or PGPASSWORD"), "{hint}");
        assert!(!error.to_string().contains(&wrong), "{error}");
    }
    assert_eq!(owner.number("SELECT count(*) FROM pg_namespace WHERE nspname = 'mindfile'"), 0);
    let password = Some(Zeroizing::new(right));
    PostgresIndex::open(&Options { password, ..options(&url, "main") }).unwrap().verify().unwrap();
}
