//! Models outside the program: services in the network, and model files.
//!
//! A [`Service`] describes a service that makes vectors; [`open`] turns it into an embedder. Each protocol has a file
//! of its own that knows only the shape of its messages; the rest is shared: `transport` sends and bounds, `retry`
//! waits, `request` packs texts into requests and isolates one that the service refuses, `answer` checks.

mod answer;
pub mod catalog;
pub mod chat;
pub mod download;
mod endpoint;
pub mod family;
mod gemini;
#[cfg(feature = "gguf")]
mod gguf;
pub mod jobs;
pub mod local;
mod ollama;
mod openai;
mod pace;
mod remote;
mod request;
mod retry;
mod secret;
pub mod tokens;
mod transport;
mod trust;
mod unavailable;

use std::path::PathBuf;
use std::sync::Arc;

pub use catalog::{ModelSpec, Protocol, ServiceSpec};
pub use local::Local;
pub use pace::Pace;
pub use secret::Secret;
pub use transport::Timeouts;

use crate::{Embedder, Error};
use remote::Remote;
use unavailable::UnavailableModel;

/// A service that makes vectors, and how to ask it.
#[derive(Debug, Clone, PartialEq)]
pub struct Service {
    pub spec: &'static ServiceSpec,
    /// The name under which it was chosen, which may be one of the settings' own.
    pub provider: String,
    pub base_url: String,
    pub model: String,
    pub key: Option<Secret>,
    /// Sent with every request; they win over the headers that the protocol has.
    pub headers: Vec<(String, Secret)>,
    /// The length of vectors to ask for.
    pub dims: Option<usize>,
    pub query_input_type: Option<String>,
    pub document_input_type: Option<String>,
    /// The most tokens of one request, below what the provider allows.
    pub request_tokens: usize,
    /// Requests at a time.
    pub concurrency: usize,
    pub timeouts: Timeouts,
    /// A PEM file with the certificate authorities to trust, instead of the public ones.
    pub ca_file: Option<PathBuf>,
}

impl Service {
    pub const REQUEST_TOKENS: usize = 8_000;
    pub const CONCURRENCY: usize = 4;

    /// A provider of the catalogue with its defaults.
    pub fn of(spec: &'static ServiceSpec) -> Self {
        Self {
            spec,
            provider: spec.name.to_owned(),
            base_url: spec.base_url.unwrap_or_default().to_owned(),
            model: spec.default_model().unwrap_or_default().to_owned(),
            key: None,
            headers: Vec::new(),
            dims: None,
            query_input_type: None,
            document_input_type: None,
            request_tokens: Self::REQUEST_TOKENS,
            concurrency: Self::CONCURRENCY,
            timeouts: spec.timeouts,
            ca_file: None,
        }
    }

    /// Whether it is at the provider's own address.
    fn is_at_home(&self) -> bool {
        self.spec.base_url.is_some_and(|url| url == self.base_url.trim_end_matches('/'))
    }

    /// The headers of every request.
    fn all_headers(&self) -> Vec<(String, Secret)> {
        let own = self.key.as_ref().map(|key| match self.spec.protocol {
            Protocol::Gemini => ("x-goog-api-key", key.reveal().to_owned()),
            Protocol::OpenAi | Protocol::Ollama => ("authorization", format!("Bearer {}", key.reveal())),
        });
        secret::with_given(own, &self.headers)
    }
}

/// The embedder of a service. One that cannot be used, such as for lack of a key, fails with the reason on every call:
/// search by words works all the same.
pub fn open(service: Service, pace: Arc<dyn Pace>) -> Box<dyn Embedder> {
    match Remote::new(service.clone(), pace) {
        Ok(remote) => Box::new(remote),
        Err(error) => unavailable(&service.provider, &service.model, error),
    }
}

/// An embedder that answers with that error.
pub fn unavailable(provider: &str, model: &str, error: Error) -> Box<dyn Embedder> {
    Box::new(UnavailableModel::new(provider, model, error))
}
