//! The agents that files name, and which of them the settings are for.

use std::fmt;

use crate::document::{Document, FileRole, Node};
use crate::error::Error;
use crate::origin::Warning;

/// The name of an agent: safe as a part of a file name, the same in any case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId(String);

impl AgentId {
    /// The id, in lower case, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        const LONGEST: usize = 64;
        let fits = (1..=LONGEST).contains(&text.len());
        let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric());
        let holds = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        (fits && starts && holds).then(|| Self(text.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for AgentId {
    fn default() -> Self {
        Self("main".to_owned())
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a file says about one agent.
pub(crate) struct AgentEntry<'a> {
    pub(crate) id: AgentId,
    pub(crate) node: Node<'a>,
    is_default: bool,
}

/// The agents of a file, in its order.
pub(crate) fn entries<'a>(
    document: &'a Document,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<AgentEntry<'a>>, Error> {
    let mut found = Vec::new();
    for (name, node) in named(document)? {
        node.check_object()?;
        let flag = node.child("default");
        let is_default = flag.map(|flag| flag.value.as_bool().ok_or_else(|| flag.wrong("true or false")));
        let is_default = is_default.transpose()?.unwrap_or_default();
        match AgentId::parse(name) {
            Some(id) => found.push(AgentEntry { id, node, is_default }),
            None if document.role == FileRole::OpenClaw => {
                let message = format!("{}: {name:?} is not an agent id; this agent is left out", node.at);
                warnings.push(document.warning(&node.at, message));
            }
            None => return Err(Error::BadAgent { origin: node.origin(), id: name.to_owned() }),
        }
    }
    Ok(found)
}

/// Each agent's name, and its entry.
fn named(document: &Document) -> Result<Vec<(&str, Node<'_>)>, Error> {
    let mut found = Vec::new();
    let Some(agents) = document.root().child("agents") else { return Ok(found) };
    if let Some(list) = agents.child("list") {
        let items = list.value.as_array().ok_or_else(|| list.wrong_type("a list of objects"))?;
        for (i, value) in items.iter().enumerate() {
            let node = Node { document, at: format!("{}[{i}]", list.at), value };
            let missing = || node.refused("without an id".to_owned(), "an object with an id");
            let id = node.child("id").ok_or_else(missing)?;
            found.push((id.value.as_str().ok_or_else(|| id.wrong("a string"))?, node));
        }
    }
    if let Some(entries) = agents.child("entries") {
        found.extend(entries.children()?);
    }
    Ok(found)
}

/// The agent that is used when none is named.
pub(crate) fn default_agent(openclaw: &[AgentEntry<'_>], mindfile: &[AgentEntry<'_>]) -> AgentId {
    let marked = |entries: &'_ [AgentEntry<'_>]| entries.iter().find(|e| e.is_default).map(|e| e.id.clone());
    let first = |entries: &'_ [AgentEntry<'_>]| entries.first().map(|e| e.id.clone());
    let marked = [mindfile, openclaw].into_iter().find_map(marked);
    marked.or_else(|| [openclaw, mindfile].into_iter().find_map(first)).unwrap_or_default()
}

/// All agents that files name, sorted. If they name any, the wanted one must be among them.
pub(crate) fn known<'a>(
    entries: impl Iterator<Item = &'a AgentEntry<'a>>,
    wanted: &AgentId,
) -> Result<Vec<AgentId>, Error> {
    let mut ids: Vec<AgentId> = entries.map(|entry| entry.id.clone()).collect();
    ids.sort();
    ids.dedup();
    if ids.is_empty() || ids.contains(wanted) {
        return Ok(ids);
    }
    Err(Error::UnknownAgent { id: wanted.to_string(), known: ids.iter().map(AgentId::to_string).collect() })
}
