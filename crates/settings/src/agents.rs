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
    let mut found = Vec::new();
    for (at, id, value) in named(document)? {
        let Some(object) = object(document, &at, Some(value))? else { continue };
        let default = match object.get("default") {
            None => false,
            Some(Value::Bool(default)) => *default,
            Some(other) => return Err(wrong(document, &join(&at, "default"), shown(other), "true or false")),
        };
        let file = document.file.clone();
        match (AgentId::parse(id), document.role) {
            (Some(id), _) => found.push(AgentEntry { id, default, at, object }),
            (None, Role::OpenClaw) => {
                let message = format!("{at}: {id:?} is not an agent id; this agent is left out");
                warnings.push(Warning { file, key: at, message });
            }
            (None, Role::Mindfile | Role::Workspace) => {
                return Err(Error::BadAgent { origin: Origin::File { path: file, at }, id: id.to_owned() });
            }
        }
    }
    Ok(found)
}

/// Where each agent stands, its name, and its entry.
fn named(document: &Document) -> Result<Vec<(String, &str, &Value)>, Error> {
    const LIST: &str = "agents.list";
    const ENTRIES: &str = "agents.entries";
    let mut found = Vec::new();
    match document.at(&["agents", "list"]) {
        None => {}
        Some(Value::Array(list)) => {
            for (i, value) in list.iter().enumerate() {
                let at = format!("{LIST}[{i}]");
                match value.get("id") {
                    Some(Value::String(id)) => found.push((at, id.as_str(), value)),
                    Some(other) => return Err(wrong(document, &join(&at, "id"), shown(other), "a string")),
                    None => {
                        let value = "without an id".to_owned();
                        return Err(wrong(document, &at, value, "an object with an id"));
                    }
                }
            }
        }
        Some(other) => {
            return Err(wrong(document, LIST, type_name(other).to_owned(), "a list of objects"));
        }
    }
    let entries = object(document, ENTRIES, document.at(&["agents", "entries"]))?;
    let entries = entries.into_iter().flatten();
    found.extend(entries.map(|(id, value)| (join(ENTRIES, id), id.as_str(), value)));
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
