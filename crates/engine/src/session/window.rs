//! The part of a conversation that a model is given: the last summary, and every turn after what it stands for.

use jiff::Timestamp;
use mindfile_index::Origin;
use mindfile_model::count;

use super::{Block, Body, Message, PlacedEntry, Role, Transcript, tool_calls};

/// What a turn takes beside its content.
const FRAME: u64 = 4;
/// What a picture takes, about.
const IMAGE: u64 = 1_000;

#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    pub summary: Option<Summary>,
    pub turns: Vec<Turn>,
}

/// What a compaction left of the turns before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    pub line: u32,
    pub text: String,
    pub tokens: u64,
    /// The lowest of the turns it stands for.
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub line: u32,
    pub id: Option<String>,
    pub at: Option<Timestamp>,
    pub message: Message,
    pub tokens: u64,
}

impl Window {
    pub fn of(transcript: &Transcript) -> Self {
        let path = transcript.path();
        let compacted = path.iter().rposition(|placed| placed.entry.compaction().is_some());
        let from = compacted.map_or(0, |at| first_kept(&path, at));
        let summary = compacted.and_then(|at| summary(path[at]));
        let turns = path[from..].iter().filter_map(|placed| turn(placed)).collect();
        Self { summary, turns }
    }

    pub fn tokens(&self) -> u64 {
        let turns: u64 = self.turns.iter().map(|turn| turn.tokens).sum();
        turns + self.summary.as_ref().map_or(0, |summary| summary.tokens)
    }

    /// What the provider reported with the last answer since the last compaction, and the tokens of what came after it.
    pub fn reported(&self) -> (Option<u64>, u64) {
        let compacted = self.summary.as_ref().map_or(0, |summary| summary.line);
        let is_reported = |turn: &Turn| {
            turn.line > compacted && turn.message.role == Role::Assistant && turn.message.usage.is_some()
        };
        let at = self.turns.iter().rposition(is_reported);
        let usage = at.and_then(|at| self.turns[at].message.usage);
        let since = self.turns[at.map_or(0, |at| at + 1)..].iter().map(|turn| turn.tokens).sum();
        (usage.map(|usage| usage.prompt() + usage.output), since)
    }
}

/// Where the turns begin that a compaction kept. If that entry is lost, those after the compaction are left.
fn first_kept(path: &[&PlacedEntry], at: usize) -> usize {
    let wanted = path[at].entry.compaction().and_then(|compaction| compaction.first_kept.as_deref());
    let kept = |id: &str| path[..at].iter().position(|placed| placed.entry.id.as_deref() == Some(id));
    wanted.and_then(kept).unwrap_or(at)
}

fn summary(placed: &PlacedEntry) -> Option<Summary> {
    let compaction = placed.entry.compaction()?;
    let (text, origin) = (compaction.summary.clone(), compaction.origin);
    Some(Summary { line: placed.line, tokens: count::tokens(&text) as u64 + FRAME, text, origin })
}

fn turn(placed: &PlacedEntry) -> Option<Turn> {
    let message = match &placed.entry.body {
        Body::Message(message) => message.clone(),
        Body::Injected { blocks, .. } => {
            Message { hidden: true, ..Message::of_blocks(Role::User, blocks.clone()) }
        }
        Body::BranchSummary { summary } => Message::new(Role::User, summary.clone()),
        Body::Header(_) | Body::Compaction(_) | Body::Flush(_) | Body::Other(_) => return None,
    };
    let tokens = tokens(&message);
    Some(Turn { line: placed.line, id: placed.entry.id.clone(), at: placed.entry.at, message, tokens })
}

/// Whose word a message is: what a program put in is no person's.
pub(super) fn speaks(message: &Message) -> Role {
    if message.hidden && message.role == Role::User { Role::System } else { message.role }
}

