//! An index in memory, for where nothing can be written: with what a file holds, as far as it can be read, and gone with the
//! process.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use rusqlite::{Connection, OpenFlags};

use super::pool::Pool;
use super::{
    SqliteIndex, VectorEngine, check_identity, classify, connect, extension, first_connection, identity,
};
use crate::Error;

pub(super) const FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_URI.union(OpenFlags::SQLITE_OPEN_CREATE);
/// What would end a path in an address of SQLite's.
const SPECIAL: &AsciiSet = &CONTROLS.add(b'%').add(b'?').add(b'#').add(b' ');
const SCHEME: &str = "file:/mindfile-";

pub(super) fn is(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.starts_with(SCHEME))
}

impl SqliteIndex {
    /// An index of its own that begins with what the file holds. Nothing is written to the disk.
    pub fn in_memory(file: &Path, engine: VectorEngine) -> Result<Self, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        extension::register();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(format!("{SCHEME}{number}?vfs=memdb"));
        // It is there for as long as a connection is.
        let kept = connect(&path)?;
        // What cannot be read is made again from the notes.
        let copied = copy(file, &path).is_ok() || copy_settled(file, &path).is_ok();
        let first = match first_connection(&path) {
            Err(_) if copied => return Self::in_memory(Path::new(""), engine),
            first => first?,
        };
        drop(kept);
        Ok(Self { path, inode: None, engine, pool: Pool::of(first), warm: Mutex::default() })
    }
}

/// The file with all that was committed.
fn copy(file: &Path, to: &Path) -> Result<(), Error> {
    copy_from(file, "mode=ro", to)
}

/// The file without what is only in its log: where that can be read at all, something would have to be written.
fn copy_settled(file: &Path, to: &Path) -> Result<(), Error> {
    copy_from(file, "mode=ro&immutable=1", to)
}

fn copy_from(file: &Path, how: &str, to: &Path) -> Result<(), Error> {
    let name = percent_encode(file.as_os_str().as_encoded_bytes(), SPECIAL);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let failed = |error| classify(file, error);
    let from = Connection::open_with_flags(format!("file:{name}?{how}"), flags).map_err(failed)?;
    check_identity(file, &identity(&from).map_err(failed)?)?;
    from.execute("VACUUM INTO ?1", [to.to_str()]).map_err(failed)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Batch, Change, Index};

    fn put(index: &SqliteIndex, key: &str) {
        let change = Change::Meta { key: key.to_owned(), value: "yes".to_owned() };
        index.apply(&Batch { changes: vec![change], ..Batch::default() }).unwrap();
    }

    #[test]
    fn an_index_in_memory_begins_with_what_the_file_holds_and_leaves_it_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a ?#.sqlite");
        let one = SqliteIndex::open(&file, VectorEngine::Scan).unwrap();
        put(&one, "kept");
        let copy = SqliteIndex::in_memory(&file, VectorEngine::Scan).unwrap();
        assert!(copy.is_current() && copy.file().is_none());
        put(&copy, "new");
        let of = |index: &SqliteIndex, key| index.meta(key).unwrap().is_some();
        assert_eq!([of(&copy, "kept"), of(&copy, "new"), of(&one, "new")], [true, true, false]);
        let none = SqliteIndex::in_memory(&dir.path().join("none"), VectorEngine::Scan).unwrap();
        put(&none, "new");
        assert_eq!([of(&none, "kept"), of(&none, "new"), of(&copy, "kept")], [false, true, true]);
    }
}
