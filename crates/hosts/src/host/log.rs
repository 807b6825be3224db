//! Logs what the hooks did, in a file of bounded size: nobody sees what a hook prints.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;

use super::{Event, Host};
use mindfile_disk::durable;

/// Beyond this, the file becomes `hooks.log.1`, in the place of the one before.
const LARGEST: u64 = 256 << 10;

/// One call, as it went.
#[derive(Debug, Clone, PartialEq)]
pub struct HookRun<'a> {
    pub at: Timestamp,
    pub host: &'static Host,
    pub event: Event,
    pub took: Duration,
    /// Why the answer was empty, if it failed.
    pub error: Option<&'a str>,
}

pub fn path(state: &Path) -> PathBuf {
    state.join("memory").join("hooks.log")
}

/// Adds a line.
pub fn note(state: &Path, went: &HookRun<'_>) -> io::Result<()> {
    let path = path(state);
    if std::fs::metadata(&path).is_ok_and(|found| found.len() > LARGEST) {
        std::fs::rename(&path, path.with_extension("log.1"))?;
    }
    let mut line = json!({
        "at": format!("{:.3}", went.at),
        "host": went.host.name,
        "event": went.event.as_str(),
        "ms": went.took.as_millis() as u64,
    });
    if let Some(error) = went.error {
        line["error"] = error.into();
    }
    durable::append(&path, format!("{line}\n").as_bytes()).map(drop)
}
