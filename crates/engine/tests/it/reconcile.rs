//! The index follows the notes: whatever happens to a file, the next sync finds it, and does no more than it must.

mod changes;
mod held;
mod odd;
mod single;
mod stale_times;

use mindfile::reconcile::Report;

use crate::world::World;

/// What was found and done, in one line.
fn told(report: &Report) -> String {
    let Report { notes, added, changed, renamed, removed, chunks, held, .. } = report;
    let mut told = format!(
        "{notes} notes: {added} added, {changed} changed, {renamed} renamed, {removed} removed, {chunks} chunks"
    );
    if *held > 0 {
        told += &format!(", {held} held");
    }
    if report.is_unchanged() {
        told += " (unchanged)";
    }
    for skipped in &report.skipped {
        told += &format!("\nskipped {}: {}", skipped.path, skipped.reason);
    }
    for problem in &report.problems {
        told += &format!("\nproblem {}: {}", problem.path, problem.what);
    }
    told
}

impl World {
    fn synced(&self) -> String {
        told(&self.sync())
    }

    /// The text of every chunk, by place.
    fn texts(&self) -> Vec<String> {
        let chunks = self.chunks();
        let place = |path: &str, start: u32, end: u32| format!("{path}#L{start}-L{end}");
        chunks.iter().map(|c| format!("{} {:?}", place(&c.path, c.start_line, c.end_line), c.text)).collect()
    }
}
