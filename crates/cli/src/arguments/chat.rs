//! The arguments of the commands that talk to a chat model.

use clap::{Args, ValueEnum};
use mindfile::chat::ChatProtocol;

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::CHAT)]
pub(crate) struct Chat {
    /// Go on with this conversation, or begin it under this id
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) model: Model,
}

// Which model is asked. What is not given comes from MINDFILE_CHAT_PROVIDER, MINDFILE_CHAT_MODEL,
// MINDFILE_CHAT_BASE_URL and MINDFILE_CHAT_API_KEY, else from the keys `chat.*` of the settings.
// (No doc comment: it would be the help text of each command that has these options.)
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct Model {
    /// How it is spoken to; openai also means Ollama, llama.cpp, vLLM and OpenRouter
    #[arg(long, value_enum, value_name = "PROVIDER")]
    pub(crate) provider: Option<ChatProvider>,
    /// The name of the model
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Where it is, such as http://localhost:11434/v1
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// A header of one's own, as NAME: VALUE; may be given several times
    #[arg(long, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// The model's context window, in tokens [default: chat.contextWindow, 128000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) context_window: Option<u64>,
    /// Seconds after which an answer is given up [default: chat.timeoutSeconds, 600]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChatProvider {
    Openai,
    Anthropic,
}

impl From<ChatProvider> for ChatProtocol {
    fn from(provider: ChatProvider) -> Self {
        match provider {
            ChatProvider::Openai => Self::OpenAi,
            ChatProvider::Anthropic => Self::Anthropic,
        }
    }
}
