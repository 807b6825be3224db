//! What a memory needs of its index beside questions and changes: to name it, to check it, to clean it, and to make it
//! again beside itself. Whoever holds one does not know which engine it is.

use std::path::Path;

use crate::{Error, Index};

/// An open index, of whichever engine.
pub trait Backend: Index {
    /// The engine's name, as the settings spell it.
    fn engine(&self) -> &'static str;
    /// The engine with its version, for a person.
    fn version(&self) -> String;
    /// Where it is, for a person; no password is in it.
    fn place(&self) -> String;
    /// The file, where the index is one of this machine.
    fn file(&self) -> Option<&Path>;
    /// Whether it is still what the place names: another process may have set it aside.
    fn is_current(&self) -> bool;
    /// Why rows cannot be found by meaning here, whatever vectors there are; none if they can.
    fn without_meaning(&self) -> Option<String>;
    fn about(&self) -> Result<About, Error>;
    /// Every check there is; the first thing that is not as it was written is an error.
    fn verify(&self) -> Result<(), Error>;
    /// Leaves nothing of deleted rows where the index is kept.
    fn purge(&self) -> Result<PurgeOutcome, Error>;
    /// Takes what cannot be trusted out of use where there is no file to set aside: an empty index is in its place.
    fn reset(&self) -> Result<(), Error>;
    /// The index that is made beside this one, by one process at a time. None if another one does and is not waited for.
    fn rebuild(&self, wait: bool) -> Result<Option<Box<dyn Rebuild + '_>>, Error>;
    /// The same rows, ranked by meaning in another way, for a check; none where there is one way only.
    fn second_opinion(&self) -> Result<Option<Opinion>, Error>;
}

/// An index in the making, beside the one in use. When it is dropped it stays as it is, and the next one goes on with it.
pub trait Rebuild {
    /// What was made so far.
    fn index(&self) -> Result<&dyn Index, Error>;
    /// Throws away what was made so far.
    fn restart(&mut self) -> Result<(), Error>;
    /// Whether the error is about what was made so far, so that beginning again mends it.
    fn is_mended_by_restart(&self, error: &Error) -> bool;
    /// Takes over what the cache of the index in use has of earlier runs.
    fn carry_cache(&self) -> Result<(), Error>;
    /// Puts it in the place of the one in use, in one step: readers see the old index or the new one.
    fn replace(self: Box<Self>) -> Result<(), Error>;
    /// Leaves nothing of it.
    fn discard(self: Box<Self>) -> Result<(), Error>;
}

/// What an open index says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// How changes are logged, where the engine has more than one way.
    pub journal_mode: Option<String>,
    /// What it takes on the engine's disk, where that is not a file that can be looked at.
    pub bytes: u64,
    /// Inside, but free: deleted content that the next one takes the place of.
    pub reusable_bytes: u64,
    /// Vectors in the embedding cache, their keys not counted.
    pub cache_bytes: u64,
}

/// Whether nothing of what was deleted is left where the index is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurgeOutcome {
    Done,
    /// Who still needs it, in words that end with the place.
    Held(String),
}

/// Another way to rank by meaning, and what the two are called: the index's own first.
pub struct Opinion {
    pub index: Box<dyn Index>,
    pub names: [&'static str; 2],
}
