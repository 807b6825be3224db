//! The walk behind a scan. It must be cheap enough to run before every query: one `getdents` per few hundred names,
//! one `stat` per note, relative to the open folder, and no allocation but the final path.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, fstat, statat};
use rustix::io::Errno;

use super::scan::{NoteFile, Reason, RootId, Scan, SkippedPath, Special};
use super::settle::Leftover;
use super::stamp::wide;
use super::{Error, ExtraRoot, NotePath, Stamp, Stat, confine, is_private, path};

const MAX_DEPTH: usize = 64;

pub(super) struct Walk {
    scan: Scan,
    /// The path of the folder being read, as its notes are named; names are pushed to it and taken off again.
    at: String,
    buffer: entries::Buffer,
}

/// Which notes of a tree are wanted.
#[derive(Clone, Copy)]
enum Want<'a> {
    All,
    Extra(&'a ExtraRoot),
}

impl Walk {
    pub(super) fn begin(root: &Path) -> Result<(Self, OwnedFd), Error> {
        let fd = confine::open_root(root)?;
        let stat = fstat(&fd).map_err(|errno| Error::io("examine", root.display(), errno))?;
        let scan = Scan {
            files: Vec::new(),
            skipped: Vec::new(),
            folders: Vec::new(),
            stamp: Stamp::default(),
            newest_ns: i64::MIN,
            unread: Vec::new(),
            root: RootId { device: wide(stat.st_dev), inode: stat.st_ino },
            leftovers: Vec::new(),
        };
        Ok((Self { scan, at: String::new(), buffer: entries::buffer() }, fd))
    }

    /// `MEMORY.md`, `memory.md`, `USER.md` and the folders. The names come from the directory, so that a file system
    /// that ignores case shows one file once.
    pub(super) fn workspace(&mut self, root: &OwnedFd) {
        self.listing(root);
        let mut folders = Vec::new();
        let listed = self.each(root, |walk, name, kind| {
            let Ok(text) = name.to_str() else { return };
            if path::LONG_TERM.contains(&text) {
                walk.file(root, name, text, kind, Want::All);
            } else if path::FOLDERS.contains(&text) {
                folders.push(name.to_owned());
            } else {
                walk.leftover(text);
            }
        });
        if let Err(errno) = listed {
            self.unreadable("", errno);
        }
        for name in folders {
            self.folder(root, &name, Want::All, 1);
        }
    }

    pub(super) fn extra(&mut self, extra: &ExtraRoot) {
        extra.prefix.clone_into(&mut self.at);
        let base = confine::open_path(&extra.base);
        match base.and_then(|base| self.start(base, extra)) {
            Ok(()) => {}
            Err(Errno::NOENT) => self.unseen(Reason::ExtraMissing),
            Err(Errno::LOOP | Errno::NOTDIR) => self.skip(Reason::Link),
            Err(other) => self.unseen(Reason::Unreadable(text_of(other))),
        }
        self.at.clear();
    }

