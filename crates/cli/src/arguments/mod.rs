//! What can be typed. Help texts and examples are part of the product: each command shows how it is used.

mod chat;
mod commands;
mod controls;
mod examples;
mod facts;
mod heartbeat;
pub(crate) mod help;
mod hosts;
mod moving;
mod private;
mod recall;
mod serve;
mod session;
mod shell;
mod trust;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use chat::{Chat, Model};
pub(crate) use commands::{
    Config, ConfigCommand, Demo, Doctor, Eval, EvalCommand, Get, Index, Init, Search, Status,
};
pub(crate) use controls::{Delete, Edit, Forget, Sure, Trust};
pub(crate) use facts::{Entities, Inspect, Retain, Salience};
pub(crate) use heartbeat::Heartbeat;
pub(crate) use help::Help;
pub(crate) use hosts::{Hook, Install};
pub(crate) use moving::{Backup, Export, Import, Restore};
pub(crate) use private::{Decrypt, Encrypt, Rekey};
pub(crate) use recall::{Recall, Reflect};
pub(crate) use serve::{Mcp, Serve};
pub(crate) use session::{FlushCheck, Session, SessionAppend, SessionCommand};
pub(crate) use shell::{Completions, Man};
pub(crate) use trust::{Anchor, Audit, AuditCommand, Policy, PolicyCommand};
pub(crate) use values::Every;

/// Plain-Markdown memory for AI agents, in notes that stay yours.
#[derive(Debug, Parser)]
#[command(name = "mindfile", version, propagate_version = true, disable_help_subcommand = true)]
#[command(arg_required_else_help = true, subcommand_required = true, after_help = examples::ALL)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Top,
}

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

/// The options of a command are put together when it is the one that is asked for.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Top {
    #[command(flatten)]
    Plain(Command),
    /// The same commands, as OpenClaw spells them
    #[command(hide = true)]
    Memory(Again),
}

#[derive(Debug, Args)]
pub(crate) struct Again {
    #[command(subcommand)]
    command: Command,
}

impl Top {
    pub(crate) fn command(self) -> Command {
        match self {
            Self::Plain(command) | Self::Memory(Again { command }) => command,
        }
    }
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Make a workspace; nothing is overwritten
    Init(Init),
    /// Take a tour on a sample workspace
    Demo(Demo),
    /// Bring the index up to date with the notes
    Index(Index),
    /// Keep the index up to date until stopped
    #[command(after_help = examples::WATCH)]
    Watch,
    /// Find passages of notes by words and by meaning
    Search(Search),
    /// Print exact lines of a note
    Get(Get),
    /// Keep a fact: one line in today's note
    Retain(Retain),
    /// Find facts that answer, and facts connected with those
    Recall(Recall),
    /// Consolidate the facts that matter into MEMORY.md and bank/
    Reflect(Reflect),
    /// List what is overdue, fading, unconfirmed or left behind
    Heartbeat(Heartbeat),
    /// Show one fact with its state, its use and its history
    Inspect(Inspect),
    /// Reword a fact, or change who it is attributed to
    Edit(Edit),
    /// Mark a fact as confirmed by its owner
    Trust(Trust),
    /// Forget one fact everywhere
    Delete(Delete),
    /// Remove something from notes, conversations and index for good
    Forget(Forget),
    /// List the people and things that facts mention
    Entities(Entities),
    /// Record, flush and compact conversations
    Session(Session),
    /// Talk to a model that remembers, in the terminal
    Chat(Chat),
    /// Connect mindfile to an agent that you use
    Install(Install),
    /// Answer a host's hook; hosts call this at each turn
    Hook(Hook),
    /// Import from another memory; nothing is overwritten
    Import(Import),
    /// Export notes and facts
    Export(Export),
    /// Write one file with everything that cannot be rebuilt
    Backup(Backup),
    /// Restore a backup, or prove that it can be restored
    Restore(Restore),
    /// Serve HTTP, MCP and a page for the browser
    Serve(Serve),
    /// Run as an MCP server over stdin and stdout
    Mcp(Mcp),
    /// Encrypt notes and move them to memory/private/
    Encrypt(Encrypt),
    /// Decrypt a private note
    Decrypt(Decrypt),
    /// Re-encrypt private notes with a new key
    Rekey(Rekey),
    /// Show what is indexed, and how
    Status(Status),
    /// Check notes, index, settings and disk
    Doctor(Doctor),
    /// Show what may be stored, and test a text against the rules
    Policy(Policy),
    /// Show who wrote what and who saw what, in a log that reveals tampering
    Audit(Audit),
    /// Show and change the settings
    Config(Config),
    /// Print a script for completion in a shell
    Completions(Completions),
    /// Print the manual as a man page
    Man(Man),
    /// Measure how well your notes are found
    Eval(Eval),
    /// Explain a command, or list all of them
    Help(Help),
}
