//! Opens the engine for the command line.

use std::sync::Arc;

use mindfile::backend::{self, Backend, Error, Purpose};
use mindfile::config::{BackendName, Settings};

use crate::{LanceIndex, Options};

/// Makes `lancedb` available as `memory.backend`.
pub fn provide() {
    backend::provide(BackendName::LanceDb, open);
}

fn open(settings: &Settings, purpose: Purpose) -> Result<Option<Arc<dyn Backend>>, Error> {
    let options = options(settings);
    Ok(match purpose {
        Purpose::Use => Some(Arc::new(LanceIndex::open(&options)?)),
        Purpose::Look => LanceIndex::look(&options)?.map(|index| Arc::new(index) as Arc<dyn Backend>),
    })
}

fn options(settings: &Settings) -> Options {
    let stored = settings.lancedb.storage_options.iter();
    Options {
        uri: settings.lancedb.uri.clone(),
        agent: settings.agent.to_string(),
        storage_options: stored.map(|(name, value)| (name.clone(), value.reveal().to_owned())).collect(),
        timeout: settings.lancedb.timeout,
    }
}
