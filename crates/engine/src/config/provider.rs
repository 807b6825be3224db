//! Who makes vectors: the provider that was named, or the one that `auto` finds, with its address, its key and its model.

use std::path::PathBuf;

use mindfile_model::provider::{Local, ProviderSpec, Secret, Service, Timeouts, catalog, download, local};

use super::error::Error;
use super::merge::Merged;
use super::resolve::{LocalValues, RemoteValues, refused};
use super::secret::Vault;
use super::services::{Entries, Entry};
use super::settings::Maker;

/// Names that the seeds know of and that mean another one.
const ALSO_NAMED: [(&str, &str); 2] = [("google", "gemini"), ("llama", "local")];

/// What a provider is chosen from.
pub(super) struct Choice<'a> {
    pub(super) merged: &'a Merged,
    pub(super) vault: Vault<'a>,
    pub(super) entries: &'a Entries,
    pub(super) remote: &'a RemoteValues,
    pub(super) local: &'a LocalValues,
    pub(super) model: Option<&'a str>,
    pub(super) input_types: [Option<&'a str>; 3],
    pub(super) dims: Option<usize>,
}

/// Whether a name means a provider here: one of ours, or one that a file describes.
pub(super) fn is_known(name: &str, entries: &Entries) -> bool {
    ["auto", "none", "embedded", "local"].contains(&name)
        || catalog::provider(alias(name)).is_some()
        || alias(name) == "local"
        || entries.get(name).is_some_and(|entry| entry.base_url.is_some())
}

fn alias(name: &str) -> &str {
    ALSO_NAMED.iter().find(|(other, _)| *other == name).map_or(name, |(_, meant)| meant)
}

/// The provider of that name, and what is to be said of the choice. None for a name that means nothing here.
pub(super) fn primary(name: &str, choice: &Choice<'_>) -> Result<Option<(Maker, Option<String>)>, Error> {
    if name == "auto" {
        return choice.auto().map(Some);
    }
    Ok(choice.named(name, true)?.map(|maker| (maker, None)))
}

/// The provider to ask when the first one fails; `remote.*` and `model` are about the first one only.
pub(super) fn fallback(name: &str, choice: &Choice<'_>) -> Result<Option<Maker>, Error> {
    if name == "none" { Ok(None) } else { choice.named(name, false) }
}

