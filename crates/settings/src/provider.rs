//! Who makes vectors: the provider that was named, or the one that `auto` finds, with its address, its key and its model.

use mindfile_model::provider::{Local, ProviderSpec, Secret, Service, Timeouts, catalog, download, local};

use crate::declare::Reader;
use crate::error::Error;
use crate::services::{Entries, ProviderEntry};
use crate::settings::{Declarations, Maker};

/// What a provider that is not known gives way to.
pub(crate) const EMBEDDED: &str = "the embedded model is used";

/// What a provider is chosen from.
pub(crate) struct Choice<'a> {
    pub(crate) reader: &'a Reader<'a>,
    pub(crate) entries: &'a Entries,
    pub(crate) declared: &'a Declarations,
}

/// Whether a name means a provider here: one of ours, or one that a file describes.
pub(crate) fn is_known(name: &str, entries: &Entries) -> bool {
    ["auto", "none", "embedded", "local"].contains(&alias(name))
        || catalog::provider(alias(name)).is_some()
        || entries.get(name).is_some_and(|entry| entry.base_url.is_some())
}

/// Names that the seeds know of and that mean another one.
fn alias(name: &str) -> &str {
    match name {
        "google" => "gemini",
        "llama" => "local",
        name => name,
    }
}

/// The provider of that name, and what is to be said of the choice.
pub(crate) fn primary(choice: &Choice<'_>) -> Result<(Maker, Option<String>), Error> {
    let name = choice.declared.provider.as_str();
    if name == "auto" {
        return choice.auto();
    }
    Ok(match choice.named(name, true)? {
        Some(maker) => (maker, None),
        None => (Maker::Embedded, Some(format!("not in this version; {EMBEDDED}"))),
    })
}

/// The provider to ask when the first one fails; `remote.*` and `model` are about the first one only.
pub(crate) fn fallback(choice: &Choice<'_>, primary: &Maker) -> Result<Option<Maker>, Error> {
    let other = choice.named(&choice.declared.fallback, false)?;
    Ok(other.filter(|other| *other != Maker::None && other.name() != primary.name()))
}

