//! The export of claude.ai: `conversations.json`, a list of conversations, and `projects.json`, whose documents are notes.

use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;

use super::notes::{Naming, nothing};
use super::{Work, items};
use crate::Error;
use crate::host::{Turn, session_named};
use mindfile::session::Role;
use mindfile_disk::tree;

impl Work<'_> {
    pub(super) fn claude_ai(&mut self, root: &Path) -> Result<(), Error> {
        let found = tree::files(root, &|name| !name.starts_with('.'), &|path| kind(path).is_some())?;
        if found.is_empty() {
            return Err(nothing(root, "no conversations.json is in it; unpack the export first"));
        }
        for path in found {
            let take = match kind(&path) {
                Some(ExportFile::Conversations) => Self::claude_talk,
                Some(ExportFile::Projects) | None => Self::claude_project,
            };
            self.each_row(&path, take)?;
        }
        Ok(())
    }

    fn each_row(
        &mut self,
        path: &Path,
        take: fn(&mut Self, &Path, &Value) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let (mut number, mut failed) = (0, None);
        let read = items::each(path, &["conversations", "projects"], &mut |row| {
            number += 1;
            if failed.is_none() {
                match take(self, path, &row) {
                    Ok(true) => {}
                    Ok(false) => self.report.bad(path, Some(number), "its form is not known"),
                    Err(error) => failed = Some(error),
                }
            }
        });
        if let Err(what) = read {
            self.report.bad(path, None, what);
        }
        failed.map_or(Ok(()), Err)
    }

    fn claude_talk(&mut self, _: &Path, row: &Value) -> Result<bool, Error> {
        let (Some(id), Some(messages)) = (row["uuid"].as_str(), row["chat_messages"].as_array()) else {
            return Ok(false);
        };
        let turns = messages.iter().filter_map(turn).collect();
        self.talk(&session_named(self.source.name, Some(id)), turns)?;
        Ok(true)
    }

    fn claude_project(&mut self, path: &Path, row: &Value) -> Result<bool, Error> {
        let (Some(id), Some(name)) = (row["uuid"].as_str(), row["name"].as_str()) else { return Ok(false) };
        let prompt = row["prompt_template"].as_str().filter(|text| !text.trim().is_empty());
        if let Some(text) = prompt {
            let text = format!("# {name}\n\n{}\n", text.trim_end());
            self.note(path, &format!("projects/{}.md", plain(name, id)), text.as_bytes(), Naming::Apart)?;
        }
        for doc in row["docs"].as_array().into_iter().flatten() {
            if let (Some(file), Some(text)) = (doc["filename"].as_str(), doc["content"].as_str()) {
                let rest =
                    format!("projects/{}/{}.md", plain(name, id), plain(file.trim_end_matches(".md"), id));
                self.note(path, &rest, text.as_bytes(), Naming::Apart)?;
            }
        }
        Ok(true)
    }
}

enum ExportFile {
    Conversations,
    Projects,
}

fn kind(path: &Path) -> Option<ExportFile> {
    let name = path.file_name().and_then(|name| name.to_str())?.strip_suffix(".json")?;
    match name {
        _ if name.starts_with("conversations") => Some(ExportFile::Conversations),
        _ if name.starts_with("projects") => Some(ExportFile::Projects),
        _ => None,
    }
}

/// A name that a file can have; where nothing is left of it, the id.
fn plain(name: &str, id: &str) -> String {
    let fits = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | ' ') { c } else { '-' };
    let plain: String = name.chars().map(fits).take(80).collect();
    let plain = plain.trim_matches(['-', ' ']).to_owned();
    if plain.is_empty() { id.to_owned() } else { plain }
}

fn turn(message: &Value) -> Option<Turn> {
    let role = match message["sender"].as_str()? {
        "human" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    let parts = message["content"].as_array().into_iter().flatten();
    let parts: Vec<&str> =
        parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect();
    let said = if parts.is_empty() {
        message["text"].as_str().unwrap_or_default().to_owned()
    } else {
        parts.join("\n")
    };
    let attached = message["attachments"].as_array().into_iter().flatten();
    let names = attached.filter_map(|one| Some(format!("(attached: {})", one["file_name"].as_str()?)));
    let text = std::iter::once(said.trim().to_owned()).chain(names).filter(|part| !part.is_empty());
    let text = text.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return None;
    }
    let at: Option<Timestamp> = message["created_at"].as_str().and_then(|at| at.parse().ok());
    Some(Turn { role, text, id: message["uuid"].as_str()?.to_owned(), at, end: 0 })
}
