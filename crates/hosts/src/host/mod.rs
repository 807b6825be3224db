//! The agents that people already use: where each keeps its settings, and the format of its hooks and transcripts. This
//! module only translates; what a memory does is decided elsewhere.

mod call;
mod entries;
mod git;
pub mod hook;
pub mod install;
mod journal;
mod json;
pub mod log;
mod places;
mod plugin;
mod record;
mod reply;
mod spec;
#[cfg(test)]
mod tests;
mod toml;
mod turn;
mod yaml;

pub use call::Call;
pub(crate) use call::session_named;
pub(crate) use journal::known_turns;
pub use places::{Places, Program};
pub use record::connected;
pub use reply::reply;
pub use spec::{HOSTS, Host};
pub use turn::Turn;
pub(crate) use turn::{Telling, of_line as turn_of_line};

mindfile_note::word_enum! {
    /// A moment in the life of a conversation at which a host calls.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Event {
        SessionStart = "session-start",
        PromptSubmit = "prompt-submit",
        PreCompact = "pre-compact",
        PostCompact = "post-compact",
        Stop = "stop",
        SubagentStop = "subagent-stop",
        SessionEnd = "session-end",
    }
}
