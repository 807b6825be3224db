//! How an engine is reached, as a mark: whether settings changed since it failed can be told, and nothing of their secrets.

use std::sync::Arc;

use mindfile_disk::secret_key::SecretKey;
use mindfile_settings::{BackendName, LanceDb, Postgres, Settings};

use super::outages::Reached;

pub(crate) fn reached(settings: &Settings, key: &Arc<SecretKey>) -> Reached {
    let key = Arc::clone(key);
    let marked =
        |words: String| -> Reached { Box::new(move || Some(key.key().ok()?.mark("engine", &words))) };
    match settings.backend {
        BackendName::Builtin | BackendName::Sqlite => Box::new(|| None),
        BackendName::Qmd => marked(format!("{:?}", settings.qmd)),
        BackendName::Postgres => marked(postgres(&settings.postgres)),
        BackendName::LanceDb => marked(lancedb(&settings.lancedb)),
    }
}

/// Secrets are written out in none of the types.
fn postgres(settings: &Postgres) -> String {
    let [url, password] =
        [&settings.url, &settings.password].map(|secret| secret.as_ref().map_or("", |s| s.reveal()));
    format!("{settings:?} {url} {password}")
}

fn lancedb(settings: &LanceDb) -> String {
    let options = settings.storage_options.iter().map(|(name, value)| format!("{name}={}", value.reveal()));
    format!("{settings:?} {}", options.collect::<Vec<_>>().join(" "))
}
