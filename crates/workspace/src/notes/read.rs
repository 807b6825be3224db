//! Reads the bytes of a note, together with the file state they belong to.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use rustix::fs::fstat;

use super::{Error, NotePath, Stat, Workspace, confine, is_private};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes {
    pub bytes: Vec<u8>,
    /// The state after the last byte was read.
    pub stat: Stat,
    /// The file is longer than the limit.
    pub truncated: bool,
    /// The file changed while it was read, twice: the bytes may mix two versions.
    pub unstable: bool,
}

impl Workspace {
    /// At most `limit` bytes of a note.
    pub fn read(&self, path: &NotePath, limit: u64) -> Result<Bytes, Error> {
        if is_private(path.as_str()) {
            return self.read_private(path, limit);
        }
        let place = self.place(path)?;
        let first = read_once(&confine::open_file(&place, path)?, path, limit)?;
        if first.unstable { read_once(&confine::open_file(&place, path)?, path, limit) } else { Ok(first) }
    }

    /// What follows some bytes of a note that is not private.
    pub fn rest(&self, path: &NotePath, at: u64) -> Result<Bytes, Error> {
        let mut file = confine::open_file(&self.place(path)?, path)?;
        let before = state(&file, path)?;
        let mut bytes = Vec::new();
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_to_end(&mut bytes));
        read.map_err(|source| Error::io("read", path, source))?;
        let stat = state(&file, path)?;
        let unstable = stat != before || stat.size != at + bytes.len() as u64;
        Ok(Bytes { bytes, stat, truncated: false, unstable })
    }

    /// The state of a note that is not private.
    pub fn stat(&self, path: &NotePath) -> Result<Stat, Error> {
        state(&confine::open_file(&self.place(path)?, path)?, path)
    }
}

pub(super) fn read_once(file: &File, path: &NotePath, limit: u64) -> Result<Bytes, Error> {
    let before = state(file, path)?;
    let room = usize::try_from(before.size.min(limit)).unwrap_or(0);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(room + 1).map_err(|full| Error::io("hold", path, std::io::Error::other(full)))?;
    file.take(limit).read_to_end(&mut bytes).map_err(|source| Error::io("read", path, source))?;
    let stat = state(file, path)?;
    let truncated = stat.size > bytes.len() as u64;
    // Two writes within one tick of the clock can leave the same state: then the length tells.
    let unstable = stat != before || bytes.len() as u64 != stat.size.min(limit);
    Ok(Bytes { bytes, stat, truncated, unstable })
}

pub(super) fn state(file: &File, path: &NotePath) -> Result<Stat, Error> {
    fstat(file).map(|stat| Stat::of(&stat)).map_err(|errno| Error::io("examine", path, errno))
}
