//! ChatGPT's export: `conversations.json`, a list of conversations. Each is a tree of messages, of which one path is
//! current.

use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use super::Work;
use super::items;
use super::notes::nothing;
use crate::Error;
use crate::host::{Turn, session_named};
use mindfile::session::Role;
use mindfile_disk::tree;

impl Work<'_> {
    pub(super) fn chatgpt(&mut self, root: &Path) -> Result<(), Error> {
        let takes = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("conversations") && name.ends_with(".json")
        };
        let found = tree::files(root, &|name| !name.starts_with('.'), &takes)?;
        if found.is_empty() {
            return Err(nothing(root, "no conversations.json is in it; unpack the export first"));
        }
        for path in found {
            self.conversations(&path)?;
        }
        Ok(())
    }

    fn conversations(&mut self, path: &Path) -> Result<(), Error> {
        let mut failed = None;
        let mut number = 0;
        let read = items::each(path, &["conversations"], &mut |conversation| {
            number += 1;
            if failed.is_some() {
                return;
            }
            match turns(&conversation) {
                None => self.report.bad(path, Some(number), "it is no conversation"),
                Some((id, turns)) => {
                    let session = session_named(self.source.name, Some(&id));
                    failed = self.talk(&session, turns).err();
                }
            }
        });
        if let Err(what) = read {
            self.report.bad(path, None, what);
        }
        failed.map_or(Ok(()), Err)
    }
}

/// The id of a conversation, and what was said on the path that counts.
fn turns(conversation: &Value) -> Option<(String, Vec<Turn>)> {
    let id = ["conversation_id", "id"].iter().find_map(|name| conversation[*name].as_str())?;
    let mapping = conversation["mapping"].as_object()?;
    let mut node = conversation["current_node"].as_str();
    let mut turns = Vec::new();
    // A path has no more steps than there are nodes, whatever their parents say.
    for _ in 0..=mapping.len() {
        let Some(at) = node.and_then(|name| mapping.get(name)) else { break };
        turns.extend(turn(&at["message"]));
        node = at["parent"].as_str();
    }
    turns.reverse();
    Some((id.to_owned(), turns))
}

fn turn(message: &Value) -> Option<Turn> {
    let role = match message["author"]["role"].as_str()? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let hidden = message["metadata"]["is_visually_hidden_from_conversation"].as_bool().unwrap_or(false);
    let to_tool = message["recipient"].as_str().is_some_and(|to| to != "all");
    let kind = message["content"]["content_type"].as_str()?;
    if hidden || to_tool || !matches!(kind, "text" | "multimodal_text") {
        return None;
    }
    let parts = message["content"]["parts"].as_array()?;
    let text = parts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n").trim().to_owned();
    if text.is_empty() {
        return None;
    }
    let at =
        message["create_time"].as_f64().and_then(|at| Timestamp::from_millisecond((at * 1000.0) as i64).ok());
    Some(Turn { role, text, id: message["id"].as_str()?.to_owned(), at, end: 0 })
}
