//! Models that go on with a conversation, for those who bring one or choose one.

#[expect(clippy::module_name_repetitions, reason = "a model alone could be of embeddings")]
pub use mindfile_model::chat::{Call, ChatModel, Reply, Request, Tool, Turn, Usage};
#[expect(
    clippy::module_name_repetitions,
    reason = "an endpoint or a protocol alone could be of embeddings"
)]
pub use mindfile_model::provider::chat::{ChatEndpoint, ChatProtocol};
pub use mindfile_model::provider::{Secret, Timeouts};

use std::sync::Arc;

use crate::error::Error;
use crate::memory::Memory;

impl Memory {
    /// The model of a service.
    pub fn chat_model(&self, service: ChatEndpoint) -> Result<Box<dyn ChatModel>, Error> {
        Ok(mindfile_model::provider::chat::open(service, Arc::clone(&self.pace))?)
    }
}
