//! Shows a transcript to a reader: which entries, and in which words.

use mindfile_trust::speaker::Role;

use super::{Block, Body, Entry, Message, Transcript};

/// What a reader is shown: the conversation, or everything in the file.
pub fn visible(transcript: &Transcript, full: bool) -> Vec<(u32, &Entry)> {
    let all = transcript.path().into_iter();
    all.filter(|placed| full || is_said(&placed.entry)).map(|placed| (placed.line, &placed.entry)).collect()
}

fn is_said(entry: &Entry) -> bool {
    let is_spoken = |message: &Message| {
        matches!(message.role, Role::User | Role::Assistant) && !message.hidden && !message.text().is_empty()
    };
    entry.compaction().is_some() || entry.message().is_some_and(is_spoken)
}

/// What an entry says.
pub fn words(entry: &Entry) -> String {
    match &entry.body {
        Body::Header(header) => format!("session {}", header.id),
        Body::Message(said) => message(said),
        Body::Compaction(compaction) => compaction.summary.clone(),
        Body::Injected { blocks, .. } => blocks.iter().map(block).collect::<Vec<_>>().join("\n"),
        Body::BranchSummary { summary } => summary.clone(),
        Body::Flush(mark) => format!("memory was flushed after {} compactions", mark.compactions),
        Body::Other(kind) => kind.clone(),
    }
}

pub fn message(message: &Message) -> String {
    message.blocks.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => text.clone(),
        Block::ToolCall(call) => format!("[calls {} {}]", call.name, call.arguments),
        Block::Thinking(text) => format!("[thinks: {text}]"),
        Block::Image => "[a picture]".to_owned(),
        Block::Other(kind) => format!("[{kind}]"),
    }
}
