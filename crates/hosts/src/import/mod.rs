//! Imports other memories: notes as notes, conversations as transcripts, single memories as facts. Nothing is
//! overwritten, everything records its source, and a second run writes nothing.

mod basic_memory;
mod chatgpt;
mod claude_ai;
mod facts;
mod items;
mod jsonl;
mod ledger;
mod letta;
mod mem0;
mod memory_json;
mod notes;
mod report;
mod talks;

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

pub use report::{BadRow, Report, Tally};

use crate::Error;
use ledger::Ledger;
use mindfile::Corpus;
use mindfile::audit::{Act, Record, What};
use mindfile_workspace::Workspace;

/// A program whose memories can be taken over.
pub struct Source {
    /// As it is typed, and as it stands in ids.
    pub name: &'static str,
    pub about: &'static str,
    take: Importer,
}

/// What takes over what is at a path.
type Importer = fn(&mut Work<'_>, &Path) -> Result<(), Error>;

/// Whoever adds one adds a row here, and nothing elsewhere.
pub static SOURCES: &[Source] = &[
    source("openclaw", "A home or a workspace of OpenClaw's", |work, path| work.openclaw(path)),
    source("claude-code", "Transcripts and memory files of Claude Code", |work, path| work.agent_home(path)),
    source("codex", "Transcripts and memory files of Codex", |work, path| work.agent_home(path)),
    source("chatgpt", "An unpacked export of ChatGPT", |work, path| work.chatgpt(path)),
    source("mem0", "Memories of mem0, as JSON or JSON lines", |work, path| work.mem0(path)),
    source("memory-json", "memory.json of MCP's reference server", |work, path| work.memory_json(path)),
    source("claude-ai", "An unpacked export of claude.ai", |work, path| work.claude_ai(path)),
    source("basic-memory", "A folder of basic-memory; observations become facts", |work, path| {
        work.basic_memory(path)
    }),
    source("letta", "An agent file of Letta's (.af)", |work, path| work.letta(path)),
    source("obsidian", "A vault, or any folder of Markdown", |work, path| work.vault(path)),
    source("jsonl", "An export of mindfile, as JSON lines", |work, path| work.jsonl(path)),
];

const fn source(name: &'static str, about: &'static str, take: Importer) -> Source {
    Source { name, about, take }
}

impl Source {
    pub fn named(name: &str) -> Option<&'static Self> {
        SOURCES.iter().find(|source| source.name == name)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
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
    source: &'static Source,
    mode: Mode,
    ledger: Ledger,
    facts: facts::PendingFacts,
    report: Report,
}

/// Takes over what is at `path`.
pub fn run(corpus: &Corpus, source: &'static Source, path: &Path, mode: Mode) -> Result<Report, Error> {
    if !path.exists() {
        return Err(Error::Missing { path: path.to_owned() });
    }
    refuse_own(corpus, path)?;
    if mode == Mode::Write {
        corpus.settle_in()?;
    }
    let mut work = Work {
        memory: corpus,
        workspace: corpus.workspace()?,
        source,
        mode,
        ledger: Ledger::open(&corpus.settings().state_dir, corpus.settings().agent.as_str())?,
        facts: facts::PendingFacts::default(),
        report: Report::default(),
    };
    (source.take)(&mut work, path)?;
    work.write_facts()?;
    if mode == Mode::Write && work.report.is_anything_new() {
        mindfile::sync(corpus, &mut |_| ControlFlow::Continue(()))?;
        corpus.audit(&Record { act: Act::Import, what: What::Note, id: Some(source.name), text: None });
    }
    Ok(work.report)
}

/// A memory that is taken over into itself would double at each run.
fn refuse_own(corpus: &Corpus, path: &Path) -> Result<(), Error> {
    let real = |path: &Path| path.canonicalize().ok();
    let own =
        [&corpus.settings().state_dir, &corpus.settings().workspace].into_iter().filter_map(|own| real(own));
    match real(path) {
        Some(path) if own.into_iter().any(|own| own == path) => Err(Error::Own { path }),
        Some(_) | None => Ok(()),
    }
}
