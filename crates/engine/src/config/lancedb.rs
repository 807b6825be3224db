//! The settings of the LanceDB engine.

use std::time::Duration;

use mindfile_model::provider::Secret;
use serde::Deserialize;

use super::error::Error;
use super::merge::Merged;
use super::secret::Vault;

/// Where the tables are, and how an object store is spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanceDb {
    /// A folder, or an address such as `s3://BUCKET/PREFIX`. The agent's own tables are below it.
    pub uri: String,
    /// For the object store alone; keys may be among them.
    pub storage_options: Vec<(String, Secret)>,
    pub timeout: Duration,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LanceDbValues {
    uri: String,
    /// Shown only; the values themselves are apart.
    #[serde(rename = "storageOptions")]
    _storage_options: Option<String>,
    timeout_ms: u64,
}

pub(super) fn settings(values: LanceDbValues, merged: &Merged, vault: &Vault<'_>) -> Result<LanceDb, Error> {
    const OPTIONS: &str = "memory.lancedb.storageOptions";
    let options = merged.concealed(OPTIONS).map(|options| vault.open_all(OPTIONS, options)).transpose()?;
    let uri = if values.uri.contains("://") {
        values.uri
    } else {
        let folder = vault.path(&values.uri, &merged.origin("memory.lancedb.uri"))?;
        folder.to_string_lossy().into_owned()
    };
    let timeout = Duration::from_millis(values.timeout_ms);
    Ok(LanceDb { uri, storage_options: options.unwrap_or_default(), timeout })
}
