//! The tools of the table for a model in a conversation that this program runs itself.

use mindfile::Memory;
use mindfile::chat::{self, Call};
use mindfile::session::{Kit, Toolbox};
use serde_json::Value;

use crate::caller::Caller;
use crate::operation::Entry;
use crate::table::OPERATIONS;

/// In a flush a model only reads; what it wants to keep is added to the day's note.
const FLUSH: [&str; 2] = ["memory_search", "memory_get"];
const CONVERSATION: [&str; 4] = ["memory_search", "memory_get", "memory_retain", "memory_recall"];

pub struct AgentTools<'a> {
    pub memory: &'a Memory,
}

fn offered(kit: Kit) -> impl Iterator<Item = &'static Entry> {
    let names: &[&str] = match kit {
        Kit::Conversation => &CONVERSATION,
        Kit::Flush => &FLUSH,
    };
    OPERATIONS.iter().filter(|entry| entry.tool.is_some_and(|tool| names.contains(&tool.tool.name)))
}

impl Toolbox for AgentTools<'_> {
    fn tools(&self, kit: Kit) -> Vec<chat::Tool> {
        let tool = |entry: &'static Entry| {
            entry.tool.map(|tool| chat::Tool {
                name: tool.tool.name.to_owned(),
                description: tool.tool.about.to_owned(),
                arguments: Value::Object((tool.asked)()),
            })
        };
        if self.memory.check_on().is_err() {
            return Vec::new();
        }
        offered(kit).filter_map(tool).collect()
    }

    fn call(&self, kit: Kit, session: &str, call: &Call) -> Result<String, String> {
        let tool = offered(kit).filter_map(|entry| entry.tool).find(|tool| tool.tool.name == call.name);
        let tool = tool.ok_or_else(|| format!("there is no tool {:?}", call.name))?;
        // The answer is read along by whoever reads that conversation.
        let record = self.memory.sessions().record(session).map_err(|error| error.to_string())?;
        let chat = record.map(|record| record.chat).unwrap_or_default();
        let caller = Caller { session: Some(session), ..Caller::program(self.memory, chat) };
        match (tool.call)(&caller, call.arguments.clone()) {
            Ok(reply) => Ok(reply.text),
            Err(failure) => Err(failure.told()),
        }
    }
}
