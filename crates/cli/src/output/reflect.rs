//! What a reflection did, as text.

use mindfile::reflect::{FileEdit, Reflected};
use mindfile_hosts::diff::diff;

use super::clean;
use super::quantity::{count, number};

/// How many of the facts are listed, and how many with `--debug`.
const TOP: usize = 3;
const MORE: usize = 25;

pub(crate) fn text(reflected: &Reflected, dry_run: bool, debug: bool) -> String {
    let figures = &reflected.figures;
    let mut lines = vec![format!(
        "Processing {} (filtered from {} total by priority)",
        count(figures.processed, "fact"),
        number(figures.total)
    )];
    lines.extend(top(reflected, if debug { MORE } else { TOP }));
    if debug {
        lines.push(format!(
            "{} folded, {} contradicted, {} left out; {} lines added, {} removed, {} kept",
            number(figures.folded),
            number(figures.contradicted),
            number(figures.left_out),
            number(reflected.changes.added.len()),
            number(reflected.changes.removed.len()),
            number(reflected.changes.kept)
        ));
    }
    let mut text: String = lines.iter().map(|line| format!("{}\n", clean::text(line))).collect();
    if dry_run {
        text.extend(reflected.edits.iter().map(shown));
    }
    text.push_str(&outcome(reflected, dry_run));
    text
}

fn top(reflected: &Reflected, most: usize) -> Vec<String> {
    let chosen = reflected.selection.chosen.iter().take(most).enumerate();
    let mut lines: Vec<String> = chosen
        .map(|(at, chosen)| format!("{}. {} (priority: {:.2})", at + 1, chosen.fact.shown(), chosen.priority))
        .collect();
    if !lines.is_empty() {
        lines.insert(0, "Top priority facts:".to_owned());
    }
    lines
}

fn outcome(reflected: &Reflected, dry_run: bool) -> String {
    let (tokens, was) = (number(reflected.figures.tokens), number(reflected.figures.was_tokens));
    let files = count(reflected.edits.len(), "file");
    match (reflected.edits.is_empty(), dry_run) {
        (true, _) => format!("Core memory unchanged: {tokens} tokens\n"),
        (false, true) => {
            format!("Core memory would have {tokens} tokens (has {was}); {files} would change\n")
        }
        (false, false) => format!("Core memory updated: {tokens} tokens (was {was})\n"),
    }
}

fn shown(edit: &FileEdit) -> String {
    let text = |bytes: &Option<Vec<u8>>| {
        bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    };
    clean::text(&diff(&edit.path, &text(&edit.before), &text(&edit.after))).into_owned()
}
