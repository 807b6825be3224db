//! What a front end opens: one memory, with everything that can be asked of it.

use std::ops::Deref;
use std::sync::Arc;

use mindfile_model::Embedder;
use mindfile_model::provider::Pace;

use crate::clock::Clock;
use crate::config::Settings;
use crate::corpus::Corpus;
use crate::origin::Door;

pub struct Memory {
    corpus: Corpus,
}

impl Memory {
    pub fn new(settings: Settings, clock: Box<dyn Clock>) -> Self {
        Self { corpus: Corpus::new(settings, clock) }
    }

    /// The same where somebody else says how time passes between requests.
    pub fn with_pace(settings: Settings, clock: Arc<dyn Clock>, pace: Arc<dyn Pace>) -> Self {
        Self { corpus: Corpus::with_pace(settings, clock, pace) }
    }

    /// A memory whose vectors come from elsewhere.
    pub fn with_embedder(
        settings: Settings,
        clock: Box<dyn Clock>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        Self { corpus: Corpus::with_embedder(settings, clock, embedder) }
    }

    /// The same memory, reached through a door: whatever is written has that door's origin.
    #[must_use]
    pub fn through(self, door: Door) -> Self {
        Self { corpus: self.corpus.through(door) }
    }
}

impl Deref for Memory {
    type Target = Corpus;

    fn deref(&self) -> &Corpus {
        &self.corpus
    }
}
