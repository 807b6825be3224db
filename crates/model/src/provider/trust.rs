//! Which certificates are trusted: those of the public authorities, or those of a file instead, because companies
//! and private networks have authorities of their own.

use std::path::Path;

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use crate::Error;

/// The authorities of a PEM file; without one, those that every browser knows.
pub(super) fn authorities(file: Option<&Path>) -> Result<TlsConfig, Error> {
    let roots = match file {
        Some(file) => RootCerts::from(certificates(file)?),
        None => RootCerts::WebPki,
    };
    Ok(TlsConfig::builder().root_certs(roots).build())
}

fn certificates(file: &Path) -> Result<Vec<Certificate<'static>>, Error> {
    let refuse = |why: String| Error::Authorities { path: file.to_owned(), why };
    let pem = std::fs::read(file).map_err(|error| refuse(error.to_string()))?;
    let mut found = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(|error| refuse(error.to_string()))? {
            found.push(certificate);
        }
    }
    if found.is_empty() { Err(refuse("it has no PEM certificate in it".to_owned())) } else { Ok(found) }
}

/// Why a certificate is not trusted, if that is what went wrong.
pub(super) fn distrust(error: &ureq::Error) -> Option<String> {
    let text = error.to_string();
    let (_, why) = text.split_once("invalid peer certificate: ")?;
    let known = [
        ("UnknownIssuer", "who signed it is not known"),
        ("expired", "it has expired"),
        ("not valid for name", "it is for another host"),
        ("CaUsedAsEndEntity", "it is that of an authority, not of a host"),
    ];
    let plain = known.iter().find(|(word, _)| why.contains(word)).map(|(_, plain)| *plain);
    Some(plain.map_or_else(|| why.to_owned(), |plain| format!("{plain} ({why})")))
}
