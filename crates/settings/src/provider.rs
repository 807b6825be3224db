//! Which provider makes vectors: the one that was named, or the one that `auto` finds, with its address, key and model.

use mindfile_model::provider::{Local, Secret, Service, ServiceSpec, Timeouts, catalog, download, local};

use crate::declare::Field;
use crate::error::Error;
use crate::origin::{ConcealedSecret, Origin};
use crate::reader::{LentKey, SettingReader};
use crate::services::{Entries, ProviderEntry};

/// A provider of vectors.
#[derive(Debug, Clone, PartialEq)]
pub enum Maker {
    /// The model inside the program.
    Embedded,
    /// Search by words alone.
    None,
    Service(Box<Service>),
    Local(Local),
}

impl Maker {
    /// The name that it is known by.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded => "embedded",
            Self::None => "none",
            Self::Service(service) => &service.provider,
            Self::Local(_) => "local",
        }
    }
}

/// What is used instead of an unknown provider.
pub(crate) const EMBEDDED: &str = "the embedded model is used";

/// Whether a name means a provider here: one of ours, or one that a file describes.
pub(crate) fn is_known(name: &str, entries: &Entries) -> bool {
    ["auto", "none", "embedded", "local"].contains(&alias(name))
        || catalog::provider(alias(name)).is_some()
        || entries.get(name).is_some_and(|entry| entry.base_url.is_some())
}

/// Other names of providers.
fn alias(name: &str) -> &str {
    match name {
        "google" => "gemini",
        "llama" => "local",
        name => name,
    }
}

/// The provider that the settings name.
pub(crate) fn primary(reader: &SettingReader<'_>, _: &str) -> Result<Maker, Error> {
    let name: String = reader.value("provider")?;
    let (maker, why) = if name == "auto" {
        reader.auto()?
    } else if let Some(maker) = reader.maker(&name, Share::All)? {
        return Ok(maker);
    } else {
        (Maker::Embedded, format!("not in this version; {EMBEDDED}"))
    };
    reader.note("provider", why);
    Ok(maker)
}

/// What of `remote.*` and of the settings for models is a provider's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    All,
    /// Where it is, its key and headers. Its model is its own, where it has one.
    Remote,
    None,
}

/// The provider to ask when the first one fails. `remote.*` is of the first service among the two.
pub(crate) fn fallback(reader: &SettingReader<'_>, _: &str) -> Result<Option<Maker>, Error> {
    const KEY: &str = "fallback";
    let name: String = reader.value(KEY)?;
    let first = primary(reader, "")?;
    let share = if matches!(first, Maker::Service(_)) { Share::None } else { Share::Remote };
    let other = reader.maker(&name, share)?;
    let other = other.filter(|other| *other != Maker::None && other.name() != first.name());
    if other.is_none() && name != "none" {
        reader.note(KEY, "no other provider than the first; none is used".to_owned());
    }
    Ok(other)
}

