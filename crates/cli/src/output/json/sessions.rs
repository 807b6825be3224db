//! Conversations as JSON.

use mindfile::session::candidate::Candidate;
use mindfile::session::decide::Decision;
use mindfile::session::prune::Pruned;
use mindfile::session::{
    Body, Compacted, Context, Entry, Flushed, Found, Kept, Record, Said, Transcript, path_of,
};
use serde::Serialize;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionSaid<'a> {
    ok: bool,
    session_id: &'a str,
    entries: Vec<Written<'a>>,
    candidates: Vec<SessionCandidate<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notices: &'a [String],
}

#[derive(Debug, Serialize)]
struct Written<'a> {
    id: &'a str,
    line: u32,
    citation: String,
}

impl<'a> SessionSaid<'a> {
    pub(crate) fn new(session: &'a str, said: &'a Said) -> Self {
        let written = |(id, line): &'a (String, u32)| Written {
            id,
            line: *line,
            citation: format!("{}#L{line}", path_of(session)),
        };
        Self {
            ok: true,
            session_id: session,
            entries: said.appended.entries.iter().map(written).collect(),
            candidates: SessionCandidate::all(session, &said.candidates),
            notices: &said.notices,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct SessionCandidate<'a> {
    rule: &'static str,
    role: &'static str,
    text: &'a str,
    citation: String,
}

impl<'a> SessionCandidate<'a> {
    pub(crate) fn all(session: &str, found: &'a [Candidate]) -> Vec<Self> {
        let one = |candidate: &'a Candidate| Self {
            rule: candidate.rule.as_str(),
            role: candidate.role.as_str(),
            text: &candidate.text,
            citation: format!("{}#L{}", path_of(session), candidate.line),
        };
        found.iter().map(one).collect()
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionListed {
    pub(crate) session_id: String,
    pub(crate) key: Option<String>,
    pub(crate) updated_at: Option<String>,
    pub(crate) chat_type: &'static str,
    pub(crate) compaction_count: u64,
    memory_flush_at: Option<String>,
    memory_flush_compaction_count: Option<u64>,
    input_tokens: u64,
    output_tokens: u64,
    context_tokens: Option<u64>,
    total_tokens: Option<u64>,
    /// A file of its own, or OpenClaw's database.
    pub(crate) kept: &'static str,
    pub(crate) bytes: Option<u64>,
}

impl SessionListed {
    /// The newest first.
    pub(crate) fn all(found: &[Found], records: &[Record]) -> Vec<Self> {
        let mut listed: Vec<Self> = found
            .iter()
            .map(|found| {
                Self::new(found, records.iter().rev().find(|record| record.session == found.session))
            })
            .collect();
        listed.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.session_id.cmp(&b.session_id)));
        listed
    }

    fn new(found: &Found, record: Option<&Record>) -> Self {
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
                Kept::File => "file",
                Kept::Database => "database",
            },
            bytes: (found.kept == Kept::File).then_some(found.stat.size),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionShown<'a> {
    session_id: &'a str,
    entries: Vec<Shown<'a>>,
    damaged_lines: Vec<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
    text: String,
}

