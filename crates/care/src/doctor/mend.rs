//! Doing what is safe, and saying what came of it.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;

use super::finding::{Diagnosis, Finding, Remedy};
use crate::Error;
use crate::status::files;
use mindfile::Corpus;
use mindfile::draft::Notes;
use mindfile::ingest;
use mindfile::reconcile::Report;
use mindfile::store;
use mindfile::wording;
use mindfile_disk::Error as Disk;
use mindfile_disk::absent::if_there;
use mindfile_workspace::{Leftover, Settlement};

/// An editor that held a file open for longer than this has forgotten it.
const ABANDONED: SignedDuration = SignedDuration::from_mins(10);

/// Does each remedy once, in an order in which none undoes another, and enters the outcome in every finding that asked
/// for it.
pub(super) fn mend(memory: &Corpus, checked: Vec<Diagnosis>) -> Vec<Finding> {
    let rebuild = checked.iter().any(|checked| checked.remedy == Some(Remedy::Rebuild));
    let mut wanted: Vec<Remedy> = Vec::new();
    for remedy in checked.iter().filter_map(|checked| checked.remedy.as_ref()) {
        let remedy = effective(remedy, rebuild);
        if !wanted.contains(&remedy) {
            wanted.push(remedy);
        }
    }
    wanted.sort_by_key(turn);
    let done: Vec<(Remedy, Result<String, String>)> =
        wanted.into_iter().map(|remedy| (remedy.clone(), act(memory, &remedy))).collect();
    checked.into_iter().map(|checked| enter(checked, &done, rebuild)).collect()
}

/// A rebuild does all that a sync does.
fn effective(remedy: &Remedy, rebuild: bool) -> Remedy {
    match remedy {
        Remedy::Sync if rebuild => Remedy::Rebuild,
        Remedy::Sync | Remedy::Rebuild | Remedy::Close(_) | Remedy::Settle(_) | Remedy::Delete { .. } => {
            remedy.clone()
        }
    }
}

/// What was settled must be indexed; a rebuild uses up what an interrupted one left.
fn turn(remedy: &Remedy) -> u8 {
    match remedy {
        Remedy::Close(_) => 0,
        Remedy::Settle(_) => 1,
        Remedy::Sync | Remedy::Rebuild => 2,
        Remedy::Delete { .. } => 3,
    }
}

fn enter(mut checked: Diagnosis, done: &[(Remedy, Result<String, String>)], rebuild: bool) -> Finding {
    if let (Some(fix), Some(remedy)) = (&mut checked.finding.fix, &checked.remedy) {
        let remedy = effective(remedy, rebuild);
        fix.done = done.iter().find(|(made, _)| *made == remedy).map(|(_, outcome)| outcome.clone());
    }
    checked.finding
}

fn act(memory: &Corpus, remedy: &Remedy) -> Result<String, String> {
    let outcome = match remedy {
        Remedy::Close(paths) => close(paths),
        Remedy::Settle(leftovers) => settle(memory, leftovers),
        Remedy::Sync => mindfile::sync(memory, &mut |_| ControlFlow::Continue(()))
            .map(|report| synced(memory, &report))
            .map_err(Error::from),
        Remedy::Rebuild => ingest::rebuild(memory, &mut |_| ControlFlow::Continue(()))
            .map(|report| rebuilt(memory, &report))
            .map_err(Error::from),
        Remedy::Delete { index, databases } => delete(index, databases),
    };
    outcome.map_err(|error| wording::with_cause(&error))
}

/// Folders 0700, files 0600. The path is changed, never a descriptor: opening a database file would drop its locks.
fn close(paths: &[PathBuf]) -> Result<String, Error> {
    for path in paths {
        let io = Disk::at(path);
        let Some(found) = if_there(fs::metadata(path)).map_err(&io)? else { continue };
        let mode = if found.is_dir() { 0o700 } else { 0o600 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(io)?;
    }
    Ok("closed to others".to_owned())
}

pub(crate) fn settle(memory: &Corpus, leftovers: &[Leftover]) -> Result<String, Error> {
    let notes = Notes::open(memory)?;
    let before = memory
        .clock()
        .now()
        .saturating_sub(ABANDONED)
        .map_or(i64::MIN, |time| i64::try_from(time.as_nanosecond()).unwrap_or(i64::MAX));
    let mut told = Vec::new();
    for leftover in leftovers {
        told.push(match notes.settle(leftover, before)? {
            Settlement::Dropped => format!("{} held nothing new and was removed", leftover.path()),
            Settlement::Restored(note) => {
                format!("lines that stood only in {} are now at the end of {note}", leftover.path())
            }
            Settlement::KeptAs(note) => format!("{} held another text, which is now {note}", leftover.path()),
            Settlement::Pending => {
                format!("{} is still open in another program and was left", leftover.path())
            }
        });
    }
    Ok(told.join("; "))
}

fn synced(memory: &Corpus, report: &Report) -> String {
    let Report { added, changed, renamed, removed, .. } = report;
    let counted = format!(
        "the index is up to date: {added} added, {changed} changed, {renamed} renamed, {removed} removed"
    );
    with_troubles(memory, report, counted)
}

fn rebuilt(memory: &Corpus, report: &Report) -> String {
    let notes = wording::count(report.notes as u64, "note");
    with_troubles(memory, report, format!("the index was made again from {notes}"))
}

fn with_troubles(memory: &Corpus, report: &Report, counted: String) -> String {
    let problems = report.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.what));
    std::iter::once(counted).chain(problems).chain(memory.notices()).collect::<Vec<_>>().join("; ")
}

/// Under the lock of whoever rebuilds, so that nothing in use is deleted.
fn delete(index: &Path, databases: &[PathBuf]) -> Result<String, Error> {
    let Some(_lock) = files::lock(index)? else {
        return Ok("left alone: another process is making the index again".to_owned());
    };
    databases.iter().try_for_each(|database| store::delete_database(database))?;
    Ok("deleted".to_owned())
}
