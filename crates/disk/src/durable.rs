//! Files that are whole or untouched, and on the disk when the call returns: written aside, synced, renamed, and the
//! folder synced after that. Notes, settings and everything else that mindfile rewrites go through here.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, Stat, fchmod, fchown, fstat, fsync, mkdirat, openat, renameat};
use rustix::fs::{linkat, statat, unlinkat};
use rustix::io::Errno;

/// What a person told an agent is theirs alone; a file that exists keeps the mode it has.
pub const NEW_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
pub const NEW_FOLDER: Mode = Mode::RWXU;

/// Begins the name of every file that is being written: hidden, so that no scan takes it for a note.
pub const PART: &str = ".mindfile-part-";

/// Puts `bytes` in the place of the file at `path`, or makes it, with its folders. Behind a link the link stays and its
/// target is replaced. Mode and owner of an existing file are kept.
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
    let part = write_part(&dir, bytes, old.as_ref())?;
    renameat(&dir, &part, &dir, name).inspect_err(|_| remove(&dir, &part))?;
    Ok(sync_folder(&dir)?)
}

/// Puts `bytes` in the place of a file that can be made again: it is whole or untouched, and not waited for.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::ISDIR.into());
    };
    let dir = open_folder(folder)?;
    let (part, mut file) = create_part(&dir)?;
    let written = file.write_all(bytes).and_then(|()| Ok(renameat(&dir, &part, &dir, name)?));
    written.inspect_err(|_| remove(&dir, &part))
}

/// Makes a file that is not there yet, with its folders. False if there is one: it stays as it is.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let path = std::path::absolute(path)?;
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Errno::ISDIR.into());
    };
    make_folders(folder)?;
    let dir = open_folder(folder)?;
    let part = write_part(&dir, bytes, None)?;
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

/// Makes the folders on the way to `folder` that are missing.
pub fn make_folders(folder: &Path) -> io::Result<()> {
    match mkdirat(CWD, folder, NEW_FOLDER) {
        Err(Errno::EXIST) => Ok(()),
        Err(Errno::NOENT) => {
            let parent = folder.parent().ok_or(Errno::NOENT)?;
            make_folders(parent)?;
            match mkdirat(CWD, folder, NEW_FOLDER) {
                // Another process made it meanwhile.
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

/// Writes and syncs `bytes` to a new hidden file in `dir` and gives its name; on failure nothing is left.
pub fn write_part(dir: impl AsFd, bytes: &[u8], like: Option<&Stat>) -> io::Result<String> {
    let (name, mut file) = create_part(dir.as_fd())?;
    let written = fill(&mut file, bytes, like);
    written.inspect_err(|_| remove(&dir, &name))?;
    Ok(name)
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

/// Someone who may write another's file need not be allowed to give files away; then the new one is theirs.
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

/// Removes a file of our own after a failure that is already being reported; if that fails too, the file is hidden,
/// every scan names it as a leftover, and nothing is lost.
pub fn remove(dir: impl AsFd, name: &str) {
    match unlinkat(dir, name, AtFlags::empty()) {
        Ok(()) | Err(_) => {}
    }
}

/// File systems that cannot sync a folder say so with `EINVAL`; there is nothing more to do on them.
pub fn sync_folder(dir: impl AsFd) -> Result<(), Errno> {
    match fsync(dir) {
        Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        done => done,
    }
}
