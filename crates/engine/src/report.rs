//! What a run over the notes did, and how far it is.

use std::ops::ControlFlow;

use mindfile_model::Spending;
use mindfile_workspace::SkippedPath;

use crate::fallback::Fallback;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub notes: usize,
    pub of_notes: usize,
    pub bytes: u64,
    pub of_bytes: u64,
    pub chunks: usize,
    /// Chunks that have a vector from a provider now, of those that had none.
    pub embedded: usize,
    pub of_embedded: usize,
}

/// What was found and done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    pub notes: usize,
    pub added: usize,
    pub changed: usize,
    pub renamed: usize,
    pub removed: usize,
    pub chunks: usize,
    pub skipped: Vec<SkippedPath>,
    pub problems: Vec<Problem>,
    /// Notes that are gone from the disk, but so many at once that they were kept.
    pub held: usize,
    /// What a provider made of it.
    pub made: NewVectors,
    /// Who made it in place of the provider that was asked for.
    pub fallback: Option<Fallback>,
    /// Why what the index answers may be older than the notes.
    pub stale: Option<String>,
    /// Why chunks have no vector yet, of a run that did not wait for them.
    pub unembedded: Option<String>,
}

/// A note that is not indexed as a whole, or not as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub path: String,
    pub what: String,
}

impl Report {
    pub fn is_unchanged(&self) -> bool {
        self.added + self.changed + self.renamed + self.removed == 0
    }

    /// Counts what was done to transcripts.
    pub(crate) fn add(&mut self, other: Self) {
        self.notes += other.notes;
        self.added += other.added;
        self.changed += other.changed;
        self.removed += other.removed;
        self.chunks += other.chunks;
    }
}

pub type OnProgress<'a> = dyn FnMut(&Progress) -> ControlFlow<()> + 'a;

/// The vectors that were made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewVectors {
    /// Chunks whose vectors a model made.
    pub embedded: usize,
    /// Chunks whose vectors were known.
    pub from_cache: usize,
    /// What a provider was asked for meanwhile.
    pub spent: Spending,
    /// What batch jobs made of that, at their price.
    pub by_jobs: Spending,
    /// Batch jobs that are not done yet.
    pub waiting_jobs: usize,
}