impl SettingReader<'_> {
    fn maker(&self, name: &str, share: Share) -> Result<Option<Maker>, Error> {
        Ok(match alias(name) {
            "none" => Some(Maker::None),
            "embedded" => Some(Maker::Embedded),
            "local" => Some(Maker::Local(self.local_file()?)),
            meant => self.service(name, meant, share)?.map(|service| Maker::Service(Box::new(service))),
        })
    }

    /// A model file that is there, then a key that is there; else the model inside the program.
    fn auto(&self) -> Result<(Maker, String), Error> {
        if self.is_written("local.modelPath") && local::IS_BUILT_IN {
            let file = self.local_file()?;
            if file.is_there() {
                return Ok((Maker::Local(file), "local: the model file is there".to_owned()));
            }
        }
        for name in ["openai", "gemini", "voyage"] {
            let share = if name == "openai" { Share::All } else { Share::None };
            let service = self.service(name, name, share)?;
            if let Some(service) = service.filter(|service| service.key.is_some()) {
                return Ok((Maker::Service(Box::new(service)), format!("{name}: there is a key for it")));
            }
        }
        Ok((Maker::Embedded, EMBEDDED.to_owned()))
    }

    fn service(&self, name: &str, meant: &str, share: Share) -> Result<Option<Service>, Error> {
        let google = || (meant == "gemini").then(|| self.entries.get("google")).flatten();
        let entry = self.entries.get(name).or_else(|| self.entries.get(meant)).or_else(google);
        let own = entry.and_then(|entry| entry.base_url.clone());
        let compatible = || own.as_ref().and_then(|_| catalog::provider("openai-compatible"));
        let Some(known) = catalog::provider(meant).or_else(compatible) else { return Ok(None) };
        let mut service = Service { provider: meant.to_owned(), ..Service::of(known) };
        let own_address = own.is_some();
        service.base_url = own.unwrap_or(service.base_url);
        let remote = share != Share::None;
        let remote_url: Option<String> = if remote { self.value("remote.baseUrl")? } else { None };
        let elsewhere = remote_url.as_ref().is_some_and(|url| !same(url, &service.base_url));
        service.base_url = remote_url.unwrap_or(service.base_url);
        service.key = self.key(known, entry.filter(|_| !elsewhere), own_address || elsewhere, remote)?;
        service.headers = self.headers(entry.filter(|_| !elsewhere), remote)?;
        service.ca_file = self.authorities();
        if share == Share::All {
            self.details(&mut service)?;
        }
        if remote {
            self.place(&mut service)?;
        }
        if is_here(&service.base_url) {
            service.timeouts = Timeouts::LOCAL;
        }
        service.request_tokens = self.value("remote.requestTokens")?;
        service.concurrency = self.value("remote.concurrency")?;
        Ok(Some(service))
    }

    /// `remote.apiKey`, else the provider's own key, first as our file has it, then as OpenClaw finds it. Those of its
    /// profiles and of the environment are for the provider's own address alone.
    fn key(
        &self,
        known: &ServiceSpec,
        entry: Option<&ProviderEntry>,
        elsewhere: bool,
        remote: bool,
    ) -> Result<Option<Secret>, Error> {
        if remote && self.merged.concealed("remote.apiKey").is_some() {
            return self.secret("remote.apiKey");
        }
        let listed = entry.and_then(|entry| entry.api_key.as_ref());
        let (theirs, ours): (Vec<_>, Vec<_>) = listed.into_iter().partition(|key| self.is_openclaws(key));
        // The list may be another program's, which can have its keys elsewhere: then there is none here.
        let open = |keys: Vec<&ConcealedSecret>| {
            keys.into_iter().find_map(|key| self.open("models.providers.*.apiKey", key).unwrap_or_default())
        };
        let profile = || if elsewhere { None } else { self.profile_key("remote.apiKey", known.name) };
        let variables = if elsewhere { &[][..] } else { known.variables };
        let environment = || variables.iter().find_map(|name| self.variable(name));
        Ok(open(ours).or_else(profile).or_else(|| open(theirs)).or_else(environment))
    }

    /// The key in OpenClaw's profiles for a provider, which `config show` shows as that of `setting`.
    pub(crate) fn profile_key(&self, setting: &'static str, provider: &'static str) -> Option<Secret> {
        let names = if provider == "gemini" { vec![provider, "google"] } else { vec![provider] };
        let found = self.profiles.keys(&names).find_map(|key| {
            let secret = self.open(setting, &key).unwrap_or_default()?;
            Some((secret, key.origin))
        });
        let (secret, origin) = found?;
        self.lent.borrow_mut().push(LentKey { setting, provider, origin });
        Some(secret)
    }

    fn is_openclaws(&self, key: &ConcealedSecret) -> bool {
        matches!(&key.origin, Origin::File { path, .. } if self.openclaw == Some(path.as_path()))
    }

    fn headers(&self, entry: Option<&ProviderEntry>, remote: bool) -> Result<Vec<(String, Secret)>, Error> {
        let listed = entry.and_then(|entry| entry.headers.as_ref());
        let listed =
            listed.map(|headers| self.open_all("models.providers.*.headers", headers)).transpose()?;
        let remote = if remote { self.secrets("remote.headers")? } else { Vec::new() };
        let mut headers = listed.unwrap_or_default();
        headers.retain(|(name, _)| !remote.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        headers.extend(remote);
        Ok(headers)
    }

    /// The settings that apply to the first provider only.
    fn details(&self, service: &mut Service) -> Result<(), Error> {
        let all: Option<String> = self.value("inputType")?;
        service.query_input_type = self.value::<Option<_>>("queryInputType")?.or_else(|| all.clone());
        service.document_input_type = self.value::<Option<_>>("documentInputType")?.or(all);
        service.dims = self.value("outputDimensionality")?;
        service.model =
            self.value::<Option<_>>("model")?.unwrap_or_else(|| std::mem::take(&mut service.model));
        Ok(())
    }

    /// A service without an address or a model of its own has those of the settings.
    fn place(&self, service: &mut Service) -> Result<(), Error> {
        if service.model.is_empty() {
            service.model = self.value::<Option<_>>("model")?.unwrap_or_default();
        }
        for (key, value) in [("remote.baseUrl", &service.base_url), ("model", &service.model)] {
            if value.is_empty() {
                let allowed = format!("set, because the provider is \"{}\"", service.provider);
                return Err(self.merged.refused(key, "not set", allowed));
            }
        }
        service.ca_file = Option::read(self, "remote.caFile")?.or(service.ca_file.take());
        Ok(())
    }

    fn local_file(&self) -> Result<Local, Error> {
        let model: Option<String> = self.value("local.modelPath")?;
        let mut model = model.unwrap_or_else(|| Local::MODEL.to_owned());
        if !model.starts_with("hf:") {
            model = self.path(&model, "local.modelPath")?.display().to_string();
        }
        let cache =
            Option::read(self, "local.modelCacheDir")?.unwrap_or_else(|| self.state_dir.join("models"));
        let endpoint: Option<String> = self.value("local.endpoint")?;
        let endpoint = endpoint.or_else(|| self.env.variable("HF_ENDPOINT"));
        let endpoint = endpoint.unwrap_or_else(|| download::HUB.to_owned());
        Ok(Local { model, cache, endpoint, ca_file: self.authorities() })
    }
}

/// A model on this machine may have to be loaded before it answers.
fn is_here(url: &str) -> bool {
    ["://127.", "://localhost", "://[::1]"].iter().any(|host| url.contains(host))
}

fn same(one: &str, other: &str) -> bool {
    one.trim_end_matches('/') == other.trim_end_matches('/')
}
