//! A transcript as searchable text: one line per message, with its line number in the transcript.

use super::content;
use super::entry::{Body, Message};
use super::transcript::Transcript;
use mindfile_trust::speaker::{Role, Utterance};

/// What a model answers that has nothing to say.
pub const SILENT: &str = "NO_REPLY";
const HEARTBEAT: &str = "HEARTBEAT_OK";
/// How the prompt of a flush begins.
pub const FLUSH_PROMPT: &str = "Pre-compaction memory flush";

/// What is searched beside what people and the assistant said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchedExtras {
    pub tool_output: bool,
    pub hidden: bool,
}

/// Everything that was said, in the order of the file: what a branch left behind was said, too.
pub fn lines(transcript: &Transcript, also: SearchedExtras) -> Vec<Utterance> {
    let spoken = transcript.entries.iter().filter_map(|placed| {
        let (role, speaker, text) = match &placed.entry.body {
            Body::Message(message) if is_heard(message, also) => {
                (message.role, message.speaker.clone(), message.text())
            }
            Body::Injected { blocks, hidden } if !hidden || also.hidden => {
                (Role::System, None, content::text(blocks))
            }
            Body::Message(_)
            | Body::Injected { .. }
            | Body::Header(_)
            | Body::Compaction(_)
            | Body::BranchSummary { .. }
            | Body::Flush(_)
            | Body::Other(_) => return None,
        };
        let text = one_line(&self::spoken(&text));
        (!is_silent(&text)).then_some(Utterance {
            line: placed.line,
            role,
            speaker,
            at: placed.entry.at,
            text,
        })
    });
    spoken.collect()
}

fn is_heard(message: &Message, also: SearchedExtras) -> bool {
    let by_role = match message.role {
        Role::User | Role::Assistant => true,
        Role::Tool => also.tool_output,
        Role::System => also.hidden,
    };
    by_role && (!message.hidden || also.hidden)
}

/// Nothing was said, or only what keeps the machinery going.
fn is_silent(text: &str) -> bool {
    text.is_empty() || text == SILENT || text == HEARTBEAT || text.starts_with(FLUSH_PROMPT)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without the time that OpenClaw's gateway puts before what a person said: `[Sun 2026-11-15 07:34 UTC] `.
pub fn spoken(text: &str) -> String {
    let is_stamp = |inside: &str| {
        let words: Vec<&str> = inside.split(' ').collect();
        words.len() >= 3 && words.iter().any(|word| mindfile_note::date::parse(word).is_some())
    };
    match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((inside, rest)) if inside.len() < 64 && is_stamp(inside) => rest.to_owned(),
        Some(_) | None => text.to_owned(),
    }
}