    /// An extra path is a folder or a single file.
    fn start(&mut self, base: OwnedFd, extra: &ExtraRoot) -> Result<(), Errno> {
        let parent = confine::open_folder(base, path::folder_of(&extra.start))?;
        let name = CString::new(path::name_of(&extra.start)).map_err(|_nul| Errno::INVAL)?;
        if name.is_empty() {
            self.tree(&parent, Want::Extra(extra), 1);
            return Ok(());
        }
        let stat = statat(&parent, &name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = FileType::from_raw_mode(stat.st_mode);
        if kind == FileType::Directory {
            let dir = confine::open_entry_folder(&parent, &name)?;
            self.tree(&dir, Want::Extra(extra), 1);
        } else if kind == FileType::Symlink {
            self.skip(Reason::Link);
        } else if path::is_note_name(path::name_of(&extra.start)) {
            self.holding(&parent);
            self.here(&stat, kind, Want::Extra(extra));
        } else {
            self.skip(Reason::NotMarkdown);
        }
        Ok(())
    }

    fn tree(&mut self, dir: &OwnedFd, want: Want<'_>, depth: usize) {
        self.listing(dir);
        let mut folders = Vec::new();
        let listed = self.each(dir, |walk, name, kind| walk.entry(dir, name, kind, want, &mut folders));
        if let Err(errno) = listed {
            self.unseen(Reason::Unreadable(text_of(errno)));
        }
        for name in folders {
            self.folder(dir, &name, want, depth + 1);
        }
    }

    fn listing(&mut self, dir: &OwnedFd) {
        match fstat(dir) {
            Ok(stat) => self.scan.folders.push((self.at.clone(), Stat::of(&stat))),
            Err(errno) => self.unseen(Reason::Unreadable(text_of(errno))),
        }
    }

    /// The folder of a single file, of which nothing else is listed.
    fn holding(&mut self, parent: &OwnedFd) {
        if let Ok(stat) = fstat(parent) {
            self.scan.folders.push((path::folder_of(&self.at).to_owned(), Stat::of(&stat)));
        }
    }

    fn entry(
        &mut self,
        dir: &OwnedFd,
        name: &CStr,
        kind: FileType,
        want: Want<'_>,
        folders: &mut Vec<CString>,
    ) {
        if name.to_bytes().starts_with(b".") {
            return self.leftover(&name.to_string_lossy());
        }
        let kind = if kind == FileType::Unknown { kind_of(dir, name) } else { kind };
        match (name.to_str(), kind) {
            (_, FileType::Directory) => folders.push(name.to_owned()),
            (Ok(text), _) => self.file(dir, name, text, kind, want),
            (Err(_not_utf8), _) if name.to_bytes().ends_with(b".md") => {
                self.skip_name(name, Reason::NotUtf8Name)
            }
            (Err(_not_utf8), _) => {}
        }
    }

    fn folder(&mut self, dir: &OwnedFd, name: &CStr, want: Want<'_>, depth: usize) {
        let Ok(text) = name.to_str() else { return self.skip_name(name, Reason::NotUtf8Name) };
        self.with(text, |walk| match confine::open_entry_folder(dir, name) {
            _ if depth > MAX_DEPTH => walk.skip(Reason::TooDeep),
            _ if walk.own_workspace(want) => walk.skip(Reason::OwnWorkspace),
            Ok(inner) => walk.tree(&inner, want, depth),
            Err(Errno::NOENT) => {}
            Err(Errno::LOOP | Errno::NOTDIR) => walk.skip(not_folder(dir, name)),
            Err(other) => walk.unseen(Reason::Unreadable(text_of(other))),
        });
    }

    fn own_workspace(&self, want: Want<'_>) -> bool {
        let Want::Extra(extra) = want else { return false };
        extra.inner.as_deref().is_some_and(|inner| rest_of(&self.at, extra) == inner)
    }

    fn file(&mut self, dir: &OwnedFd, name: &CStr, text: &str, kind: FileType, want: Want<'_>) {
        if kind == FileType::Symlink {
            return self.with(text, |walk| walk.skip(Reason::Link));
        }
        if !path::is_note_name(text) {
            return;
        }
        self.with(text, |walk| match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => walk.here(&stat, FileType::from_raw_mode(stat.st_mode), want),
            Err(Errno::NOENT) => {}
            Err(other) => walk.unseen(Reason::Unreadable(text_of(other))),
        });
    }

    /// Takes the file at `self.at`, whose name is that of a note.
    fn here(&mut self, stat: &rustix::fs::Stat, kind: FileType, want: Want<'_>) {
        if let Want::Extra(extra) = want
            && !extra.takes(rest_of(&self.at, extra))
        {
            return;
        }
        match Special::of(kind) {
            None => self.found(stat),
            Some(Special::Unknown) if kind == FileType::Symlink => self.skip(Reason::Link),
            Some(what) => self.skip(Reason::NotRegular(what)),
        }
    }

    /// Private notes are not listed: nothing of them may reach the index on the disk.
    fn found(&mut self, stat: &rustix::fs::Stat) {
        if is_private(&self.at) {
            return;
        }
        let path = NotePath::new(self.at.clone());
        self.scan.files.push(NoteFile { path, stat: Stat::of(stat), links: wide(stat.st_nlink) });
    }

    fn leftover(&mut self, name: &str) {
        self.scan.leftovers.extend(Leftover::named(&self.at, name));
    }

