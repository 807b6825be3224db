//! Marks: keyed digests by which journals know a text again and tell nothing of it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ring::hmac;

use crate::error::Error;
use crate::pepper::{self, FILE, make_key, read_key};

/// The key file of a state directory, read or made when it is first needed.
pub struct KeyFile {
    path: PathBuf,
    key: OnceLock<Key>,
}

/// The secret of a state directory, ready to be used.
#[derive(Clone)]
pub struct Key(hmac::Key);

/// The first half of a keyed digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(u128);

impl KeyFile {
    pub fn of(state_dir: &Path) -> Self {
        Self { path: state_dir.join("memory").join(FILE), key: OnceLock::new() }
    }

    pub fn key(&self) -> Result<&Key, Error> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let io = |source| Error::Io { path: self.path.clone(), source };
        let gone = || io(std::io::Error::other("the key was removed a moment after it was made"));
        let bytes = match read_key(&self.path).map_err(io)? {
            Some(bytes) => bytes,
            None => {
                make_key(&self.path).map_err(io)?;
                read_key(&self.path).map_err(io)?.ok_or_else(gone)?
            }
        };
        Ok(self.key.get_or_init(|| Key::from_bytes(bytes)))
    }
}

impl Key {
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
    }

    /// HMAC-SHA-256 for a purpose: the same text has another one elsewhere.
    pub fn digest(&self, purpose: &str, text: &str) -> [u8; 32] {
        pepper::sign(&self.0, purpose, text.as_bytes())
    }

    /// The mark of a text for a purpose.
    pub fn mark(&self, purpose: &str, text: &str) -> Mark {
        let half = self.digest(purpose, text).first_chunk::<16>().copied().unwrap_or_default();
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
    pub fn parse(hex: &str) -> Option<Self> {
        let fits = hex.len() == 32 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| u128::from_str_radix(hex, 16).ok()).flatten().map(Self)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_those_of_the_key_of_the_state_directory() {
        let folder = tempfile::tempdir().unwrap();
        let first = KeyFile::of(folder.path()).key().unwrap().mark("a", "b");
        assert_eq!(KeyFile::of(folder.path()).key().unwrap().mark("a", "b"), first);
        let pepper = pepper::Pepper::of(folder.path()).digest("a", b"b").unwrap();
        assert_eq!(first.to_string(), pepper::hex(&pepper[..16]));
    }

    #[test]
    fn marks_are_read_as_they_are_written() {
        let mark = Key::from_bytes([7; 32]).mark("a", "b");
        assert_eq!(Mark::parse(&mark.to_string()), Some(mark));
        assert_ne!(Key::from_bytes([7; 32]).mark("c", "b"), mark);
        assert_eq!(Mark::parse("0"), None);
    }
}
