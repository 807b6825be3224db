//! A space: who makes vectors, and the index that has them. Vectors of two spaces cannot be compared, so that each has an
//! index of its own; what else a memory has, its spaces share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mindfile_model::provider::{self, Pace, local};
use mindfile_model::{EmbeddedModel, Embedder};
use mindfile_ranking::recall::Warm;
use mindfile_settings::{BackendName, Maker, Settings};

use crate::agreement::Agreement;
use crate::backend::Outages;
use crate::private_rows::PrivateRows;
use crate::store::Store;
use crate::tails::Tails;

pub struct Space {
    pub maker: Maker,
    pub embedder: Option<Box<dyn Embedder>>,
    /// The engine of the index, and its file where it is the built-in one.
    pub(crate) backend: BackendName,
    pub(crate) index_path: PathBuf,
    pub(crate) store: Store,
    /// Whether many texts go by batch jobs.
    pub(crate) by_jobs: bool,
    /// What the index says it was made with, where that was found to fit the settings.
    pub(crate) fitting: Mutex<Option<String>>,
    /// When the model was last seen to be the one that the index was made with.
    pub(crate) verified: Mutex<Option<Instant>>,
    /// What was seen of the notes since this memory was opened.
    pub(crate) tails: Arc<Tails>,
    /// The index that agreed with the notes, and when.
    pub(crate) agreed: Agreement,
    /// Private notes, decrypted.
    pub(crate) private_rows: Mutex<PrivateRows>,
    /// Facts that recalls have loaded.
    pub(crate) warm: Warm,
}

/// The spaces of a memory.
pub(crate) struct Spaces {
    pub(crate) first: Space,
    /// The space of the provider that takes over when the first one fails.
    pub(crate) spare: Option<Space>,
}

impl Spaces {
    pub(crate) fn of(settings: &Settings, outages: &Arc<Outages>, pace: &Arc<dyn Pace>) -> Self {
        let primary = &settings.embedding.primary;
        let spare =
            settings.embedding.fallback.as_ref().map(|maker| Space::spare(settings, outages, maker, pace));
        Self { first: Space::first(settings, outages, embedder(primary, pace)), spare }
    }
}

impl Space {
    pub(crate) fn first(
        settings: &Settings,
        outages: &Arc<Outages>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        Self {
            maker: settings.embedding.primary.clone(),
            embedder,
            backend: settings.backend,
            index_path: settings.index_path.clone(),
            store: Store::new(settings, outages),
            by_jobs: settings.embedding.jobs.enabled,
            fitting: Mutex::default(),
            verified: Mutex::default(),
            tails: Arc::default(),
            agreed: Agreement::default(),
            private_rows: Mutex::default(),
            warm: Warm::default(),
        }
    }

    /// Closes the index until it is asked for again.
    pub(crate) fn rest(&self) {
        self.store.close();
        self.warm.forget();
    }

    fn spare(settings: &Settings, outages: &Arc<Outages>, maker: &Maker, pace: &Arc<dyn Pace>) -> Self {
        let index_path = settings.index_path.with_extension("fallback.sqlite");
        Self {
            maker: maker.clone(),
            backend: BackendName::Builtin,
            store: Store::built_in(settings, index_path.clone(), outages),
            index_path,
            by_jobs: false,
            ..Self::first(settings, outages, embedder(maker, pace))
        }
    }
}

/// Whoever makes vectors, ready to be asked.
fn embedder(maker: &Maker, pace: &Arc<dyn Pace>) -> Option<Box<dyn Embedder>> {
    match maker {
        Maker::Embedded => Some(Box::new(EmbeddedModel::new())),
        Maker::None => None,
        Maker::Service(service) => Some(provider::open((**service).clone(), Arc::clone(pace))),
        Maker::Local(file) => Some(local::open(file)),
    }
}
