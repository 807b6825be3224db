//! The arguments of the commands that put mindfile into other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mindfile::host;

use super::examples;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = examples::INSTALL)]
pub(crate) struct Install {
    /// The program to put it into
    #[arg(value_enum, value_name = "HOST")]
    pub(crate) host: Host,
    /// Take it out again: the files become what they were
    #[arg(long)]
    pub(crate) uninstall: bool,
    /// For this project alone instead of everywhere
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Into OpenClaw: the MCP server alone, and leave its memory slot as it is
    #[arg(long, conflicts_with = "uninstall")]
    pub(crate) mcp: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// How the host starts mindfile; without it, the name if it is in PATH, else the path of this program
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    ClaudeCode,
    Codex,
    Cursor,
    #[value(name = "openclaw")]
    OpenClaw,
    #[value(name = "vscode")]
    VsCode,
    GeminiCli,
}

impl From<Host> for host::Host {
    fn from(host: Host) -> Self {
        match host {
            Host::ClaudeCode => Self::ClaudeCode,
            Host::Codex => Self::Codex,
            Host::Cursor => Self::Cursor,
            Host::OpenClaw => Self::OpenClaw,
            Host::VsCode => Self::VsCode,
            Host::GeminiCli => Self::GeminiCli,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = examples::HOOK)]
pub(crate) struct Hook {
    /// What happened
    #[arg(value_enum)]
    pub(crate) event: Event,
    /// The program that calls
    #[arg(long, value_enum, default_value_t = Host::ClaudeCode)]
    pub(crate) host: Host,
    /// Milliseconds after which an empty answer is given; without it, MINDFILE_HOOK_TIME_LIMIT, else 2000
    #[arg(long, value_name = "MS")]
    pub(crate) time_limit: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Event {
    /// A conversation begins: what is known of the person is given
    SessionStart,
    /// The person said something: what bears on it is given
    PromptSubmit,
    /// The conversation is about to be summarised: what matters in it is saved
    PreCompact,
    /// The agent has answered: the turn is written down
    Stop,
    /// The conversation is over: what matters in it is saved
    SessionEnd,
}

impl From<Event> for host::Event {
    fn from(event: Event) -> Self {
        match event {
            Event::SessionStart => Self::SessionStart,
            Event::PromptSubmit => Self::PromptSubmit,
            Event::PreCompact => Self::PreCompact,
            Event::Stop => Self::Stop,
            Event::SessionEnd => Self::SessionEnd,
        }
    }
}
