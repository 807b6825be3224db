//! One function for each thing that can be asked: words in, one call of the memory, words out. HTTP and MCP both call
//! these.

mod browse;
mod controls;
mod facts;
mod find;

pub(crate) use browse::notes;
pub(crate) use controls::{delete, edit, forget, forget_with};
pub(crate) use facts::{entities, entity, facts, inspect};
pub(crate) use find::{reflect, reflect_with, undo_reflection};

use jiff::civil::Date;
use mindfile::when;

use crate::desk::Desk;
use crate::failure::Failure;

/// A day as people write it.
fn day(desk: &Desk, text: Option<&str>) -> Result<Option<Date>, Failure> {
    Ok(text.map(|text| when::day(desk.memory.clock(), text)).transpose()?)
}