/// The tokens of a message: text, calls with their arguments, thoughts and pictures.
pub fn tokens(message: &Message) -> u64 {
    let block = |block: &Block| match block {
        Block::Text(text) | Block::Thinking(text) => count::tokens(text) as u64,
        Block::ToolCall(call) => {
            FRAME + (count::tokens(&call.name) + count::tokens(&call.arguments.to_string())) as u64
        }
        Block::Image => IMAGE,
        Block::Other(_) => FRAME,
    };
    FRAME + message.blocks.iter().map(block).sum::<u64>()
}

/// Where to cut so that about `keep` tokens stay, and no call is parted from its result. None: nothing to cut.
pub fn cut(turns: &[Turn], keep: u64) -> Option<usize> {
    let mut kept = 0;
    let mut at = turns.len();
    while at > 0 && kept + turns[at - 1].tokens <= keep {
        at -= 1;
        kept += turns[at].tokens;
    }
    // The last turn stays, however long it is.
    at = at.min(turns.len().checked_sub(1)?);
    at = before_calls(turns, at);
    (at > 0).then_some(at)
}

/// The place at or before `at` after which every result has its call.
fn before_calls(turns: &[Turn], mut at: usize) -> usize {
    loop {
        let earlier = (at..turns.len()).filter_map(|result| call_of(turns, result)).min();
        let orphan = at > 0 && turns[at].message.role == Role::Tool;
        match earlier.filter(|earlier| *earlier < at) {
            Some(earlier) => at = earlier,
            None if orphan => at -= 1,
            None => return at,
        }
    }
}

/// Where the call stands that a result answers: the nearest before it, because ids may come again.
fn call_of(turns: &[Turn], result: usize) -> Option<usize> {
    let message = &turns[result].message;
    let id = message.call_id.as_deref().filter(|_| message.role == Role::Tool)?;
    let calls = |turn: &Turn| tool_calls(&turn.message.blocks).any(|call| call.id == id);
    turns[..result].iter().rposition(calls)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use mindfile_workspace::transcripts::ToolCall;

    fn turn(role: Role, tokens: u64, call: Option<u32>) -> Turn {
        let mut message = Message::new(role, "x");
        match (role, call) {
            (Role::Assistant, Some(id)) => message.blocks.push(Block::ToolCall(ToolCall {
                id: id.to_string(),
                name: "t".to_owned(),
                arguments: json!({}),
            })),
            (Role::Tool, id) => message.call_id = id.map(|id| id.to_string()),
            (Role::User | Role::System | Role::Assistant, _) => {}
        }
        Turn { line: 1, id: None, at: None, message, tokens }
    }

    #[test]
    fn a_cut_keeps_about_as_much_as_asked() {
        let turns: Vec<Turn> = (0..10).map(|_| turn(Role::User, 100, None)).collect();
        assert_eq!(cut(&turns, 300), Some(7));
        assert_eq!(cut(&turns, 1_000), None);
        assert_eq!(cut(&turns, 0), Some(9));
        assert_eq!(cut(&[], 0), None);
    }

    #[test]
    fn a_result_stays_with_its_call() {
        let turns = [
            turn(Role::User, 100, None),
            turn(Role::Assistant, 100, Some(1)),
            turn(Role::Tool, 100, Some(1)),
            turn(Role::Tool, 100, None),
            turn(Role::Assistant, 100, None),
        ];
        assert_eq!(cut(&turns, 200), Some(1));
        assert_eq!(cut(&turns, 100), Some(4));
    }

    proptest! {
        #[test]
        fn no_cut_parts_a_call_from_its_result(
            shape in prop::collection::vec((0_u8..4, 1_u64..500, 0_u32..6), 1..40),
            keep in 0_u64..5_000,
        ) {
            let turns: Vec<Turn> = shape.into_iter().map(|(role, tokens, call)| {
                let role = [Role::User, Role::Assistant, Role::Tool, Role::Assistant][role as usize];
                turn(role, tokens, Some(call))
            }).collect();
            if let Some(at) = cut(&turns, keep) {
                for kept in at..turns.len() {
                    prop_assert!(call_of(&turns, kept).is_none_or(|call| call >= at));
                }
            }
        }
    }
}
