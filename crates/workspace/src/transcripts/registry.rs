//! `sessions.json`: facts about each session beside its transcript. The fields are OpenClaw's; unknown ones are kept. If
//! the file is lost, it is rebuilt from the transcripts.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::entry;
use super::transcript::Transcript;
use mindfile_disk::absent::if_there;
use mindfile_disk::durable;
use mindfile_disk::lock::{self, Lock, PATIENCE};
use mindfile_trust::speaker::ChatType;
use mindfile_trust::speaker::Role;

pub(super) const NAME: &str = "sessions.json";

/// What `sessions.json` says of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub key: String,
    pub session: String,
    pub updated: Option<Timestamp>,
    pub chat: ChatType,
    pub compactions: u64,
    pub flushed_at: Option<Timestamp>,
    /// How many compactions had taken place at the last flush. None: there was none, which is not the same as 0.
    pub flushed_compactions: Option<u64>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The model's context window.
    pub context_tokens: Option<u64>,
    /// What the last prompt took, if that is still so.
    pub total_tokens: Option<u64>,
}

/// The records as they stand in the file, and what had to be done to have them.
#[derive(Debug, Default)]
pub(super) struct Registry {
    sessions: Map<String, Value>,
    pub(super) notices: Vec<String>,
}

impl Registry {
    pub(super) fn records(&self) -> Vec<Record> {
        self.sessions.iter().filter_map(|(key, value)| record(key, value)).collect()
    }

    /// The record of a session: the one under its own key, else any that names it.
    pub(super) fn of(&self, session: &str) -> Option<Record> {
        let is_it = |value: &Value| value["sessionId"].as_str() == Some(session);
        self.sessions.iter().rev().find(|(_, value)| is_it(value)).and_then(|(key, value)| record(key, value))
    }

    /// Changes the fields of a session; they are made where they are missing.
    pub(super) fn change(
        &mut self,
        agent: &str,
        session: &str,
        change: impl FnOnce(&mut Map<String, Value>),
    ) {
        let key = self.of(session).map_or_else(|| key_of(agent, session), |record| record.key);
        if let Some(Value::Object(fields)) = self.sessions.get_mut(&key) {
            return change(fields);
        }
        let mut fields = Map::from_iter([("sessionId".to_owned(), Value::from(session))]);
        change(&mut fields);
        self.sessions.insert(key, Value::Object(fields));
    }
}

pub(super) fn key_of(agent: &str, session: &str) -> String {
    format!("agent:{agent}:{session}")
}

/// Reads the file. One that is lost, empty or damaged is made again by `transcripts`; a damaged one is kept beside it.
pub(super) fn read(
    folder: &Path,
    agent: &str,
    transcripts: &dyn Fn() -> io::Result<Vec<Transcript>>,
) -> io::Result<Registry> {
    let path = folder.join(NAME);
    let bytes = if_there(std::fs::read(&path))?;
    let parsed = bytes.as_deref().map(serde_json::from_slice::<Map<String, Value>>);
    if let Some(Ok(sessions)) = parsed {
        return Ok(Registry { sessions, notices: Vec::new() });
    }
    let sessions: Map<String, Value> =
        transcripts()?.iter().map(|transcript| rebuilt(agent, transcript)).collect();
    let why = match bytes.as_deref().map(<[u8]>::trim_ascii) {
        None => "was missing",
        Some([]) => "was empty",
        Some(_) => "could not be read",
    };
    let count = sessions.len();
    let notices = if count == 0 && bytes.is_none() {
        Vec::new()
    } else {
        let what = if count == 1 { "transcript" } else { "transcripts" };
        vec![format!("{NAME} {why} and was made again from {count} {what}")]
    };
    Ok(Registry { sessions, notices })
}

/// Changes the file under its lock: written aside and put in its place, whole or not at all.
pub(super) fn update(
    folder: &Path,
    agent: &str,
    transcripts: &dyn Fn() -> io::Result<Vec<Transcript>>,
    change: impl FnOnce(&mut Registry),
) -> io::Result<Registry> {
    durable::make_folders(folder)?;
    let lock = File::open(folder)?;
    lock::wait(&lock, Lock::Alone, PATIENCE)?;
    let path = folder.join(NAME);
    let mut registry = read(folder, agent, transcripts)?;
    if !registry.notices.is_empty() {
        keep_damaged(&path, &mut registry)?;
    }
    change(&mut registry);
    let mut bytes = serde_json::to_vec_pretty(&registry.sessions)?;
    bytes.push(b'\n');
    durable::replace(&path, &bytes)?;
    Ok(registry)
}

/// What cannot be read may still be worth something to a person.
fn keep_damaged(path: &Path, registry: &mut Registry) -> io::Result<()> {
    let is_worth = std::fs::metadata(path).is_ok_and(|found| found.len() > 0);
    if !is_worth {
        return Ok(());
    }
    let kept: PathBuf = path.with_extension(format!("json.damaged-{}", durable::nonce()));
    std::fs::copy(path, &kept)?;
    registry.notices.push(format!("the damaged file is kept as {}", kept.display()));
    Ok(())
}

fn record(key: &str, value: &Value) -> Option<Record> {
    let number = |name: &str| value[name].as_u64();
    let newer = &value["memoryFlush"];
    let succeeded = newer["kind"].as_str() == Some("succeeded");
    let fresh = value["totalTokensFresh"].as_bool().unwrap_or(false);
    Some(Record {
        key: key.to_owned(),
        session: value["sessionId"].as_str()?.to_owned(),
        updated: entry::time(&value["updatedAt"]),
        chat: value["chatType"].as_str().and_then(ChatType::parse).unwrap_or_else(|| chat_of(key)),
        compactions: number("compactionCount").unwrap_or(0),
        flushed_at: entry::time(&value["memoryFlushAt"]),
        flushed_compactions: number("memoryFlushCompactionCount")
            .or_else(|| newer["compactionCount"].as_u64().filter(|_| succeeded)),
        input_tokens: number("inputTokens").unwrap_or(0),
        output_tokens: number("outputTokens").unwrap_or(0),
        context_tokens: number("contextTokens"),
        total_tokens: number("totalTokens").filter(|_| fresh),
    })
}

/// A key says where it belongs: `agent:main:telegram:group:42`.
fn chat_of(key: &str) -> ChatType {
    key.split(':')
        .find_map(|part| ChatType::parse(part).filter(|chat| !chat.is_private()))
        .unwrap_or_default()
}

/// What a transcript alone says.
fn rebuilt(agent: &str, transcript: &Transcript) -> (String, Value) {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    set("sessionId", transcript.session.clone().into());
    set("updatedAt", transcript.last_at().map(Timestamp::as_millisecond).into());
    set("compactionCount", transcript.compactions().into());
    if let Some(mark) = transcript.flush() {
        set("memoryFlushCompactionCount", mark.compactions.into());
    }
    let usages = || transcript.messages().filter(|(_, message)| message.role == Role::Assistant);
    let sum = |of: fn(&entry::Usage) -> u64| -> u64 {
        usages().filter_map(|(_, message)| message.usage.as_ref().map(of)).sum()
    };
    set("inputTokens", sum(entry::Usage::prompt).into());
    set("outputTokens", sum(|usage| usage.output).into());
    set("totalTokensFresh", false.into());
    (key_of(agent, &transcript.session), Value::Object(fields))
}
