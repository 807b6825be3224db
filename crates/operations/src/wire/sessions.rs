//! Conversations as JSON.

use mindfile::session::candidate::Candidate;
use mindfile::session::decide::Decision;
use mindfile::session::prune::Pruned;
use mindfile::session::show;
use mindfile::session::{
    Body, Compacted, Context, Entry, Flushed, Record, SessionFile, Transcript, TranscriptStore, TurnReport,
    path_of,
};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionSaid {
    ok: bool,
    session_id: String,
    entries: Vec<Written>,
    candidates: Vec<SessionCandidate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Written {
    id: String,
    line: u32,
    citation: String,
}

impl SessionSaid {
    pub fn new(session: &str, said: &TurnReport) -> Self {
        let written = |(id, line): &(String, u32)| Written {
            id: id.clone(),
            line: *line,
            citation: format!("{}#L{line}", path_of(session)),
        };
        Self {
            ok: true,
            session_id: session.to_owned(),
            entries: said.appended.entries.iter().map(written).collect(),
            candidates: SessionCandidate::all(session, &said.candidates),
            notices: said.notices.clone(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionCandidate {
    rule: &'static str,
    role: &'static str,
    text: String,
    citation: String,
}

impl SessionCandidate {
    pub fn all(session: &str, found: &[Candidate]) -> Vec<Self> {
        let one = |candidate: &Candidate| Self {
            rule: candidate.rule.as_str(),
            role: candidate.role.as_str(),
            text: candidate.text.clone(),
            citation: format!("{}#L{}", path_of(session), candidate.line),
        };
        found.iter().map(one).collect()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionListed {
    pub session_id: String,
    pub key: Option<String>,
    pub updated_at: Option<String>,
    pub chat_type: &'static str,
    pub compaction_count: u64,
    memory_flush_at: Option<String>,
    memory_flush_compaction_count: Option<u64>,
    input_tokens: u64,
    output_tokens: u64,
    context_tokens: Option<u64>,
    total_tokens: Option<u64>,
    /// A file of its own, or OpenClaw's database.
    pub kept: &'static str,
    pub bytes: Option<u64>,
}

impl SessionListed {
    /// The newest first.
    pub fn all(found: &[SessionFile], records: &[Record]) -> Vec<Self> {
        let mut listed: Vec<Self> = found
            .iter()
            .map(|found| {
                Self::new(found, records.iter().rev().find(|record| record.session == found.session))
            })
            .collect();
        listed.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.session_id.cmp(&b.session_id)));
        listed
    }

    fn new(found: &SessionFile, record: Option<&Record>) -> Self {
        let changed = jiff::Timestamp::from_nanosecond(i128::from(found.stat.mtime_ns)).ok();
        let updated = record.and_then(|record| record.updated).or(changed);
        Self {
            session_id: found.session.clone(),
            key: record.map(|record| record.key.clone()),
            updated_at: updated.map(|at| format!("{at:.3}")),
            chat_type: record.map(|record| record.chat).unwrap_or_default().as_str(),
            compaction_count: record.map_or(0, |record| record.compactions),
            memory_flush_at: record.and_then(|record| record.flushed_at).map(|at| format!("{at:.3}")),
            memory_flush_compaction_count: record.and_then(|record| record.flushed_compactions),
            input_tokens: record.map_or(0, |record| record.input_tokens),
            output_tokens: record.map_or(0, |record| record.output_tokens),
            context_tokens: record.and_then(|record| record.context_tokens),
            total_tokens: record.and_then(|record| record.total_tokens),
            kept: match found.kept {
                TranscriptStore::File => "file",
                TranscriptStore::Database => "database",
            },
            bytes: (found.kept == TranscriptStore::File).then_some(found.stat.size),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionShown {
    session_id: String,
    entries: Vec<ShownEntry>,
    damaged_lines: Vec<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShownEntry {
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
}

impl SessionShown {
    pub fn new(transcript: &Transcript, full: bool) -> Self {
        let entries = show::visible(transcript, full);
        let entry = |(line, entry): (u32, &Entry)| ShownEntry {
            line,
            id: entry.id.clone(),
            kind: kind(&entry.body).to_owned(),
            role: entry.message().map(|message| message.role.as_str()),
            speaker: entry.message().and_then(|message| message.speaker.clone()),
            timestamp: entry.at.map(|at| format!("{at:.3}")),
            text: show::words(entry),
        };
        Self {
            session_id: transcript.session.clone(),
            entries: entries.into_iter().map(entry).collect(),
            damaged_lines: transcript.damage.iter().map(|damage| damage.line).collect(),
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

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionContext {
    session_id: String,
    chat_type: &'static str,
    tokens: u64,
    system: Vec<SystemPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryPart>,
    turns: Vec<TurnPart>,
    withheld: Vec<String>,
    pruned: SessionPruned,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SystemPart {
    name: String,
    tokens: u64,
    left_out: u64,
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SummaryPart {
    line: u32,
    tokens: u64,
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TurnPart {
    line: u32,
    role: &'static str,
    tokens: u64,
    text: String,
}

impl SessionContext {
    pub fn new(session: &str, context: &Context) -> Self {
        let system = context.parts.iter().map(|part| SystemPart {
            name: part.name.clone(),
            tokens: part.tokens,
            left_out: part.left_out,
            text: part.text.clone(),
        });
        let turns = context.window.turns.iter().map(|turn| TurnPart {
            line: turn.line,
            role: turn.message.role.as_str(),
            tokens: turn.tokens,
            text: show::message(&turn.message),
        });
        let summary = context.window.summary.as_ref();
        Self {
            session_id: session.to_owned(),
            chat_type: context.chat.as_str(),
            tokens: context.tokens(),
            system: system.collect(),
            summary: summary.map(|s| SummaryPart { line: s.line, tokens: s.tokens, text: s.text.clone() }),
            turns: turns.collect(),
            withheld: context.withheld.clone(),
            pruned: SessionPruned::new(&context.pruned, ""),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionDecision {
    flush: bool,
    reason: &'static str,
    threshold: u64,
    tokens: u64,
    compact: bool,
}

impl SessionDecision {
    pub fn new(decision: &Decision, compact: bool) -> Self {
        let Decision { flush, reason, threshold, tokens } = *decision;
        Self { flush, reason: reason.as_str(), threshold, tokens, compact }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SessionFlushed {
    ok: bool,
    note: Option<String>,
    candidates: usize,
    notices: Vec<String>,
}

impl SessionFlushed {
    pub fn new(flushed: &Flushed) -> Self {
        Self {
            ok: true,
            note: flushed.saved.note.clone(),
            candidates: flushed.saved.candidates,
            notices: flushed.notices.clone(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionCompacted {
    ok: bool,
    id: Option<String>,
    by: &'static str,
    messages: usize,
    first_kept_entry_id: Option<String>,
    tokens_before: u64,
    tokens_after: u64,
    summary: String,
    notices: Vec<String>,
}

impl SessionCompacted {
    pub fn new(compacted: &Compacted) -> Self {
        Self {
            ok: true,
            id: compacted.entry.clone(),
            by: compacted.by.as_str(),
            messages: compacted.messages,
            first_kept_entry_id: compacted.first_kept.clone(),
            tokens_before: compacted.tokens_before,
            tokens_after: compacted.tokens_after,
            summary: compacted.summary.clone(),
            notices: compacted.notices.clone(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionPruned {
    #[serde(skip_serializing_if = "str::is_empty")]
    mode: &'static str,
    trimmed: usize,
    cleared: usize,
    tokens_before: u64,
    tokens_after: u64,
}

impl SessionPruned {
    pub fn new(pruned: &Pruned, mode: &'static str) -> Self {
        let Pruned { trimmed, cleared, tokens_before, tokens_after } = *pruned;
        Self { mode, trimmed, cleared, tokens_before, tokens_after }
    }
}

/// What a model answered in a conversation.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatAnswer {
    session_id: String,
    text: Option<String>,
}

impl ChatAnswer {
    pub fn new(session: &str, text: Option<&str>) -> Self {
        Self { session_id: session.to_owned(), text: text.map(str::to_owned) }
    }
}
