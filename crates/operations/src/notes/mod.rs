//! The memory files: as a list, as an outline, and one as it is read.

mod blocks;
mod list;
mod outline;

pub use blocks::{NoteBlocks, PreviewBlocks, ReadBlocks};
pub use list::{ListNotes, NoteList};
pub use outline::{NoteOutline, OutlineNotes};
