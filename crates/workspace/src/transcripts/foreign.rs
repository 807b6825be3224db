//! Reads transcripts from OpenClaw's database: versions from 2026-06 on keep them in `transcript_events`. SQLite opens
//! it read-only and respects OpenClaw's locks.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::error::SessionError as Error;

/// A row or an archive that unpacks to more than this is not a transcript.
const LARGEST: u64 = 1 << 30;
const PATIENCE: Duration = Duration::from_secs(5);
const ARCHIVES: &str = "session_transcript_cold_archives";

/// A session that has a transcript in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForeignSession {
    pub(super) id: String,
    pub(super) updated_ms: i64,
    /// How many events it has.
    pub(super) events: u64,
}

/// An event as it is stored: as text, or packed.
type StoredEvent = (Option<String>, Option<Vec<u8>>);

/// The sessions of the database at `path`; none if there is no such file, or it keeps no transcripts.
pub(super) fn sessions(path: &Path) -> Result<Vec<ForeignSession>, Error> {
    match open(path)? {
        Some(db) => listed(&db).map_err(|source| Error::Database { path: path.to_owned(), source }),
        None => Ok(Vec::new()),
    }
}

/// The transcript of a session, one event a line. `cold` is the folder of its archives.
pub(super) fn transcript(path: &Path, session: &str, cold: &Path) -> Result<Option<Vec<u8>>, Error> {
    let Some(db) = open(path)? else { return Ok(None) };
    let at = |source| Error::Database { path: path.to_owned(), source };
    let mut lines = Vec::new();
    for event in events(&db, session).map_err(at)? {
        let bytes = match event {
            (Some(json), _) => json.into_bytes(),
            (None, Some(packed)) => unpack(&packed, path)?,
            (None, None) => continue,
        };
        lines.extend(bytes.into_iter().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        lines.push(b'\n');
    }
    if !lines.is_empty() {
        return Ok(Some(lines));
    }
    match archive(&db, session).map_err(at)? {
        Some((_, Some(blob))) => unpack(&blob, path).map(Some),
        Some((name, None)) if !name.contains('/') => unpack_file(&cold.join(name)).map(Some),
        Some((_, None)) | None => Ok(None),
    }
}

fn open(path: &Path) -> Result<Option<Connection>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let connect = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(PATIENCE)?;
        let known = has_table(&db, "transcript_events")?;
        Ok(known.then_some(db))
    };
    connect().map_err(|source| Error::Database { path: path.to_owned(), source })
}

fn listed(db: &Connection) -> rusqlite::Result<Vec<ForeignSession>> {
    let sql = "SELECT session_id, max(created_at), count(*) FROM transcript_events GROUP BY session_id";
    let mut all = query_sessions(db, sql)?;
    if has_table(db, ARCHIVES)? {
        let sql = format!("SELECT session_id, archived_at, event_count FROM {ARCHIVES}");
        let archived = query_sessions(db, &sql)?;
        all.extend(archived);
    }
    all.sort_by(|a, b| a.id.cmp(&b.id));
    all.dedup_by(|a, b| a.id == b.id);
    Ok(all)
}

fn query_sessions(db: &Connection, sql: &str) -> rusqlite::Result<Vec<ForeignSession>> {
    let one = |row: &rusqlite::Row<'_>| {
        let events: i64 = row.get(2)?;
        Ok(ForeignSession { id: row.get(0)?, updated_ms: row.get(1)?, events: events.unsigned_abs() })
    };
    db.prepare(sql)?.query_map([], one)?.collect()
}

fn events(db: &Connection, session: &str) -> rusqlite::Result<Vec<StoredEvent>> {
    let sql = "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ?1 ORDER BY seq";
    db.prepare(sql)?.query_map([session], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn archive(db: &Connection, session: &str) -> rusqlite::Result<Option<(String, Option<Vec<u8>>)>> {
    if !has_table(db, ARCHIVES)? {
        return Ok(None);
    }
    let sql = format!("SELECT archive_name, archive_blob FROM {ARCHIVES} WHERE session_id = ?1");
    db.query_row(&sql, [session], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

fn has_table(db: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    Ok(db.query_row(sql, [name], |_| Ok(())).optional()?.is_some())
}

fn unpack_file(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = std::fs::read(path).map_err(mindfile_disk::Error::at(path))?;
    unpack(&bytes, path)
}

fn unpack(bytes: &[u8], path: &Path) -> Result<Vec<u8>, Error> {
    let wrong = |what: String| {
        Error::Disk(mindfile_disk::Error { path: path.to_owned(), source: std::io::Error::other(what) })
    };
    let decoder = ruzstd::decoding::StreamingDecoder::new(bytes).map_err(|error| wrong(error.to_string()))?;
    let mut unpacked = Vec::new();
    decoder.take(LARGEST).read_to_end(&mut unpacked).map_err(|error| wrong(error.to_string()))?;
    Ok(unpacked)
}
