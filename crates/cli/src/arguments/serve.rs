//! The arguments of serve and mcp.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mindfile_operations::values::Chat;

use super::examples;
use super::values::Every;

#[derive(Debug, Args)]
#[command(after_help = examples::SERVE)]
pub(crate) struct Serve {
    /// The address to listen at; without it, as memory.server.host says
    #[arg(long, value_name = "IP", conflicts_with = "socket")]
    pub(crate) host: Option<IpAddr>,
    /// The port; 0 lets the system choose one
    #[arg(long, value_name = "N", conflicts_with = "socket")]
    pub(crate) port: Option<u16>,
    /// Listen at a socket in the file system instead, for processes of the same user
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// Listen where other machines can reach it, though nothing is encrypted
    #[arg(long, conflicts_with = "socket")]
    pub(crate) insecure_http: bool,
    /// The time between two passes of upkeep, as `mindfile heartbeat` makes them
    #[arg(long, value_name = "TIME", default_value = "30m")]
    pub(crate) heartbeat: Every,
    /// No upkeep
    #[arg(long, conflicts_with = "heartbeat")]
    pub(crate) no_heartbeat: bool,
    /// End when the standard input is closed, as it is when the program that started this one ends
    #[arg(long)]
    pub(crate) attached: bool,
    #[command(flatten)]
    pub(crate) offer: Tools,
    /// Who reads along where a request does not say it; a group never gets MEMORY.md
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) chat_type: Option<Chat>,
}

/// What agents are offered.
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// Which tools an agent is shown: search, get, retain and forget, or all of them
    #[arg(long, value_enum, value_name = "WHICH", default_value = "usual")]
    pub(crate) tools: Which,
    /// Describe the answers of tools as well, and give them whole
    #[arg(long)]
    pub(crate) output_schema: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    Usual,
    All,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MCP)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) offer: Tools,
    /// Who reads along where a call does not say it; a group never gets MEMORY.md
    #[arg(long, value_enum, value_name = "TYPE")]
    pub(crate) chat_type: Option<Chat>,
}
