//! Looking around.

use mindfile::notes;

use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

pub(crate) fn notes(desk: &Desk, asked: &ask::Notes) -> Result<wire::NoteList, Failure> {
    let mut listed = notes::list(&desk.memory, desk.viewer(asked.chat_type))?;
    if let Some(prefix) = &asked.prefix {
        listed.retain(|note| note.path.starts_with(prefix.as_str()));
    }
    Ok(wire::NoteList::new(&listed, asked.offset, asked.limit.unwrap_or(usize::MAX)))
}