impl Choice<'_> {
    fn named(&self, name: &str, primary: bool) -> Result<Option<Maker>, Error> {
        Ok(match alias(name) {
            "none" => Some(Maker::None),
            "embedded" => Some(Maker::Embedded),
            "local" => Some(Maker::Local(self.local_file()?)),
            meant => self.service(name, meant, primary)?.map(|service| Maker::Service(Box::new(service))),
        })
    }

    /// A model file that is there, then a key that is there; else the model inside the program.
    fn auto(&self) -> Result<(Maker, Option<String>), Error> {
        if self.declared.local.model_path.is_some() && local::IS_BUILT_IN {
            let file = self.local_file()?;
            if file.is_there() {
                return Ok((Maker::Local(file), Some("local: the model file is there".to_owned())));
            }
        }
        for name in ["openai", "gemini", "voyage"] {
            let service = self.service(name, name, name == "openai")?;
            if let Some(service) = service.filter(|service| service.key.is_some()) {
                let why = format!("{name}: there is a key for it");
                return Ok((Maker::Service(Box::new(service)), Some(why)));
            }
        }
        Ok((Maker::Embedded, Some(EMBEDDED.to_owned())))
    }

    fn service(&self, name: &str, meant: &str, primary: bool) -> Result<Option<Service>, Error> {
        let Declarations { remote, .. } = self.declared;
        let entry = self.entries.get(name).or_else(|| self.entries.get(meant));
        let entry = entry.or_else(|| (meant == "gemini").then(|| self.entries.get("google")).flatten());
        let own = entry.and_then(|entry| entry.base_url.clone());
        let compatible = || own.as_ref().and_then(|_| catalog::provider("openai-compatible"));
        let Some(known) = catalog::provider(meant).or_else(compatible) else { return Ok(None) };
        let mut service = Service { provider: meant.to_owned(), ..Service::of(known) };
        let own_address = own.is_some();
        service.base_url = own.unwrap_or(service.base_url);
        let remote_url = remote.base_url.as_ref().filter(|_| primary);
        let elsewhere = remote_url.is_some_and(|url| !same(url, &service.base_url));
        service.base_url = remote_url.cloned().unwrap_or(service.base_url);
        service.key = self.key(known, entry.filter(|_| !elsewhere), own_address || elsewhere, primary)?;
        service.headers = self.headers(entry.filter(|_| !elsewhere), primary)?;
        service.ca_file = self.reader.vault.authorities();
        if primary {
            self.details(&mut service)?;
        }
        if is_here(&service.base_url) {
            service.timeouts = Timeouts::LOCAL;
        }
        service.request_tokens = remote.request_tokens;
        service.concurrency = remote.concurrency;
        Ok(Some(service))
    }

    /// `remote.apiKey`, else the provider's own key; that of the environment is only for the provider's own address.
    fn key(
        &self,
        known: &ProviderSpec,
        entry: Option<&ProviderEntry>,
        elsewhere: bool,
        primary: bool,
    ) -> Result<Option<Secret>, Error> {
        let vault = &self.reader.vault;
        if let Some(key) = self.reader.merged.concealed("remote.apiKey").filter(|_| primary) {
            return vault.open("remote.apiKey", key);
        }
        let listed = entry.and_then(|entry| entry.api_key.as_ref());
        // The list may be another program's, which can have its keys elsewhere: then there is none here.
        let listed = listed.and_then(|key| vault.open("models.providers.*.apiKey", key).unwrap_or_default());
        let variables = if elsewhere { &[][..] } else { known.variables };
        Ok(listed.or_else(|| variables.iter().find_map(|name| vault.variable(name))))
    }

    fn headers(&self, entry: Option<&ProviderEntry>, primary: bool) -> Result<Vec<(String, Secret)>, Error> {
        let open = |key: &str, concealed| self.reader.vault.open_all(key, concealed);
        let listed = entry.and_then(|entry| entry.headers.as_ref());
        let mut headers =
            listed.map(|c| open("models.providers.*.headers", c)).transpose()?.unwrap_or_default();
        let remote = self.reader.merged.concealed("remote.headers").filter(|_| primary);
        let remote = remote.map(|c| open("remote.headers", c)).transpose()?.unwrap_or_default();
        headers.retain(|(name, _)| !remote.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        headers.extend(remote);
        Ok(headers)
    }

    /// What the settings say of the first provider only.
    fn details(&self, service: &mut Service) -> Result<(), Error> {
        let Declarations { remote, model, input_type: all, .. } = self.declared;
        service.query_input_type = self.declared.query_input_type.clone().or_else(|| all.clone());
        service.document_input_type = self.declared.document_input_type.clone().or_else(|| all.clone());
        service.dims = self.declared.dims;
        service.model = model.clone().unwrap_or_else(|| std::mem::take(&mut service.model));
        for (key, value) in [("remote.baseUrl", &service.base_url), ("model", &service.model)] {
            if value.is_empty() {
                let allowed = format!("set, because the provider is \"{}\"", service.provider);
                return Err(self.reader.merged.refused(key, "not set", allowed));
            }
        }
        if let Some(file) = &remote.ca_file {
            service.ca_file = Some(self.reader.path(file, "remote.caFile")?);
        }
        Ok(())
    }

    fn local_file(&self) -> Result<Local, Error> {
        let Declarations { local, .. } = self.declared;
        let vault = &self.reader.vault;
        let model = local.model_path.as_deref().unwrap_or(Local::MODEL);
        let model = if model.starts_with("hf:") {
            model.to_owned()
        } else {
            self.reader.path(model, "local.modelPath")?.display().to_string()
        };
        let cache = match &local.model_cache_dir {
            Some(dir) => self.reader.path(dir, "local.modelCacheDir")?,
            None => vault.state_dir.join("models"),
        };
        let mirror = vault.env.variable("HF_ENDPOINT");
        let endpoint = local.endpoint.clone().or(mirror).unwrap_or_else(|| download::HUB.to_owned());
        Ok(Local { model, cache, endpoint, ca_file: vault.authorities() })
    }
}

/// A model on this machine may have to be loaded before it answers.
fn is_here(url: &str) -> bool {
    ["://127.", "://localhost", "://[::1]"].iter().any(|host| url.contains(host))
}

fn same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}
