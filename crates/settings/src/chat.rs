//! The service of the chat model.

use mindfile_model::provider::Timeouts;
use mindfile_model::provider::chat::ChatEndpoint;

use crate::settings::Chat;

impl Chat {
    /// None if no model is set.
    pub fn endpoint(&self) -> Option<ChatEndpoint> {
        let model = self.model.clone()?;
        Some(ChatEndpoint {
            protocol: self.protocol,
            base_url: self.base_url.clone().unwrap_or_else(|| self.protocol.base_url().to_owned()),
            model,
            key: self.key.clone(),
            headers: self.headers.clone(),
            window: self.window,
            timeouts: Timeouts { whole: self.timeout, ..ChatEndpoint::TIMEOUTS },
            ca_file: self.ca_file.clone(),
        })
    }
}
