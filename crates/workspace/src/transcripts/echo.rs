//! Detects a text that repeats a tool's output from the same conversation. It counts as the tool's word, whoever repeats
//! it.

use mindfile_trust::heard::is_said_in;
use mindfile_trust::speaker::Role;

use super::Transcript;

/// It was said by a tool, and not by the user.
pub fn is_echo(transcript: &Transcript, text: &str) -> bool {
    is_said_by(transcript, Role::Tool, text) && !is_said_by(transcript, Role::User, text)
}

/// Half of it, or eight words in a row, were said by somebody in this role.
pub fn is_said_by(transcript: &Transcript, role: Role, text: &str) -> bool {
    let by_role = transcript.messages().filter(|(_, message)| message.role == role);
    let said: Vec<String> = by_role.map(|(_, message)| message.text()).collect();
    is_said_in(text, said.iter().map(String::as_str))
}
