//! Whose word a memory is. An origin is bound at the moment of writing to the door that the text came through, and no
//! text and no field that a caller fills can raise it.
//!
//! What a line says, not the line itself, is bound: under a keyed digest, in a journal beside the index. A line that is
//! moved, renumbered or given another salience keeps its origin; the index can be made again from notes and journal.

mod journal;
mod judge;

pub use journal::{Binding, Bindings, Force, Origins, UnsyncedBinding};
pub use judge::{Judge, JudgeSource, LineOrigins, Marks, said};
