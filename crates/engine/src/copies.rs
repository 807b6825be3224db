//! Who keeps copies of what the notes say, outside the files of the memory: a forgetting must reach them, too. The program
//! hands it in, so that the library does not depend on it.

use std::sync::OnceLock;

use crate::corpus::Corpus;
use crate::error::Error;

pub trait Purge: Sync {
    /// Drops what is kept of notes and conversations. What keeps it, if anything does.
    fn purge(&self, corpus: &Corpus) -> Result<Option<String>, Error>;
}

static PROVIDED: OnceLock<&'static dyn Purge> = OnceLock::new();

/// From now on a forgetting reaches these copies. The first one stays.
pub fn provide(purge: &'static dyn Purge) {
    PROVIDED.get_or_init(|| purge);
}

pub(crate) fn purge(corpus: &Corpus) -> Result<Option<String>, Error> {
    PROVIDED.get().map_or(Ok(None), |copies| copies.purge(corpus))
}
