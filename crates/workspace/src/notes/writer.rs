//! The right to write notes.

use std::fs::File;
use std::ops::Deref;

use super::Workspace;

/// A workspace that may be written to. It holds the lock for which other writers wait, and lets go of it when it is
/// dropped. Whoever only reads has no [`Writer`].
#[derive(Debug)]
pub struct Writer {
    workspace: Workspace,
    _turn: File,
}

impl Workspace {
    /// `turn` is the lock, held.
    pub fn writer(self, turn: File) -> Writer {
        Writer { workspace: self, _turn: turn }
    }
}

impl Deref for Writer {
    type Target = Workspace;

    fn deref(&self) -> &Workspace {
        &self.workspace
    }
}
