//! What a memory does with a conversation. A turn is on the disk before anything else happens with it; what follows may
//! fail, is said, and can be made up for from the transcript.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use jiff::Timestamp;
use mindfile_disk::durable;
use mindfile_index::FileStat;
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::audit::{Act, What};
use mindfile_trust::forgotten::cover_entries;
use serde_json::{Map, Value, json};

use super::candidate::{self, Candidate};
use super::remember::{Remembered, remember};
use super::{Body, ChatType, Entry, Message, Role, WrittenEntries, read_entry};
use crate::audit::Record;
use crate::corpus::Corpus;
use crate::draft;
use crate::error::Error;
use crate::ingest::{self, Budget, Scope};
use crate::transcripts::index::{self, NewTurns, Reindex};

/// What became of turns that were handed over.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnReport {
    pub appended: WrittenEntries,
    pub candidates: Vec<Candidate>,
    /// What the person asked to be remembered.
    pub facts: Vec<FactRecord>,
    /// What went wrong after the turns were safe, and what was mended.
    pub notices: Vec<String>,
}

/// What is known of a session beside what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct About {
    pub chat: Option<ChatType>,
    /// The model's context window.
    pub window: Option<u64>,
}

/// Writes turns down, and makes them findable. `entries` are those of [`Message::entry`] or of
/// [`parse_lines`](super::parse_lines).
pub fn say(corpus: &Corpus, session: &str, entries: &[Value], about: &About) -> Result<TurnReport, Error> {
    let sessions = corpus.sessions();
    let now = corpus.clock.now();
    let again = if draft::bind_session(corpus, session)? { Reindex::Yes } else { Reindex::No };
    let forgotten = corpus.forgotten()?;
    let entries = &*cover_entries(entries, &forgotten);
    let lines = |stat: &FileStat| lines_at(corpus, session, stat);
    let appended = sessions.append_knowing(session, entries, now, &lines)?;
    let mut said = TurnReport { appended, ..TurnReport::default() };
    if let Some(torn) = &said.appended.torn {
        said.notices.push(format!(
            "the last line of the transcript was cut off; its {} bytes are kept in {}",
            torn.bytes,
            torn.kept.display()
        ));
    }
    let new = NewTurns { session, again, growth: said.appended.growth.as_ref() };
    if let Err(error) = ingest::run(corpus, Scope::Session(&new), Budget::Unlimited) {
        said.notices.push(format!("written, but not indexed yet: {error}"));
    }
    let mut seen = entries.to_vec();
    seen.iter_mut().for_each(|entry| corpus.policy.cover_value(entry));
    said.candidates = candidates(&seen, &said.appended);
    if let Err(error) = keep_candidates(corpus, session, &said.candidates, now) {
        said.notices.push(format!("written, but its candidates are not kept yet: {error}"));
    }
    let change = |fields: &mut Map<String, Value>| noted(fields, entries, about, now);
    let noted = if said.appended.created {
        sessions.note_new(session, change)
    } else {
        sessions.note(session, change)
    };
    match noted {
        Ok(mended) => said.notices.extend(mended),
        Err(error) => said.notices.push(format!("written, but sessions.json is not up to date: {error}")),
    }
    let remembered = wishes(corpus, session, &said.candidates);
    said.notices.extend(remembered.notices);
    said.facts = remembered.facts;
    let text = Value::from(seen).to_string();
    corpus.audit(&Record { act: Act::Append, what: What::Session, id: Some(session), text: Some(&text) });
    said.notices.extend(corpus.notices());
    Ok(said)
}

/// What cannot be kept now is tried again by the next flush.
fn wishes(corpus: &Corpus, session: &str, found: &[Candidate]) -> Remembered {
    if found.iter().all(|candidate| candidate.wish.is_none()) {
        return Remembered::default();
    }
    match corpus.sessions().read(session) {
        Ok(transcript) => remember(corpus, &transcript, found),
        Err(error) => {
            let notices = vec![format!("asked to be remembered, but no fact yet: {error}")];
            Remembered { notices, ..Remembered::default() }
        }
    }
}

/// An index that cannot say it is none the worse: then the lines are counted.
fn lines_at(corpus: &Corpus, session: &str, stat: &FileStat) -> Option<u32> {
    let index = corpus.index().ok()?;
    index::lines_at(&*index, session, stat).ok().flatten()
}

fn keep_candidates(corpus: &Corpus, session: &str, found: &[Candidate], now: Timestamp) -> Result<(), Error> {
    if found.is_empty() {
        return Ok(());
    }
    let mut text = String::new();
    for candidate in found {
        let line = json!({
            "at": now.as_millisecond(),
            "session": session,
            "line": candidate.line,
            "role": candidate.role.as_str(),
            "rule": candidate.rule.as_str(),
            "text": candidate.text,
        });
        text.push_str(&format!("{line}\n"));
    }
    let path = corpus.candidates_path();
    let write = || -> std::io::Result<()> {
        durable::make_folders(path.parent().unwrap_or(&path))?;
        let options = OpenOptions::new().append(true).create(true).mode(0o600).clone();
        options.open(&path)?.write_all(text.as_bytes())
    };
    write().map_err(|source| Error::Io { path: path.clone(), source })
}

fn candidates(entries: &[Value], appended: &WrittenEntries) -> Vec<Candidate> {
    let messages = entries.iter().zip(&appended.entries);
    messages
        .flat_map(|(value, (_, line))| {
            let entry = read_entry(value);
            let message = entry.as_ref().and_then(Entry::message);
            message.map(|message| candidate::find(*line, message)).unwrap_or_default()
        })
        .collect()
}

/// The fields of `sessions.json` after turns.
fn noted(fields: &mut Map<String, Value>, entries: &[Value], about: &About, now: Timestamp) {
    fields.insert("updatedAt".to_owned(), now.as_millisecond().into());
    let chat = about.chat.map(ChatType::as_str);
    if chat.is_some() || !fields.contains_key("chatType") {
        fields.insert("chatType".to_owned(), chat.unwrap_or("direct").into());
    }
    if let Some(window) = about.window {
        fields.insert("contextTokens".to_owned(), window.into());
    }
    fields.entry("compactionCount").or_insert_with(|| 0.into());
    for value in entries {
        match read_entry(value).map(|entry| entry.body) {
            Some(Body::Message(message)) => note_usage(fields, &message),
            // A model is given it as well.
            Some(Body::Injected { .. }) => outdate(fields),
            Some(
                Body::Header(_)
                | Body::Compaction(_)
                | Body::BranchSummary { .. }
                | Body::Flush(_)
                | Body::Other(_),
            )
            | None => {}
        }
    }
}

fn outdate(fields: &mut Map<String, Value>) {
    fields.insert("totalTokensFresh".to_owned(), false.into());
}

/// What a provider reported holds until something else is said.
fn note_usage(fields: &mut Map<String, Value>, message: &Message) {
    let Some(usage) = message.usage.filter(|_| message.role == Role::Assistant) else {
        return outdate(fields);
    };
    let mut add = |name: &str, more: u64| {
        let before = fields.get(name).and_then(Value::as_u64).unwrap_or(0);
        fields.insert(name.to_owned(), before.saturating_add(more).into());
    };
    add("inputTokens", usage.prompt());
    add("outputTokens", usage.output);
    fields.insert("totalTokens".to_owned(), usage.prompt().into());
    fields.insert("totalTokensFresh".to_owned(), true.into());
}
