//! `index --json` and `watch --json`

use std::time::Duration;

use mindfile::reconcile::Report;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Indexed {
    ok: bool,
    notes: usize,
    added: usize,
    changed: usize,
    renamed: usize,
    removed: usize,
    chunks: usize,
    bytes: u64,
    milliseconds: u64,
    held: usize,
    skipped: Vec<Left>,
    problems: Vec<Left>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

/// A path that was left out, as a whole or in part.
#[derive(Debug, Serialize)]
struct Left {
    path: String,
    reason: String,
}

impl Indexed {
    pub(crate) fn new(report: &Report, bytes: u64, took: Duration, notices: Vec<String>) -> Self {
        let skipped =
            report.skipped.iter().map(|s| Left { path: s.path.clone(), reason: s.reason.to_string() });
        let problems = report.problems.iter().map(|p| Left { path: p.path.clone(), reason: p.what.clone() });
        Self {
            ok: true,
            notes: report.notes,
            added: report.added,
            changed: report.changed,
            renamed: report.renamed,
            removed: report.removed,
            chunks: report.chunks,
            bytes,
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            held: report.held,
            skipped: skipped.collect(),
            problems: problems.collect(),
            notices,
        }
    }
}

/// One line of `watch --json`.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "camelCase")]
pub(crate) enum Looked {
    Indexed(Indexed),
    Degraded { reason: String },
    Rescanned { reason: String },
}
