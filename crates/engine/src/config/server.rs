//! The settings of the server.

use serde::Deserialize;

use super::error::Error;
use super::merge::Merged;
use super::paths::expand;
use super::resolve::Context;
use super::settings::{Server, Tls};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ServerValues {
    host: String,
    port: u16,
    allowed_hosts: Vec<String>,
    allowed_origins: Vec<String>,
    tls: TlsValues,
    max_body_bytes: usize,
    requests_per_second: u32,
    concurrency: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TlsValues {
    cert: Option<String>,
    key: Option<String>,
}

pub(super) fn settings(
    values: ServerValues,
    merged: &Merged,
    context: &Context<'_>,
) -> Result<Server, Error> {
    Ok(Server {
        tls: tls(&values.tls, merged, context)?,
        host: values.host,
        port: values.port,
        allowed_hosts: values.allowed_hosts,
        allowed_origins: values.allowed_origins,
        max_body: values.max_body_bytes,
        requests_per_second: values.requests_per_second,
        concurrency: values.concurrency,
    })
}

fn tls(values: &TlsValues, merged: &Merged, context: &Context<'_>) -> Result<Tls, Error> {
    let path = |text: &Option<String>, key| {
        let expanded =
            |text: &String| expand(text.as_ref(), context.state_dir, context.home, &merged.origin(key));
        text.as_ref().map(expanded).transpose()
    };
    Ok(Tls {
        cert: path(&values.cert, "memory.server.tls.cert")?,
        key: path(&values.key, "memory.server.tls.key")?,
    })
}
