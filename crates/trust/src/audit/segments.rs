//! The files of a log: the full ones, numbered, and the current one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use mindfile_disk::absent;

use super::chain::{End, Entry};

/// More than the longest entry.
const TAIL: u64 = 64 << 10;

/// Where a log's files are.
#[derive(Debug, Clone)]
pub(super) struct Files {
    folder: PathBuf,
    agent: String,
}

impl Files {
    pub(super) fn new(folder: &Path, agent: &str) -> Self {
        Self { folder: folder.to_owned(), agent: agent.to_owned() }
    }

    fn named(&self, end: &str) -> PathBuf {
        self.folder.join(format!("{}.audit.{end}", self.agent))
    }

    pub(super) fn current(&self) -> PathBuf {
        self.named("jsonl")
    }

    pub(super) fn head(&self) -> PathBuf {
        self.named("head")
    }

    pub(super) fn key(&self) -> PathBuf {
        self.named("key")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.named("lock")
    }

    /// The name of a full file, by its last entry.
    pub(super) fn full(&self, last: u64) -> PathBuf {
        self.named(&format!("{last:012}.jsonl"))
    }

    /// The files that are there, the oldest first, the one that is written last.
    pub(super) fn all(&self) -> io::Result<Vec<PathBuf>> {
        let lead = format!("{}.audit.", self.agent);
        let mut full = Vec::new();
        for entry in absent::entries(&self.folder)? {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(&lead)?.strip_suffix(".jsonl"));
            if number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
                full.push(self.folder.join(&name));
            }
        }
        full.sort();
        full.extend(Some(self.current()).filter(|path| path.exists()));
        Ok(full)
    }
}

/// The last whole line of a file, and where the file should end: what follows it is a write that was cut off.
pub(super) fn last_line(path: &Path) -> io::Result<(Option<End>, u64)> {
    let Some(mut file) = absent::if_there(File::open(path))? else { return Ok((None, 0)) };
    let size = file.metadata()?.len();
    let from = size.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line =
        bytes[..whole].strip_suffix(b"\n").and_then(|lines| lines.rsplit(|byte| *byte == b'\n').next());
    let end = line.and_then(|line| Some(End::of(Entry::read(line)?.0.seq, line)));
    Ok((end, from + whole as u64))
}
