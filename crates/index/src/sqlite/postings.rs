//! Reads all occurrences of a term at once. FTS5 walks a term's entries much faster than SQL can ask for them one by one, and
//! calls an auxiliary function of ours for them.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::{self, null_mut};

use rusqlite::Connection;
use rusqlite::ffi::{self, Fts5Context, Fts5ExtensionApi, Fts5PhraseIter, sqlite3_context, sqlite3_value};

use crate::codec::{put_number, take_number, to_doc};
use crate::record::Doc;

/// The function's name in the statements of [`super::shelf`].
const NAME: &CStr = c"postings";

/// Registers the function with a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    #[expect(unsafe_code, reason = "FTS5 gives its functions to C alone")]
    // SAFETY: `api` is null or what FTS5 wrote for this connection, which outlives the call; the name is a constant, and
    // the function keeps to FTS5's signature and needs no data of its own.
    let code = unsafe {
        let api = fts5(connection)?;
        match api.as_ref().and_then(|api| api.xCreateFunction) {
            Some(create) => create(api, NAME.as_ptr(), null_mut(), Some(collect), None),
            None => ffi::SQLITE_ERROR,
        }
    };
    done(code)
}

/// Visits the rows that have the term, in ascending order, with the term's count in each. `sql` must call the function.
pub(super) fn each(
    db: &Connection,
    sql: &str,
    term: &str,
    mut visit: impl FnMut(Doc, u32),
) -> rusqlite::Result<()> {
    // A text with a character that separates terms is no term.
    if term.is_empty() || term.contains(|c: char| c.is_ascii_control() || matches!(c, ' ' | '"')) {
        return Ok(());
    }
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([format!("\"{term}\"")])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let mut rest = row.get_ref(0)?.as_blob()?;
    let mut doc = 0_i64;
    while let Some(step) = take_number(&mut rest) {
        doc = doc.wrapping_add(step.cast_signed());
        visit(to_doc(doc), take_number(&mut rest).and_then(|count| u32::try_from(count).ok()).unwrap_or(0));
    }
    Ok(())
}

/// The rows with a term as varints: the distance from the row before, and the term's count. Questions read long lists, most of
/// whose numbers are small.
#[derive(Default)]
struct Entries {
    bytes: Vec<u8>,
    last: i64,
}

impl Entries {
    fn add(&mut self, row: i64, count: u32) {
        put_number(&mut self.bytes, row.wrapping_sub(self.last).cast_unsigned());
        put_number(&mut self.bytes, u64::from(count));
        self.last = row;
    }
}

#[expect(unsafe_code, reason = "FTS5 hands out its interface through a pointer that is bound to a statement")]
/// Null where SQLite was built without FTS5.
///
/// SAFETY: to be used only as long as the connection is open.
unsafe fn fts5(connection: &Connection) -> rusqlite::Result<*mut ffi::fts5_api> {
    let mut api: *mut ffi::fts5_api = null_mut();
    let mut statement = null_mut();
    // SAFETY: the handle is open, the texts are constants that end in NUL, and `api` lives until the statement, which
    // writes to it, is gone.
    unsafe {
        let sql = c"SELECT fts5(?1)";
        done(ffi::sqlite3_prepare_v2(connection.handle(), sql.as_ptr(), -1, &raw mut statement, null_mut()))?;
        let place: *mut c_void = ptr::from_mut(&mut api).cast();
        let bound = ffi::sqlite3_bind_pointer(statement, 1, place, c"fts5_api_ptr".as_ptr(), None);
        ffi::sqlite3_step(statement);
        done(bound.max(ffi::sqlite3_finalize(statement)))?;
    }
    Ok(api)
}

fn done(code: c_int) -> rusqlite::Result<()> {
    if code == ffi::SQLITE_OK {
        return Ok(());
    }
    Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))
}

/// Answers with all entries of the question's one term.
#[expect(unsafe_code, reason = "called by FTS5")]
unsafe extern "C" fn collect(
    api: *const Fts5ExtensionApi,
    fts: *mut Fts5Context,
    context: *mut sqlite3_context,
    _count: c_int,
    _values: *mut *mut sqlite3_value,
) {
    let mut entries = Entries::default();
    // SAFETY: FTS5 passes pointers that hold for the call; `entries` is only reached by `add`, which is called before
    // `walk` returns, and SQLite copies the bytes.
    unsafe {
        let code = match (*api).xQueryPhrase {
            Some(walk) => walk(fts, 0, ptr::from_mut(&mut entries).cast(), Some(add)),
            None => ffi::SQLITE_MISUSE,
        };
        if code == ffi::SQLITE_OK {
            let bytes = entries.bytes.as_ptr().cast();
            let length = entries.bytes.len() as u64;
            ffi::sqlite3_result_blob64(context, bytes, length, ffi::SQLITE_TRANSIENT());
        } else {
            ffi::sqlite3_result_error_code(context, code);
        }
    }
}

/// One row that has the term.
#[expect(unsafe_code, reason = "called by FTS5")]
unsafe extern "C" fn add(api: *const Fts5ExtensionApi, fts: *mut Fts5Context, entries: *mut c_void) -> c_int {
    // SAFETY: `entries` is what `collect` passed on and waits with; the rest is FTS5's own.
    unsafe {
        let api = &*api;
        let entries = &mut *entries.cast::<Entries>();
        let (Some(row), Some(first), Some(next)) = (api.xRowid, api.xPhraseFirst, api.xPhraseNext) else {
            return ffi::SQLITE_MISUSE;
        };
        let mut place = Fts5PhraseIter { a: ptr::null(), b: ptr::null() };
        let mut column = 0;
        let mut offset = 0;
        let mut count = 0_u32;
        let code = first(fts, 0, &raw mut place, &raw mut column, &raw mut offset);
        if code != ffi::SQLITE_OK {
            return code;
        }
        while column >= 0 {
            count = count.saturating_add(1);
            next(fts, &raw mut place, &raw mut column, &raw mut offset);
        }
        entries.add(row(fts), count);
    }
    ffi::SQLITE_OK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_read_again() {
        let added = [(1, 1), (2, 300), (130, 127), (131, 128), (1 << 40, 1), (i64::MAX, u32::MAX)];
        let mut entries = Entries::default();
        added.iter().for_each(|&(row, count)| entries.add(row, count));
        let mut rest = &*entries.bytes;
        let mut row = 0;
        let mut read = Vec::new();
        while let (Some(step), Some(count)) = (take_number(&mut rest), take_number(&mut rest)) {
            row += step.cast_signed();
            read.push((row, u32::try_from(count).unwrap()));
        }
        assert_eq!(read, added);
    }
}
