//! Answers of tools as text, for models that read no structure.

use mindfile::forget::Forgotten;
use mindfile::reflect::Reflected;
use mindfile_care::status::Status;

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
