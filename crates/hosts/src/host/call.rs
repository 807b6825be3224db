//! Parses what a host passes to a hook. Each host has its own names for the same things; missing values are `None`, and
//! unknown ones are no error.

use std::path::PathBuf;

use jiff::Timestamp;
use mindfile_note::hash::Digest;
use serde_json::Value;

use super::turn::{Turn, spoken};
use super::{Event, Host};
use crate::Error;
use mindfile::session::{LONGEST_ID, Role};

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub host: &'static Host,
    pub event: Event,
    /// The session as it is called here.
    pub session: String,
    /// The host's own transcript; of a sub-agent that stopped, its own.
    pub transcript: Option<PathBuf>,
    pub prompt: Option<String>,
    /// Turns that the call itself tells.
    pub said: Vec<Turn>,
    /// The conversation goes on, with all that was in it.
    pub resumed: bool,
    /// A part of an agent's work, not a person's conversation.
    pub is_subagent: bool,
}

impl Call {
    pub fn read(host: &'static Host, event: Event, bytes: &[u8]) -> Result<Self, Error> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| Error::NotACall { what: error.to_string() })?;
        if !value.is_object() {
            return Err(Error::NotACall { what: "it is something else".to_owned() });
        }
        let transcripts: &[&str] = match event {
            Event::SubagentStop => &["agent_transcript_path"],
            Event::SessionStart
            | Event::PromptSubmit
            | Event::PreCompact
            | Event::PostCompact
            | Event::Stop
            | Event::SessionEnd => &["transcript_path", "transcriptPath"],
        };
        let transcript = text(&value, transcripts).map(PathBuf::from);
        let reads = !host.transcript.is_empty();
        let call = Self {
            host,
            event,
            session: session_named(
                host.name,
                text(&value, &["session_id", "sessionId", "conversation_id", "trajectory_id"]).as_deref(),
            ),
            prompt: said(&value, "prompt").filter(|_| event == Event::PromptSubmit),
            said: if reads && transcript.is_some() { Vec::new() } else { told(host, event, &value) },
            transcript: transcript.filter(|_| reads),
            resumed: text(&value, &["source", "trigger"]).as_deref() == Some("resume"),
            is_subagent: text(&value, &["agent_id", "parent_conversation_id"]).is_some(),
        };
        Ok(call)
    }
}

/// A session's id as a file's name, with the host before it.
pub(crate) fn session_named(from: &str, id: Option<&str>) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let id: String = id.unwrap_or("unnamed").chars().map(|c| if fits(c) { c } else { '-' }).collect();
    let mut session = format!("{from}-{id}");
    session.truncate(LONGEST_ID);
    session
}

/// What the call says was said.
fn told(host: &Host, event: Event, value: &Value) -> Vec<Turn> {
    let turn_id = text(value, &["turn_id", "generation_id", "execution_id", "timestamp"]);
    let at = text(value, &["timestamp"]).and_then(|at| at.parse::<Timestamp>().ok());
    let turn = |role: Role, (told_by, field): (Event, &str)| {
        let said = said(value, field).filter(|_| event == told_by)?;
        Some(Turn { role, id: id(turn_id.as_deref(), role, &said), text: said, at, end: 0 })
    };
    [turn(Role::User, host.asked), turn(Role::Assistant, host.answered)].into_iter().flatten().collect()
}

/// What somebody said, without what a program put before it.
fn said(value: &Value, field: &str) -> Option<String> {
    Some(spoken(&text(value, &[field])?)).filter(|said| !said.is_empty())
}

/// The same turn told twice has the same id.
fn id(turn: Option<&str>, role: Role, said: &str) -> String {
    let mut digest = Digest::of(said.as_bytes()).to_string();
    digest.truncate(12);
    format!("{}:{}:{digest}", turn.unwrap_or(""), role.as_str())
}

fn text(value: &Value, names: &[&str]) -> Option<String> {
    // Windsurf tells what a call is about apart from the call.
    let told = |name: &&str| value[*name].as_str().or_else(|| value["tool_info"][*name].as_str());
    let found = names.iter().find_map(told);
    found.filter(|text| !text.trim().is_empty()).map(str::to_owned)
}
