//! The memory files as a list.

use mindfile::notes::NoteSummary;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub struct NoteList {
    notes: Vec<Note>,
    /// How many there are in all.
    total: usize,
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Note {
    path: String,
    bytes: u64,
    modified: Option<String>,
    /// Of a daily note.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

impl NoteList {
    pub fn new(notes: &[NoteSummary], offset: usize, limit: usize) -> Self {
        let page = notes.iter().skip(offset).take(limit);
        Self { notes: page.map(Note::new).collect(), total: notes.len(), offset }
    }
}

impl Note {
    fn new(note: &NoteSummary) -> Self {
        Self {
            path: note.path.clone(),
            bytes: note.bytes,
            modified: note.modified.map(|at| format!("{at:.3}")),
            day: note.day.map(|day| day.to_string()),
        }
    }
}
