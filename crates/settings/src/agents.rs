//! The agents that files name, and which of them is meant.

use std::fmt;

use serde_json::{Map, Value};

use crate::document::{Document, Role, join};
use crate::error::Error;
use crate::kind::type_name;
use crate::origin::{Origin, Warning, shown};

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
    /// Where it stands in the file, such as `agents.list[0]`.
    pub(crate) at: String,
    pub(crate) object: &'a Map<String, Value>,
    default: bool,
}

/// The agents of a file, in its order.
pub(crate) fn entries<'a>(
    document: &'a Document,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<AgentEntry<'a>>, Error> {
    let Some(agents) = object(document, "agents", document.root.get("agents"))? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for (at, id, value) in named(document, agents)? {
        let Some(object) = object(document, &at, Some(value))? else { continue };
        match AgentId::parse(&id) {
            Some(id) => {
                found.push(AgentEntry { id, default: is_default(document, &at, object)?, at, object })
            }
            None => report_bad_id(document, at, id, warnings)?,
        }
    }
    Ok(found)
}

/// The agent that is meant when none is named.
pub(crate) fn default_agent(openclaw: &[AgentEntry<'_>], mindfile: &[AgentEntry<'_>]) -> AgentId {
    let marked = |entries: &[AgentEntry<'_>]| entries.iter().find(|e| e.default).map(|e| e.id.clone());
    let first = |entries: &[AgentEntry<'_>]| entries.first().map(|e| e.id.clone());
    marked(mindfile)
        .or_else(|| marked(openclaw))
        .or_else(|| first(openclaw))
        .or_else(|| first(mindfile))
        .unwrap_or_default()
}

/// All agents that files name, sorted; none if they name none.
pub(crate) fn known<'a>(entries: impl Iterator<Item = &'a AgentEntry<'a>>) -> Vec<AgentId> {
    let mut ids: Vec<AgentId> = entries.map(|entry| entry.id.clone()).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Refuses an agent that the files do not name, if they name any.
pub(crate) fn check_known(agent: &AgentId, known: &[AgentId]) -> Result<(), Error> {
    if known.is_empty() || known.contains(agent) {
        return Ok(());
    }
    Err(Error::UnknownAgent { id: agent.to_string(), known: known.iter().map(AgentId::to_string).collect() })
}

/// An object at a place where nothing else makes sense.
pub(crate) fn object<'a>(
    document: &Document,
    at: &str,
    value: Option<&'a Value>,
) -> Result<Option<&'a Map<String, Value>>, Error> {
    match value {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(other) => Err(wrong(document, at, type_name(other).to_owned(), "an object")),
    }
}

/// An error about the value at a place of a file.
pub(crate) fn wrong(document: &Document, at: &str, value: String, allowed: impl fmt::Display) -> Error {
    let origin = Origin::File { path: document.file.clone(), at: at.to_owned() };
    Error::BadValue { origin, key: at.to_owned(), value, allowed: allowed.to_string() }
}

type AgentValue<'a> = (String, String, &'a Value);

fn named<'a>(document: &Document, agents: &'a Map<String, Value>) -> Result<Vec<AgentValue<'a>>, Error> {
    let mut found = listed(document, agents)?;
    if let Some(entries) = object(document, "agents.entries", agents.get("entries"))? {
        found.extend(entries.iter().map(|(id, value)| (join("agents.entries", id), id.clone(), value)));
    }
    Ok(found)
}

fn listed<'a>(document: &Document, agents: &'a Map<String, Value>) -> Result<Vec<AgentValue<'a>>, Error> {
    let list = match agents.get("list") {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => {
            return Err(wrong(document, "agents.list", type_name(other).to_owned(), "a list of objects"));
        }
    };
    let mut found = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let at = format!("agents.list[{i}]");
        match value.get("id") {
            Some(Value::String(id)) => found.push((at, id.clone(), value)),
            Some(other) => return Err(wrong(document, &join(&at, "id"), shown(other), "a string")),
            None => return Err(wrong(document, &at, "without an id".to_owned(), "an object with an id")),
        }
    }
    Ok(found)
}

fn is_default(document: &Document, at: &str, object: &Map<String, Value>) -> Result<bool, Error> {
    match object.get("default") {
        None => Ok(false),
        Some(Value::Bool(default)) => Ok(*default),
        Some(other) => Err(wrong(document, &join(at, "default"), shown(other), "true or false")),
    }
}

fn report_bad_id(
    document: &Document,
    at: String,
    id: String,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let file = document.file.clone();
    match document.role {
        Role::OpenClaw => {
            let message = format!("{at}: {id:?} is not an agent id; this agent is left out");
            warnings.push(Warning { file, key: at, message });
            Ok(())
        }
        Role::Mindfile | Role::Workspace => {
            Err(Error::BadAgent { origin: Origin::File { path: file, at }, id })
        }
    }
}
