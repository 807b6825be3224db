//! The memory files: as a list, as an outline, one as it is read, and whole ones written, removed and renamed. Whoever
//! changes one says with a hash what they saw of it.

mod blocks;
mod delete;
mod list;
mod outline;
mod put;
mod rename;

use crate::failure::{Class, Failure, Standing};
use mindfile::notes::{Changed, StandingNote};

pub use blocks::{NoteBlocks, PreviewBlocks, ReadBlocks};
pub use delete::{DeleteNote, DeletedNote};
pub use list::{ListNotes, NoteList};
pub use outline::{NoteOutline, OutlineNotes};
pub use put::{PutNote, WrittenNote};
pub use rename::{RenameNote, RenamedTo};

/// The change, or a failure that says what stands there.
fn made<T>(changed: Changed<T>, path: &str, seen: Option<&str>) -> Result<T, Failure> {
    let now = match changed {
        Changed::Made(done) => return Ok(done),
        Changed::Other(now) => now,
    };
    let message = match (&now, seen) {
        (Some(_), None) => format!("{path} is there already; nothing was written"),
        (Some(_), Some(_)) => format!("{path} is not what was read; nothing was changed"),
        (None, _) => format!("{path} is not there any more; nothing was written"),
    };
    let (hash, text) = now.map(|StandingNote { hash, text }| (hash, text)).unzip();
    let hint = "look at what stands there, and send its hash with the change";
    Err(Failure::new(Class::Conflict, message).code("changed").hint(hint).standing(Standing { hash, text }))
}
