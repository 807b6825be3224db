//! What is there: every memory file with its state, and everything that was passed over, by name.
//!
//! Absence of a file in a scan means deletion only where the scan could look: a missing workspace is an error, and a
//! folder that could not be read is in [`Scan::unread`].

use std::fmt;

use rustix::fs::FileType;

use super::settle::Leftover;
use super::walk::Walk;
use super::{Error, NotePath, Stamp, Stat, Workspace, path};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Sorted by path.
    pub files: Vec<NoteFile>,
    pub skipped: Vec<SkippedPath>,
    /// The folders that were listed, with their state before that.
    pub(super) folders: Vec<(String, Stat)>,
    pub stamp: Stamp,
    /// The latest `mtime` or `ctime` of all files and folders: a state not older than the clock's step may hide a further change.
    pub newest_ns: i64,
    /// Paths whose notes this scan could not see; they are not deleted.
    pub unread: Vec<String>,
    /// A workspace whose identity differs from the last one may be an empty mount point.
    pub root: RootId,
    /// Files an interrupted replacement left behind; see [`Workspace::settle`].
    pub leftovers: Vec<Leftover>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteFile {
    pub path: NotePath,
    pub stat: Stat,
    /// More than 1: the same file has other names, perhaps outside the workspace.
    pub links: u64,
}

/// A file or folder that was passed over; `path` is lossy where the name is not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedPath {
    pub path: String,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Link,
    NotRegular(Special),
    NotFolder,
    /// An extra path that is a single file, but no Markdown.
    NotMarkdown,
    NotUtf8Name,
    TooDeep,
    Unreadable(String),
    /// An extra path that is not there, perhaps because its disk is not mounted.
    ExtraMissing,
    /// The workspace, reached through an extra path that contains it.
    OwnWorkspace,
}

/// What stands where a file should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Folder,
    Fifo,
    Socket,
    Device,
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootId {
    pub device: u64,
    pub inode: u64,
}

impl Workspace {
    pub fn scan(&self) -> Result<Scan, Error> {
        let (mut walk, root) = Walk::begin(&self.root)?;
        walk.workspace(&root);
        for extra in &self.extras {
            walk.extra(extra);
        }
        Ok(walk.finish())
    }
}

impl Scan {
    /// Whether this scan looked where `note` lives, so that its absence from `files` means it is gone.
    pub fn covers(&self, note: &NotePath) -> bool {
        !self.unread.iter().any(|prefix| path::beneath(note.as_str(), prefix))
    }

    /// Every folder that was listed, as its notes are named.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(|(folder, _)| folder.as_str())
    }

    pub fn is_incomplete(&self) -> bool {
        !self.unread.is_empty()
    }
}

impl Special {
    /// `None` for a regular file. A link that was opened without being followed counts as unknown.
    pub(super) fn of(kind: FileType) -> Option<Self> {
        match kind {
            FileType::RegularFile => None,
            FileType::Directory => Some(Self::Folder),
            FileType::Fifo => Some(Self::Fifo),
            FileType::Socket => Some(Self::Socket),
            FileType::CharacterDevice | FileType::BlockDevice => Some(Self::Device),
            FileType::Symlink | FileType::Unknown => Some(Self::Unknown),
        }
    }
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Folder => "folder",
            Self::Fifo => "FIFO",
            Self::Socket => "socket",
            Self::Device => "device",
            Self::Unknown => "thing of unknown type",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link => f.write_str("links are not followed"),
            Self::NotRegular(what) => write!(f, "not a file but a {what}"),
            Self::NotFolder => f.write_str("not a folder"),
            Self::NotMarkdown => f.write_str("its name does not end in .md"),
            Self::NotUtf8Name => f.write_str("its name is not UTF-8"),
            Self::TooDeep => f.write_str("too many folders deep"),
            Self::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Self::ExtraMissing => f.write_str("an extra path that does not exist"),
            Self::OwnWorkspace => f.write_str("the workspace itself, whose notes have their own names"),
        }
    }
}
