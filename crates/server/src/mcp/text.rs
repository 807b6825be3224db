//! Answers of tools as text, for models that read no structure.

use mindfile::Response;
use mindfile::forget::Forgotten;
use mindfile::recall::Remembered;
use mindfile::reflect::Reflected;
use mindfile::retain::{Outcome, Retained};
use mindfile::search::Hit;
use mindfile_care::status::Status;

use crate::wire::Lines;

pub(super) fn found(response: &Response) -> String {
    let hit = |hit: &Hit| format!("{}\nSource: {}", hit.snippet.trim_end(), hit.citation());
    let mut parts: Vec<String> = response.answer.hits.iter().map(hit).collect();
    if parts.is_empty() {
        parts.push(nothing(response.answer.below_minimum));
    }
    parts.extend(response.degraded.iter().map(|what| format!("Not everything was consulted: {what}")));
    parts.join("\n\n")
}

fn nothing(weak: usize) -> String {
    let relevant = "Nothing relevant in the notes.";
    match weak {
        0 => relevant.to_owned(),
        1 => format!("{relevant} One weak candidate was left out; minScore 0 shows it."),
        _ => format!("{relevant} {weak} weak candidates were left out; minScore 0 shows them."),
    }
}

pub(super) fn lines(lines: &Lines) -> String {
    if lines.text().is_empty() { "There are no such lines.".to_owned() } else { lines.text().to_owned() }
}

pub(super) fn kept(retained: &Retained) -> String {
    let fact = &retained.fact;
    let place = format!("{} ({}#L{}, id {})", fact.shown(), fact.path, fact.line, fact.id);
    match retained.outcome {
        Outcome::Written => format!("Retained: {place}"),
        Outcome::Known => format!("Already known: {place}"),
        Outcome::Confirmed => format!("Confirmed: {place}"),
        Outcome::Proposed => format!("Proposed, until it is confirmed: {place}"),
    }
}

pub(super) fn forgotten(gone: &Forgotten, dry_run: bool) -> String {
    let mut lines = vec![if dry_run { "Would be forgotten:" } else { "Forgotten:" }.to_owned()];
    lines.extend(gone.notes.iter().map(|note| format!("{note} (whole)")));
    lines.extend(gone.lines.iter().map(|one| format!("{}#L{}: {}", one.path, one.line, one.text.trim_end())));
    lines.extend(
        gone.messages.iter().map(|one| format!("session {}, line {}: {}", one.session, one.line, one.text)),
    );
    lines.extend(gone.files.iter().map(|file| format!("{file} (file)")));
    if lines.len() == 1 {
        lines = vec!["There is nothing of it.".to_owned()];
    }
    lines.extend(gone.pending.iter().map(|why| format!("Not finished yet: {why}")));
    lines.join("\n")
}

pub(super) fn recalled(remembered: &Remembered) -> String {
    let mut lines = Vec::new();
    for one in &remembered.answer.recalled {
        let via: Vec<String> = one.via.iter().map(|name| format!("@{name}")).collect();
        let via = if via.is_empty() { String::new() } else { format!(" (via {})", via.join(" → ")) };
        lines.push(format!("- {}{via} [{}#L{}]", one.fact.shown(), one.fact.path, one.fact.line));
    }
    if lines.is_empty() {
        lines.push("No fact is known about that.".to_owned());
    }
    lines.join("\n")
}

pub(super) fn reflected(reflected: &Reflected, dry_run: bool) -> String {
    let (figures, changes) = (&reflected.figures, &reflected.changes);
    let mut lines = vec![format!(
        "{} {} of {} facts: {} lines added, {} removed, {} kept.",
        if dry_run { "Would consolidate" } else { "Consolidated" },
        figures.processed,
        figures.total,
        changes.added.len(),
        changes.removed.len(),
        changes.kept
    )];
    lines.extend(changes.added.iter().map(|line| format!("+ {line}")));
    lines.extend(changes.removed.iter().map(|line| format!("- {line}")));
    lines.join("\n")
}

pub(super) fn status(status: &Status) -> String {
    let notes: u64 = status.counts.sources.iter().map(|source| source.indexed).sum();
    let mut lines = vec![format!(
        "{notes} notes, {} chunks, {} facts, {} entities; the index is {}.",
        status.counts.chunks.total,
        status.counts.facts.facts,
        status.counts.facts.entities,
        if status.is_dirty() { "not up to date (the next search sees to it)" } else { "up to date" }
    )];
    lines.extend(status.diagnostics.iter().map(|one| format!("{}: {}", one.code.as_str(), one.what)));
    lines.extend(status.notices.iter().cloned());
    lines.join("\n")
}
