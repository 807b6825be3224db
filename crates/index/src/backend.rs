//! What a memory needs of its index besides questions and changes: describing, checking, cleaning and rebuilding it. The caller
//! does not know which engine it holds.

use std::path::Path;

use crate::{Error, Index};

/// An open index of any engine.
pub trait Backend: Index {
    /// The engine's name, as the settings spell it.
    fn engine(&self) -> &'static str;
    /// The engine and its version, to show to a person.
    fn version(&self) -> String;
    /// Where it is, to show to a person. Contains no password.
    fn place(&self) -> String;
    /// The file, if the index is a file on this machine.
    fn file(&self) -> Option<&Path>;
    /// Whether the place still names this index: another process may have set it aside.
    fn is_current(&self) -> bool;
    /// Why this engine cannot search by meaning; `None` if it can.
    fn without_meaning(&self) -> Option<String>;
    fn about(&self) -> Result<About, Error>;
    /// Runs every check there is, and fails with the first corruption found.
    fn verify(&self) -> Result<(), Error>;
    /// Erases what deleted rows left behind in the storage.
    fn purge(&self) -> Result<PurgeOutcome, Error>;
    /// Puts an empty index in place of one that cannot be trusted, for engines without a file to set aside.
    fn reset(&self) -> Result<(), Error>;
    /// Begins to rebuild the index beside this one. `None` if another process does so and `wait` is false.
    fn rebuild(&self, wait: bool) -> Result<Option<Box<dyn Rebuild + '_>>, Error>;
    /// Another way to rank the same rows by meaning, to compare with; `None` if the engine has only one.
    fn second_opinion(&self) -> Result<Option<Opinion>, Error>;
}

/// An index being made beside the one in use. When dropped it stays as it is, and the next rebuild continues it.
pub trait Rebuild {
    /// What has been made so far.
    fn index(&self) -> Result<&dyn Index, Error>;
    /// Throws away what has been made so far.
    fn restart(&mut self) -> Result<(), Error>;
    /// Whether the error is about what has been made so far, so that `restart` mends it.
    fn is_mended_by_restart(&self, error: &Error) -> bool;
    /// Copies the embedding cache of the index in use.
    fn carry_cache(&self) -> Result<(), Error>;
    /// Replaces the index in use, in one step: readers see the old one or the new one.
    fn replace(self: Box<Self>) -> Result<(), Error>;
    /// Removes it.
    fn discard(self: Box<Self>) -> Result<(), Error>;
}

/// Facts about an open index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// The journal mode, for engines that have several.
    pub journal_mode: Option<String>,
    /// Its size in storage, for engines without a file that can be measured.
    pub bytes: u64,
    /// Free space inside the file, which new content will reuse.
    pub reusable_bytes: u64,
    /// The size of the vectors in the embedding cache, without their keys.
    pub cache_bytes: u64,
}

/// Whether everything deleted was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeOutcome {
    Done,
    /// Who still holds deleted rows, as a phrase that ends with the place.
    Held(String),
}

/// Another way to rank by meaning, and the names of both ways, the index's own first.
pub struct Opinion {
    pub index: Box<dyn Index>,
    pub names: [&'static str; 2],
}
