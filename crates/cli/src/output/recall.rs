//! What was recalled, as text.

use mindfile::recall::{Recalled, Remembered};

use super::style::{FAINT, HEAD, PLACE};
use super::{clean, explain};

/// Direct matches, then connections hop by hop, each with its path.
pub(crate) fn text(remembered: &Remembered, debug: bool, explain: bool) -> String {
    let answer = &remembered.answer;
    let mut text = String::new();
    if debug {
        text.push_str(&clean::text(&answer.trace.text()));
        text.push('\n');
    }
    if answer.recalled.is_empty() {
        text.push_str("Nothing relevant is known.\n");
    }
    let mut hop = None;
    for recalled in &answer.recalled {
        if hop != Some(recalled.hop) {
            hop = Some(recalled.hop);
            text.push_str(&heading(recalled.hop));
        }
        text.push_str(&line(recalled));
        if explain {
            text.push_str(&explain::score(&recalled.score));
        }
    }
    if answer.left_out > 0 {
        let (left, tokens) = (answer.left_out, answer.tokens);
        text.push_str(&format!("{FAINT}E2BIG: {left} more did not fit; {tokens} tokens are used{FAINT:#}\n"));
    }
    text
}

fn heading(hop: u32) -> String {
    match hop {
        0 => format!("{HEAD}Direct matches:{HEAD:#}\n"),
        hop => format!("{HEAD}{hop}-hop connections:{HEAD:#}\n"),
    }
}

/// `- B(s=0.95) @Sarah: Sarah is leaving (via @database → @slow-endpoint)  memory/2026-07-14.md#L3 ^k3f9a2`
fn line(recalled: &Recalled) -> String {
    let fact = &recalled.fact;
    let path: Vec<String> = recalled.via.iter().map(|name| format!("@{name}")).collect();
    let via = if path.is_empty() { String::new() } else { format!(" (via {})", path.join(" → ")) };
    let said = format!("{}{via}", fact.shown());
    let place = format!("{}#L{} ^{}", fact.path, fact.line, fact.id);
    format!("- {}  {PLACE}{}{PLACE:#}\n", clean::text(&said), clean::text(&place))
}
