//! Imports conversations: the turns of people and agents, under the ids that hooks give them, so that what a hook
//! recorded is not imported again.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde_json::Value;

use super::notes::{Naming, nothing};
use super::{Mode, Work};
use crate::Error;
use crate::host::{Host, Telling, Turn, known_turns, session_named, turn_of_line};
use mindfile::draft;
use mindfile::session::{self, About, Body, ChatType, Role, read_entry};
use mindfile_disk::tree::{self, has_extension};

/// Longer lines hold no conversation.
const LONGEST_LINE: usize = 64 << 20;

impl Work<'_> {
    /// What Claude Code or Codex keeps: transcripts, and memory files.
    pub(super) fn agent_home(&mut self, root: &Path) -> Result<(), Error> {
        let takes = |path: &Path| has_extension(path, "jsonl") || is_memory_note(path);
        let found = tree::files(root, &|_| true, &takes)?;
        if found.is_empty() {
            return Err(nothing(root, "no transcript (.jsonl) is in it"));
        }
        let base = if root.is_file() { root.parent().unwrap_or(root) } else { root };
        for path in found {
            if has_extension(&path, "jsonl") {
                self.transcript(&path)?;
            } else {
                self.note_file(base, &path, Naming::Apart)?;
            }
        }
        Ok(())
    }

    fn transcript(&mut self, path: &Path) -> Result<(), Error> {
        let Some(host) = Host::named(self.source.name) else {
            return Err(nothing(path, "no host has this name"));
        };
        let mut shown = Vec::new();
        let mut sent = Vec::new();
        let mut id = None;
        self.lines(path, &mut |value, end| {
            if value["type"] == "session_meta" {
                id = value["payload"]["id"].as_str().map(str::to_owned);
            }
            shown.extend(turn_of_line(host, Telling::Shown, value, end));
            sent.extend(turn_of_line(host, Telling::Sent, value, end));
        })?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let turns = if shown.is_empty() { sent } else { shown };
        self.talk(&session_named(self.source.name, id.or(stem).as_deref()), turns)
    }

    /// The transcripts of every agent of an OpenClaw home.
    pub(super) fn openclaw_talks(&mut self, agents: &Path) -> Result<(), Error> {
        let takes = |path: &Path| {
            has_extension(path, "jsonl") && path.parent().is_some_and(|folder| folder.ends_with("sessions"))
        };
        for path in tree::files(agents, &|_| true, &takes)? {
            let mut turns = Vec::new();
            self.lines(&path, &mut |value, end| turns.extend(openclaw_turn(value, end)))?;
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            self.talk(&session_named(self.source.name, stem.as_deref()), turns)?;
        }
        Ok(())
    }

    /// The JSON lines of a file, each with where it ends; those that cannot be read are reported.
    pub(super) fn lines(&mut self, path: &Path, take: &mut dyn FnMut(&Value, u64)) -> Result<(), Error> {
        let io = mindfile_disk::Error::at(path);
        let mut reader = BufReader::new(File::open(path).map_err(&io)?);
        let mut line = Vec::new();
        let mut end = 0;
        let mut number = 0;
        loop {
            line.clear();
            let read = reader.read_until(b'\n', &mut line).map_err(&io)?;
            if read == 0 {
                return Ok(());
            }
            end += read as u64;
            number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            if line.len() > LONGEST_LINE {
                self.report.bad(path, Some(number), "it is longer than 64 MiB");
                continue;
            }
            match serde_json::from_slice::<Value>(&line) {
                Ok(value) => take(&value, end),
                Err(error) => self.report.bad(path, Some(number), error),
            }
        }
    }

    /// Adds the turns of a conversation that are not there yet.
    pub(super) fn talk(&mut self, session: &str, turns: Vec<Turn>) -> Result<(), Error> {
        let ids = known_turns(self.memory, session)?;
        let mut new = Vec::new();
        for turn in turns {
            if ids.contains(&turn.id) {
                self.report.turns.known += 1;
            } else if draft::refuse_forgotten(self.memory, &turn.text).is_err() {
                self.report.turns.refused += 1;
            } else {
                new.push(turn);
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        self.report.turns.new += new.len();
        self.report.conversations += 1;
        self.report.show(format!("sessions/{session}.jsonl"));
        if self.mode == Mode::Write {
            let entries: Vec<Value> = new.iter().map(|turn| turn.entry(self.source.name)).collect();
            let about = About { chat: Some(ChatType::Direct), window: None };
            let said = session::memory::say(self.memory, session, &entries, &about)?;
            self.report.notices.extend(said.notices);
        }
        Ok(())
    }
}

/// A file that an agent wrote for itself or a person wrote for it.
fn is_memory_note(path: &Path) -> bool {
    let in_memory =
        path.parent().is_some_and(|folder| folder.ends_with("memory") || folder.ends_with("memories"));
    let named = ["CLAUDE.md", "AGENTS.md"].iter().any(|name| path.ends_with(name));
    has_extension(path, "md") && (in_memory || named)
}

fn openclaw_turn(value: &Value, end: u64) -> Option<Turn> {
    let entry = read_entry(value)?;
    let Body::Message(message) = entry.body else { return None };
    let spoken = matches!(message.role, Role::User | Role::Assistant) && !message.hidden;
    let text = message.text();
    if !spoken || text.trim().is_empty() {
        return None;
    }
    let id = entry.id.unwrap_or_else(|| format!("@{end}"));
    Some(Turn { role: message.role, text, id, at: entry.at, end })
}
