//! The settings of the PostgreSQL engine.

use std::path::PathBuf;
use std::time::Duration;

use mindfile_model::provider::Secret;
use serde::Deserialize;

use super::error::Error;
use super::merge::Merged;
use super::secret::Vault;

/// Where the database is, and how it is spoken to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Postgres {
    /// With a password, if there is one in it: shown nowhere.
    pub url: Option<Secret>,
    /// For an address without one.
    pub password: Option<Secret>,
    pub schema: String,
    pub pool_size: usize,
    pub timeout: Duration,
    pub ca_file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PostgresValues {
    /// Shown only; the secret itself is apart.
    #[serde(rename = "url")]
    _url: Option<String>,
    schema: String,
    pool_size: usize,
    timeout_ms: u64,
    ca_file: Option<String>,
}

pub(super) fn settings(
    values: PostgresValues,
    merged: &Merged,
    vault: &Vault<'_>,
) -> Result<Postgres, Error> {
    const URL: &str = "memory.postgres.url";
    let url = match merged.concealed(URL) {
        Some(url) => vault.open(URL, url)?,
        None => vault.variable("MINDFILE_POSTGRES_URL"),
    };
    let ca_file = match values.ca_file {
        Some(file) => Some(vault.path(&file, &merged.origin("memory.postgres.caFile"))?),
        None => vault.authorities(),
    };
    Ok(Postgres {
        url,
        password: vault.variable("PGPASSWORD"),
        schema: values.schema,
        pool_size: values.pool_size,
        timeout: Duration::from_millis(values.timeout_ms),
        ca_file,
    })
}