impl<'a> SessionShown<'a> {
    pub(crate) fn new(transcript: &'a Transcript, full: bool) -> Self {
        let entries = super::super::sessions::visible(transcript, full);
        let entry = |(line, entry): (u32, &'a Entry)| Shown {
            line,
            id: entry.id.as_deref(),
            kind: kind(&entry.body),
            role: entry.message().map(|message| message.role.as_str()),
            speaker: entry.message().and_then(|message| message.speaker.as_deref()),
            timestamp: entry.at.map(|at| format!("{at:.3}")),
            text: super::super::sessions::words(entry),
        };
        Self {
            session_id: &transcript.session,
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionContext<'a> {
    session_id: &'a str,
    chat_type: &'static str,
    tokens: u64,
    system: Vec<SystemPart<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<SummaryPart<'a>>,
    turns: Vec<TurnPart>,
    withheld: &'a [String],
    pruned: SessionPruned,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SystemPart<'a> {
    name: &'a str,
    tokens: u64,
    left_out: u64,
    text: &'a str,
}

#[derive(Debug, Serialize)]
struct SummaryPart<'a> {
    line: u32,
    tokens: u64,
    text: &'a str,
}

#[derive(Debug, Serialize)]
struct TurnPart {
    line: u32,
    role: &'static str,
    tokens: u64,
    text: String,
}

impl<'a> SessionContext<'a> {
    pub(crate) fn new(session: &'a str, context: &'a Context) -> Self {
        let system = context.parts.iter().map(|part| SystemPart {
            name: &part.name,
            tokens: part.tokens,
            left_out: part.left_out,
            text: &part.text,
        });
        let turns = context.window.turns.iter().map(|turn| TurnPart {
            line: turn.line,
            role: turn.message.role.as_str(),
            tokens: turn.tokens,
            text: super::super::sessions::message(&turn.message),
        });
        let summary = context.window.summary.as_ref();
        Self {
            session_id: session,
            chat_type: context.chat.as_str(),
            tokens: context.tokens(),
            system: system.collect(),
            summary: summary.map(|s| SummaryPart { line: s.line, tokens: s.tokens, text: &s.text }),
            turns: turns.collect(),
            withheld: &context.withheld,
            pruned: SessionPruned::new(&context.pruned, ""),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct SessionDecision {
    flush: bool,
    reason: &'static str,
    threshold: u64,
    tokens: u64,
    compact: bool,
}

impl SessionDecision {
    pub(crate) fn new(decision: &Decision, compact: bool) -> Self {
        let Decision { flush, reason, threshold, tokens } = *decision;
        Self { flush, reason: reason.as_str(), threshold, tokens, compact }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct SessionFlushed<'a> {
    ok: bool,
    note: Option<&'a str>,
    candidates: usize,
    notices: &'a [String],
}

impl<'a> SessionFlushed<'a> {
    pub(crate) fn new(flushed: &'a Flushed) -> Self {
        Self {
            ok: true,
            note: flushed.saved.note.as_deref(),
            candidates: flushed.saved.candidates,
            notices: &flushed.notices,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionCompacted<'a> {
    ok: bool,
    id: Option<&'a str>,
    by: &'static str,
    messages: usize,
    first_kept_entry_id: Option<&'a str>,
    tokens_before: u64,
    tokens_after: u64,
    summary: &'a str,
    notices: &'a [String],
}

impl<'a> SessionCompacted<'a> {
    pub(crate) fn new(compacted: &'a Compacted) -> Self {
        Self {
            ok: true,
            id: compacted.entry.as_deref(),
            by: compacted.by.as_str(),
            messages: compacted.messages,
            first_kept_entry_id: compacted.first_kept.as_deref(),
            tokens_before: compacted.tokens_before,
            tokens_after: compacted.tokens_after,
            summary: &compacted.summary,
            notices: &compacted.notices,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionPruned {
    #[serde(skip_serializing_if = "str::is_empty")]
    mode: &'static str,
    trimmed: usize,
    cleared: usize,
    tokens_before: u64,
    tokens_after: u64,
}

impl SessionPruned {
    pub(crate) fn new(pruned: &Pruned, mode: &'static str) -> Self {
        let Pruned { trimmed, cleared, tokens_before, tokens_after } = *pruned;
        Self { mode, trimmed, cleared, tokens_before, tokens_after }
    }
}

/// What a model answered in a conversation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChatAnswer<'a> {
    session_id: &'a str,
    text: Option<&'a str>,
}

impl<'a> ChatAnswer<'a> {
    pub(crate) fn new(session: &'a str, text: Option<&'a str>) -> Self {
        Self { session_id: session, text }
    }
}
