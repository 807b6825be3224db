//! The machine underneath: space, file system, limits.

use std::collections::BTreeSet;
use std::path::Path;

use rustix::fs::statvfs;

use super::Patient;
use super::finding::{Diagnosis, good, problem, quoted_path, size, warning};
use crate::Error;
use crate::status::files;
use mindfile_disk::Error as Disk;
use mindfile_fault::Hint;
use mindfile_workspace::Scan;

/// Below this, other programs will have filled the disk soon.
const ENOUGH: u64 = 200_000_000;

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) -> Result<(), Error> {
    let folder = existing(&patient.looked.path);
    let sizes = files::sizes(&patient.looked.path, 0)?;
    let free = statvfs(folder).map_err(|errno| Disk::at(folder)(errno.into()))?;
    found.push(space(folder, free.f_bavail.saturating_mul(free.f_frsize), sizes.index + sizes.wal));
    if let Some(remote) = file_system(folder) {
        found.push(network(folder, remote));
    }
    if let Some((_, scan)) = patient.seen.both().filter(|_| patient.settings().sync.watch) {
        found.extend(limits().and_then(|limits| watching(&limits, folders(scan))));
    }
    Ok(())
}

/// The nearest folder on the way to `path` that is there.
fn existing(path: &Path) -> &Path {
    path.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("/"))
}

/// A rebuild stands beside the index in use, and its log beside that.
fn space(folder: &Path, free: u64, index: u64) -> Diagnosis {
    let needed = ENOUGH.max(index.saturating_mul(3));
    let shown = folder.display();
    if free >= needed {
        return good(format!("{} are free at {shown}", size(free)));
    }
    let what = format!("only {} are free at {shown}, where the index of {} is", size(free), size(index));
    let effect = format!(
        "the index cannot be made again safely below {}, and notes may fail to be saved",
        size(needed)
    );
    problem(what, effect).by(format!("df -h {}", quoted_path(folder)))
}

fn network(folder: &Path, name: &str) -> Diagnosis {
    let what = format!("{} is on a file system of type {name}", folder.display());
    let effect = "SQLite's log needs memory that all users of the index share, which such a file system may not give: \
                  two machines or programs at once can damage the index (the notes are not affected)";
    warning(what, effect).by(Hint::set("store.path", "/path/on/a/local/disk/{agentId}.sqlite"))
}

#[cfg(target_os = "linux")]
fn file_system(folder: &Path) -> Option<&'static str> {
    let found = rustix::fs::statfs(folder).ok()?;
    remote(found.f_type as u32)
}

#[cfg(not(target_os = "linux"))]
fn file_system(_: &Path) -> Option<&'static str> {
    None
}

/// By the magic numbers of the kernel's `magic.h` and of `statfs(2)`.
#[cfg(target_os = "linux")]
fn remote(magic: u32) -> Option<&'static str> {
    match magic {
        0x6969 => Some("NFS"),
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => Some("SMB"),
        0x0102_1997 => Some("9p"),
        0x6573_5546 => Some("FUSE"),
        0x5346_414f | 0x6b41_4653 => Some("AFS"),
        0x00c3_6400 => Some("Ceph"),
        _ => None,
    }
}

struct Limits {
    watches: usize,
    instances: usize,
}

/// None where the system has no such limits.
fn limits() -> Option<Limits> {
    let read =
        |name| std::fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok()?.trim().parse().ok();
    Some(Limits { watches: read("max_user_watches")?, instances: read("max_user_instances")? })
}

/// Folders with notes in them, and the folders on the way.
fn folders(scan: &Scan) -> usize {
    let paths = scan.files.iter().map(|found| Path::new(found.path.as_str()));
    let folders: BTreeSet<&Path> = paths.flat_map(|path| path.ancestors().skip(1)).collect();
    folders.len()
}

/// Other programs of the same user watch, too.
fn watching(limits: &Limits, folders: usize) -> Option<Diagnosis> {
    const OTHER_WATCHES: usize = 1024;
    const INSTANCES: usize = 16;
    let effect = "`mindfile watch` may not see every change; a search still looks for itself";
    if limits.watches < folders + OTHER_WATCHES {
        let what = format!(
            "the system allows {} watched folders in all, and the notes lie in {folders}",
            limits.watches
        );
        return Some(warning(what, effect).by("sudo sysctl fs.inotify.max_user_watches=524288"));
    }
    if limits.instances < INSTANCES {
        let what = format!("the system allows {} programs that watch files", limits.instances);
        return Some(warning(what, effect).by("sudo sysctl fs.inotify.max_user_instances=512"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::finding::Severity;
    use super::super::finding::tests::Shell;
    use super::*;

    const MB: u64 = 1_000_000;

    fn told(checked: &Diagnosis) -> String {
        let finding = &checked.finding;
        let fix = finding.fix.as_ref().map_or_else(String::new, |fix| fix.command.spelled(&Shell));
        [finding.what.as_str(), &finding.effect, &fix].join(" | ")
    }

    #[test]
    fn space_must_do_for_a_rebuild_and_for_what_others_write() {
        let severity = |free, index| space(Path::new("/state"), free, index).finding.severity;
        assert_eq!(severity(200 * MB, 0), Severity::Good);
        assert_eq!(severity(200 * MB - 1, 0), Severity::Problem);
        assert_eq!(severity(299 * MB, 100 * MB), Severity::Problem);
        assert_eq!(severity(300 * MB, 100 * MB), Severity::Good);
        let full = told(&space(Path::new("/state"), 5 * MB, 100 * MB));
        expect_test::expect!["only 5.0 MB are free at /state, where the index of 100.0 MB is | the index cannot be made again safely below 300.0 MB, and notes may fail to be saved | df -h /state"].assert_eq(&full);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn file_systems_of_other_machines_are_known_by_their_magic() {
        let names = [0x6969, 0xff53_4d42, 0x0102_1997, 0x6573_5546].map(remote);
        assert_eq!(names, [Some("NFS"), Some("SMB"), Some("9p"), Some("FUSE")]);
        let local = [0xef53, 0x9123_683e, 0x5846_5342, 0x0102_1994, 0x794c_7630].map(remote);
        assert_eq!(local, [None; 5], "ext4, btrfs, xfs, tmpfs, overlayfs");
        expect_test::expect!["/state/memory is on a file system of type NFS | SQLite's log needs memory that all users of the index share, which such a file system may not give: two machines or programs at once can damage the index (the notes are not affected) | mindfile config set store.path /path/on/a/local/disk/{agentId}.sqlite"].assert_eq(&told(&network(Path::new("/state/memory"), "NFS")));
    }

    #[test]
    fn limits_count_when_the_notes_lie_in_too_many_folders() {
        let watching = |watches, instances, folders| watching(&Limits { watches, instances }, folders);
        assert!(watching(8192, 128, 7000).is_none());
        expect_test::expect!["the system allows 8192 watched folders in all, and the notes lie in 7500 | `mindfile watch` may not see every change; a search still looks for itself | sudo sysctl fs.inotify.max_user_watches=524288"].assert_eq(&told(&watching(8192, 128, 7500).unwrap()));
        expect_test::expect!["the system allows 4 programs that watch files | `mindfile watch` may not see every change; a search still looks for itself | sudo sysctl fs.inotify.max_user_instances=512"].assert_eq(&told(&watching(8192, 4, 10).unwrap()));
    }
}
