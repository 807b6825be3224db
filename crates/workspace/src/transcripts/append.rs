//! Appends entries to a transcript: one write and one `fdatasync` per batch, under a lock, so that two processes on one
//! session extend one chain. An incomplete line from an interrupted write is moved aside first, and reported.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use mindfile_note::FileStat;
use mindfile_note::hash::Digest;
use rustix::fs::OFlags;
use serde_json::{Map, Value, json};

use super::folder::stat;
use mindfile_disk::absent::if_there;
use mindfile_disk::durable;
use mindfile_disk::lock::{self, Lock, PATIENCE};

/// How much of the end of a transcript is read at once.
const BLOCK: u64 = 64 << 10;
/// Entries that come together are written together, up to so many bytes.
const LARGEST_WRITE: usize = 1 << 20;

/// What was written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WrittenEntries {
    /// The ids of the entries and the lines they stand in.
    pub entries: Vec<(String, u32)>,
    /// What a cut-off write had left, and where it is now.
    pub torn: Option<TornTail>,
    pub created: bool,
    /// None where more was changed than was added.
    pub growth: Option<Growth>,
}

/// What the file was like, under its lock, before and after it was added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    pub before: FileStat,
    pub after: FileStat,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornTail {
    pub bytes: u64,
    pub kept: PathBuf,
}

/// Adds entries to the transcript at `path`; makes it, with `header`, where it is missing. `bodies` are entries without
/// id, parent and time. When this returns, they are on the disk. `lines` may know how many lines a file had; it is asked
/// when they are.
pub(super) fn append(
    path: &Path,
    header: &Value,
    bodies: &[Value],
    now: Timestamp,
    lines: &dyn Fn(&FileStat) -> Option<u32>,
) -> io::Result<WrittenEntries> {
    let file = locked(path)?;
    let mut done = WrittenEntries { torn: repair(&file, path)?, ..WrittenEntries::default() };
    let before = stat(&file.metadata()?);
    let mut size = before.size;
    let ended = size > 0 && last_byte(&file, size)? == Some(b'\n');
    if size == 0 {
        write(&file, &line(header)?, &mut size)?;
        sync_parent(path)?;
        done.created = true;
    } else if !ended {
        write(&file, b"\n", &mut size)?;
    }
    let begun = size;
    done.entries = write_all(&file, path, bodies, now, &mut size)?;
    let grew = ended && done.torn.is_none();
    let known = if grew { lines(&before) } else { None };
    let first = known.map_or_else(|| count_lines(&file, begun), Ok)?;
    for ((_, line), number) in done.entries.iter_mut().zip(first + 1..) {
        *line = number;
    }
    done.growth = if grew { Some(Growth { before, after: stat(&file.metadata()?) }) } else { None };
    Ok(done)
}

/// The ids of the entries; their lines are told later.
fn write_all(
    file: &File,
    path: &Path,
    bodies: &[Value],
    now: Timestamp,
    size: &mut u64,
) -> io::Result<Vec<(String, u32)>> {
    let mut parent = last_id(file, *size)?;
    let mut written = Vec::new();
    let mut block = Vec::new();
    for body in bodies {
        let id = id_of(path, *size + block.len() as u64, body);
        let entry = entry(body, &id, parent.as_deref(), now);
        block.extend(line(&entry)?);
        if block.len() >= LARGEST_WRITE {
            write(file, &std::mem::take(&mut block), size)?;
        }
        written.push((id.clone(), 0));
        parent = Some(id);
    }
    if !block.is_empty() {
        write(file, &block, size)?;
    }
    Ok(written)
}

/// The transcript, locked, and still the file that the path names.
fn locked(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        durable::make_folders(folder)?;
    }
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::CLOEXEC).bits()).map_err(io::Error::other)?;
    loop {
        let options =
            OpenOptions::new().read(true).append(true).create(true).mode(0o600).custom_flags(flags).clone();
        let file = options.open(path)?;
        lock::wait(&file, Lock::Alone, PATIENCE)?;
        let own = file.metadata()?;
        let now = if_there(std::fs::symlink_metadata(path))?;
        if now.is_some_and(|now| (own.dev(), own.ino()) == (now.dev(), now.ino())) {
            return Ok(file);
        }
    }
}

/// Other bytes for a line, which has a number; none for one that stays.
pub type OnLine<'a> = dyn Fn(u32, &[u8]) -> Option<Vec<u8>> + 'a;

/// Puts other bytes in the place of lines; those that are left alone keep theirs.
pub(super) fn rewrite(path: &Path, change: &OnLine<'_>) -> io::Result<()> {
    let file = locked(path)?;
    let size = file.metadata()?.len();
    let bytes = read_range(&file, 0, size)?;
    let mut new = Vec::with_capacity(bytes.len());
    for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let (words, end) = line.split_at(line.len() - usize::from(line.ends_with(b"\n")));
        match change(number, words) {
            Some(changed) => new.extend(changed),
            None => new.extend_from_slice(words),
        }
        new.extend_from_slice(end);
    }
    durable::replace(path, &new)
}

