//! Consolidating.

use mindfile::reflect::{self, Reflected};

use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

pub(crate) fn reflect(desk: &Desk, asked: &ask::Reflect) -> Result<wire::Reflection, Failure> {
    Ok(reflect_with(desk, asked)?.0)
}

/// The same with what the memory said.
pub(crate) fn reflect_with(
    desk: &Desk,
    asked: &ask::Reflect,
) -> Result<(wire::Reflection, Reflected), Failure> {
    let request = reflect::CoreRequest { max_tokens: asked.max_tokens, dry_run: asked.dry_run };
    let reflected = desk.memory.reflect(request)?;
    Ok((wire::Reflection::new(&reflected, asked.dry_run), reflected))
}

pub(crate) fn undo_reflection(desk: &Desk, _: &ask::Nothing) -> Result<wire::Undone, Failure> {
    Ok(wire::Undone { ok: true, files: desk.memory.undo_reflection()? })
}
