//! The index while it is brought up to date: how far that is, and who does it beside the requests.

use mindfile::reconcile::Progress;
use schemars::JsonSchema;
use serde::Serialize;

/// Work on the index that goes on beside the requests.
pub trait Indexing {
    fn state(&self) -> IndexingState;
    /// Begins to index, unless that is under way.
    fn start(&self, force: bool) -> IndexingState;
}

/// Whether the index is being brought up to date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IndexingState {
    pub ok: bool,
    /// Whether this request began it.
    pub started: bool,
    pub running: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progressed>,
}

/// How far the index has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progressed {
    pub notes: usize,
    pub of_notes: usize,
    pub bytes: u64,
    pub of_bytes: u64,
    pub chunks: usize,
    pub embedded: usize,
    pub of_embedded: usize,
}

impl Progressed {
    pub fn new(progress: &Progress) -> Self {
        Self {
            notes: progress.notes,
            of_notes: progress.of_notes,
            bytes: progress.bytes,
            of_bytes: progress.of_bytes,
            chunks: progress.chunks,
            embedded: progress.embedded,
            of_embedded: progress.of_embedded,
        }
    }
}
