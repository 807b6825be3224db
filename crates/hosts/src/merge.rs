//! What git calls to merge a note: three files, of which the second becomes the merged one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mindfile_disk::{Error as Disk, durable};
use mindfile_note::merge::{Rules, Sides, merge};

use crate::Error;

/// The files as git names them, and the name of the note in its repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverCall {
    pub base: PathBuf,
    pub ours: PathBuf,
    pub theirs: PathBuf,
    pub note: String,
    /// Characters of a conflict's mark.
    pub marker: usize,
}

/// Writes the merged note where our version was; says whether nothing is left for a person to settle. What is no UTF-8 text is
/// left to git's own merge of lines.
pub fn settle(call: &DriverCall) -> Result<bool, Error> {
    let read = |path: &Path| std::fs::read(path).map_err(Disk::at(path));
    let bytes = [read(&call.base)?, read(&call.ours)?, read(&call.theirs)?];
    let texts =
        bytes.each_ref().map(|bytes| std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')));
    let [Some(base), Some(ours), Some(theirs)] = texts else { return merge_lines(call) };
    let merged = merge(Sides { base, ours, theirs }, Rules::of(&call.note, call.marker));
    durable::replace(&call.ours, merged.text.as_bytes()).map_err(Disk::at(&call.ours))?;
    Ok(merged.conflicts == 0)
}

fn merge_lines(call: &DriverCall) -> Result<bool, Error> {
    let mut git = Command::new("git");
    git.args(["merge-file", "-q", "-L", "ours", "-L", "base", "-L", "theirs"]);
    git.arg(format!("--marker-size={}", call.marker)).args([&call.ours, &call.base, &call.theirs]);
    let status = git.stdin(Stdio::null()).status().map_err(Disk::at(Path::new("git")))?;
    match status.code() {
        Some(conflicts @ 0..=127) => Ok(conflicts == 0),
        Some(_) | None => Err(Error::NoText { path: call.note.clone() }),
    }
}
