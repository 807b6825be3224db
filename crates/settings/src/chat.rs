//! Who is asked where a chat model is wanted.

use mindfile_model::provider::Timeouts;
use mindfile_model::provider::chat::{ChatEndpoint, ChatProtocol};

use crate::provider::usual;
use crate::settings::Chat;

impl Chat {
    /// None where no model is named.
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
