//! The secret that every request shows: made at the first start, kept where only its owner can read it.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

const BYTES: usize = 32;

/// It does not print.
#[derive(Clone)]
pub struct Token {
    text: String,
    /// What a browser keeps instead: useless for anything but this server's page.
    cookie: String,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Where it is kept.
    pub fn path(state_dir: &Path) -> PathBuf {
        state_dir.join("server.token")
    }

    /// The one that is there, or a new one.
    pub fn of(state_dir: &Path) -> io::Result<Self> {
        let path = Self::path(state_dir);
        match File::open(&path) {
            Ok(file) => read(file, &path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => make(&path),
            Err(error) => Err(error),
        }
    }

    fn new(text: String) -> Self {
        let cookie = hex(&Sha256::digest(format!("mindfile page\0{text}")));
        Self { text, cookie }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Whether it is the same, in a time that does not tell how much of it is.
    pub(crate) fn is(&self, shown: &str) -> bool {
        self.text.as_bytes().ct_eq(shown.as_bytes()).into()
    }

    pub(crate) fn is_cookie(&self, shown: &str) -> bool {
        self.cookie.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

fn read(mut file: File, path: &Path) -> io::Result<Token> {
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 != 0 {
        let why = format!(
            "{} can be read by others (mode {:o}): chmod 600 it, or delete it",
            path.display(),
            mode & 0o777
        );
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let text = text.trim();
    if text.len() < BYTES {
        let why = format!("{} holds no token: delete it, and a new one is made", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(Token::new(text.to_owned()))
}

/// Written whole or not at all, readable by its owner alone; of two processes that begin at once the later one's stands.
fn make(path: &Path) -> io::Result<Token> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    mindfile::durable::replace(path, format!("{}\n", hex(&bytes)).as_bytes())?;
    read(File::open(path)?, path)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
