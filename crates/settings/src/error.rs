//! What can be wrong with a configuration: messages name file, key and value.

use std::path::PathBuf;

use mindfile_fault::{Fault, Hint};

use crate::origin::Origin;

/// A configuration that cannot be used, or a change to one that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}", file.display())]
    Read { file: PathBuf, source: std::io::Error },
    #[error("{} is not a regular file", file.display())]
    NotAFile { file: PathBuf },
    #[error("{} is a link", file.display())]
    Link { file: PathBuf },
    #[error("{} is larger than {limit} bytes", file.display())]
    TooLarge { file: PathBuf, limit: u64 },
    #[error("{} is not UTF-8 text: byte {} is not part of a character", file.display(), offset + 1)]
    NotText { file: PathBuf, offset: usize },
    #[error("{}:{line}:{column}: nested deeper than {limit} levels", file.display())]
    TooDeep { file: PathBuf, line: usize, column: usize, limit: usize },
    #[error("{}:{line}:{column}: not valid JSON5: {reason}", file.display())]
    Syntax { file: PathBuf, line: usize, column: usize, reason: String },
    #[error("{}: {key} is written twice", file.display())]
    Repeated { file: PathBuf, key: String },
    #[error("{}: unknown key {key}", file.display())]
    UnknownKey { file: PathBuf, key: String, nearest: Option<String> },
    #[error("{origin}: {key} is {value}; it must be {allowed}")]
    BadValue { origin: Origin, key: String, value: String, allowed: String },
    #[error("{}: {key} may not be set in a workspace's own file", file.display())]
    NotInWorkspace { file: PathBuf, key: String },
    #[error("{}: {text:?} is not a usable path: {reason}", origin.place())]
    BadPath { origin: Origin, text: String, reason: &'static str },
    #[error("{}: {id:?} is not an agent id", origin.place())]
    BadAgent { origin: Origin, id: String },
    #[error("no agent {id:?} is configured; there are {}", known.join(", "))]
    UnknownAgent { id: String, known: Vec<String> },
    #[error("unknown key {key}")]
    NoSuchKey { key: String, nearest: Option<&'static str> },
    #[error("{key} cannot be {value}; it must be {allowed}")]
    Refused { key: &'static str, value: String, allowed: String },
    #[error("{} cannot be changed: {reason}", file.display())]
    CannotEdit { file: PathBuf, reason: String },
    #[error("the home directory is not known")]
    NoHome,
    #[error("the configuration table contradicts itself: {reason}")]
    Table { reason: String },
}

impl Error {
    /// Whose fault it is.
    pub fn fault(&self) -> Fault {
        self.remedy().0
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<Hint> {
        self.remedy().1
    }

    /// Who has to act, and how.
    fn remedy(&self) -> (Fault, Option<Hint>) {
        let caller = |hint: &'static str| (Fault::Caller, Some(Hint::say(hint)));
        match self {
            Self::UnknownKey { nearest, .. } => (Fault::Caller, Some(did_you_mean(nearest.as_deref()))),
            Self::NoSuchKey { nearest, .. } => (Fault::Caller, Some(did_you_mean(*nearest))),
            Self::Repeated { .. } => caller("keep one of the two"),
            Self::NotInWorkspace { .. } => caller("set it in mindfile.json in the state directory"),
            Self::BadPath { .. } => caller("write the path out, or start it with ~/"),
            Self::BadAgent { .. } => {
                caller("an agent id has up to 64 letters, digits, - and _, and starts with a letter or digit")
            }
            Self::UnknownAgent { .. } => caller("add it to agents.list in mindfile.json, or name another"),
            Self::CannotEdit { .. } => caller("edit the file by hand"),
            Self::Link { .. } => {
                caller("put the settings themselves there: what comes with notes reads no other file")
            }
            Self::TooLarge { .. }
            | Self::NotText { .. }
            | Self::TooDeep { .. }
            | Self::Syntax { .. }
            | Self::BadValue { .. }
            | Self::Refused { .. } => (Fault::Caller, None),
            Self::Read { .. } | Self::NotAFile { .. } => (Fault::Environment, None),
            Self::NoHome => {
                let hint = Hint::say("set HOME, or pass ").field("state_dir").and(" and absolute paths");
                (Fault::Environment, Some(hint))
            }
            Self::Table { .. } => (Fault::Bug, Some(Hint::say("this is a bug; please report it"))),
        }
    }
}

fn did_you_mean(nearest: Option<&str>) -> Hint {
    match nearest {
        Some(key) => Hint::say(format!("did you mean {key}?")),
        None => Hint::say("`").run("config show", &[]).and("` lists every key"),
    }
}
