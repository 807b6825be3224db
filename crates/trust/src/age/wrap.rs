//! Wraps a file's key for each recipient.

use chacha20poly1305::aead::Aead;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use hkdf::Hkdf;
use scrypt::Params;
use sha2::Sha256;
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};
use zeroize::Zeroizing;

use super::header::{Stanza, decoded, encoded};
use super::key::{Identity, Passphrase, Recipient};
use super::{Error, fill};

const X25519: &str = "X25519";
const X25519_INFO: &[u8] = b"age-encryption.org/v1/X25519";
const SCRYPT: &str = "scrypt";
const SCRYPT_SALT: &[u8] = b"age-encryption.org/v1/scrypt";
const SALT: usize = 16;
/// Of the file's key, sealed.
const WRAPPED: usize = 32;

/// The key that one file is encrypted with; every file has its own.
pub(super) struct FileKey(Zeroizing<[u8; 16]>);

impl FileKey {
    pub(super) fn random() -> Result<Self, Error> {
        let mut key = Zeroizing::new([0; 16]);
        fill(&mut *key)?;
        Ok(Self(key))
    }

    pub(super) fn derive(&self, salt: &[u8], info: &[u8]) -> Result<Zeroizing<[u8; 32]>, Error> {
        derived(&*self.0, salt, info)
    }
}

pub(super) fn for_recipient(file_key: &FileKey, recipient: &Recipient) -> Result<Stanza, Error> {
    let mut secret = Zeroizing::new([0; 32]);
    fill(&mut *secret)?;
    let share = x25519(*secret, X25519_BASEPOINT_BYTES);
    let shared = Zeroizing::new(x25519(*secret, recipient.as_bytes()));
    let key = wrapping(&shared, share, recipient)?;
    Ok(Stanza { words: vec![X25519.to_owned(), encoded(&share)], body: wrap(&key, file_key)? })
}

pub(super) fn for_passphrase(file_key: &FileKey, passphrase: &Passphrase, work: u8) -> Result<Stanza, Error> {
    let mut salt = [0; SALT];
    fill(&mut salt)?;
    let key = stretched(passphrase, &salt, work)?;
    let words = vec![SCRYPT.to_owned(), encoded(&salt), work.to_string()];
    Ok(Stanza { words, body: wrap(&key, file_key)? })
}

pub(super) fn is_passphrase(stanza: &Stanza) -> bool {
    stanza.words.first().is_some_and(|word| word == SCRYPT)
}

/// The file's key, if the stanza is for this identity.
pub(super) fn by_identity(stanza: &Stanza, identity: &Identity) -> Result<Option<FileKey>, Error> {
    let odd = || Error::Damaged { what: "a recipient in its header has another length" };
    let share = match stanza.words.as_slice() {
        [kind, share] if kind == X25519 => share,
        [kind, ..] if kind == X25519 => return Err(odd()),
        _ => return Ok(None),
    };
    let share: [u8; 32] = decoded(share)?.try_into().map_err(|_length| odd())?;
    if stanza.body.len() != WRAPPED {
        return Err(odd());
    }
    let shared = identity.agree(share);
    if *shared == [0; 32] {
        return Err(Error::Damaged { what: "a recipient in its header is no point of the curve's group" });
    }
    let key = wrapping(&shared, share, &identity.recipient())?;
    Ok(unwrap(&key, &stanza.body))
}

pub(super) fn by_passphrase(stanza: &Stanza, passphrase: &Passphrase, most: u8) -> Result<FileKey, Error> {
    let odd = || Error::Damaged { what: "its header does not say how the passphrase is used" };
    let [_, salt, work] = stanza.words.as_slice() else { return Err(odd()) };
    let salt = decoded(salt)?;
    let plain = work.bytes().all(|byte| byte.is_ascii_digit()) && !work.starts_with('0');
    let work: u8 = work.parse().ok().filter(|_| plain && salt.len() == SALT).ok_or_else(odd)?;
    if stanza.body.len() != WRAPPED {
        return Err(odd());
    }
    if work > most {
        return Err(Error::TooMuchWork { work, most });
    }
    let key = stretched(passphrase, &salt, work)?;
    unwrap(&key, &stanza.body).ok_or(Error::WrongPassphrase)
}

fn wrapping(shared: &[u8; 32], share: [u8; 32], recipient: &Recipient) -> Result<Zeroizing<[u8; 32]>, Error> {
    let salt = [share, recipient.as_bytes()].concat();
    derived(shared, &salt, X25519_INFO)
}

fn stretched(passphrase: &Passphrase, salt: &[u8], work: u8) -> Result<Zeroizing<[u8; 32]>, Error> {
    let odd = Error::Damaged { what: "its work factor is none" };
    let params = Params::new(work, 8, 1).map_err(|_odd| odd.clone())?;
    let mut key = Zeroizing::new([0; 32]);
    let salt = [SCRYPT_SALT, salt].concat();
    scrypt::scrypt(passphrase.as_bytes(), &salt, &params, &mut *key).map_err(|_length| odd)?;
    Ok(key)
}

fn derived(secret: &[u8], salt: &[u8], info: &[u8]) -> Result<Zeroizing<[u8; 32]>, Error> {
    let mut key = Zeroizing::new([0; 32]);
    let done = Hkdf::<Sha256>::new(Some(salt), secret).expand(info, &mut *key);
    done.map_err(|_length| Error::Damaged { what: "its key has another length" })?;
    Ok(key)
}

/// The wrapping key is used once, so its nonce may be zero.
fn wrap(key: &[u8; 32], file_key: &FileKey) -> Result<Vec<u8>, Error> {
    let sealed = ChaCha20Poly1305::new(&(*key).into()).encrypt(&[0; 12].into(), file_key.0.as_slice());
    sealed.map_err(|_failed| Error::Damaged { what: "its key cannot be wrapped" })
}

fn unwrap(key: &[u8; 32], body: &[u8]) -> Option<FileKey> {
    let opened = ChaCha20Poly1305::new(&(*key).into()).decrypt(&[0; 12].into(), body);
    let opened = Zeroizing::new(opened.ok()?);
    Some(FileKey(Zeroizing::new(opened.as_slice().try_into().ok()?)))
}
