//! Who holds a folder of notes. Locks go with the process that took them, so a held one has a live owner, which may be
//! stopped or stuck.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{major, minor, stat};

use super::Patient;
use super::finding::{Diagnosis, warning};

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) {
    let Some((workspace, scan)) = patient.seen.both() else { return };
    let notes = scan.files.iter().map(|note| Path::new(note.path.as_str()));
    let inner: BTreeSet<&Path> = notes.flat_map(|note| note.ancestors().skip(1)).collect();
    let folders: Vec<PathBuf> = inner.into_iter().map(|folder| workspace.root().join(folder)).collect();
    let locks = locks();
    found.extend(folders.iter().filter_map(|folder| held(folder, &locks)));
}

struct HeldLock {
    pid: u32,
    /// As the kernel writes it: `major:minor:inode`.
    what: String,
}

/// The kernel hands its list out page by page: what others take and free meanwhile shifts it, and an entry may be passed
/// over. One that stays is in one of so many readings.
const READINGS: usize = 5;

/// Empty where the system does not tell.
fn locks() -> Vec<HeldLock> {
    let readings = (0..READINGS).filter_map(|_| fs::read_to_string("/proc/locks").ok());
    readings.flat_map(|text| text.lines().filter_map(parse).collect::<Vec<_>>()).collect()
}

/// `1: FLOCK  ADVISORY  WRITE 4711 08:02:1835 0 EOF`; who waits for a lock stands behind an arrow and is passed over.
fn parse(line: &str) -> Option<HeldLock> {
    let mut words = line.split_whitespace().skip(1);
    let kind = words.next()?;
    let _ = words.next()?;
    let _ = words.next()?;
    let pid = words.next()?.parse().ok()?;
    let what = words.next()?.to_owned();
    (kind == "FLOCK").then_some(HeldLock { pid, what })
}

fn held(folder: &Path, locks: &[HeldLock]) -> Option<Diagnosis> {
    let stat = stat(folder).ok()?;
    let what = format!("{:02x}:{:02x}:{}", major(stat.st_dev), minor(stat.st_dev), stat.st_ino);
    let pid = locks.iter().find(|lock| lock.what == what)?.pid;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_else(|_gone| "unknown".to_owned());
    let what = format!("process {pid} ({}) holds the lock of {}", name.trim(), folder.display());
    let effect = "others wait up to ten seconds to write notes there, and then give up; it is freed when the process ends";
    Some(warning(what, effect).by(format!("ps -o pid,stat,etime,args -p {pid}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(u32, &str)>) {
        assert_eq!(
            parse(line).map(|held| (held.pid, held.what)),
            expected.map(|(pid, what)| (pid, what.to_owned()))
        );
    }

    #[test]
    fn only_held_locks_of_the_kind_that_writers_take_count() {
        check("1: FLOCK  ADVISORY  WRITE 4711 08:02:1835 0 EOF", Some((4711, "08:02:1835")));
        check("1: -> FLOCK  ADVISORY  WRITE 4712 08:02:1835 0 EOF", None);
        check("2: POSIX  ADVISORY  READ 99 00:2f:7 128 128", None);
        check("", None);
    }
}
