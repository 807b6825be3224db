//! Replacing a file as a whole: after a crash it is the old one or the new one, and when the call returns, the new one is
//! on the disk. Written aside, synced, renamed, and the folder synced. Everything that mindfile rewrites goes through here.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, Stat, fchmod, fchown, fstat, mkdirat, openat, renameat};
use rustix::fs::{linkat, statat, unlinkat};
use rustix::io::Errno;

/// Readable by the owner alone. A file that exists keeps its mode.
pub const NEW_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
pub const NEW_FOLDER: Mode = Mode::RWXU;

/// The prefix of files that are being written: hidden, so that no scan takes them for notes.
pub const PART: &str = ".mindfile-part-";

/// Replaces the file at `path` with `bytes`, or creates it and its folders. If `path` is a link, its target is replaced.
/// An existing file keeps its mode and owner.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &match std::fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => std::path::absolute(path)?,
        found => found?,
    };
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::ISDIR.into());
    };
    make_folders(folder)?;
    let dir = open_folder(folder)?;
    let old = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW).ok();
    // Open until it has its name: whoever clears up what a crash left sees that somebody is still writing.
    let (part, _open) = fill_part(&dir, bytes, old.as_ref())?;
    renameat(&dir, &part, &dir, name).inspect_err(|_| remove(&dir, &part))?;
    Ok(sync_folder(&dir)?)
}

/// Replaces a file that can be made again: old or new as a whole, without waiting for the disk.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::ISDIR.into());
    };
    let dir = open_folder(folder)?;
    let (part, mut file) = create_part(&dir)?;
    let written = file.write_all(bytes).and_then(|()| Ok(renameat(&dir, &part, &dir, name)?));
    written.inspect_err(|_| remove(&dir, &part))
}

/// Creates a file and its folders. Returns false, and changes nothing, if the file exists.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let path = std::path::absolute(path)?;
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::ISDIR.into());
    };
    make_folders(folder)?;
    let dir = open_folder(folder)?;
    let (part, _open) = fill_part(&dir, bytes, None)?;
    let linked = linkat(&dir, &part, &dir, name, AtFlags::empty());
    remove(&dir, &part);
    match linked {
        Err(Errno::EXIST) => Ok(false),
        done => {
            done?;
            sync_folder(&dir)?;
            Ok(true)
        }
    }
}

/// Adds bytes to the end of a file, which is created with its folders if it is missing. The caller syncs it.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<File> {
    make_folders(path.parent().unwrap_or(path))?;
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Whether nothing can be written there: the disk is full, or it may only be read.
pub fn is_unwritable(error: &io::Error) -> bool {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), PermissionDenied | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

/// Creates the missing folders on the way to `folder`.
pub fn make_folders(folder: &Path) -> io::Result<()> {
    match mkdirat(CWD, folder, NEW_FOLDER) {
        Err(Errno::EXIST) => Ok(()),
        Err(Errno::NOENT) => {
            let parent = folder.parent().ok_or(Errno::NOENT)?;
            make_folders(parent)?;
            match mkdirat(CWD, folder, NEW_FOLDER) {
                // Another process has just created it.
                Ok(()) | Err(Errno::EXIST) => Ok(sync_folder(open_folder(parent)?)?),
                Err(other) => Err(other.into()),
            }
        }
        Ok(()) => Ok(sync_folder(open_folder(folder.parent().ok_or(Errno::NOENT)?)?)?),
        Err(other) => Err(other.into()),
    }
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?)
}

/// Writes and syncs `bytes` to a new hidden file in `dir` and returns its path; on failure nothing is left.
pub fn write_part(dir: impl AsFd, bytes: &[u8], like: Option<&Stat>) -> io::Result<String> {
    fill_part(dir, bytes, like).map(|(name, _)| name)
}

fn fill_part(dir: impl AsFd, bytes: &[u8], like: Option<&Stat>) -> io::Result<(String, File)> {
    let (name, mut file) = create_part(dir.as_fd())?;
    let written = fill(&mut file, bytes, like);
    written.inspect_err(|_| remove(&dir, &name))?;
    Ok((name, file))
}

fn create_part(dir: impl AsFd) -> io::Result<(String, File)> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    loop {
        let name = format!("{PART}{}", nonce());
        match openat(dir.as_fd(), &name, flags, NEW_FILE) {
            Err(Errno::EXIST) => {}
            made => return Ok((name, File::from(made?))),
        }
    }
}

fn fill(file: &mut File, bytes: &[u8], like: Option<&Stat>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(old) = like {
        keep_owner(file, old)?;
        fchmod(&*file, Mode::from_raw_mode(old.st_mode))?;
    }
    file.sync_all()
}

/// Whoever may write another user's file may not be allowed to change owners; then the new file is theirs.
fn keep_owner(file: &File, old: &Stat) -> io::Result<()> {
    let own = fstat(file)?;
    if (own.st_uid, own.st_gid) == (old.st_uid, old.st_gid) {
        return Ok(());
    }
    let owner = rustix::fs::Uid::from_raw(old.st_uid);
    let group = rustix::fs::Gid::from_raw(old.st_gid);
    match fchown(file, Some(owner), Some(group)) {
        Err(Errno::PERM) => Ok(()),
        done => Ok(done?),
    }
}

/// Unique among the processes and threads that may write in one folder; a collision is caught by exclusive creation.
pub fn nonce() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{:x}-{:x}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Removes our own file after a failure that is already being reported. If that fails too, nothing is lost: the file is
/// hidden, and every scan names it as a leftover.
pub fn remove(dir: impl AsFd, name: &str) {
    match unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(_) => {}
    }
}

/// File systems that cannot sync a folder say so with `EINVAL`; there is nothing more to do on them.
pub fn sync_folder(dir: impl AsFd) -> Result<(), Errno> {
    match to_the_disk(dir) {
        Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        done => done,
    }
}

/// What `fsync` promises elsewhere: there it stops at the cache of the drive. The standard library does this for files.
#[cfg(target_vendor = "apple")]
fn to_the_disk(dir: impl AsFd) -> Result<(), Errno> {
    match rustix::fs::fcntl_fullfsync(&dir) {
        Err(Errno::INVAL | Errno::NOTSUP | Errno::NOTTY) => rustix::fs::fsync(dir),
        done => done,
    }
}

#[cfg(not(target_vendor = "apple"))]
fn to_the_disk(dir: impl AsFd) -> Result<(), Errno> {
    rustix::fs::fsync(dir)
}