    fn skip(&mut self, reason: Reason) {
        self.scan.skipped.push(SkippedPath { path: self.at.clone(), reason });
    }

    fn skip_name(&mut self, name: &CStr, reason: Reason) {
        self.with(&name.to_string_lossy(), |walk| walk.skip(reason));
    }

    /// Skips what stands at `self.at`, and says that notes may be there all the same.
    fn unseen(&mut self, reason: Reason) {
        self.scan.unread.push(self.at.clone());
        self.skip(reason);
    }

    fn unreadable(&mut self, at: &str, errno: Errno) {
        at.clone_into(&mut self.at);
        self.unseen(Reason::Unreadable(text_of(errno)));
    }

    fn with(&mut self, name: &str, act: impl FnOnce(&mut Self)) {
        let before = self.at.len();
        if before > 0 && !self.at.ends_with('/') {
            self.at.push('/');
        }
        self.at.push_str(name);
        act(self);
        self.at.truncate(before);
    }

    /// Calls `act` for each entry; the buffer is shared by all folders, so `act` must not read another one.
    fn each(&mut self, dir: &OwnedFd, mut act: impl FnMut(&mut Self, &CStr, FileType)) -> Result<(), Errno> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let done = entries::each(dir, &mut buffer, |name, kind| act(self, name, kind));
        self.buffer = buffer;
        done
    }

    pub(super) fn finish(mut self) -> Scan {
        self.scan.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.scan.files.dedup_by(|a, b| a.path == b.path);
        for file in &self.scan.files {
            self.scan.stamp.add_name(file.path.as_str());
            self.scan.stamp.add_state(&file.stat);
            self.scan.newest_ns = self.scan.newest_ns.max(file.stat.newest_ns());
        }
        // Extra paths may lie within each other: of a folder that was listed twice the earlier state counts.
        self.scan.folders.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.scan.folders.dedup_by(|(b, _), (a, _)| a == b);
        for (_, stat) in &self.scan.folders {
            self.scan.newest_ns = self.scan.newest_ns.max(stat.newest_ns());
        }
        self.scan.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        self.scan.skipped.dedup();
        self.scan.leftovers.sort();
        self.scan.leftovers.dedup();
        self.scan
    }
}

fn rest_of<'a>(at: &'a str, extra: &ExtraRoot) -> &'a str {
    at.strip_prefix(extra.prefix.as_str()).unwrap_or(at).trim_start_matches('/')
}

fn not_folder(dir: impl AsFd, name: &CStr) -> Reason {
    if kind_of(dir, name) == FileType::Symlink { Reason::Link } else { Reason::NotFolder }
}

fn kind_of(dir: impl AsFd, name: &CStr) -> FileType {
    statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)
        .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
}

fn text_of(errno: Errno) -> String {
    std::io::Error::from(errno).to_string()
}

#[cfg(target_os = "linux")]
pub(super) mod entries {
    use std::ffi::CStr;
    use std::os::fd::OwnedFd;

    use rustix::fs::{FileType, RawDir};
    use rustix::io::Errno;

    pub(in super::super) type Buffer = Vec<u8>;

    pub(in super::super) fn buffer() -> Buffer {
        Vec::with_capacity(64 << 10)
    }

    pub(in super::super) fn each(
        dir: &OwnedFd,
        buffer: &mut Buffer,
        mut act: impl FnMut(&CStr, FileType),
    ) -> Result<(), Errno> {
        let mut entries = RawDir::new(dir, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            act(entry.file_name(), entry.file_type());
        }
        Ok(())
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) mod entries {
    use std::ffi::CStr;
    use std::os::fd::OwnedFd;

    use rustix::fs::{Dir, FileType};
    use rustix::io::Errno;

    pub(in super::super) type Buffer = ();

    pub(in super::super) fn buffer() -> Buffer {}

    pub(in super::super) fn each(
        dir: &OwnedFd,
        _: &mut Buffer,
        mut act: impl FnMut(&CStr, FileType),
    ) -> Result<(), Errno> {
        for entry in Dir::read_from(dir)? {
            let entry = entry?;
            act(entry.file_name(), entry.file_type());
        }
        Ok(())
    }
}
