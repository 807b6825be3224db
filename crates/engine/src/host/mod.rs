//! The agents that people use already: where each keeps its settings, and how its hooks and transcripts are spelled.
//! Everything here translates; what a memory does with it is decided elsewhere.

mod call;
mod entries;
mod error;
mod files;
mod hook;
pub mod install;
mod journal;
mod json;
pub mod log;
mod plugin;
mod record;
mod reply;
#[cfg(test)]
mod tests;
mod toml;
mod turn;

pub use call::Call;
pub(crate) use call::{session as session_of, session_named};
pub use error::Error;
pub use files::{Places, Program};
pub use reply::reply;
pub use turn::Turn;
pub(crate) use turn::{Telling, of_line as turn_of_line};

/// A program that talks to a person, and that mindfile can be put into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Host {
    ClaudeCode,
    Codex,
    Cursor,
    OpenClaw,
    VsCode,
    GeminiCli,
}

impl Host {
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Cursor, Self::OpenClaw, Self::VsCode, Self::GeminiCli];

    /// As it is typed, and as it stands in ids.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::OpenClaw => "openclaw",
            Self::VsCode => "vscode",
            Self::GeminiCli => "gemini-cli",
        }
    }

    /// As its makers write it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::OpenClaw => "OpenClaw",
            Self::VsCode => "VS Code",
            Self::GeminiCli => "Gemini CLI",
        }
    }
}

/// A moment in the life of a conversation at which a host calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    SessionStart,
    PromptSubmit,
    PreCompact,
    Stop,
    SessionEnd,
}

impl Event {
    pub const ALL: [Self; 5] =
        [Self::SessionStart, Self::PromptSubmit, Self::PreCompact, Self::Stop, Self::SessionEnd];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionStart => "session-start",
            Self::PromptSubmit => "prompt-submit",
            Self::PreCompact => "pre-compact",
            Self::Stop => "stop",
            Self::SessionEnd => "session-end",
        }
    }
}
