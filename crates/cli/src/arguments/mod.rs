//! What can be typed. Help texts and examples are part of the product: each command shows how it is used.

mod chat;
mod commands;
mod controls;
pub(crate) mod examples;
mod facts;
mod heartbeat;
mod help;
mod hosts;
mod moving;
mod private;
mod reflect;
mod serve;
mod session;
mod shell;
mod values;

use std::path::PathBuf;

use clap::Args;

pub(crate) use chat::{Chat, Model};
pub(crate) use commands::{Config, ConfigCommand, Demo, Eval, EvalCommand, Init, Search, Watch};
pub(crate) use controls::{Delete, Edit, Forget};
pub(crate) use facts::{Entities, Retain};
pub(crate) use heartbeat::Heartbeat;
pub(crate) use help::Help;
pub(crate) use hosts::{Hook, Install, MergeDriver};
pub(crate) use moving::{Export, Import};
pub(crate) use private::Rekey;
pub(crate) use reflect::Reflect;
pub(crate) use serve::{Mcp, Serve, Tools, Which};
pub(crate) use session::{SessionAppend, SessionCompact, SessionFlush};
pub(crate) use shell::{Completions, Man};
pub(crate) use values::Every;

/// What every command takes, anywhere in the line.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Globals {
    /// The directory of notes
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) workspace: Option<PathBuf>,
    /// The directory of settings and indexes
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) state_dir: Option<PathBuf>,
    /// The agent whose memory it is
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) agent: Option<String>,
    /// The engine that keeps the index: builtin, postgres, lancedb or qmd
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) backend: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print results and errors only
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}
