//! How a memory stands: what is on the disk, what the index knows of it, and what is in use and why.

mod json;
mod text;

use mindfile_care::status::{self, Status};
use mindfile_hosts::host::{self, HOSTS, Host};

use serde_json::Value;

use crate::operation::prelude::*;

pub use json::AgentStatus;
use json::{HostState, Terminal};

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowStatus {
    /// Compare every note with the index.
    #[arg(long)]
    #[serde(default)]
    pub deep: bool,
}

impl Operation for ShowStatus {
    const ROW: Row = Row::new("status", "Show what is indexed, and how")
        .typed(
            "status",
            "\
Examples:
  mindfile status
  mindfile status --deep         compare every note with the index
  mindfile status --json",
        )
        .http(Http::get("/v1/status"));
    type Answer = Statuses;

    fn run(self, caller: &Caller<'_>) -> Result<Statuses, Failure> {
        Ok(Statuses(vec![AgentStatus::of(caller, self.deep)?]))
    }
}

/// One for each agent; a server has one.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Statuses(pub Vec<AgentStatus>);

impl Answer for Statuses {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let texts: Vec<String> = self.0.iter().map(|one| text::of(&one.of, page)).collect();
        Shown::text(texts.join("\n"))
    }
}

#[derive(Debug, Clone, Copy, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolStatus {
    /// Compare every note with the index.
    #[arg(long)]
    #[serde(default)]
    pub deep: bool,
}

impl Operation for ToolStatus {
    const ROW: Row = Row::new("toolStatus", "Show how this memory stands");
    type Answer = AgentStatus;

    fn run(self, caller: &Caller<'_>) -> Result<AgentStatus, Failure> {
        AgentStatus::of(caller, self.deep)
    }
}

impl ToolOperation for ToolStatus {
    const TOOL: Tool = Tool {
        name: "memory_status",
        title: "State of the memory",
        about: "How many notes, chunks and facts there are, whether the index is up to date, and what is wrong.",
        deed: Deed::Reads,
        fields: &["deep"],
        usual: false,
    };

    fn told(agent: &AgentStatus) -> String {
        let Status { counts, diagnostics, notices, .. } = &agent.of;
        let notes: u64 = counts.sources.iter().map(|source| source.indexed).sum();
        let mut lines = vec![format!(
            "{notes} notes, {} chunks, {} facts, {} entities; the index is {}.",
            counts.chunks.total,
            counts.facts.facts,
            counts.facts.entities,
            if agent.of.is_dirty() { "not up to date (the next search sees to it)" } else { "up to date" }
        )];
        lines.extend(diagnostics.iter().map(|one| format!("{}: {}", one.code.as_str(), one.what)));
        lines.extend(notices.iter().cloned());
        lines.join("\n")
    }

    fn lean(agent: &AgentStatus) -> Value {
        says(Self::told(agent))
    }

    fn given(_: &AgentStatus) -> Vec<GivenPlace> {
        Vec::new()
    }
}

impl AgentStatus {
    fn of(caller: &Caller<'_>, deep: bool) -> Result<Self, Failure> {
        let connected = host::connected(&caller.memory.settings().state_dir)?;
        let state = |host: &Host| HostState {
            name: host.name,
            title: host.title,
            connected: connected.contains(host.name),
        };
        let terminal = Terminal {
            hosts: HOSTS.iter().filter(|host| !host.is_for_notes()).map(state).collect(),
            command: caller.command.map(str::to_owned),
        };
        Ok(Self::new(status::of(caller.memory, deep)?, terminal, caller.spelling))
    }
}

impl Answer for AgentStatus {
    fn shown(&self, page: &Page<'_>) -> Shown {
        Shown::text(text::of(&self.of, page))
    }
}
