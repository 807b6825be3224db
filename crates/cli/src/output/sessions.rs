//! Conversations as text.

use mindfile::session::candidate::Candidate;
use mindfile::session::decide::Decision;
use mindfile::session::prune::Pruned;
use mindfile::session::show::{message, visible, words};
use mindfile::session::{Body, Compacted, Context, Flushed, Transcript, TurnReport, path_of};

use super::clean;
use super::json::SessionListed;
use super::quantity::{count, number};
use super::style::HEAD;
use super::table::{self, Side};

pub(crate) fn said(session: &str, said: &TurnReport) -> String {
    let lines: Vec<u32> = said.appended.entries.iter().map(|(_, line)| *line).collect();
    let place = match lines.as_slice() {
        [] => String::new(),
        [line] => format!(" {}#L{line}", path_of(session)),
        [first, .., last] => format!(" {}#L{first}-L{last}", path_of(session)),
    };
    format!("✓ {} written{place}\n{}", count(lines.len(), "turn"), candidates(session, &said.candidates))
}

pub(crate) fn candidates(session: &str, found: &[Candidate]) -> String {
    let line = |candidate: &Candidate| {
        let text = clean::text(&candidate.text);
        format!("  {} ({}#L{}): {text}\n", candidate.rule.as_str(), path_of(session), candidate.line)
    };
    found.iter().map(line).collect()
}

pub(crate) fn listed(all: &[SessionListed], limit: usize) -> String {
    if all.is_empty() {
        return "No conversation yet.\n".to_owned();
    }
    let row = |session: &SessionListed| {
        [
            clean::text(&session.session_id).into_owned(),
            session.updated_at.as_deref().map_or("", |at| at.get(..16).unwrap_or(at)).replace('T', " "),
            session.chat_type.to_owned(),
            count(usize::try_from(session.compaction_count).unwrap_or(usize::MAX), "compaction"),
            session
                .bytes
                .map_or_else(|| "in OpenClaw's database".to_owned(), |bytes| format!("{bytes} bytes")),
        ]
    };
    let rows: Vec<[String; 5]> = all.iter().take(limit).map(row).collect();
    let sides = [Side::Left, Side::Left, Side::Left, Side::Right, Side::Right];
    table::lines(sides, &rows).iter().map(|line| format!("{line}\n")).collect()
}

pub(crate) fn shown(transcript: &Transcript, full: bool) -> String {
    let mut text = String::new();
    for (line, entry) in visible(transcript, full) {
        let who = match &entry.body {
            Body::Message(message) => message.speaker.as_deref().unwrap_or_else(|| message.role.label()),
            Body::Compaction(_) => "In short",
            Body::Header(_)
            | Body::Injected { .. }
            | Body::BranchSummary { .. }
            | Body::Flush(_)
            | Body::Other(_) => "—",
        };
        let at = entry.at.map(|at| format!(" · {at:.0}")).unwrap_or_default();
        text.push_str(&format!("{HEAD}{}{HEAD:#} L{line}{at}\n", clean::text(who)));
        for line in words(entry).lines() {
            text.push_str(&format!("  {}\n", clean::text(line)));
        }
    }
    if text.is_empty() { "Nothing was said.\n".to_owned() } else { text }
}

pub(crate) fn context(context: &Context) -> String {
    let mut text = String::new();
    let mut head = |name: &str, tokens: u64, rest: &str, body: &str| {
        text.push_str(&format!("{HEAD}{}{HEAD:#} · {} tokens{rest}\n", clean::text(name), tokens));
        text.push_str(&format!("{}\n\n", body.lines().map(clean::text).collect::<Vec<_>>().join("\n")));
    };
    for part in &context.parts {
        let rest = if part.left_out > 0 { format!(" · {} left out", part.left_out) } else { String::new() };
        head(&part.name, part.tokens, &rest, &part.text);
    }
    if let Some(summary) = &context.window.summary {
        head("Summary", summary.tokens, &format!(" · L{}", summary.line), &summary.text);
    }
    for turn in &context.window.turns {
        head(turn.message.role.label(), turn.tokens, &format!(" · L{}", turn.line), &message(&turn.message));
    }
    for withheld in &context.withheld {
        text.push_str(&format!("Not given: {}\n", clean::text(withheld)));
    }
    text.push_str(&format!("{} tokens in all\n", context.tokens()));
    text
}

pub(crate) fn decision(decision: &Decision, compact: bool) -> String {
    let answer = if decision.flush { "flush" } else { "no flush" };
    let then = if compact { ", then compact" } else { "" };
    format!(
        "{answer}{then}: {} ({} of {} tokens)\n",
        decision.reason.as_str(),
        decision.tokens,
        decision.threshold
    )
}

pub(crate) fn flushed(flushed: &Flushed) -> String {
    match &flushed.saved.note {
        Some(note) => format!("✓ Saved {} to {note}\n", count(flushed.saved.candidates, "candidate")),
        None if flushed.saved.notices.is_empty() => "✓ Nothing new to save\n".to_owned(),
        None => "Nothing was saved; what was said is in the transcript, and the next flush tries again\n"
            .to_owned(),
    }
}

pub(crate) fn compacted(compacted: &Compacted) -> String {
    if compacted.entry.is_none() {
        return "Nothing to compact.\n".to_owned();
    }
    format!(
        "✓ {} compacted by {}: {} tokens became {}\n",
        count(compacted.messages, "message"),
        compacted.by.as_str(),
        compacted.tokens_before,
        compacted.tokens_after
    )
}

pub(crate) fn pruned(pruned: &Pruned, mode: &str) -> String {
    format!(
        "{} trimmed, {} cleared: {} tokens become {} (contextPruning.mode is {mode})\n",
        number(pruned.trimmed),
        number(pruned.cleared),
        pruned.tokens_before,
        pruned.tokens_after
    )
}
