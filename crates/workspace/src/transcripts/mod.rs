//! Conversations as files: an append-only transcript per session, and `sessions.json`.
//!
//! [`Sessions`] locates an agent's transcripts. Reading one cannot fail on its content; an append is on the disk when
//! the call returns.

mod append;
pub mod candidate;
mod chain;
mod content;
mod echo;
mod entry;
mod error;
pub mod flatten;
mod folder;
mod foreign;
mod registry;
pub mod show;
mod transcript;
mod turn;
mod wish;

pub use append::{Growth, OnLine, TornTail, WrittenEntries};
pub use chain::{Chain, LENGTHS, start_of};
pub use content::{Block, ToolCall, tool_calls};
pub use echo::{is_echo, is_said_by};
pub use entry::{
    Body, Compaction, Entry, FLUSH, FlushMark, Header, Message, Parent, Usage, read as read_entry,
};
pub use error::SessionError;
pub use folder::{LONGEST_ID, SessionFile, Sessions, TranscriptStore, check_id};
pub use registry::Record;
pub use transcript::{Damage, PlacedEntry, Transcript, line_start, read};
pub use turn::parse_lines;
pub use wish::Wish;

/// The path under which a session is indexed and cited.
pub fn path_of(session: &str) -> String {
    format!("sessions/{session}.jsonl")
}

/// The session that a cited path names.
pub fn id_of(path: &str) -> Option<&str> {
    path.strip_prefix("sessions/")?.strip_suffix(".jsonl")
}
