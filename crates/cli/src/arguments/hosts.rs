//! The arguments of the commands that put mindfile into other programs.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use mindfile_hosts::host::{self, HOSTS, Host};

use super::examples;

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = examples::INSTALL)]
pub(crate) struct Install {
    /// The program to put it into
    #[arg(value_parser = hosts(), value_name = "HOST")]
    pub(crate) host: &'static Host,
    /// Take it out again: the files become what they were
    #[arg(long)]
    pub(crate) uninstall: bool,
    /// For this project alone instead of everywhere; of git, the folder of notes
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

/// The hosts by name.
fn hosts() -> impl TypedValueParser<Value = &'static Host> {
    named(|_| true)
}

/// Those that may call a hook.
fn callers() -> impl TypedValueParser<Value = &'static Host> {
    named(|host| !host.is_for_notes())
}

fn named(is_meant: fn(&Host) -> bool) -> impl TypedValueParser<Value = &'static Host> {
    let names = PossibleValuesParser::new(HOSTS.iter().filter(|host| is_meant(host)).map(|host| host.name));
    names.try_map(|name| Host::named(&name).ok_or("no such host"))
}

// As git's `%O %A %B %P %L`. (No doc comment: it would be the help text.)
#[derive(Debug, Args)]
#[command(after_help = examples::MERGE_DRIVER)]
pub(crate) struct MergeDriver {
    /// The version that both sides began with
    pub(crate) base: PathBuf,
    /// Our version; it becomes the merged one
    pub(crate) ours: PathBuf,
    /// Their version
    pub(crate) theirs: PathBuf,
    /// The name of the note in the repository
    pub(crate) note: String,
    /// How many characters a conflict's mark has
    #[arg(default_value_t = 7)]
    pub(crate) marker: usize,
}

#[derive(Debug, Args)]
#[command(after_help = examples::HOOK)]
pub(crate) struct Hook {
    /// What happened
    #[arg(value_enum)]
    pub(crate) event: Event,
    /// The program that calls
    #[arg(long, value_parser = callers(), default_value = "claude-code")]
    pub(crate) host: &'static Host,
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
    /// The conversation was summarised: what came too late before that is saved
    PostCompact,
    /// The agent has answered: the turn is written down
    Stop,
    /// A sub-agent has answered: what its tools said is no agent's word from now on
    SubagentStop,
    /// The conversation is over: what matters in it is saved
    SessionEnd,
}

impl From<Event> for host::Event {
    fn from(event: Event) -> Self {
        match event {
            Event::SessionStart => Self::SessionStart,
            Event::PromptSubmit => Self::PromptSubmit,
            Event::PreCompact => Self::PreCompact,
            Event::PostCompact => Self::PostCompact,
            Event::Stop => Self::Stop,
            Event::SubagentStop => Self::SubagentStop,
            Event::SessionEnd => Self::SessionEnd,
        }
    }
}
