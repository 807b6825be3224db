//! `models.providers`: what a file sets for providers in general; embedding needs address, key and headers.

use std::collections::BTreeMap;

use crate::document::{Document, FileRole};
use crate::error::Error;
use crate::key::closest;
use crate::origin::ConcealedSecret;

const KNOWN: [&str; 3] = ["baseUrl", "apiKey", "headers"];

/// One provider's entry.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ProviderEntry {
    pub(crate) base_url: Option<String>,
    pub(crate) api_key: Option<ConcealedSecret>,
    pub(crate) headers: Option<ConcealedSecret>,
}

/// All entries, by name; a later file wins key by key.
pub(crate) type Entries = BTreeMap<String, ProviderEntry>;

pub(crate) fn read(document: &Document, all: &mut Entries) -> Result<(), Error> {
    let Some(models) = document.root().object("models")? else { return Ok(()) };
    if document.role == FileRole::Workspace {
        return Err(document.not_in_workspace("models"));
    }
    let Some(providers) = models.object("providers")? else { return Ok(()) };
    for (name, provider) in providers.children()? {
        let entry = all.entry(name.to_owned()).or_default();
        for (key, node) in provider.children()? {
            match key {
                "baseUrl" => {
                    let url = node.value.as_str().ok_or_else(|| node.wrong_type("a string"))?;
                    entry.base_url = Some(url.to_owned());
                }
                "apiKey" => entry.api_key = Some(node.concealed()),
                "headers" => entry.headers = Some(node.concealed()),
                // OpenClaw keeps more there than we know of; our own file has nothing else.
                _ if document.role == FileRole::OpenClaw => {}
                _ => {
                    let nearest = closest(key, KNOWN.into_iter());
                    return Err(
                        document.unknown(node.at, nearest.map(|near| format!("{}.{near}", provider.at)))
                    );
                }
            }
        }
    }
    Ok(())
}
