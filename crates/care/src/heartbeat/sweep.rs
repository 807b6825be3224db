//! Removes what interrupted work and deleted facts left in the state directory, once nothing can need it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::Error;
use crate::doctor;
use crate::status::files;
use mindfile::Corpus;
use mindfile::access::Removal;
use mindfile::session;
use mindfile::store;
use mindfile_disk::Error as Disk;
use mindfile_disk::absent;
use mindfile_disk::durable::PART;

/// No write takes so long: a part of a file that is older was left by a process that died.
const ABANDONED: Duration = Duration::from_secs(10 * 60);
/// An interrupted rebuild is worth going on with for a day.
const REBUILD: Duration = Duration::from_secs(24 * 60 * 60);
/// How long an index that was set aside is kept for a look, and the use of facts that are gone: a fact may come back, with
/// the branch or the disk that it is on.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What was removed, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SweepReport {
    /// Hidden files that interrupted writes of notes left in the workspace; what they held of a person was kept.
    pub leftovers: usize,
    /// Files in the state directory: parts of writes, interrupted rebuilds, old indexes, locks of indexes that are gone.
    pub files: Vec<PathBuf>,
    /// Facts that are gone and whose use is forgotten.
    pub uses: usize,
}

impl SweepReport {
    pub fn total(&self) -> usize {
        self.leftovers + self.files.len() + self.uses
    }
}

/// `standing` are the ids of the facts that there are.
pub(super) fn sweep(corpus: &Corpus, standing: &BTreeSet<&str>, dry_run: bool) -> Result<SweepReport, Error> {
    let mut swept = SweepReport { leftovers: sweep_workspace(corpus, dry_run)?, ..SweepReport::default() };
    sweep_parts(corpus, dry_run, &mut swept.files)?;
    sweep_indexes(corpus, dry_run, &mut swept.files)?;
    swept.uses = sweep_uses(corpus, standing, dry_run)?;
    Ok(swept)
}

fn sweep_workspace(corpus: &Corpus, dry_run: bool) -> Result<usize, Error> {
    let leftovers = corpus.workspace()?.scan()?.leftovers;
    if !dry_run && !leftovers.is_empty() {
        doctor::settle(corpus, &leftovers)?;
    }
    Ok(leftovers.len())
}

fn sweep_parts(corpus: &Corpus, dry_run: bool, gone: &mut Vec<PathBuf>) -> Result<(), Error> {
    let state = &corpus.settings().state_dir;
    for folder in [state.clone(), state.join("memory"), session::folder(corpus.settings())] {
        for part in files::listed(&folder, |name| name.starts_with(PART))? {
            if is_older(corpus, &part, ABANDONED) {
                remove(&part, dry_run, gone)?;
            }
        }
    }
    Ok(())
}

fn sweep_indexes(corpus: &Corpus, dry_run: bool, gone: &mut Vec<PathBuf>) -> Result<(), Error> {
    let index = corpus.index()?.file().map_or_else(|| corpus.settings().index_path.clone(), Path::to_owned);
    let Some(_lock) = files::lock(&index)? else { return Ok(()) };
    let rebuild = files::rebuild(&index)?.map(|rebuild| (rebuild.path, REBUILD));
    let mut old: Vec<(PathBuf, Duration)> = rebuild.into_iter().collect();
    for aside in files::aside(&index)? {
        if files::was_index(&aside.path)? {
            old.push((aside.path, KEPT));
        }
    }
    for (database, age) in old {
        if is_older(corpus, &database, age) {
            gone.push(database.clone());
            if !dry_run {
                store::delete_database(&database)?;
            }
        }
    }
    let folder = index.parent().unwrap_or(&index);
    for lock in files::listed(folder, |name| name.ends_with(".sqlite.lock"))? {
        if !lock.with_extension("").exists() && is_free(&lock) {
            remove(&lock, dry_run, gone)?;
        }
    }
    Ok(())
}

fn sweep_uses(corpus: &Corpus, standing: &BTreeSet<&str>, dry_run: bool) -> Result<usize, Error> {
    let before = corpus.clock().now().as_millisecond().saturating_sub(millis(KEPT));
    let uses = corpus.journal.uses()?;
    let orphans = uses.iter().filter(|(id, access)| {
        !standing.contains(id.as_str()) && access.last_ms.is_none_or(|last| last < before)
    });
    let orphans: BTreeSet<String> = orphans.map(|(id, _)| id.clone()).collect();
    if !dry_run && !orphans.is_empty() {
        corpus.journal.remove(&Removal { facts: Some(&orphans), ..Removal::default() })?;
    }
    Ok(orphans.len())
}

/// By the time it was last changed. A file whose age cannot be told is left.
fn is_older(corpus: &Corpus, path: &Path, age: Duration) -> bool {
    let changed = fs::symlink_metadata(path).and_then(|found| found.modified()).ok();
    changed.is_some_and(|changed| is_past(changed, age, corpus.clock().now()))
}

fn is_past(changed: SystemTime, age: Duration, now: Timestamp) -> bool {
    Timestamp::try_from(changed)
        .is_ok_and(|changed| now.as_millisecond() - changed.as_millisecond() > millis(age))
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn is_free(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| file.try_lock().is_ok())
}

fn remove(path: &Path, dry_run: bool, gone: &mut Vec<PathBuf>) -> Result<(), Error> {
    gone.push(path.to_owned());
    if dry_run {
        return Ok(());
    }
    Ok(absent::remove_file(path).map_err(Disk::at(path))?)
}
