//! Secrets of 32 bytes in files that only their owner can read. The secret of a state directory keys the digests on disk,
//! so that nobody without the key can check a guess against them.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

use crate::Error;
use crate::absent::if_there;
use crate::durable;

const LENGTH: usize = 32;
/// The key's name, below `memory` in the state directory.
pub const FILE: &str = "digest.key";

/// The key file of a state directory, read at first use and created if it is missing.
pub struct SecretKey {
    path: PathBuf,
    key: OnceLock<Key>,
    /// Where the file cannot be made. What it would key cannot be written either.
    passing: OnceLock<Key>,
}

/// The secret itself.
#[derive(Clone)]
pub struct Key(hmac::Key);

/// The first half of a keyed digest: journals recognise a text by it without revealing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(u128);

impl SecretKey {
    pub fn of(state_dir: &Path) -> Self {
        Self { path: state_dir.join("memory").join(FILE), key: OnceLock::new(), passing: OnceLock::new() }
    }

    /// The key, created if it is missing; where nothing can be written, one for as long as that is so in this process.
    pub fn key(&self) -> Result<&Key, Error> {
        if let Some(key) = self.existing()? {
            return Ok(key);
        }
        match make_key(&self.path) {
            Err(error) if durable::is_unwritable(&error) => {
                let bytes = random().map_err(Error::at(&self.path))?;
                return Ok(self.passing.get_or_init(|| Key::from_bytes(bytes)));
            }
            made => made.map_err(Error::at(&self.path))?,
        }
        let gone = || io::Error::other("the key was removed a moment after it was made");
        self.existing()?.ok_or_else(|| Error::at(&self.path)(gone()))
    }

    /// An identifier of this key; `None` if there is no key yet. Creates nothing.
    pub fn fingerprint(&self) -> Result<Option<String>, Error> {
        Ok(self.existing()?.map(|key| hex(&key.digest("name", b"")[..8])))
    }

    fn existing(&self) -> Result<Option<&Key>, Error> {
        if let Some(key) = self.key.get() {
            return Ok(Some(key));
        }
        let bytes = read_key(&self.path).map_err(Error::at(&self.path))?;
        Ok(bytes.map(|bytes| self.key.get_or_init(|| Key::from_bytes(bytes))))
    }
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SecretKey").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Key {
    pub fn from_bytes(bytes: [u8; LENGTH]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
    }

    /// HMAC-SHA-256 of a value for one purpose. Digests of different purposes cannot be compared.
    pub fn digest(&self, purpose: &str, value: &[u8]) -> [u8; LENGTH] {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(purpose.as_bytes());
        context.update(&[0]);
        context.update(value);
        let mut digest = [0; LENGTH];
        digest.copy_from_slice(context.sign().as_ref());
        digest
    }

    /// The mark of a text for a purpose.
    pub fn mark(&self, purpose: &str, text: &str) -> Mark {
        let half = self.digest(purpose, text.as_bytes()).first_chunk::<16>().copied().unwrap_or_default();
        Mark(u128::from_be_bytes(half))
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Mark {
    /// Reads what `Display` writes.
    pub fn parse(digits: &str) -> Option<Self> {
        let fits = digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| u128::from_str_radix(digits, 16).ok()).flatten().map(Self)
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl serde::Serialize for Mark {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Mark {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not a mark"))
    }
}

/// The secret in a file; `None` if there is no file. A file of another length is damaged.
pub fn read_key(path: &Path) -> io::Result<Option<[u8; LENGTH]>> {
    let Some(file) = if_there(File::open(path))? else { return Ok(None) };
    let mut text = String::new();
    file.take(256).read_to_string(&mut text)?;
    match unhex(text.trim()) {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(io::Error::new(io::ErrorKind::InvalidData, "is not a key of 64 hexadecimal digits")),
    }
}

fn random() -> io::Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map(|()| bytes).map_err(|_unspecified| io::Error::other("no random numbers"))
}

/// Creates a file with a new secret, unless another process was faster.
pub fn make_key(path: &Path) -> io::Result<()> {
    let bytes = random()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    durable::make_folders(folder)?;
    let part = folder.join(format!("{}{}", durable::PART, durable::nonce()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    let written = file.write_all(format!("{}\n", hex(&bytes)).as_bytes()).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| std::fs::hard_link(&part, path));
    std::fs::remove_file(&part)?;
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.and_then(|()| Ok(durable::sync_folder(File::open(folder)?)?)),
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes hexadecimal digits.
pub fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn one_key_serves_every_process_and_only_its_owner() {
        let dir = tempfile::tempdir().unwrap();
        let one = SecretKey::of(dir.path());
        let other = SecretKey::of(dir.path());
        assert_eq!(one.fingerprint().unwrap(), None);
        let digest = one.key().unwrap().digest("a", b"value");
        assert_eq!(other.key().unwrap().digest("a", b"value"), digest);
        assert_ne!(other.key().unwrap().digest("b", b"value"), digest);
        assert!(one.fingerprint().unwrap().is_some_and(|name| name.len() == 16));
        assert_eq!(one.fingerprint().unwrap(), other.fingerprint().unwrap());
        let mode = std::fs::metadata(dir.path().join("memory/digest.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(dir.path().join("memory")).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_key_is_an_error_and_not_another_key() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory/digest.key");
        durable::replace(&path, b"abc").unwrap();
        let error = SecretKey::of(dir.path()).key().unwrap_err();
        assert_eq!((error.source.kind(), error.path), (io::ErrorKind::InvalidData, path));
    }

    #[test]
    fn digests_stay_what_they_are_from_version_to_version() {
        let digest = Key::from_bytes([7; 32]).digest("a", b"b");
        assert_eq!(hex(&digest), DIGEST);
        assert_eq!(Key::from_bytes([7; 32]).mark("a", "b").to_string(), DIGEST[..32]);
    }

    /// HMAC-SHA-256 of `a`, a zero byte and `b`, under 32 bytes of 7.
    const DIGEST: &str = "6f6fbf3e914c9caf68cb9d3f7fb947aa645adc82032b85467842ffbf38053496";

    #[test]
    fn marks_are_read_as_they_are_written() {
        let mark = Key::from_bytes([7; 32]).mark("a", "b");
        assert_eq!(Mark::parse(&mark.to_string()), Some(mark));
        assert_ne!(Key::from_bytes([7; 32]).mark("c", "b"), mark);
        assert_eq!(Mark::parse("0"), None);
    }
}
