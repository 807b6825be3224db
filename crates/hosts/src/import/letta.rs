//! An agent file of Letta's (`.af`): blocks of its memory as notes, its messages as a conversation.

use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use super::Work;
use super::notes::{Naming, nothing};
use crate::Error;
use crate::host::{Turn, session_named};
use mindfile::session::Role;
use mindfile_workspace::NOTE_LIMIT;

impl Work<'_> {
    pub(super) fn letta(&mut self, path: &Path) -> Result<(), Error> {
        let io = mindfile_disk::Error::at(path);
        if path.metadata().map_err(&io)?.len() > 16 * NOTE_LIMIT {
            return Err(nothing(path, "it is longer than 256 MiB"));
        }
        let read = std::fs::read(path).map_err(&io)?;
        let Ok(file) = serde_json::from_slice::<Value>(&read) else {
            return Err(nothing(path, "it is no agent file in JSON"));
        };
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        // Newer files hold several agents that share blocks; older ones are one agent.
        let agents: Vec<&Value> =
            file["agents"].as_array().map_or_else(|| vec![&file], |all| all.iter().collect());
        let shared = ["blocks", "core_memory"].iter().filter_map(|name| file[*name].as_array()).flatten();
        for block in shared {
            self.letta_block(path, &stem, block)?;
        }
        for agent in agents {
            let name = ["id", "name"].iter().find_map(|name| agent[*name].as_str()).unwrap_or(&stem);
            let messages = agent["messages"].as_array().into_iter().flatten();
            let turns = messages.zip(1_u32..).filter_map(|(message, number)| turn(message, number)).collect();
            self.talk(&session_named(self.source.name, Some(name)), turns)?;
        }
        Ok(())
    }

    fn letta_block(&mut self, path: &Path, stem: &str, block: &Value) -> Result<(), Error> {
        let (Some(label), Some(value)) = (block["label"].as_str(), block["value"].as_str()) else {
            self.report.bad(path, None, "a block has no label or no value");
            return Ok(());
        };
        if value.trim().is_empty() {
            return Ok(());
        }
        let text = format!("# {label}\n\n{}\n", value.trim_end());
        let fits = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
        let [stem, label] = [stem, label].map(|name| name.chars().map(fits).take(80).collect::<String>());
        self.note(path, &format!("{stem}/{label}.md"), text.as_bytes(), Naming::Apart)
    }
}

fn turn(message: &Value, number: u32) -> Option<Turn> {
    let role = match message["role"].as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let parts = message["content"].as_array().into_iter().flatten();
    let parts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
    let said = match (parts.is_empty(), &message["content"], &message["text"]) {
        (false, ..) => parts.join("\n"),
        (true, Value::String(said), _) | (true, _, Value::String(said)) => said.clone(),
        (true, ..) => return None,
    };
    // What the server told the model of a message: `{"type": "user_message", "message": …}`.
    let wrapped: Option<Value> = serde_json::from_str(&said).ok();
    let is_told = |wrapped: &Value| wrapped["type"].as_str().is_some_and(|kind| kind != "user_message");
    if wrapped.as_ref().is_some_and(is_told) {
        return None;
    }
    let text = wrapped.and_then(|wrapped| Some(wrapped["message"].as_str()?.to_owned())).unwrap_or(said);
    let text = text.trim().to_owned();
    if text.is_empty() {
        return None;
    }
    let at: Option<Timestamp> = message["created_at"].as_str().and_then(|at| at.parse().ok());
    let id = message["id"].as_str().map_or_else(|| number.to_string(), str::to_owned);
    Some(Turn { role, text, id, at, end: 0 })
}
