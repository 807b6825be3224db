//! The key of private notes: where it is, whether it can be used, and how it is made.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mindfile_disk::absent::if_there;
use mindfile_disk::durable;
use zeroize::Zeroizing;

use crate::age::{self, Identity, Passphrase, Recipient};

/// Why private notes cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("there is no key at {}", path.display())]
    Missing { path: PathBuf },
    #[error("the key {} can be read by others (mode {mode:o})", path.display())]
    Exposed { path: PathBuf, mode: u32 },
    #[error("the key {} is locked with a passphrase", path.display())]
    Locked { path: PathBuf },
    #[error("the key {} cannot be used", path.display())]
    Unusable { path: PathBuf, source: age::Error },
    #[error("{program} gave no key: {what}")]
    Command { program: String, what: String },
    #[error("the key comes from {program} and cannot be changed here")]
    NotOurs { program: String },
    #[error("the key {} cannot be read or written", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} cannot be opened with this key")]
    Closed { path: String, source: age::Error },
    #[error("no key could be made")]
    NoRandomness { source: age::Error },
    #[error("{path} is private")]
    Sealed { path: String },
    #[error("{path} is not a note that can be made private, or is none")]
    NotPrivate { path: String },
    #[error("this folder of notes has no place for private ones")]
    NoPlace,
    #[error("{path} is longer than 16 MiB")]
    LongNote { path: String },
}

/// The identities that open private notes; the first is the one that new ones are encrypted for.
#[derive(Debug, PartialEq, Eq)]
pub struct Keys(Vec<Identity>);

impl Keys {
    pub fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, age::Error> {
        age::encrypt(plain, &self.recipient().ok_or(age::Error::NotAKey { what: "nothing" })?)
    }

    pub fn open(&self, file: &[u8]) -> Result<Zeroizing<Vec<u8>>, age::Error> {
        age::decrypt(file, &self.0)
    }

    pub fn recipient(&self) -> Option<Recipient> {
        self.0.first().map(Identity::recipient)
    }

    /// The same with another one before them.
    pub fn led_by(&self, first: Identity) -> Self {
        Self(std::iter::once(first).chain(self.0.iter().cloned()).collect())
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The one that new notes are encrypted for, alone.
    pub fn first_alone(&self) -> Self {
        Self(self.0.iter().take(1).cloned().collect())
    }
}

/// Where the key comes from, and what was read of it.
pub struct Vault {
    source: KeySource,
    state: Mutex<VaultState>,
}

/// Where a key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    File(PathBuf),
    /// A command that prints it.
    Command(Vec<String>),
}

#[derive(Default)]
struct VaultState {
    passphrase: Option<Passphrase>,
    read: Option<KeysRead>,
}

struct KeysRead {
    keys: Arc<Keys>,
    /// The key file that they are of.
    of: Option<FileVersion>,
}

/// A key file is replaced, never written to: its inode and its time tell whether it is still the one that was read.
#[derive(PartialEq, Eq)]
struct FileVersion {
    inode: u64,
    changed: (i64, i64),
}

/// How a key file is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyLock {
    /// Readable by its owner.
    Open,
    /// Encrypted with a passphrase.
    Passphrase,
}

impl Vault {
    pub fn new(source: KeySource, passphrase: Option<Passphrase>) -> Self {
        Self { source, state: Mutex::new(VaultState { passphrase, read: None }) }
    }

    /// From now on this passphrase is tried.
    pub fn unlock(&self, passphrase: Passphrase) {
        let mut state = self.lock();
        state.passphrase = Some(passphrase);
        state.read = None;
    }

    /// The keys; they are read when they are first asked for, and when another process has changed them.
    pub fn keys(&self) -> Result<Arc<Keys>, KeyError> {
        let mut state = self.lock();
        let of = self.version();
        if let Some(read) = state.read.as_ref().filter(|read| read.of == of) {
            return Ok(Arc::clone(&read.keys));
        }
        let keys = Arc::new(self.read(&state)?);
        state.read = Some(KeysRead { keys: Arc::clone(&keys), of });
        Ok(keys)
    }

