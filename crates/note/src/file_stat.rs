//! What a file system says of a file. It is passed along with a note's bytes; nothing here asks for it.

/// What the file system said of a file when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileStat {
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub size: u64,
    pub inode: u64,
}
