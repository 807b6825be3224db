//! `qmd update`, `embed` and `status`.

use std::ops::ControlFlow;

use mindfile::reconcile::Report;

use super::collection::Collections;
use super::held::Held;
use crate::commands::complaints;
use crate::failure::Failure;
use crate::output::{self, Screen};

const NONE: &str = "No collections found. Run 'qmd collection add .' to index markdown files.\n";

pub(super) fn run(all: &Collections, screen: &Screen) -> Result<(), Failure> {
    let Some(report) = sync(all, screen)? else { return Ok(output::text(NONE)?) };
    let unchanged = report.notes.saturating_sub(report.added + report.changed + report.renamed);
    let text = format!(
        "Indexed: {} new, {} updated, {unchanged} unchanged, {} removed\n\n✓ All collections updated.\n",
        report.added,
        report.changed + report.renamed,
        report.removed,
    );
    Ok(output::text(&text)?)
}

pub(super) fn embed(all: &Collections, screen: &Screen) -> Result<(), Failure> {
    let Some(report) = sync(all, screen)? else { return Ok(output::text(NONE)?) };
    Ok(output::text(&format!("✓ Done! {} chunks made, nothing waits for a vector.\n", report.chunks))?)
}

/// Brings the index and the list that hosts read up to date. None where there is no collection.
pub(super) fn sync(all: &Collections, screen: &Screen) -> Result<Option<Report>, Failure> {
    let Some(held) = Held::open(all, screen)? else { return Ok(None) };
    let report = held.memory.sync(&mut |_| ControlFlow::Continue(()))?;
    for complaint in complaints(&report, &held.memory) {
        screen.warn(&complaint);
    }
    if !held.list_all()? {
        let whose = all.folders.documents.display();
        screen.warn(&format!("{whose} was made by QMD itself and is left alone: results have no docid"));
    }
    Ok(Some(report))
}

pub(super) fn status(all: &Collections, screen: &Screen) -> Result<(), Failure> {
    let mut text =
        format!("QMD Status (mindfile)\n\nIndex: {}\n\nDocuments\n", all.folders.index().display());
    let (files, vectors, pending) = match Held::open(all, screen)? {
        Some(held) => {
            let status = held.memory.status(false)?;
            let files = status.sources.iter().map(|source| source.indexed).sum();
            (files, status.chunks.embedded, status.chunks.pending)
        }
        None => (0, 0, 0),
    };
    text.push_str(&format!(
        "  Total:    {files} files indexed\n  Vectors:  {vectors} embedded\n  Pending:  {pending} need embedding\n"
    ));
    text.push_str("\nCollections\n");
    for one in all.all()? {
        text.push_str(&format!("  {0} (qmd://{0}/)\n    Pattern:  {1}\n", one.name, one.pattern));
    }
    Ok(output::text(&text)?)
}
