//! What reflection writes into notes, and how it is told from what a person writes.

/// The mark before the part of a file that reflection writes.
pub const BEGIN: &str = "<!-- mindfile:reflect:begin -->";
/// The mark after it.
pub const END: &str = "<!-- mindfile:reflect:end -->";
/// The note with an entry for each run, in the workspace; it is only ever added to.
pub const JOURNAL: &str = "memory/reflections.md";
