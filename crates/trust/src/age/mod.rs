//! Reads and writes files that `age` can open: encryption that outlives this program.
//!
//! The format is age version 1 (<https://age-encryption.org/v1>) with its two native recipients: X25519 keys and scrypt
//! passphrases. Anything else is refused by name. RustCrypto and dalek supply the primitives; this module only combines
//! them as age does. It is pure except for random numbers: bytes in, bytes out.

mod header;
mod key;
mod payload;
mod wrap;

#[expect(clippy::module_name_repetitions, reason = "what is asked of a file is asked in one word")]
pub use header::is_age;
pub use key::{Identity, Passphrase, Recipient, identities};

use zeroize::Zeroizing;

use header::Header;
use wrap::FileKey;

#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum Error {
    #[error("it is not an age file")]
    NotAge,
    #[error("it is damaged: {what}")]
    Damaged { what: &'static str },
    #[error("it is encrypted for another key")]
    OtherKey,
    #[error("it is encrypted with a passphrase")]
    NeedsPassphrase,
    #[error("the passphrase is wrong")]
    WrongPassphrase,
    #[error("it asks for a work factor of 2^{work}, more than 2^{most}")]
    TooMuchWork { work: u8, most: u8 },
    #[error("{what} is not an age key")]
    NotAKey { what: &'static str },
    #[error("the system gave no random numbers")]
    NoRandomness,
}

/// The work of scrypt that age itself uses: about a second.
pub const WORK: u8 = 18;
/// A file that asks for more would keep the reader busy for minutes, and take gigabytes.
const MOST_WORK: u8 = 22;

/// The bytes of an age file that the holder of the recipient's identity can open.
pub fn encrypt(plain: &[u8], recipient: &Recipient) -> Result<Vec<u8>, Error> {
    let file_key = FileKey::random()?;
    let stanza = wrap::for_recipient(&file_key, recipient)?;
    sealed(plain, &file_key, stanza)
}

/// The same for whoever knows the passphrase; 2^`work` is how hard it is to guess.
pub fn encrypt_with_passphrase(plain: &[u8], passphrase: &Passphrase, work: u8) -> Result<Vec<u8>, Error> {
    let file_key = FileKey::random()?;
    let stanza = wrap::for_passphrase(&file_key, passphrase, work)?;
    sealed(plain, &file_key, stanza)
}

fn sealed(plain: &[u8], file_key: &FileKey, stanza: header::Stanza) -> Result<Vec<u8>, Error> {
    let mut file = Header::write(&stanza, file_key)?;
    payload::seal(plain, file_key, &mut file)?;
    Ok(file)
}

/// What an age file holds, if one of the identities opens it.
pub fn decrypt(file: &[u8], identities: &[Identity]) -> Result<Zeroizing<Vec<u8>>, Error> {
    let header = read(file)?;
    if header.stanzas.iter().any(wrap::is_passphrase) {
        return Err(Error::NeedsPassphrase);
    }
    for identity in identities {
        for stanza in &header.stanzas {
            if let Some(file_key) = wrap::by_identity(stanza, identity)? {
                return opened(file, &header, &file_key);
            }
        }
    }
    Err(Error::OtherKey)
}

pub fn decrypt_with_passphrase(file: &[u8], passphrase: &Passphrase) -> Result<Zeroizing<Vec<u8>>, Error> {
    let header = read(file)?;
    match header.stanzas.as_slice() {
        [stanza] if wrap::is_passphrase(stanza) => {
            opened(file, &header, &wrap::by_passphrase(stanza, passphrase, MOST_WORK)?)
        }
        _ => Err(Error::OtherKey),
    }
}

/// The header of a file. A passphrase is the only way into the file that has one.
fn read(file: &[u8]) -> Result<Header, Error> {
    let header = Header::read(file)?;
    if header.stanzas.len() > 1 && header.stanzas.iter().any(wrap::is_passphrase) {
        return Err(Error::Damaged { what: "its header has a passphrase beside other recipients" });
    }
    Ok(header)
}

fn opened(file: &[u8], header: &Header, file_key: &FileKey) -> Result<Zeroizing<Vec<u8>>, Error> {
    header.verify(file, file_key)?;
    payload::open(&file[header.end..], file_key)
}

fn fill(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|_unavailable| Error::NoRandomness)
}

#[cfg(test)]
mod tests;
