//! Which conversations there are.

use mindfile::session::{self, Record, SessionFile, TranscriptStore};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::text::table::{self, Side};

/// How many a person is shown who does not say how many.
const USUAL: usize = 20;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Conversations {
    /// How many at most; if it is not said, a person is shown 20, and JSON has all.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub limit: Option<usize>,
}

impl Operation for Conversations {
    const ROW: Row = Row::new("listSessions", "List the conversations of the agent, the newest first")
        .typed(
            "session list",
            "\
Examples:
  mindfile session list --limit 5",
        )
        .http(Http::get("/v1/sessions"));
    type Answer = SessionList;

    fn run(self, caller: &Caller<'_>) -> Result<SessionList, Failure> {
        let seen = session::conversations(caller.memory, caller.viewer)?;
        let mut sessions: Vec<ListedSession> = seen
            .found
            .iter()
            .map(|found| {
                let record = seen.records.iter().rev().find(|record| record.session == found.session);
                ListedSession::new(found, record)
            })
            .collect();
        sessions
            .sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.session_id.cmp(&b.session_id)));
        let total = sessions.len();
        sessions.truncate(self.limit.unwrap_or(usize::MAX));
        Ok(SessionList { sessions, total, limit: self.limit.unwrap_or(USUAL), notices: seen.notices })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct SessionList {
    sessions: Vec<ListedSession>,
    #[serde(skip)]
    total: usize,
    /// How many a person is shown.
    #[serde(skip)]
    limit: usize,
    #[serde(skip)]
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ListedSession {
    session_id: String,
    key: Option<String>,
    updated_at: Option<String>,
    chat_type: &'static str,
    compaction_count: u64,
    memory_flush_at: Option<String>,
    memory_flush_compaction_count: Option<u64>,
    input_tokens: u64,
    output_tokens: u64,
    context_tokens: Option<u64>,
    total_tokens: Option<u64>,
    /// A file of its own, or OpenClaw's database.
    kept: &'static str,
    bytes: Option<u64>,
}

impl ListedSession {
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

    fn cells(&self) -> [String; 5] {
        let bytes = self.bytes.map(|bytes| format!("{bytes} bytes"));
        [
            clean::text(&self.session_id).into_owned(),
            self.updated_at.as_deref().map_or("", |at| at.get(..16).unwrap_or(at)).replace('T', " "),
            self.chat_type.to_owned(),
            count(usize::try_from(self.compaction_count).unwrap_or(usize::MAX), "compaction"),
            bytes.unwrap_or_else(|| "in OpenClaw's database".to_owned()),
        ]
    }
}

impl Answer for SessionList {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let notices = self.notices.clone();
        if self.total == 0 {
            return Shown { notices, ..Shown::text("No conversation yet.\n") };
        }
        let rows: Vec<[String; 5]> =
            self.sessions.iter().take(self.limit).map(ListedSession::cells).collect();
        let sides = [Side::Left, Side::Left, Side::Left, Side::Right, Side::Right];
        let lines = table::lines(sides, &rows);
        let more = self.total - rows.len();
        let remark = format!("{more} more: {} {}", page.spelling.field("limit"), self.total);
        Shown {
            text: lines.iter().map(|line| format!("{line}\n")).collect(),
            notices,
            remarks: if more > 0 { vec![remark] } else { Vec::new() },
            ..Shown::default()
        }
    }
}
