//! The secret of a state directory. Digests that lie on the disk are keyed with it, so that they tell nothing to someone
//! who guesses what was digested and has not the key.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

use crate::durable;

const LENGTH: usize = 32;
/// The key's name, below `memory` in the state directory.
pub(crate) const FILE: &str = "digest.key";

/// A key file, read at first use and made where it is missing.
pub(crate) struct Pepper {
    path: PathBuf,
    key: OnceLock<hmac::Key>,
}

impl Pepper {
    pub(crate) fn of(state_dir: &Path) -> Self {
        Self { path: state_dir.join("memory").join(FILE), key: OnceLock::new() }
    }

    /// The digest of a value for one purpose: those of two purposes cannot be compared.
    pub(crate) fn digest(&self, purpose: &str, value: &[u8]) -> io::Result<[u8; 32]> {
        Ok(sign(self.key()?, purpose, value))
    }

    /// A word by which this key is known; none where there is no key yet. Nothing is made.
    pub(crate) fn name(&self) -> io::Result<Option<String>> {
        let key = self.known()?;
        Ok(key.map(|key| hex(&sign(key, "name", b"")[..8])))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the key where it is missing.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        self.key().map(drop)
    }

    fn known(&self) -> io::Result<Option<&hmac::Key>> {
        if let Some(key) = self.key.get() {
            return Ok(Some(key));
        }
        let bytes = read_key(&self.path)?;
        Ok(bytes.map(|bytes| self.key.get_or_init(|| hmac::Key::new(hmac::HMAC_SHA256, &bytes))))
    }

    fn key(&self) -> io::Result<&hmac::Key> {
        if let Some(key) = self.known()? {
            return Ok(key);
        }
        make_key(&self.path)?;
        self.known()?.ok_or_else(|| io::Error::other("the key was removed a moment after it was made"))
    }
}

impl std::fmt::Debug for Pepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pepper").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The key in a file; none if there is no file. A file of another length is damaged, and not a key.
pub(crate) fn read_key(path: &Path) -> io::Result<Option<[u8; LENGTH]>> {
    let file = match OpenOptions::new().read(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut text = String::new();
    file.take(256).read_to_string(&mut text)?;
    match unhex(text.trim()) {
        Some(bytes) => Ok(Some(bytes)),
        None => Err(io::Error::new(io::ErrorKind::InvalidData, "is not a key of 64 hexadecimal digits")),
    }
}

/// Makes a key file that only its owner reads. Where another process was faster, its key stays.
pub(crate) fn make_key(path: &Path) -> io::Result<()> {
    let mut bytes = [0; LENGTH];
    SystemRandom::new().fill(&mut bytes).map_err(|_unspecified| io::Error::other("no random numbers"))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    durable::make_folders(folder)?;
    let part = folder.join(format!("{}{}", durable::PART, durable::nonce()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    let written = file.write_all(format!("{}\n", hex(&bytes)).as_bytes()).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| std::fs::hard_link(&part, path));
    std::fs::remove_file(&part)?;
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.and_then(|()| Ok(durable::sync_folder(std::fs::File::open(folder)?)?)),
    }
}

pub(crate) fn sign(key: &hmac::Key, purpose: &str, value: &[u8]) -> [u8; 32] {
    let mut context = hmac::Context::with_key(key);
    context.update(purpose.as_bytes());
    context.update(&[0]);
    context.update(value);
    let mut digest = [0; 32];
    digest.copy_from_slice(context.sign().as_ref());
    digest
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that so many hexadecimal digits stand for.
pub(crate) fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
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
        let (one, other) = (Pepper::of(dir.path()), Pepper::of(dir.path()));
        assert_eq!(one.name().unwrap(), None);
        let digest = one.digest("a", b"value").unwrap();
        assert_eq!(other.digest("a", b"value").unwrap(), digest);
        assert_ne!(other.digest("b", b"value").unwrap(), digest);
        let mode = std::fs::metadata(dir.path().join("memory/digest.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(dir.path().join("memory")).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_key_is_an_error_and_not_another_key() {
        let dir = tempfile::tempdir().unwrap();
        let pepper = Pepper::of(dir.path());
        durable::replace(&dir.path().join("memory/digest.key"), b"abc").unwrap();
        assert_eq!(pepper.digest("a", b"x").unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
