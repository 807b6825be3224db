//! A file's metadata, passed along with a note's bytes; nothing here asks the file system.

/// The file system's metadata of a file when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileStat {
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub size: u64,
    pub inode: u64,
}
