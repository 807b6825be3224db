//! Where a setting comes from, and warnings about it.

use std::fmt;
use std::path::PathBuf;

use serde_json::Value;

use crate::kind::SECRET_SHOWN;

/// The place that decided a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Default,
    /// A file, and the full path of the key in it.
    File {
        path: PathBuf,
        at: String,
    },
    Env(&'static str),
    /// The field of [`crate::Flags`].
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, .. } => write!(f, "{}", path.display()),
            Self::Env(name) => write!(f, "${name}"),
            Self::Flag(name) => write!(f, "--{}", name.replace('_', "-")),
        }
    }
}

impl Origin {
    /// The key as that place spells it.
    pub(crate) fn key<'a>(&'a self, key: &'a str) -> &'a str {
        match self {
            Self::File { at, .. } => at,
            Self::Default | Self::Env(_) | Self::Flag(_) => key,
        }
    }

    /// The place in full, for messages that do not name the key themselves.
    pub fn place(&self) -> String {
        match self {
            Self::File { path, at } => format!("{at} in {}", path.display()),
            Self::Default | Self::Env(_) | Self::Flag(_) => self.to_string(),
        }
    }
}

/// One line of `config show`: the value of a key, and why it has it. Secrets are replaced before they get here.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub key: &'static str,
    pub value: Value,
    pub origin: Origin,
    pub note: Option<String>,
    /// The value as it was written, where `value` does not show it.
    pub(crate) concealed: Option<ConcealedSecret>,
}

/// A value as it was written, which may be a secret or say where one is.
#[derive(Clone, PartialEq)]
pub(crate) struct ConcealedSecret {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

impl fmt::Debug for ConcealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SECRET_SHOWN)
    }
}

/// Something odd in a file that can be used all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    pub file: PathBuf,
    pub key: String,
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.message)
    }
}

/// A value as a message shows it: JSON, cut where it gets long.
pub(crate) fn shown(value: &Value) -> String {
    const LONGEST: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A key as a message shows it: a file may hold any characters in its keys.
pub(crate) fn shown_key(key: &str) -> String {
    const LONGEST: usize = 120;
    if key.is_empty() {
        return "\"\"".to_owned();
    }
    let printable = |c: char| if c.is_control() { c.escape_default().to_string() } else { String::from(c) };
    let mut text: String = key.chars().take(LONGEST).map(printable).collect();
    if key.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}
