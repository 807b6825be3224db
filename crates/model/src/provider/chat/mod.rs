//! Chat models as services in the network: those that speak OpenAI's chat completions, and
//! Anthropic's messages. Each protocol has a file that knows the shape of its messages; requests, streaming and
//! retries are here.

mod anthropic;
mod openai;
mod stream;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::endpoint::Endpoint;
use super::pace::Pace;
use super::retry;
use super::secret::{self, Secret};
use super::transport::{HttpCall, Timeouts, Transport};
use crate::Error;
use crate::chat::{ChatModel, Reply, Request};
use stream::PartialReply;

/// The protocol of a service.
#[expect(clippy::module_name_repetitions, reason = "a protocol alone is that of embeddings")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatProtocol {
    /// Also Ollama, llama.cpp, vLLM, OpenRouter and others.
    OpenAi,
    Anthropic,
}

impl ChatProtocol {
    pub fn parse(provider: &str) -> Option<Self> {
        match provider {
            "openai" => Some(Self::OpenAi),
            "anthropic" => Some(Self::Anthropic),
            _ => None,
        }
    }

    /// The provider that made the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// The address of that provider.
    pub fn base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
        }
    }

    /// The environment variable that usually holds that provider's key.
    pub fn key_variable(self) -> &'static str {
        match self {
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
        }
    }
}

/// A chat model's service, and how to ask it.
#[expect(clippy::module_name_repetitions, reason = "an endpoint alone is one of embeddings")]
#[derive(Debug, Clone, PartialEq)]
pub struct ChatEndpoint {
    pub protocol: ChatProtocol,
    pub base_url: String,
    pub model: String,
    pub key: Option<Secret>,
    /// Sent with every request; they win over the headers that the protocol has.
    pub headers: Vec<(String, Secret)>,
    /// The model's context window, in tokens.
    pub window: u64,
    pub timeouts: Timeouts,
    /// A PEM file with the certificate authorities to trust, instead of the public ones.
    pub ca_file: Option<PathBuf>,
}

impl ChatEndpoint {
    /// A slow model may take minutes for a long answer, but not forever.
    pub const TIMEOUTS: Timeouts =
        Timeouts { connect: Duration::from_secs(10), whole: Duration::from_secs(600) };

    fn all_headers(&self) -> Vec<(String, Secret)> {
        let key = self.key.as_ref().map(Secret::reveal);
        let own = match self.protocol {
            ChatProtocol::OpenAi => vec![key.map(|key| ("authorization", format!("Bearer {key}")))],
            ChatProtocol::Anthropic => vec![
                key.map(|key| ("x-api-key", key.to_owned())),
                Some(("anthropic-version", anthropic::VERSION.to_owned())),
            ],
        };
        secret::with_given(own.into_iter().flatten(), &self.headers)
    }
}

/// The model of a service.
pub fn open(service: ChatEndpoint, pace: Arc<dyn Pace>) -> Result<Box<dyn ChatModel>, Error> {
    let endpoint = Endpoint::parse(&service.base_url)?;
    let ca_file = service.ca_file.as_deref();
    let transport = Transport::new(endpoint, service.all_headers(), service.timeouts, ca_file, pace)?;
    Ok(Box::new(RemoteChat { service, transport }))
}

struct RemoteChat {
    service: ChatEndpoint,
    transport: Transport,
}

impl ChatModel for RemoteChat {
    fn name(&self) -> &str {
        &self.service.model
    }

    fn window(&self) -> u64 {
        self.service.window
    }

    fn answer(&self, request: &Request<'_>, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Error> {
        let (path, body) = match self.service.protocol {
            ChatProtocol::OpenAi => ("chat/completions", openai::body(&self.service.model, request)),
            ChatProtocol::Anthropic => ("v1/messages", anthropic::body(&self.service.model, request)),
        };
        match self.tried(path, &body, on_text) {
            // The newer models of one provider have another name for the longest answer.
            Err(Error::Refused { message, .. }) if message.contains("max_completion_tokens") => {
                self.tried(path, &openai::renamed(body), on_text)
            }
            answered => answered,
        }
    }
}

impl RemoteChat {
    /// Retries what may pass, unless a part of the answer has been shown already.
    fn tried(&self, path: &str, body: &Value, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Error> {
        let mut shown = false;
        let answered = retry::retrying(&*self.transport.pace, None, || {
            let mut show = |text: &str| {
                shown = true;
                on_text(text);
            };
            let asked = self.streamed(path, body, &mut show).map_err(judged);
            if shown { Ok(asked) } else { asked.map(Ok) }
        });
        answered?
    }

    fn streamed(&self, path: &str, body: &Value, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Error> {
        let mut building = PartialReply::default();
        self.transport.lines(&HttpCall::json(path, body), |line| {
            let Some(event) = stream::event(line) else { return Ok(()) };
            let event: Value =
                serde_json::from_str(event).map_err(|error| self.transport.malformed(&error.to_string()))?;
            if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
                return Err(self.failed(error));
            }
            let text = match self.service.protocol {
                ChatProtocol::OpenAi => openai::take(&event, &mut building),
                ChatProtocol::Anthropic => anthropic::take(&event, &mut building),
            };
            if !text.is_empty() {
                on_text(&text);
            }
            Ok(())
        })?;
        building.finish().map_err(|what| self.transport.malformed(&what))
    }

    /// An error in the middle of an answer.
    fn failed(&self, error: &Value) -> Error {
        let at = self.transport.at();
        let kind = error["type"].as_str().unwrap_or_default();
        let message = self.transport.clean(error["message"].as_str().unwrap_or(kind));
        match kind {
            "overloaded_error" | "rate_limit_error" => Error::Busy { at, message, again_in: None },
            "invalid_request_error" => Error::Refused { at, status: 400, message },
            _ => Error::Failed { at, status: 500, message },
        }
    }
}

/// Reads an error for a conversation: some refusals mean that it is too long.
fn judged(error: Error) -> Error {
    const PHRASES: &[&str] = &[
        "context length", "context_length", "context window", "context size", "prompt is too long",
        "input is too long", "too many tokens", "maximum number of tokens", "request too large",
        "exceeds the maximum",
    ];
    let too_long = |message: &str| {
        let lower = message.to_lowercase();
        PHRASES.iter().any(|phrase| lower.contains(phrase))
    };
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other error means the same here as elsewhere")]
    match error {
        Error::Refused { at, message, .. } | Error::Failed { at, message, .. } if too_long(&message) => {
            Error::Overflow { at, message }
        }
        Error::Malformed { at, what } => Error::Broken { at, what },
        other => other,
    }
}
