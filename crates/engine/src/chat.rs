//! Models that go on with a conversation, for those who bring one or choose one.

#[expect(clippy::module_name_repetitions, reason = "a model alone could be of embeddings")]
pub use mindfile_model::chat::{Call, ChatModel, Reply, Request, Tool, Turn, Usage, stoppable};
#[expect(
    clippy::module_name_repetitions,
    reason = "an endpoint or a protocol alone could be of embeddings"
)]
pub use mindfile_model::provider::chat::{ChatEndpoint, ChatProtocol};
pub use mindfile_model::provider::{Secret, Timeouts};

use std::sync::Arc;

use crate::corpus::Corpus;
use crate::error::Error;

/// One question without tools, and the text of the answer.
pub(crate) fn ask(
    model: &dyn ChatModel,
    system: &str,
    question: String,
    max_tokens: u64,
) -> Result<String, mindfile_model::Error> {
    let turns = [Turn::User(question)];
    let request = Request { system, turns: &turns, tools: &[], max_tokens };
    Ok(model.answer(&request, &mut |_| {})?.text)
}

/// The model of a service.
pub fn open(corpus: &Corpus, service: ChatEndpoint) -> Result<Box<dyn ChatModel>, Error> {
    Ok(mindfile_model::provider::chat::open(service, Arc::clone(&corpus.pace))?)
}
