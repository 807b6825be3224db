//! What a person may want to know of the index's file and of the code that works on it.

use rusqlite::Connection;

use super::extension;
use crate::{About, Error};

pub(super) fn about(connection: &Connection) -> rusqlite::Result<About> {
    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs);
    Ok(About {
        journal_mode: Some(connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?),
        bytes: 0,
        reusable_bytes: number("PRAGMA freelist_count")? * number("PRAGMA page_size")?,
        cache_bytes: number("SELECT coalesce(sum(length(embedding)), 0) FROM embedding_cache")?,
    })
}

/// The SQLite that is linked.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// The sqlite-vec that is linked, asked from a database in memory.
pub fn sqlite_vec_version() -> Result<String, Error> {
    extension::register();
    Connection::open_in_memory()
        .and_then(|connection| connection.query_row("SELECT vec_version()", [], |row| row.get(0)))
        .map_err(|error| super::classify(std::path::Path::new(":memory:"), error))
}

/// The instructions that the scan over 8-bit codes uses on this machine, in the order in which it prefers them.
pub fn scan_instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
        {
            return "AVX-512";
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return "AVX2";
        }
        if is_x86_feature_detected!("sse4.1") {
            return "SSE4.1";
        }
    }
    if cfg!(target_arch = "aarch64") { "NEON" } else { "plain code" }
}
