//! sqlite-vec, linked into the program and registered once for every connection made afterwards.

use std::sync::Once;

static REGISTERED: Once = Once::new();

pub(super) fn register() {
    REGISTERED.call_once(|| {
        #[expect(
            unsafe_code,
            reason = "SQLite takes a C entry point; the crate exports it with a shortened type"
        )]
        #[expect(
            clippy::missing_transmute_annotations,
            reason = "the target type is SQLite's own entry point type"
        )]
        // SAFETY: `sqlite3_vec_init` is an extension entry point of sqlite-vec, linked statically, with exactly the
        // signature that SQLite calls; registration is process-wide and happens before any connection is opened here.
        unsafe {
            rusqlite::ffi::sqlite3_auto_extension(Some(std::mem::transmute(
                sqlite_vec::sqlite3_vec_init as *const (),
            )));
        }
    });
}
