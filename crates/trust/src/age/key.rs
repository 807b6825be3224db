//! Keys as people store them: `AGE-SECRET-KEY-1…` in a file, and the public `age1…`.

use std::fmt;

use bech32::{Bech32, Hrp};
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};
use zeroize::Zeroizing;

use super::{Error, fill};

const SECRET: Hrp = Hrp::parse_unchecked("age-secret-key-");
const PUBLIC: Hrp = Hrp::parse_unchecked("age");

/// What opens files. It does not print, and its bytes do not stay in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity(Zeroizing<[u8; 32]>);

/// What a person remembers. It does not print, and does not stay in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Passphrase(Zeroizing<String>);

impl Passphrase {
    /// None for an empty one.
    pub fn new(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase")
    }
}

/// What files are encrypted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient([u8; 32]);

impl Identity {
    pub fn generate() -> Result<Self, Error> {
        let mut secret = Zeroizing::new([0; 32]);
        fill(&mut *secret)?;
        Ok(Self(secret))
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        Ok(Self(Zeroizing::new(bytes(text, SECRET, "a secret key")?)))
    }

    pub fn recipient(&self) -> Recipient {
        Recipient(x25519(*self.0, X25519_BASEPOINT_BYTES))
    }

    /// As it is written into a key file.
    pub fn to_text(&self) -> Result<Zeroizing<String>, Error> {
        let text = bech32::encode_upper::<Bech32>(SECRET, &*self.0);
        text.map(Zeroizing::new).map_err(|_length| Error::NotAKey { what: "a secret key" })
    }

    pub(super) fn agree(&self, share: [u8; 32]) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(x25519(*self.0, share))
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.recipient())
    }
}

impl Recipient {
    pub fn parse(text: &str) -> Result<Self, Error> {
        Ok(Self(bytes(text, PUBLIC, "a recipient")?))
    }

    pub(super) fn as_bytes(&self) -> [u8; 32] {
        self.0
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bech32::encode_lower_to_fmt::<Bech32, _>(f, PUBLIC, &self.0).map_err(|_length| fmt::Error)
    }
}

/// The identities of a key file: a line each, beside empty ones and comments.
pub fn identities(text: &str) -> Result<Vec<Identity>, Error> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let found: Vec<Identity> = lines.map(Identity::parse).collect::<Result<_, _>>()?;
    if found.is_empty() { Err(Error::NotAKey { what: "an empty file" }) } else { Ok(found) }
}

fn bytes(text: &str, expected: Hrp, what: &'static str) -> Result<[u8; 32], Error> {
    let wrong = || Error::NotAKey { what };
    let checked = bech32::primitives::decode::CheckedHrpstring::new::<Bech32>(text.trim());
    let checked = checked.map_err(|_other| wrong())?;
    if checked.hrp() != expected {
        return Err(wrong());
    }
    let data: Zeroizing<Vec<u8>> = Zeroizing::new(checked.byte_iter().collect());
    data.as_slice().try_into().map_err(|_length| wrong())
}
