//! The seam between a conversation and the model that continues it.

mod stop;

use serde_json::Value;

pub use stop::stoppable;

use crate::Error;

#[expect(clippy::module_name_repetitions, reason = "a model alone could be of embeddings")]
pub trait ChatModel: Send + Sync {
    /// Names the model.
    fn name(&self) -> &str;

    /// How many tokens fit into one request together with its answer.
    fn window(&self) -> u64;

    /// Answers once. `on_text` gets the text piece by piece as it arrives; the reply holds all of it.
    fn answer(&self, request: &Request<'_>, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Error>;
}

/// What a model is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request<'a> {
    pub system: &'a str,
    pub turns: &'a [Turn],
    pub tools: &'a [Tool],
    /// The longest answer, in tokens.
    pub max_tokens: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    User(String),
    Assistant {
        text: String,
        calls: Vec<Call>,
    },
    /// The result of a call.
    Tool {
        call: String,
        name: String,
        text: String,
        failed: bool,
    },
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    pub name: String,
    pub description: String,
    /// The JSON schema of its arguments.
    pub arguments: Value,
}

/// A call that the model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<Call>,
    pub usage: Option<Usage>,
    /// It was cut off because it was too long.
    pub cut_off: bool,
}

/// Tokens of one answer, as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Input tokens that no cache answered.
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}