impl Choice<'_> {
    fn named(&self, name: &str, primary: bool) -> Result<Option<Maker>, Error> {
        match alias(name) {
            "none" => Ok(Some(Maker::None)),
            "embedded" => Ok(Some(Maker::Embedded)),
            "local" => Ok(Some(Maker::Local(self.local_file()?))),
            meant => {
                self.service(name, meant, primary).map(|service| service.map(|s| Maker::Service(Box::new(s))))
            }
        }
    }

    /// A model file that is there, then a key that is there; else the model inside the program.
    fn auto(&self) -> Result<(Maker, Option<String>), Error> {
        if self.local.model_path.is_some() && local::IS_BUILT_IN {
            let file = self.local_file()?;
            if file.is_there() {
                return Ok((Maker::Local(file), Some("local: the model file is there".to_owned())));
            }
        }
        for name in ["openai", "gemini", "voyage"] {
            if let Some(service) = self.service(name, name, name == "openai")?
                && service.key.is_some()
            {
                return Ok((
                    Maker::Service(Box::new(service)),
                    Some(format!("{name}: there is a key for it")),
                ));
            }
        }
        Ok((Maker::Embedded, Some("the embedded model is used".to_owned())))
    }

    fn service(&self, name: &str, meant: &str, primary: bool) -> Result<Option<Service>, Error> {
        let entry = self.entries.get(name).or_else(|| self.entries.get(meant));
        let entry = entry.or_else(|| (meant == "gemini").then(|| self.entries.get("google")).flatten());
        let known = match (catalog::provider(meant), entry.and_then(|entry| entry.base_url.as_ref())) {
            (Some(known), _) => known,
            (None, Some(_)) => match catalog::provider("openai-compatible") {
                Some(known) => known,
                None => return Ok(None),
            },
            (None, None) => return Ok(None),
        };
        let mut service = Service { provider: meant.to_owned(), ..Service::of(known) };
        let own = entry.and_then(|entry| entry.base_url.clone());
        service.base_url = own.clone().unwrap_or(service.base_url);
        let remote_url = self.remote.base_url.as_ref().filter(|_| primary);
        let elsewhere = remote_url.is_some_and(|url| !same(url, &service.base_url));
        service.base_url = remote_url.cloned().unwrap_or(service.base_url);
        service.key = self.key(known, entry, own.is_some(), elsewhere, primary)?;
        service.headers = self.headers(entry.filter(|_| !elsewhere), primary)?;
        if primary {
            self.details(&mut service);
            self.complete(&service)?;
            service.ca_file = self.ca_file()?;
        } else {
            service.ca_file = self.vault.authorities();
        }
        if is_here(&service.base_url) {
            service.timeouts = Timeouts::LOCAL;
        }
        service.request_tokens = self.remote.request_tokens;
        service.concurrency = self.remote.concurrency;
        Ok(Some(service))
    }

    /// `remote.apiKey`, else the provider's own key; that one is only for the provider's own address.
    fn key(
        &self,
        known: &ProviderSpec,
        entry: Option<&Entry>,
        own_address: bool,
        elsewhere: bool,
        primary: bool,
    ) -> Result<Option<Secret>, Error> {
        if let Some(key) = self.merged.concealed("remote.apiKey").filter(|_| primary) {
            return self.vault.open("remote.apiKey", key);
        }
        if elsewhere {
            return Ok(None);
        }
        let listed = entry.and_then(|entry| entry.api_key.as_ref());
        // The list may be another program's, which can have its keys elsewhere: then there is none here.
        let listed =
            listed.and_then(|key| self.vault.open("models.providers.*.apiKey", key).unwrap_or_default());
        let from_environment = || known.variables.iter().find_map(|name| self.vault.variable(name));
        Ok(listed.or_else(|| if own_address { None } else { from_environment() }))
    }

    fn headers(&self, entry: Option<&Entry>, primary: bool) -> Result<Vec<(String, Secret)>, Error> {
        let open = |key: &str, concealed| self.vault.open_all(key, concealed);
        let listed = entry.and_then(|entry| entry.headers.as_ref());
        let mut headers =
            listed.map(|c| open("models.providers.*.headers", c)).transpose()?.unwrap_or_default();
        let remote = self.merged.concealed("remote.headers").filter(|_| primary);
        let remote = remote.map(|c| open("remote.headers", c)).transpose()?.unwrap_or_default();
        headers.retain(|(name, _)| !remote.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        headers.extend(remote);
        Ok(headers)
    }

    fn details(&self, service: &mut Service) {
        let [all, query, document] = self.input_types.map(|kind| kind.map(str::to_owned));
        service.query_input_type = query.or_else(|| all.clone());
        service.document_input_type = document.or(all);
        service.dims = self.dims;
        if let Some(model) = self.model {
            model.clone_into(&mut service.model);
        }
    }

    fn ca_file(&self) -> Result<Option<PathBuf>, Error> {
        match &self.remote.ca_file {
            Some(file) => self.path(file, "remote.caFile").map(Some),
            None => Ok(self.vault.authorities()),
        }
    }

    fn complete(&self, service: &Service) -> Result<(), Error> {
        for (key, value) in [("remote.baseUrl", &service.base_url), ("model", &service.model)] {
            if value.is_empty() {
                let allowed = format!("set, because the provider is \"{}\"", service.provider);
                return Err(refused(self.merged.origin(key), key, "not set", allowed));
            }
        }
        Ok(())
    }

    fn local_file(&self) -> Result<Local, Error> {
        let model = self.local.model_path.as_deref().unwrap_or(Local::MODEL);
        let model = if model.starts_with("hf:") {
            model.to_owned()
        } else {
            self.path(model, "local.modelPath")?.display().to_string()
        };
        let cache = match &self.local.model_cache_dir {
            Some(dir) => self.path(dir, "local.modelCacheDir")?,
            None => self.vault.state_dir.join("models"),
        };
        let mirror = self.vault.env.variable("HF_ENDPOINT");
        let endpoint = self.local.endpoint.clone().or(mirror).unwrap_or_else(|| download::HUB.to_owned());
        Ok(Local { model, cache, endpoint, ca_file: self.vault.authorities() })
    }

    fn path(&self, text: &str, key: &str) -> Result<PathBuf, Error> {
        self.vault.path(text, &self.merged.origin(key))
    }
}

/// A model on this machine may have to be loaded before it answers.
fn is_here(url: &str) -> bool {
    ["://127.", "://localhost", "://[::1]"].iter().any(|host| url.contains(host))
}

fn same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}
