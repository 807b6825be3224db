//! Shortening old results of tools in what a model is given. It happens in memory only; the transcript is not touched.

use jiff::Timestamp;
use mindfile_settings::{ContextPruning, Pruning};

use super::window::{self, Turn};
use super::{Block, Message, Role};

/// Characters of a token, when a share of the window is meant.
const CHARS: f64 = 4.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    pub trimmed: usize,
    pub cleared: usize,
    pub tokens_before: u64,
    pub tokens_after: u64,
}

/// Trims and clears results before the last answers, as far as the conversation fills the window.
pub fn prune(turns: &mut [Turn], how: &ContextPruning, window: u64, now: Timestamp) -> Pruned {
    let sum = |turns: &[Turn]| turns.iter().map(|turn| turn.tokens).sum::<u64>();
    let mut pruned = Pruned { tokens_before: sum(turns), ..Pruned::default() };
    if is_due(turns, how, now) {
        let end = protected_from(turns, how.keep_last_assistants);
        if share(turns, window) >= how.soft_trim_ratio {
            pruned.trimmed = trim(&mut turns[..end], how);
        }
        if how.hard_clear && share(turns, window) >= how.hard_clear_ratio {
            pruned.cleared = clear(turns, end, how, window);
        }
    }
    pruned.tokens_after = sum(turns);
    pruned
}

/// While a provider still has the conversation in its cache, a change would cost more than it saves.
fn is_due(turns: &[Turn], how: &ContextPruning, now: Timestamp) -> bool {
    match how.mode {
        Pruning::Off => false,
        Pruning::Always => true,
        Pruning::CacheTtl => {
            let last = turns.iter().rev().find(|turn| turn.message.role == Role::Assistant);
            let age = last.and_then(|turn| turn.at).map(|at| now.duration_since(at));
            age.is_none_or(|age| age.unsigned_abs() >= how.ttl && !age.is_negative())
        }
    }
}

/// Where the last answers begin, whose results are left alone.
fn protected_from(turns: &[Turn], answers: usize) -> usize {
    let assistants = turns.iter().enumerate().rev().filter(|(_, turn)| turn.message.role == Role::Assistant);
    if answers == 0 {
        return turns.len();
    }
    assistants.map(|(at, _)| at).nth(answers - 1).unwrap_or(0)
}

fn share(turns: &[Turn], window: u64) -> f64 {
    let chars: usize = turns.iter().map(|turn| chars(&turn.message)).sum();
    chars as f64 / (window.max(1) as f64 * CHARS)
}

fn chars(message: &Message) -> usize {
    let length = |block: &Block| match block {
        Block::Text(text) | Block::Thinking(text) => text.chars().count(),
        Block::ToolCall(call) => call.arguments.to_string().chars().count(),
        Block::Image | Block::Other(_) => 0,
    };
    message.blocks.iter().map(length).sum()
}

/// Keeps head and tail of large results.
fn trim(turns: &mut [Turn], how: &ContextPruning) -> usize {
    let mut trimmed = 0;
    for turn in turns.iter_mut().filter(|turn| turn.message.role == Role::Tool) {
        let text = turn.message.text();
        let length = text.chars().count();
        if length <= how.trim_above.max(how.trim_head + how.trim_tail) {
            continue;
        }
        let head: String = text.chars().take(how.trim_head).collect();
        let tail: String = text.chars().skip(length - how.trim_tail).collect();
        let left_out = length - how.trim_head - how.trim_tail;
        replace(turn, format!("{head}\n[… {left_out} characters left out …]\n{tail}"));
        trimmed += 1;
    }
    trimmed
}

/// Puts a placeholder for old results, the oldest first, until the window is filled less.
fn clear(turns: &mut [Turn], end: usize, how: &ContextPruning, window: u64) -> usize {
    let is_old = |turn: &&Turn| turn.message.role == Role::Tool;
    let prunable: usize = turns[..end].iter().filter(is_old).map(|turn| chars(&turn.message)).sum();
    if prunable < how.min_prunable_chars {
        return 0;
    }
    let mut cleared = 0;
    for at in 0..end {
        if share(turns, window) < how.hard_clear_ratio {
            break;
        }
        let turn = &mut turns[at];
        if turn.message.role == Role::Tool && chars(&turn.message) > how.placeholder.chars().count() {
            replace(turn, how.placeholder.clone());
            cleared += 1;
        }
    }
    cleared
}

fn replace(turn: &mut Turn, text: String) {
    turn.message.blocks = vec![Block::Text(text)];
    turn.tokens = window::tokens(&turn.message);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn how(mode: Pruning) -> ContextPruning {
        ContextPruning {
            mode,
            ttl: Duration::from_secs(300),
            keep_last_assistants: 1,
            soft_trim_ratio: 0.3,
            hard_clear_ratio: 0.5,
            min_prunable_chars: 100,
            trim_above: 40,
            trim_head: 10,
            trim_tail: 5,
            hard_clear: true,
            placeholder: "[cleared]".to_owned(),
        }
    }

    fn turns() -> Vec<Turn> {
        let at: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        let tool = "0123456789".repeat(20);
        [Role::User, Role::Assistant, Role::Tool, Role::Assistant, Role::Tool]
            .into_iter()
            .map(|role| {
                let message =
                    Message::new(role, if role == Role::Tool { tool.clone() } else { "hi".to_owned() });
                Turn { line: 1, id: None, at: Some(at), tokens: window::tokens(&message), message }
            })
            .collect()
    }

    fn texts(turns: &[Turn]) -> Vec<usize> {
        turns.iter().map(|turn| turn.message.text().chars().count()).collect()
    }

    #[test]
    fn off_leaves_everything() {
        let (mut turns, before) = (turns(), turns());
        prune(&mut turns, &how(Pruning::Off), 1, "2026-11-15T13:00:00Z".parse().unwrap());
        assert_eq!(turns, before);
    }

    #[test]
    fn large_results_keep_head_and_tail_and_the_last_ones_are_left_alone() {
        let mut turns = turns();
        let now = "2026-11-15T13:00:00Z".parse().unwrap();
        let pruned = prune(&mut turns, &how(Pruning::Always), 300, now);
        assert_eq!((pruned.trimmed, pruned.cleared), (1, 0));
        assert_eq!(turns[2].message.text(), "0123456789\n[… 185 characters left out …]\n56789");
        assert_eq!(texts(&turns)[4], 200);
        assert!(pruned.tokens_after < pruned.tokens_before);
    }

    #[test]
    fn old_results_give_way_to_a_placeholder() {
        let mut turns = turns();
        let how = ContextPruning { min_prunable_chars: 0, ..how(Pruning::Always) };
        let pruned = prune(&mut turns, &how, 60, "2026-11-15T13:00:00Z".parse().unwrap());
        assert_eq!((pruned.trimmed, pruned.cleared), (1, 1));
        assert_eq!(turns[2].message.text(), "[cleared]");
    }

    #[test]
    fn a_cache_that_is_warm_is_left_alone() {
        for (now, expected) in [("2026-11-15T12:04:59Z", 0), ("2026-11-15T12:05:00Z", 1)] {
            let mut turns = turns();
            let pruned = prune(&mut turns, &how(Pruning::CacheTtl), 300, now.parse().unwrap());
            assert_eq!(pruned.trimmed, expected, "{now}");
        }
    }
}
