//! Content digests: two texts are the same exactly when their digests are.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest, shown and stored as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of this content followed by `more`, computed from this digest alone.
    pub fn then(&self, more: &[u8]) -> Self {
        Self(Sha256::new_with_prefix(self.0).chain_update(more).finalize().into())
    }

    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the output of `Display`; anything else, upper case included, is `None`.
    pub fn parse(hex: &str) -> Option<Self> {
        let hex: &[u8; 64] = hex.as_bytes().try_into().ok()?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
        }
        Some(Self(bytes))
    }

    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The digest of bytes that may go on.
#[derive(Debug, Clone)]
pub struct RunningDigest(Sha256);

impl RunningDigest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::new_with_prefix(bytes))
    }

    /// The same of these bytes with more after them.
    #[must_use]
    pub fn and(&self, more: &[u8]) -> Self {
        Self(self.0.clone().chain_update(more))
    }

    pub fn digest(&self) -> Digest {
        Digest(self.0.clone().finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
        }
        f.write_str(std::str::from_utf8(&hex).map_err(|_not_ascii| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_sha_256_of_the_bytes() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of(b"").to_string(), empty);
        assert_eq!(Digest::parse(empty), Some(Digest::of(b"")));
        assert_eq!(RunningDigest::of(b"ab").and(b"cd").digest(), Digest::of(b"abcd"));
    }

    #[test]
    fn what_follows_is_told_from_the_digest_of_what_was_before() {
        let before = Digest::of(b"ab");
        assert_eq!(before.then(b"cd"), Digest::of(&[before.as_bytes().as_slice(), b"cd"].concat()));
        assert_ne!(before.then(b"c").then(b"d"), before.then(b"d").then(b"c"));
    }

    #[test]
    fn only_what_is_written_is_read() {
        let hex = Digest::of(b"a").to_string();
        assert_eq!(Digest::parse(&hex.to_uppercase()), None);
        assert_eq!(Digest::parse(&hex[1..]), None);
        assert_eq!(Digest::parse(&format!("{hex}0")), None);
        assert_eq!(Digest::parse(&hex.replace(&hex[..1], "g")), None);
        assert_eq!(Digest::parse(&"é".repeat(32)), None);
    }
}
