//! Taking over what other memories hold: notes as notes, conversations as transcripts, single memories as facts. Nothing
//! that is there is overwritten, everything says where it comes from, and a second run writes nothing.

mod chatgpt;
mod error;
mod facts;
mod items;
mod jsonl;
mod ledger;
mod mem0;
mod notes;
mod report;
mod talks;

use std::ops::ControlFlow;
use std::path::Path;

pub use error::Error;
pub use report::{Bad, Report, Tally};

use crate::audit::{Act, Record, What};
use crate::corpus::Corpus;
use crate::error::Error as MemoryError;
use crate::host::Host;
use crate::workspace::Workspace;
use ledger::Ledger;

/// What is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    OpenClaw,
    ClaudeCode,
    Codex,
    ChatGpt,
    Mem0,
    Obsidian,
    /// What `export --jsonl` wrote.
    Jsonl,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenClaw => Host::OpenClaw.as_str(),
            Self::ClaudeCode => Host::ClaudeCode.as_str(),
            Self::Codex => Host::Codex.as_str(),
            Self::ChatGpt => "chatgpt",
            Self::Mem0 => "mem0",
            Self::Obsidian => "obsidian",
            Self::Jsonl => "jsonl",
        }
    }
}

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Write,
    Preview,
}

/// A run under way.
struct Work<'a> {
    memory: &'a Corpus,
    workspace: Workspace,
    kind: Kind,
    mode: Mode,
    ledger: Ledger,
    facts: facts::Pending,
    report: Report,
}

impl Corpus {
    /// Takes over what is at `path`.
    pub fn import(&self, kind: Kind, path: &Path, mode: Mode) -> Result<Report, MemoryError> {
        if !path.exists() {
            return Err(Error::Missing { path: path.to_owned() }.into());
        }
        self.refuse_own(path)?;
        let mut work = Work {
            memory: self,
            workspace: self.workspace()?,
            kind,
            mode,
            ledger: Ledger::open(&self.settings.state_dir, self.settings.agent.as_str())?,
            facts: facts::Pending::default(),
            report: Report::default(),
        };
        work.run(path)?;
        work.write_facts()?;
        if mode == Mode::Write && work.report.is_anything_new() {
            self.sync(&mut |_| ControlFlow::Continue(()))?;
            self.audit(&Record { act: Act::Import, what: What::Note, id: Some(kind.as_str()), text: None });
        }
        Ok(work.report)
    }

    /// A memory that is taken over into itself would double at each run.
    fn refuse_own(&self, path: &Path) -> Result<(), MemoryError> {
        let real = |path: &Path| path.canonicalize().ok();
        let own =
            [&self.settings.state_dir, &self.settings.workspace].into_iter().filter_map(|own| real(own));
        match real(path) {
            Some(path) if own.into_iter().any(|own| own == path) => Err(Error::Own { path }.into()),
            Some(_) | None => Ok(()),
        }
    }
}

impl Work<'_> {
    fn run(&mut self, path: &Path) -> Result<(), MemoryError> {
        match self.kind {
            Kind::OpenClaw => self.openclaw(path),
            Kind::ClaudeCode | Kind::Codex => self.agent_home(path),
            Kind::ChatGpt => self.chatgpt(path),
            Kind::Mem0 => self.mem0(path),
            Kind::Obsidian => self.vault(path),
            Kind::Jsonl => self.jsonl(path),
        }
    }
}
