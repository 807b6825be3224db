//! A certificate that signs itself, made for one test: X.509 is a few nested lists when nobody else has to agree.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

const ECDSA_WITH_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];
const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const COMMON_NAME: &[u8] = &[0x55, 4, 3];
const OTHER_NAMES: &[u8] = &[0x55, 0x1d, 0x11];

pub(crate) struct Certificate {
    pub(crate) der: Vec<u8>,
    key: Vec<u8>,
}

impl Certificate {
    pub(crate) fn new(host: &str) -> Self {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.as_ref(), &random).unwrap();
        let body = body(host, pair.public_key().as_ref());
        let signature = pair.sign(&random, &body).unwrap();
        let der = list(&[&body, &list(&[&oid(ECDSA_WITH_SHA256)]), &bits(signature.as_ref())]);
        Self { der, key: key.as_ref().to_vec() }
    }

    pub(crate) fn pem(&self) -> String {
        armoured("CERTIFICATE", &self.der)
    }

    pub(crate) fn key_pem(&self) -> String {
        armoured(&["PRIVATE", "KEY"].join(" "), &self.key)
    }
}

/// What is signed: version 3, a number, the same name twice, a span of time, the key, and the name as a host's.
fn body(host: &str, public: &[u8]) -> Vec<u8> {
    let name = list(&[&item(0x31, &list(&[&oid(COMMON_NAME), &item(0x0c, host.as_bytes())]))]);
    let span = list(&[&item(0x17, b"200101000000Z"), &item(0x17, b"491231235959Z")]);
    let key = list(&[&list(&[&oid(EC_PUBLIC_KEY), &oid(P256)]), &bits(public)]);
    let names = item(0x04, &list(&[&item(0x82, host.as_bytes())]));
    let extensions = item(0xa3, &list(&[&list(&[&oid(OTHER_NAMES), &names])]));
    let version = item(0xa0, &item(0x02, &[2]));
    let algorithm = list(&[&oid(ECDSA_WITH_SHA256)]);
    list(&[&version, &item(0x02, &[1]), &algorithm, &name, &span, &name, &key, &extensions])
}

fn armoured(label: &str, der: &[u8]) -> String {
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", STANDARD.encode(der))
}

fn list(parts: &[&[u8]]) -> Vec<u8> {
    item(0x30, &parts.concat())
}

fn oid(bytes: &[u8]) -> Vec<u8> {
    item(0x06, bytes)
}

fn bits(bytes: &[u8]) -> Vec<u8> {
    item(0x03, &[&[0], bytes].concat())
}

/// Tag, length and content.
fn item(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    let head: &[u8] = match length {
        [0, short @ 0..=0x7f] => &[tag, short],
        [0, long] => &[tag, 0x81, long],
        [high, low] => &[tag, 0x82, high, low],
    };
    [head, content].concat()
}