/// Puts a line that has no end and cannot be read into `<name>.torn`, and takes it from the transcript.
fn repair(file: &File, path: &Path) -> io::Result<Option<TornTail>> {
    let size = file.metadata()?.len();
    let start = last_line_start(file, size)?;
    let mut tail = vec![0; usize::try_from(size - start).map_err(io::Error::other)?];
    file.read_exact_at(&mut tail, start)?;
    if tail.trim_ascii().is_empty() || serde_json::from_slice::<Map<String, Value>>(&tail).is_ok() {
        return Ok(None);
    }
    let kept = path.with_extension("jsonl.torn");
    let mut aside = OpenOptions::new().append(true).create(true).mode(0o600).open(&kept)?;
    tail.push(b'\n');
    aside.write_all(&tail)?;
    aside.sync_all()?;
    sync_parent(path)?;
    file.set_len(start)?;
    file.sync_all()?;
    Ok(Some(TornTail { bytes: size - start, kept }))
}

/// Where the line begins that has no end; the end of the file, if every line has one.
fn last_line_start(file: &File, size: u64) -> io::Result<u64> {
    let mut end = size;
    while end > 0 {
        let from = end.saturating_sub(BLOCK);
        let block = read_range(file, from, end)?;
        if let Some(at) = block.iter().rposition(|byte| *byte == b'\n') {
            return Ok(from + at as u64 + 1);
        }
        end = from;
    }
    Ok(0)
}

/// The id of the last entry that has one.
fn last_id(file: &File, size: u64) -> io::Result<Option<String>> {
    let mut room = BLOCK;
    loop {
        let from = size.saturating_sub(room);
        let bytes = read_range(file, from, size)?;
        let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        if from > 0 {
            lines.remove(0);
        }
        let found = lines.iter().rev().find_map(|line| entry_id(line));
        if found.is_some() || from == 0 {
            return Ok(found);
        }
        room *= 4;
    }
}

fn entry_id(line: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(line).ok()?;
    if value["type"].as_str()? == "session" {
        return None;
    }
    value["id"].as_str().map(str::to_owned)
}

fn count_lines(file: &File, size: u64) -> io::Result<u32> {
    let mut count = 0;
    let mut from = 0;
    while from < size {
        let to = size.min(from + (1 << 20));
        count += memchr::memchr_iter(b'\n', &read_range(file, from, to)?).count();
        from = to;
    }
    u32::try_from(count).map_err(io::Error::other)
}

pub(super) fn read_range(file: &File, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(to - from).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, from)?;
    Ok(bytes)
}

fn last_byte(file: &File, size: u64) -> io::Result<Option<u8>> {
    Ok(read_range(file, size - 1, size)?.first().copied())
}

/// One write; what a full disk took of it is taken back.
fn write(mut file: &File, bytes: &[u8], size: &mut u64) -> io::Result<()> {
    let wrote = loop {
        match file.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => break done?,
        }
    };
    if wrote < bytes.len() {
        file.set_len(*size)?;
        return Err(io::Error::new(io::ErrorKind::StorageFull, "only a part could be written"));
    }
    file.sync_data()?;
    *size += bytes.len() as u64;
    Ok(())
}

fn sync_parent(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    Ok(durable::sync_folder(File::open(folder)?)?)
}

/// Unique in the file, because no two entries begin at the same place.
fn id_of(path: &Path, at: u64, body: &Value) -> String {
    let mut id = Digest::of(format!("{}:{at}:{body}", path.display()).as_bytes()).to_string();
    id.truncate(16);
    id
}

fn entry(body: &Value, id: &str, parent: Option<&str>, now: Timestamp) -> Value {
    let mut entry = Map::new();
    entry.insert("type".to_owned(), body["type"].clone());
    entry.insert("id".to_owned(), id.into());
    entry.insert("parentId".to_owned(), parent.into());
    entry.insert("timestamp".to_owned(), written_time(now).into());
    for (name, value) in body.as_object().into_iter().flatten() {
        if !["id", "parentId"].contains(&name.as_str()) {
            entry.insert(name.clone(), value.clone());
        }
    }
    Value::Object(entry)
}

/// The first line of a transcript.
pub(super) fn header(session: &str, cwd: &Path, now: Timestamp) -> Value {
    json!({
        "type": "session",
        "version": 3,
        "id": session,
        "timestamp": written_time(now),
        "cwd": cwd.display().to_string(),
    })
}

/// As OpenClaw writes it: UTC, to the millisecond.
pub(super) fn written_time(now: Timestamp) -> String {
    format!("{now:.3}")
}

fn line(value: &Value) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}
