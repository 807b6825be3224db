//! One line per pass for a person: on the screen, and in a log beside the index. It has counts and no text of notes.

use std::io;
use std::path::Path;

use super::Beat;
use crate::Error;
use mindfile::wording::count;
use mindfile_disk::durable;

/// When the log is longer than this, its older half goes.
const LONGEST: u64 = 1 << 20;

impl Beat {
    /// `2 reminders overdue, 1 preference faded, 3 memories to confirm`, or that there is nothing to do.
    pub fn line(&self) -> String {
        let kinds = [
            (self.overdue.len(), "reminder", " overdue"),
            (self.faded.len(), "preference", if self.dry_run { " would fade" } else { " faded" }),
            (self.unconfirmed.len(), "memory", " to confirm"),
            (self.expired, "fact", " expired"),
            (self.clusters.len(), "cluster", " to fold"),
            (self.settled.len(), "contradiction", if self.dry_run { " to mark" } else { " marked" }),
            (self.anomalies.len(), "contradiction", " to settle"),
            (self.swept.total(), "leftover", if self.dry_run { " to remove" } else { " removed" }),
        ];
        let told = kinds.into_iter().filter(|(n, _, _)| *n > 0);
        let mut told: Vec<String> =
            told.map(|(n, thing, what)| format!("{}{what}", counted(n, thing))).collect();
        if self.asked.questions + self.asked.left > 0 {
            told.push(self.spent());
        }
        let facts = counted(self.facts, "fact");
        if told.is_empty() {
            format!("{facts}, nothing to do")
        } else {
            format!("{facts}: {}", told.join(", "))
        }
    }

    fn spent(&self) -> String {
        let asked = &self.asked;
        let left = if asked.left > 0 { format!(", {} left", asked.left) } else { String::new() };
        let questions = counted(asked.questions, "question");
        format!("{questions} to a model ({} of {} tokens{left})", asked.tokens, asked.budget)
    }
}

fn counted(n: usize, thing: &str) -> String {
    match (n, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "memory") => format!("{n} memories"),
        _ => count(n as u64, thing),
    }
}

/// Adds a line to the log.
pub(super) fn append(path: &Path, line: &str) -> Result<(), Error> {
    Ok(try_append(path, line).map_err(mindfile_disk::Error::at(path))?)
}

fn try_append(path: &Path, line: &str) -> io::Result<()> {
    let file = durable::append(path, format!("{line}\n").as_bytes())?;
    if file.metadata()?.len() > LONGEST {
        shorten(path)?;
    }
    Ok(())
}

fn shorten(path: &Path) -> io::Result<()> {
    let text = std::fs::read(path)?;
    let half = text.len() / 2;
    let from = text[half..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| half + at + 1);
    durable::replace(path, &text[from..])
}
