//! What was said.

use mindfile::session::{self, Body, Entry, Transcript, show};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::style::HEAD;
use crate::values::SessionForm;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadSession {
    /// The session.
    #[arg(long = "session", value_name = "ID")]
    #[schemars(with = "SessionForm")]
    pub id: String,
    /// Also what a compaction stands for, results of tools and hidden messages.
    #[arg(long)]
    #[serde(default)]
    pub full: bool,
    /// Only what stands before this line.
    #[arg(long, value_name = "LINE")]
    pub before: Option<u32>,
    /// About so many bytes of text at most, of the last entries.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 1))]
    pub bytes: Option<usize>,
}

impl Operation for ReadSession {
    const ROW: Row = Row::new("readSession", "Show what was said")
        .typed(
            "session show",
            "\
Examples:
  mindfile session show --session 2026-11-14
  mindfile session show --session 2026-11-14 --full --json",
        )
        .http(Http::get("/v1/sessions/{id}"));
    type Answer = SessionEntries;

    fn run(self, caller: &Caller<'_>) -> Result<SessionEntries, Failure> {
        let transcript = session::conversation(caller.memory, caller.viewer, &self.id)?;
        Ok(SessionEntries::new(&transcript, &self))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionEntries {
    session_id: String,
    entries: Vec<SessionEntry>,
    /// How many stand before the first of these.
    #[serde(skip_serializing_if = "is_nothing")]
    earlier: usize,
    damaged_lines: Vec<u32>,
    #[serde(skip)]
    damage: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SessionEntry {
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    text: String,
    /// Whose it is and when, as a person reads it.
    #[serde(skip)]
    heading: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_nothing(count: &usize) -> bool {
    *count == 0
}

/// How many entries stand before the last ones that have so many bytes of text; the last is always among those.
fn before_the_last(entries: &[SessionEntry], bytes: usize) -> usize {
    let mut room = bytes;
    let fits = entries.iter().rev().take_while(|entry| {
        let is_room = room > 0;
        room = room.saturating_sub(entry.text.len());
        is_room
    });
    entries.len() - fits.count()
}

impl SessionEntries {
    fn new(transcript: &Transcript, asked: &ReadSession) -> Self {
        let visible = show::visible(transcript, asked.full).into_iter();
        let visible = visible.filter(|(line, _)| asked.before.is_none_or(|before| *line < before));
        let mut entries: Vec<SessionEntry> =
            visible.map(|(line, entry)| SessionEntry::new(line, entry)).collect();
        let earlier = asked.bytes.map_or(0, |bytes| before_the_last(&entries, bytes));
        let entries = entries.split_off(earlier);
        let damage = transcript.damage.iter();
        let unread = |line: u32, what: &str| format!("line {line} of the transcript cannot be read: {what}");
        Self {
            session_id: transcript.session.clone(),
            entries,
            earlier,
            damaged_lines: damage.clone().map(|damage| damage.line).collect(),
            damage: damage.map(|damage| unread(damage.line, &damage.what)).collect(),
        }
    }
}

impl SessionEntry {
    fn new(line: u32, entry: &Entry) -> Self {
        let at = entry.at.map(|at| format!(" · {at:.0}")).unwrap_or_default();
        Self {
            line,
            id: entry.id.clone(),
            kind: kind(&entry.body).to_owned(),
            role: entry.message().map(|message| message.role.as_str()),
            speaker: entry.message().and_then(|message| message.speaker.clone()),
            timestamp: entry.at.map(|at| format!("{at:.3}")),
            text: show::words(entry),
            heading: format!("{HEAD}{}{HEAD:#} L{line}{at}", clean::text(who(&entry.body))),
        }
    }
}

fn kind(body: &Body) -> &str {
    match body {
        Body::Header(_) => "session",
        Body::Message(_) => "message",
        Body::Compaction(_) => "compaction",
        Body::Injected { .. } => "custom_message",
        Body::BranchSummary { .. } => "branch_summary",
        Body::Flush(_) => "custom",
        Body::Other(kind) => kind,
    }
}

fn who(body: &Body) -> &str {
    match body {
        Body::Message(message) => message.speaker.as_deref().unwrap_or_else(|| message.role.label()),
        Body::Compaction(_) => "In short",
        Body::Header(_)
        | Body::Injected { .. }
        | Body::BranchSummary { .. }
        | Body::Flush(_)
        | Body::Other(_) => "—",
    }
}

impl Answer for SessionEntries {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let mut text = String::new();
        for entry in &self.entries {
            text.push_str(&format!("{}\n", entry.heading));
            for line in entry.text.lines() {
                text.push_str(&format!("  {}\n", clean::text(line)));
            }
        }
        if text.is_empty() {
            text.push_str("Nothing was said.\n");
        }
        Shown { notices: self.damage.clone(), ..Shown::text(text) }
    }
}
