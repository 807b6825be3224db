//! Answers of tools as text, for models that read no structure.

use mindfile::forget::Forgotten;
use mindfile::reflect::Reflected;

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
