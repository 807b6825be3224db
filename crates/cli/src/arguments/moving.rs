//! The arguments of the commands that bring memories in, take them out and keep copies.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mindfile::import;

use super::examples;

#[derive(Debug, Args)]
#[command(after_help = examples::IMPORT)]
pub(crate) struct Import {
    /// Whose memory it is
    #[arg(value_enum)]
    pub(crate) from: ImportKind,
    /// The file or folder
    pub(crate) path: PathBuf,
    /// Only say what would be taken over
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// It is your own: take it for the owner's word, under the names that it has
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportKind {
    /// A home or a workspace of OpenClaw's
    #[value(name = "openclaw")]
    OpenClaw,
    /// Transcripts and memory files of Claude Code
    ClaudeCode,
    /// Transcripts and memory files of Codex
    Codex,
    /// An unpacked export of ChatGPT
    #[value(name = "chatgpt")]
    ChatGpt,
    /// Memories of mem0, as JSON or JSON lines
    Mem0,
    /// A vault, or any folder of Markdown
    Obsidian,
    /// What `export --jsonl` wrote
    Jsonl,
}

impl From<ImportKind> for import::Kind {
    fn from(kind: ImportKind) -> Self {
        match kind {
            ImportKind::OpenClaw => Self::OpenClaw,
            ImportKind::ClaudeCode => Self::ClaudeCode,
            ImportKind::Codex => Self::Codex,
            ImportKind::ChatGpt => Self::ChatGpt,
            ImportKind::Mem0 => Self::Mem0,
            ImportKind::Obsidian => Self::Obsidian,
            ImportKind::Jsonl => Self::Jsonl,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = examples::EXPORT)]
#[command(group = clap::ArgGroup::new("shape").required(true))]
pub(crate) struct Export {
    /// Notes and facts, one JSON object a line
    #[arg(long, group = "shape")]
    pub(crate) jsonl: bool,
    /// One Markdown document
    #[arg(long, group = "shape")]
    pub(crate) markdown: bool,
    /// Write to this file instead of printing
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::BACKUP)]
pub(crate) struct Backup {
    /// The archive; without it, mindfile-<agent>-<day>.tar.zst here
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::RESTORE)]
pub(crate) struct Restore {
    /// The archive
    pub(crate) file: PathBuf,
    /// Prove it: restore into a temporary folder, compare every byte and the answers, write nothing here
    #[arg(long, conflicts_with_all = ["into", "force"])]
    pub(crate) verify: bool,
    /// Restore into this folder instead of the places in use
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Overwrite files that differ
    #[arg(long)]
    pub(crate) force: bool,
}
