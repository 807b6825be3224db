//! `models.providers`: what a file says about providers in general, of which embedding needs address, key and headers.

use std::collections::BTreeMap;

use crate::agents::{object, wrong};
use crate::document::{Document, Role, join};
use crate::error::Error;
use crate::key::closest;
use crate::kind::type_name;
use crate::origin::{ConcealedSecret, Origin};
use serde_json::{Map, Value};

const AT: &str = "models.providers";
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
    let Some(models) = object(document, "models", document.root.get("models"))? else { return Ok(()) };
    if document.role == Role::Workspace {
        return Err(Error::NotInWorkspace { file: document.file.clone(), key: "models".to_owned() });
    }
    let Some(providers) = object(document, AT, models.get("providers"))? else { return Ok(()) };
    for (name, value) in providers {
        let at = join(AT, name);
        if let Some(entry) = object(document, &at, Some(value))? {
            all.entry(name.clone()).or_default().take(document, &at, entry)?;
        }
    }
    Ok(())
}

impl ProviderEntry {
    fn take(&mut self, document: &Document, at: &str, entry: &Map<String, Value>) -> Result<(), Error> {
        // OpenClaw keeps more there than we know of; our own file has nothing else.
        let stranger = entry.keys().find(|key| !KNOWN.contains(&key.as_str()));
        if let (Role::Mindfile, Some(key)) = (document.role, stranger) {
            let nearest = closest(key, KNOWN.into_iter()).map(|near| join(at, near));
            return Err(Error::UnknownKey { file: document.file.clone(), key: join(at, key), nearest });
        }
        match entry.get("baseUrl") {
            None => {}
            Some(Value::String(url)) => self.base_url = Some(url.clone()),
            Some(other) => {
                return Err(wrong(document, &join(at, "baseUrl"), type_name(other).to_owned(), "a string"));
            }
        }
        let concealed = |key: &str| {
            let origin = Origin::File { path: document.file.clone(), at: join(at, key) };
            entry.get(key).map(|value| ConcealedSecret { value: value.clone(), origin })
        };
        self.api_key = concealed("apiKey").or_else(|| self.api_key.take());
        self.headers = concealed("headers").or_else(|| self.headers.take());
        Ok(())
    }
}
