//! What can be typed. Help texts and examples are part of the product: each command shows how it is used.

mod chat;
mod commands;
mod controls;
mod examples;
mod facts;
mod heartbeat;
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
pub(crate) use hosts::{Hook, Install};
pub(crate) use moving::{Backup, Export, Import, Restore};
pub(crate) use private::{Decrypt, Encrypt, Rekey};
pub(crate) use recall::{Recall, Reflect};
pub(crate) use serve::{Mcp, Serve};
pub(crate) use session::{FlushCheck, Session, SessionAppend, SessionCommand};
pub(crate) use shell::{Completions, Man};
pub(crate) use trust::{Anchor, Audit, AuditCommand, Policy, PolicyCommand};
pub(crate) use values::Every;

/// Plain-Markdown memory for AI agents: index, search and read notes that stay yours.
#[derive(Debug, Parser)]
#[command(name = "mindfile", version, propagate_version = true, disable_help_subcommand = true)]
#[command(arg_required_else_help = true, subcommand_required = true, after_help = examples::MINDFILE)]
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
    /// Make a workspace: MEMORY.md, SOUL.md and memory/; never overwrites
    Init(Init),
    /// A guided tour on a sample workspace that comes with the program
    Demo(Demo),
    /// Bring the index up to date with the notes
    Index(Index),
    /// Keep the index up to date until stopped
    #[command(after_help = examples::WATCH)]
    Watch,
    /// Find notes by words and by meaning
    Search(Search),
    /// Print exact lines of a memory file
    Get(Get),
    /// Keep a fact: one line in today's note
    Retain(Retain),
    /// Remember: facts that answer, then facts that hang together with those
    Recall(Recall),
    /// Consolidate the facts that matter into MEMORY.md and bank/
    Reflect(Reflect),
    /// Upkeep: what is overdue, fading, unconfirmed or left behind
    Heartbeat(Heartbeat),
    /// One fact with its state, its use and its history
    Inspect(Inspect),
    /// Say a fact in other words, or whose word it is
    Edit(Edit),
    /// Make a fact the owner's word
    Trust(Trust),
    /// Forget one fact, everywhere
    Delete(Delete),
    /// Forget: gone from notes, conversations and index, and not coming back
    Forget(Forget),
    /// Whom and what the facts are about
    Entities(Entities),
    /// Conversations: write them down, flush and compact them
    Session(Session),
    /// Talk to a model that remembers: a small agent in the terminal
    Chat(Chat),
    /// Put mindfile into an agent that you use: its MCP server and its hooks
    Install(Install),
    /// What a host calls at each turn; reads its JSON, answers in its format
    Hook(Hook),
    /// Take over what another memory holds; nothing here is overwritten
    Import(Import),
    /// Write out notes and facts
    Export(Export),
    /// Put everything that cannot be made again into one file
    Backup(Backup),
    /// Put a backup back, or prove that it can be
    Restore(Restore),
    /// Answer other programs by HTTP, and show a page
    Serve(Serve),
    /// Be the memory of an agent, by the Model Context Protocol over stdin and stdout
    Mcp(Mcp),
    /// Make notes private: encrypted on the disk, in memory/private/
    Encrypt(Encrypt),
    /// Make a private note an ordinary one
    Decrypt(Decrypt),
    /// Another key for all private notes
    Rekey(Rekey),
    /// Say what is indexed, and how
    Status(Status),
    /// Check notes, index, settings and disk
    Doctor(Doctor),
    /// What may be stored and shown, and what the rules find in a text
    Policy(Policy),
    /// Who wrote what and who saw what is sensitive, in a log that shows when it was changed
    Audit(Audit),
    /// Show and change the settings
    Config(Config),
    /// A script that lets a shell complete commands and options
    Completions(Completions),
    /// The manual, as man reads it
    Man(Man),
    /// Measure how well your notes are found
    Eval(Eval),
}
