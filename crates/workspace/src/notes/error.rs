//! What can go wrong with note files, whose fault it is, and what to do about it.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use rustix::io::Errno;

use super::key::key_hint;
use super::{NotePath, Special};
use mindfile_fault::{Fault, Hint};
use mindfile_trust::vault::KeyError;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the workspace {} does not exist", root.display())]
    RootMissing { root: PathBuf },
    #[error("the workspace {} is not a directory", root.display())]
    RootNotDirectory { root: PathBuf },
    #[error("the workspace {} cannot be opened", root.display())]
    RootUnreadable { root: PathBuf, source: io::Error },
    #[error("the extra path {} cannot be used: it has no name, or its name is not UTF-8", path.display())]
    ExtraPath { path: PathBuf },
    #[error("the pattern {pattern:?} of an extra path is not a glob")]
    Pattern { pattern: String, source: globset::Error },
    #[error("{path:?} is not a memory file: {why}")]
    NotMemory { path: String, why: Refusal },
    #[error("{path} does not exist")]
    Missing { path: NotePath },
    #[error("{path} is a link, or lies behind one")]
    Link { path: NotePath },
    #[error("{path} is not a file but a {what}")]
    NotRegular { path: NotePath, what: Special },
    #[error("nothing was written to {path}: the policy's rule \"{rule}\" forbids to store it")]
    NeverStore { path: NotePath, rule: String },
    #[error("lines are counted from 1, not from 0")]
    LineZero,
    #[error("{path} was changed by someone else meanwhile")]
    Conflict { path: NotePath, kept: Option<NotePath> },
    #[error("somebody else changed {path} at the same moment; nothing was kept")]
    Overwritten { path: NotePath },
    #[error("{path} is a private note and cannot be opened")]
    Key { path: NotePath, source: KeyError },
    #[error("{path} is a private note, and no key was asked for")]
    NoVault { path: NotePath },
    #[error("{path} stands there in clear and encrypted, with two different texts")]
    TwoTexts { path: NotePath },
    #[error("{path} is being written by another process")]
    Busy { path: NotePath },
    #[error("{path} is UTF-16, and a line of UTF-8 would spoil it")]
    Utf16 { path: NotePath },
    #[error("only {wrote} of {wanted} bytes were written to {path}{}", if *.repaired { ", and taken back" } else { "" })]
    ShortWrite { path: NotePath, wrote: usize, wanted: usize, repaired: bool },
    #[error("{path} was written, but the disk did not confirm it")]
    NotDurable { path: String, source: io::Error },
    #[error("cannot {doing} {path}")]
    Io { doing: &'static str, path: String, source: io::Error },
}

/// Why a path is not a memory file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Absolute,
    Climbs,
    NotMarkdown,
    Hidden,
    Elsewhere,
    TooLong,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Absolute => "paths are relative to the workspace",
            Self::Climbs => "it climbs out of the memory files",
            Self::NotMarkdown => "its name does not end in .md",
            Self::Hidden => "hidden files are not memory",
            Self::Elsewhere => "it lies outside the memory files",
            Self::TooLong => "it is longer than a file's name can be",
        })
    }
}

impl Error {
    pub fn io(doing: &'static str, path: impl Display, source: impl Into<io::Error>) -> Self {
        Self::Io { doing, path: path.to_string(), source: source.into() }
    }

    pub(super) fn from_errno(doing: &'static str, path: &NotePath) -> impl FnOnce(Errno) -> Self {
        move |errno| Self::io(doing, path, errno)
    }

    pub fn fault(&self) -> Fault {
        match self {
            Self::RootMissing { .. }
            | Self::RootNotDirectory { .. }
            | Self::ExtraPath { .. }
            | Self::Pattern { .. }
            | Self::NotMemory { .. }
            | Self::Missing { .. }
            | Self::Link { .. }
            | Self::NotRegular { .. }
            | Self::NeverStore { .. }
            | Self::NoVault { .. }
            | Self::LineZero => Fault::Caller,
            Self::RootUnreadable { .. }
            | Self::Conflict { .. }
            | Self::Overwritten { .. }
            | Self::Busy { .. }
            | Self::Key { .. }
            | Self::TwoTexts { .. }
            | Self::Utf16 { .. }
            | Self::ShortWrite { .. }
            | Self::NotDurable { .. }
            | Self::Io { .. } => Fault::Environment,
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::RootMissing { root } => {
                let folder = root.display().to_string();
                let mount = "if it is on a disk of its own, mount it; to make one: ";
                Some(Hint::say(mount).run("init", &[("dir", &folder)]))
            }
            Self::RootNotDirectory { .. } => Some(Hint::say("name a directory with ").field("workspace")),
            Self::RootUnreadable { .. } => Some("check its permissions".into()),
            Self::ExtraPath { .. } => Some("name another folder in memorySearch.extraPaths".into()),
            Self::Pattern { .. } => Some("for example **/*.md".into()),
            Self::NotMemory { .. } => Some(
                "memory files are MEMORY.md, memory.md, USER.md, memory/**/*.md, bank/**/*.md and the .md files of \
                 memorySearch.extraPaths"
                    .into(),
            ),
            Self::Missing { .. } => Some(Hint::say("`").run("status", &[]).and("` names the files that were found")),
            Self::Link { .. } => Some("put the file itself there, or name its folder in memorySearch.extraPaths".into()),
            Self::Conflict { kept: Some(kept), .. } => Some(format!("nothing was lost: the other text is in {kept}").into()),
            Self::Conflict { kept: None, .. } => Some("nothing was written; try again".into()),
            Self::Overwritten { .. } => Some("say it again when the other program has saved".into()),
            Self::Busy { .. } => Some(Hint::say("try again; `").run("doctor", &[]).and("` names what holds it")),
            Self::Key { source, .. } => key_hint(source).map(Hint::from),
            Self::TwoTexts { .. } => Some("keep one: `age -d` shows the encrypted one; then remove the other".into()),
            Self::Utf16 { .. } => Some("save it as UTF-8".into()),
            Self::ShortWrite { repaired: false, .. } => Some("look at the end of the file; is the disk full?".into()),
            Self::ShortWrite { repaired: true, .. } => Some("is the disk full?".into()),
            Self::NotDurable { .. } => Some("the disk may be failing; check the file before writing again".into()),
            Self::Io { source, doing, .. } if is_forbidden(source) && is_looking(doing) => {
                Some("check its permissions and those of the folders above it".into())
            }
            Self::Io { source, .. } if is_forbidden(source) => {
                Some("nothing was changed; check the permissions of the workspace".into())
            }
            Self::NeverStore { .. } => {
                let check = Hint::say("leave the value out; `").run("policy check", &[("text", "TEXT")]);
                Some(check.and("` shows what was found"))
            }
            Self::NotRegular { .. } | Self::NoVault { .. } | Self::LineZero | Self::Io { .. } => None,
        }
    }
}

/// Whether nothing could have been changed anyway.
fn is_looking(doing: &str) -> bool {
    matches!(doing, "read" | "open" | "examine" | "list" | "look at" | "find")
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}
