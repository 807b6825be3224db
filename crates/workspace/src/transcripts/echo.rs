//! Detects a text that repeats a tool's output from the same conversation. It counts as the tool's word, whoever repeats
//! it.

use std::collections::HashSet;

use mindfile_note::words::plain;

use mindfile_trust::speaker::Role;

use super::Transcript;

/// Words in a row that are compared; a shorter text is compared whole, and one of fewer than `LEAST` is nobody's.
const WINDOW: usize = 8;
const LEAST: usize = 4;

/// At least half of it was said by a tool, and not by the user.
pub fn is_echo(transcript: &Transcript, text: &str) -> bool {
    is_said_by(transcript, Role::Tool, text) && !is_said_by(transcript, Role::User, text)
}

/// At least half of it was said by somebody in this role.
pub fn is_said_by(transcript: &Transcript, role: Role, text: &str) -> bool {
    let said = words(text);
    let length = said.len().min(WINDOW);
    if length < LEAST {
        return false;
    }
    let wanted: HashSet<&[String]> = said.windows(length).collect();
    let by_role = transcript.messages().filter(|(_, message)| message.role == role);
    let mut found: HashSet<&[String]> = HashSet::new();
    for (_, message) in by_role {
        let heard = words(&message.text());
        found.extend(heard.windows(length).filter_map(|window| wanted.get(window).copied()));
    }
    found.len() * 2 >= wanted.len()
}

fn words(text: &str) -> Vec<String> {
    plain(text).into_iter().map(|plain| plain.word).collect()
}
