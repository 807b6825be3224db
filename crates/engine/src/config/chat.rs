//! The chat model that a memory may ask: for how much a fact matters, for better words, for summaries, and to talk to.

use std::path::PathBuf;
use std::time::Duration;

use mindfile_model::provider::Secret;
use mindfile_model::provider::Timeouts;
use mindfile_model::provider::chat::{ChatEndpoint, ChatProtocol};
use serde::Deserialize;

use super::error::Error;
use super::merge::Merged;
use super::secret::Vault;

/// What the files say of it, and the key that the environment has for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Chat {
    pub protocol: ChatProtocol,
    /// None: no model is to be asked.
    pub model: Option<String>,
    /// None: the provider's own address.
    pub base_url: Option<String>,
    /// For this provider at this address alone, and so are the headers.
    pub key: Option<Secret>,
    pub headers: Vec<(String, Secret)>,
    /// The model's context window, in tokens.
    pub window: u64,
    pub timeout: Duration,
    /// A PEM file with the authorities whose certificates are believed, instead of the public ones.
    pub ca_file: Option<PathBuf>,
}

impl Chat {
    pub const PROVIDERS: &'static [&'static str] = &["openai", "anthropic"];

    /// Who is asked; none where no model is named.
    pub fn endpoint(&self) -> Option<ChatEndpoint> {
        let model = self.model.clone()?;
        Some(ChatEndpoint {
            protocol: self.protocol,
            base_url: self.base_url.clone().unwrap_or_else(|| usual(self.protocol).0.to_owned()),
            model,
            key: self.key.clone(),
            headers: self.headers.clone(),
            window: self.window,
            timeouts: Timeouts { whole: self.timeout, ..ChatEndpoint::TIMEOUTS },
            ca_file: self.ca_file.clone(),
        })
    }

    /// The variable that people keep a provider's key in.
    pub fn key_variable(protocol: ChatProtocol) -> &'static str {
        usual(protocol).1
    }

    pub fn protocol(provider: &str) -> Option<ChatProtocol> {
        match provider {
            "openai" => Some(ChatProtocol::OpenAi),
            "anthropic" => Some(ChatProtocol::Anthropic),
            _ => None,
        }
    }
}

/// A provider's own address, and the variable of its key.
fn usual(protocol: ChatProtocol) -> (&'static str, &'static str) {
    match protocol {
        ChatProtocol::OpenAi => ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ChatProtocol::Anthropic => ("https://api.anthropic.com", "ANTHROPIC_API_KEY"),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ChatValues {
    provider: String,
    model: Option<String>,
    base_url: Option<String>,
    /// Shown only; the secret itself is apart.
    #[serde(rename = "apiKey")]
    _api_key: Option<String>,
    #[serde(rename = "headers")]
    _headers: Option<String>,
    ca_file: Option<String>,
    context_window: u64,
    timeout_seconds: u64,
}

pub(super) fn chat(values: ChatValues, merged: &Merged, vault: &Vault<'_>) -> Result<Chat, Error> {
    let protocol = Chat::protocol(&values.provider).unwrap_or(ChatProtocol::OpenAi);
    let written = merged.concealed("chat.apiKey");
    let own = || vault.variable(Chat::key_variable(protocol)).filter(|_| values.base_url.is_none());
    let key = match written {
        Some(key) => vault.open("chat.apiKey", key)?,
        None => own(),
    };
    let headers = merged.concealed("chat.headers");
    let headers = headers.map(|headers| vault.open_all("chat.headers", headers)).transpose()?;
    let ca_file = match values.ca_file {
        Some(file) => Some(vault.path(&file, &merged.origin("chat.caFile"))?),
        None => vault.authorities(),
    };
    Ok(Chat {
        protocol,
        model: values.model,
        base_url: values.base_url,
        key,
        headers: headers.unwrap_or_default(),
        window: values.context_window,
        timeout: Duration::from_secs(values.timeout_seconds),
        ca_file,
    })
}
