//! The arguments of the commands about conversations.

use clap::{Args, Subcommand};
use mindfile_operations::values::{Chat, Role};

use super::chat::Model;
use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::SESSION)]
pub(crate) struct Session {
    #[command(subcommand)]
    pub(crate) command: SessionCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionCommand {
    /// Write down what was said: on the disk before this returns, and searchable
    #[command(after_help = examples::SESSION_APPEND)]
    Append(SessionAppend),
    /// The conversations of the agent, the newest first
    #[command(after_help = examples::SESSION_LIST)]
    List {
        /// How many at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// What was said
    #[command(after_help = examples::SESSION_SHOW)]
    Show {
        #[command(flatten)]
        session: SessionId,
        /// Also what a compaction stands for, results of tools and hidden messages
        #[arg(long)]
        full: bool,
    },
    /// Exactly what a model would be given next, with the tokens of each part
    #[command(after_help = examples::SESSION_CONTEXT)]
    Context {
        #[command(flatten)]
        session: SessionId,
        /// The model's context window, in tokens
        #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
        context_window: u64,
        /// Who reads along; without it, as sessions.json says
        #[arg(long, value_enum, value_name = "TYPE")]
        chat_type: Option<Chat>,
        /// As for a sub-agent: without the memory section
        #[arg(long)]
        minimal: bool,
        /// The model has no memory tools
        #[arg(long)]
        no_tools: bool,
    },
    /// What rules found in it that may be worth keeping
    #[command(after_help = examples::SESSION_CANDIDATES)]
    Candidates {
        #[command(flatten)]
        session: SessionId,
    },
    /// Whether memory must be flushed before the next turn
    #[command(after_help = examples::SESSION_FLUSH_CHECK)]
    FlushCheck(FlushCheck),
    /// Save what was said since the last flush to the day's note
    #[command(after_help = examples::SESSION_FLUSH)]
    Flush {
        #[command(flatten)]
        session: SessionId,
        #[command(flatten)]
        model: Model,
    },
    /// Flush, then put a summary for the older turns; they stay in the transcript
    #[command(after_help = examples::SESSION_COMPACT)]
    Compact {
        #[command(flatten)]
        session: SessionId,
        /// The model refused the conversation as too long: keep less
        #[arg(long)]
        overflow: bool,
        #[command(flatten)]
        model: Model,
    },
    /// What would be left of old results of tools; the transcript stays as it is
    #[command(after_help = examples::SESSION_PRUNE)]
    Prune {
        #[command(flatten)]
        session: SessionId,
        /// The model's context window, in tokens
        #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
        context_window: u64,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SessionId {
    /// The session
    #[arg(long = "session", value_name = "ID")]
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct SessionAppend {
    #[command(flatten)]
    pub(crate) session: SessionId,
    /// What was said; without it, JSON messages are read from standard input, one a line
    #[arg(value_name = "TEXT")]
    pub(crate) words: Vec<String>,
    /// Who said it
    #[arg(long, value_enum, value_name = "ROLE", default_value = "user")]
    pub(crate) role: Role,
    /// The name of who said it
    #[arg(long, value_name = "NAME")]
    pub(crate) speaker: Option<String>,
    /// The tool whose result it is
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// The call that it answers
    #[arg(long, value_name = "ID")]
    pub(crate) call_id: Option<String>,
    /// Nobody sees it: not searched, no candidates
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Who reads along
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) chat_type: Option<Chat>,
    /// The model's context window, in tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) context_window: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct FlushCheck {
    #[command(flatten)]
    pub(crate) session: SessionId,
    /// The model's context window, in tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) context_window: u64,
    /// What the provider said that the last prompt took
    #[arg(long, value_name = "N")]
    pub(crate) tokens: Option<u64>,
    /// The turn that is about to be sent, if it is not appended yet
    #[arg(long, value_name = "TEXT")]
    pub(crate) pending: Option<String>,
    /// The turn is a poll that keeps the agent alive
    #[arg(long)]
    pub(crate) heartbeat: bool,
    /// The provider is a command line that compacts by itself
    #[arg(long)]
    pub(crate) cli_provider: bool,
}
