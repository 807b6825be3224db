//! Tracks whose word a memory is. Writing a text binds its origin to the door it came through; neither the text nor a
//! field that a caller fills in can raise it.
//!
//! The binding is for what a line says, not for the line itself: a keyed digest of its words, in a journal beside the
//! index. A line keeps its origin when it is moved, renumbered or given another salience, and the index can be rebuilt
//! from notes and journal.

mod journal;
mod judge;

pub use journal::{Binding, Bindings, Force, Origins, UnsyncedBinding};
pub use judge::{Judge, JudgeSource, LineOrigins, Marks, said};
