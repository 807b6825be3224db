//! An engine that answers a search in the index's place. The program hands it in, so that the library depends on none.

use std::sync::OnceLock;

use mindfile_ranking::search::{Plan, Request};

use super::Response;
use crate::backend::{self, Outage};
use crate::corpus::Corpus;
use crate::error::Error;

pub trait Finder: Sync {
    fn search(&self, corpus: &Corpus, request: &Request, plan: Plan) -> Result<Finding, Error>;
}

/// What came of asking it.
pub enum Finding {
    Answer(Box<Response>),
    /// It cannot answer now: the built-in index does.
    Instead(Outage),
}

static PROVIDED: OnceLock<&'static dyn Finder> = OnceLock::new();

/// From now on `memory.backend` can name it. The first one stays.
pub fn provide(finder: &'static dyn Finder) {
    PROVIDED.get_or_init(|| finder);
}

/// The one that the settings name.
pub(super) fn named(corpus: &Corpus) -> Result<&'static dyn Finder, Error> {
    let engine = corpus.settings.backend.as_str();
    Ok(PROVIDED.get().copied().ok_or_else(|| backend::absent(engine))?)
}
