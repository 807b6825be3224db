//! Records a host's conversation, once. The entries themselves say how far the host's transcript was read, so that a
//! hook that is killed at any moment resumes there.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde_json::Value;

use super::Host;
use super::call::Call;
use super::turn::{self, Telling, Turn};
use crate::Error;
use mindfile::Corpus;
use mindfile::draft;
use mindfile::session::{self, About, ChatType};
use mindfile_disk::Error as Disk;
use mindfile_disk::absent::if_there;
use mindfile_disk::lock::{self, PATIENCE};

/// What is read of a host's transcript in one go.
const PIECE: u64 = 32 << 20;

/// Writes down the turns that are new since the last call. Returns how many there were.
pub(super) fn journal(corpus: &Corpus, call: &Call) -> Result<usize, Error> {
    let _turn = journal_lock(corpus)?;
    let known = JournaledTurns::of(corpus.sessions().bytes(&call.session));
    let known = match known {
        Err(session::Error::NoSession { .. }) => JournaledTurns::default(),
        known => known?,
    };
    let News { mut turns, tools } = match &call.transcript {
        Some(path) => news(call.host, path, &known)?,
        None => News::default(),
    };
    turns.extend(call.said.iter().filter(|turn| !known.has(&turn.id)).cloned());
    if !turns.is_empty() {
        write_down(corpus, call, &turns)?;
    }
    // After the turns: what the person said is no tool's word.
    draft::hear_tools(corpus, &tools)?;
    Ok(turns.len())
}

/// Keeps in mind what the tools of a sub-agent answered. Nothing of its work is written down.
pub(super) fn hear(corpus: &Corpus, call: &Call) -> Result<(), Error> {
    let Some(path) = &call.transcript else { return Ok(()) };
    let _turn = journal_lock(corpus)?;
    draft::hear_tools(corpus, &news(call.host, path, &JournaledTurns::default())?.tools)?;
    Ok(())
}

fn write_down(corpus: &Corpus, call: &Call, turns: &[Turn]) -> Result<(), Error> {
    let entries: Vec<Value> = turns.iter().map(|turn| turn.entry(call.host.name)).collect();
    session::memory::say(
        corpus,
        &call.session,
        &entries,
        &About { chat: Some(ChatType::Direct), window: None },
    )?;
    Ok(())
}

/// What is new in a host's transcript.
#[derive(Default)]
struct News {
    turns: Vec<Turn>,
    /// What tools answered.
    tools: Vec<String>,
}

/// The hosts' ids of the turns that are in a session.
pub(crate) fn known_turns(corpus: &Corpus, session: &str) -> Result<HashSet<String>, Error> {
    match JournaledTurns::of(corpus.sessions().bytes(session)) {
        Err(session::Error::NoSession { .. }) => Ok(HashSet::new()),
        known => Ok(known?.ids()),
    }
}

/// Two hooks of one conversation may run at once.
fn journal_lock(corpus: &Corpus) -> Result<File, Error> {
    let path = corpus.settings().state_dir.join("memory").join("hooks.lock");
    Ok(lock::hold(&path, PATIENCE).map_err(Disk::at(&path))?)
}

/// What is written down of a conversation already.
#[derive(Default)]
struct JournaledTurns {
    text: String,
    /// Where the last line that was taken ends in the host's transcript.
    read: u64,
}

impl JournaledTurns {
    fn of(bytes: Result<Vec<u8>, session::Error>) -> Result<Self, session::Error> {
        let text = String::from_utf8_lossy(&bytes?).into_owned();
        let read = text.lines().rev().find_map(|line| origin(line)?["at"].as_u64().filter(|at| *at > 0));
        Ok(Self { read: read.unwrap_or(0), text })
    }

    fn has(&self, id: &str) -> bool {
        let written = Value::from(id).to_string();
        self.text.contains(&format!("\"id\":{written}"))
    }

    fn ids(&self) -> HashSet<String> {
        let id = |line: &str| origin(line)?["id"].as_str().map(str::to_owned);
        self.text.lines().filter_map(id).collect()
    }
}

/// What an entry says of the host that it comes from.
fn origin(line: &str) -> Option<Value> {
    if !line.contains("\"host\":{") {
        return None;
    }
    let mut entry: Value = serde_json::from_str(line).ok()?;
    Some(entry["host"].take()).filter(Value::is_object)
}

/// What comes after the turns that are known. A transcript that is not the one that was read is read from its beginning.
fn news(host: &Host, path: &Path, known: &JournaledTurns) -> Result<News, Error> {
    let io = Disk::at(path);
    let Some(file) = if_there(File::open(path)).map_err(&io)? else { return Ok(News::default()) };
    let size = file.metadata().map_err(&io)?.len();
    let from = if goes_on(&file, known.read, size).map_err(&io)? { known.read } else { 0 };
    let mut bytes = Vec::new();
    io::Seek::seek(&mut &file, io::SeekFrom::Start(from)).map_err(&io)?;
    (&file).take(PIECE).read_to_end(&mut bytes).map_err(&io)?;
    let told = || Ok(from > 0 && is_shown_before(host, &file, from)?);
    let mut news = of_piece(host, &bytes, from, &told).map_err(&io)?;
    if from == 0 && known.read > 0 {
        let ids = known.ids();
        news.turns.retain(|turn| !ids.contains(&turn.id));
    }
    Ok(news)
}

/// Whether a line ends where the last reading stopped.
fn goes_on(file: &File, read: u64, size: u64) -> io::Result<bool> {
    if read == 0 || read > size {
        return Ok(false);
    }
    let mut byte = [0];
    file.read_exact_at(&mut byte, read - 1)?;
    Ok(byte == *b"\n")
}

/// Whether what was read before has turns as they were shown.
fn is_shown_before(host: &Host, file: &File, until: u64) -> io::Result<bool> {
    let mut bytes = vec![0; usize::try_from(until.min(PIECE)).map_err(io::Error::other)?];
    file.read_exact_at(&mut bytes, 0)?;
    let values: Vec<Value> = whole_lines(&bytes, 0).into_iter().map(|(value, _)| value).collect();
    Ok(Telling::of(host, &values) == Telling::Shown)
}

/// What whole lines tell; one that is still being written is left for the next time.
fn of_piece(
    host: &Host,
    bytes: &[u8],
    from: u64,
    shown_before: &dyn Fn() -> io::Result<bool>,
) -> io::Result<News> {
    let lines = whole_lines(bytes, from);
    let values: Vec<Value> = lines.iter().map(|(value, _)| value.clone()).collect();
    let telling = match Telling::of(host, &values) {
        Telling::Sent if shown_before()? => Telling::Shown,
        telling @ (Telling::Shown | Telling::Sent) => telling,
    };
    let turns = lines.iter().filter_map(|(value, end)| turn::of_line(host, telling, value, *end)).collect();
    Ok(News { turns, tools: turn::tools_said(values.iter()) })
}

/// The lines that have an end and are JSON, each with where it ends.
fn whole_lines(bytes: &[u8], from: u64) -> Vec<(Value, u64)> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut end = from;
    let mut lines = Vec::new();
    for line in bytes[..whole].split_inclusive(|byte| *byte == b'\n') {
        end += line.len() as u64;
        if let Ok(value) = serde_json::from_slice::<Value>(line) {
            lines.push((value, end));
        }
    }
    lines
}
