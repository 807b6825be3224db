//! What a run did, for people: an entry in memory/reflections.md, which is only ever added to.

use jiff::Timestamp;

use super::line::Line;

/// More lines of a sort than this are counted, not listed.
const LISTED: usize = 20;

/// What changed in the core.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    pub added: Vec<String>,
    pub removed: Vec<String>,
    pub kept: usize,
}

/// Compares two sections by what their lines rest on: a line whose wording alone changed is kept.
pub fn changes(old: &[String], new: &[String]) -> Changes {
    let cited = |lines: &[String]| lines.iter().filter_map(|line| Line::read(line)).collect::<Vec<_>>();
    let (old, new) = (cited(old), cited(new));
    let lasts = |line: &Line, others: &[Line]| {
        others.iter().any(|other| other.cites.iter().any(|id| line.cites.contains(id)))
    };
    Changes {
        added: new.iter().filter(|line| !lasts(line, &old)).map(Line::write).collect(),
        removed: old.iter().filter(|line| !lasts(line, &new)).map(Line::write).collect(),
        kept: new.iter().filter(|line| lasts(line, &old)).count(),
    }
}

/// The figures of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    pub processed: usize,
    pub total: usize,
    pub folded: usize,
    pub contradicted: usize,
    pub left_out: usize,
    pub tokens: usize,
    pub was_tokens: usize,
}

/// The entry. Lines that went are quoted, so that nothing leaves the core without a trace.
pub fn entry(now: Timestamp, figures: &Figures, changes: &Changes) -> String {
    let Figures { processed, total, folded, contradicted, left_out, tokens, was_tokens } = figures;
    let mut text = format!(
        "## {}\n\n{processed} of {total} facts; {folded} folded, {contradicted} contradicted, {left_out} left out. \
         Core memory: {tokens} tokens (was {was_tokens}); {} lines kept, {} added, {} removed.\n",
        moment(now),
        changes.kept,
        changes.added.len(),
        changes.removed.len(),
    );
    listed(&mut text, "Added", &changes.added);
    listed(&mut text, "Removed", &changes.removed);
    text
}

/// `2026-03-01 12:00:00 UTC`
pub fn moment(now: Timestamp) -> String {
    now.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

fn listed(text: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    text.push_str(&format!("\n{title}:\n\n"));
    // Quoted: what is quoted is text, and no fact.
    text.extend(lines.iter().take(LISTED).map(|line| format!("> {line}\n")));
    if lines.len() > LISTED {
        text.push_str(&format!("> … and {} more\n", lines.len() - LISTED));
    }
}