    /// None where there is no file, or none that can be looked at: reading it says why.
    fn version(&self) -> Option<FileVersion> {
        let KeySource::File(path) = &self.source else { return None };
        let found = std::fs::metadata(path).ok()?;
        Some(FileVersion { inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
    }

    /// The same; a key file that is not there is made. The second value says where it was made just now.
    pub fn keys_or_new(&self) -> Result<(Arc<Keys>, Option<PathBuf>), KeyError> {
        match (self.keys(), &self.source) {
            (Err(KeyError::Missing { .. }), KeySource::File(path)) => {
                let made = self.make(path)?;
                Ok((self.keys()?, made.then(|| path.clone())))
            }
            (keys, KeySource::File(_) | KeySource::Command(_)) => Ok((keys?, None)),
        }
    }

    /// Whether a passphrase is what is missing.
    pub fn is_locked(&self) -> bool {
        matches!(self.keys(), Err(KeyError::Locked { .. }))
    }

    fn read(&self, state: &VaultState) -> Result<Keys, KeyError> {
        match &self.source {
            KeySource::Command(words) => from_command(words),
            KeySource::File(path) => from_file(path, state.passphrase.as_ref()),
        }
    }

    /// False if another process was first.
    fn make(&self, path: &Path) -> Result<bool, KeyError> {
        let unusable = |source| KeyError::Unusable { path: path.to_owned(), source };
        let keys = Keys(vec![Identity::generate().map_err(unusable)?]);
        let bytes = self.key_file(&keys, path, KeyLock::Open)?;
        durable::create(path, &bytes).map_err(|source| KeyError::Io { path: path.to_owned(), source })
    }

    /// Writes other keys in the place of those in the file, whole or not at all.
    pub fn replace(&self, keys: Keys, lock: KeyLock) -> Result<(), KeyError> {
        let path = self.file()?;
        let bytes = self.key_file(&keys, path, lock)?;
        durable::replace(path, &bytes).map_err(|source| KeyError::Io { path: path.to_owned(), source })?;
        let of = self.version();
        self.lock().read = Some(KeysRead { keys: Arc::new(keys), of });
        Ok(())
    }

    /// How the file is kept now.
    pub fn lock_kind(&self) -> Result<KeyLock, KeyError> {
        let path = self.file()?;
        let bytes = std::fs::read(path).map_err(|source| KeyError::Io { path: path.to_owned(), source })?;
        Ok(if age::is_age(&bytes) { KeyLock::Passphrase } else { KeyLock::Open })
    }

    pub fn file(&self) -> Result<&Path, KeyError> {
        match &self.source {
            KeySource::File(path) => Ok(path),
            KeySource::Command(words) => {
                Err(KeyError::NotOurs { program: words.first().cloned().unwrap_or_default() })
            }
        }
    }

    fn key_file(&self, keys: &Keys, path: &Path, lock: KeyLock) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let unusable = |source| KeyError::Unusable { path: path.to_owned(), source };
        let mut text = Zeroizing::new(String::from(
            "# The age key of mindfile's private notes. Keep a copy of this file elsewhere: without it they are lost.\n",
        ));
        for identity in &keys.0 {
            text.push_str(&format!("# public key: {}\n", identity.recipient()));
            text.push_str(&identity.to_text().map_err(unusable)?);
            text.push('\n');
        }
        match lock {
            KeyLock::Open => Ok(Zeroizing::new(text.as_bytes().to_vec())),
            KeyLock::Passphrase => {
                let passphrase = self.lock().passphrase.clone();
                let passphrase = passphrase.ok_or(KeyError::Locked { path: path.to_owned() })?;
                let sealed = age::encrypt_with_passphrase(text.as_bytes(), &passphrase, age::WORK);
                sealed.map(Zeroizing::new).map_err(unusable)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, VaultState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn from_file(path: &Path, passphrase: Option<&Passphrase>) -> Result<Keys, KeyError> {
    refuse_exposed(path)?;
    let read =
        if_there(std::fs::read(path)).map_err(|source| KeyError::Io { path: path.to_owned(), source })?;
    let bytes = Zeroizing::new(read.ok_or_else(|| KeyError::Missing { path: path.to_owned() })?);
    let unusable = |source| KeyError::Unusable { path: path.to_owned(), source };
    if !age::is_age(&bytes) {
        return parsed(&bytes).map_err(unusable);
    }
    let passphrase = passphrase.ok_or(KeyError::Locked { path: path.to_owned() })?;
    let text = age::decrypt_with_passphrase(&bytes, passphrase).map_err(unusable)?;
    parsed(&text).map_err(unusable)
}

/// A key that others can read keeps nothing from them.
fn refuse_exposed(path: &Path) -> Result<(), KeyError> {
    let io = |source| KeyError::Io { path: path.to_owned(), source };
    let mode = if_there(std::fs::metadata(path)).map_err(io)?.map_or(0, |known| known.mode() & 0o777);
    if mode & 0o077 == 0 { Ok(()) } else { Err(KeyError::Exposed { path: path.to_owned(), mode }) }
}

fn parsed(bytes: &[u8]) -> Result<Keys, age::Error> {
    let text =
        std::str::from_utf8(bytes).map_err(|_other| age::Error::NotAKey { what: "a file of bytes" })?;
    age::identities(text).map(Keys)
}

fn from_command(words: &[String]) -> Result<Keys, KeyError> {
    let (program, arguments) =
        words.split_first().map_or(("", words), |(first, rest)| (first.as_str(), rest));
    let wrong = |what: String| KeyError::Command { program: program.to_owned(), what };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let output = command.output().map_err(|error| wrong(error.to_string()))?;
    let text = Zeroizing::new(output.stdout);
    if !output.status.success() {
        return Err(wrong(output.status.to_string()));
    }
    parsed(&text).map_err(|error| wrong(error.to_string()))
}
