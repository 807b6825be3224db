//! The log is whole or says where it is not.

use std::fs;
use std::path::{Path, PathBuf};

use mindfile_disk::durable;
use mindfile_trust::audit::{Entry, Log, LogCheck};
use proptest::prelude::*;
use tempfile::TempDir;

const ENTRIES: u64 = 9;

fn entry(at: i64) -> Entry {
    let text = |text: &str| text.to_owned();
    let who = text("owner");
    let door = text("terminal");
    let act = text("retain");
    let what = text("fact");
    let id = Some(format!("k{at}"));
    let digest = Some(text("0123456789abcdef"));
    Entry { seq: 0, at, who, door, act, what, id, digest, prev: String::new() }
}

/// A log of several files.
fn logged() -> (TempDir, Log) {
    let dir = TempDir::new().unwrap();
    let log = Log::new(dir.path(), "main").rotating_at(1_200);
    for at in 0..i64::try_from(ENTRIES).unwrap() {
        log.append(entry(at)).unwrap();
    }
    (dir, log)
}

fn whole(log: &Log) -> LogCheck {
    let verified = log.verify(None).unwrap();
    assert_eq!(verified.broken, None);
    verified
}

fn broken(log: &Log) -> u64 {
    log.verify(None).unwrap().broken.map_or(0, |broken| broken.entry)
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(dir.join("memory")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        all.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    // `main.audit.jsonl`, the newest, sorts after `main.audit.000…`.
    files.sort();
    files
}

/// Every line with its file.
fn lines(dir: &Path) -> Vec<(PathBuf, String)> {
    let lines = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        text.lines().map(|line| (path.clone(), line.to_owned())).collect::<Vec<_>>()
    };
    files(dir).into_iter().flat_map(lines).collect()
}

fn write(dir: &Path, lines: &[(PathBuf, String)]) {
    for path in files(dir) {
        let own = lines.iter().filter(|(at, _)| *at == path).map(|(_, line)| format!("{line}\n"));
        durable::replace(&path, own.collect::<String>().as_bytes()).unwrap();
    }
}

#[test]
fn the_true_log_is_whole_over_several_files_and_processes() {
    let (dir, log) = logged();
    assert!(files(dir.path()).len() > 2);
    assert_eq!(whole(&log).entries, ENTRIES);
    Log::new(dir.path(), "main").append(entry(50)).unwrap();
    let verified = whole(&log);
    assert_eq!((verified.entries, verified.torn), (ENTRIES + 1, false));
    let anchor = verified.head;
    log.append(entry(51)).unwrap();
    assert_eq!(log.verify(Some((ENTRIES + 1, &anchor))).unwrap().broken, None);
    let other = "0".repeat(64);
    assert_eq!(log.verify(Some((ENTRIES + 1, &other))).unwrap().broken.unwrap().entry, ENTRIES + 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_first_entry_that_was_tampered_with_is_named(
        how in 0..8_usize, at in 0..9_usize, other in 0..9_usize, byte in 0..400_usize, bit in 0..7_u8,
    ) {
        let (dir, log) = logged();
        let mut all = lines(dir.path());
        let first = match how {
            // Edit: one bit of one line.
            0 => {
                let mut bytes = all[at].1.clone().into_bytes();
                let place = byte % bytes.len();
                bytes[place] ^= 1 << bit;
                prop_assume!(bytes[place] != b'\n');
                all[at].1 = String::from_utf8_lossy(&bytes).into_owned();
                at
            }
            // Drop.
            1 => { all.remove(at); at }
            // Reorder.
            2 => {
                prop_assume!(at != other);
                let one = all[at].1.clone();
                let two = all[other].1.clone();
                all[at].1 = two;
                all[other].1 = one;
                at.min(other)
            }
            // Truncate.
            3 => { all.truncate(at); at }
            // Insert a line that was there before.
            4 => { let copy = all[other].clone(); all.insert(at, (all[at].0.clone(), copy.1)); if at == other { at + 1 } else { at } }
            // Take away a file that the log rotated to, or the last one.
            6 => {
                let path = all[at].0.clone();
                let first = all.iter().position(|(of, _)| *of == path).unwrap();
                all.retain(|(of, _)| *of != path);
                fs::remove_file(path).unwrap();
                first
            }
            // Exchange two files.
            7 => {
                let one = all[at].0.clone();
                let two = all[other].0.clone();
                prop_assume!(one != two);
                let first = all.iter().position(|(of, _)| *of == one || *of == two).unwrap();
                for (of, _) in &mut all {
                    *of = if *of == one { two.clone() } else if *of == two { one.clone() } else { of.clone() };
                }
                first
            }
            // Insert a line of one's own.
            _ => { let made = all[at].1.replace("terminal", "mcp"); all.insert(at, (all[at].0.clone(), made)); at }
        };
        write(dir.path(), &all);
        prop_assert_eq!(broken(&log), first as u64 + 1);
        // What is logged afterwards does not hide it.
        log.append(entry(99)).unwrap();
        let later = broken(&log);
        prop_assert!(later > 0 && later <= first as u64 + 1, "{} after {}", later, first + 1);
    }
}

#[test]
fn a_lost_head_key_or_log_is_said() {
    let (dir, log) = logged();
    let at = |name: &str| dir.path().join("memory").join(name);
    fs::remove_file(at("main.audit.head")).unwrap();
    assert_eq!(broken(&log), ENTRIES + 1);
    log.append(entry(60)).unwrap();
    assert_eq!(broken(&log), ENTRIES + 1);

    let (dir, log) = logged();
    files(dir.path()).iter().for_each(|path| fs::remove_file(path).unwrap());
    assert_eq!(broken(&log), 1);
    fs::remove_file(dir.path().join("memory/main.audit.head")).unwrap();
    log.append(entry(60)).unwrap();
    assert_eq!(broken(&log), 1);

    let (dir, log) = logged();
    fs::remove_file(dir.path().join("memory/main.audit.key")).unwrap();
    assert_eq!(broken(&log), 1);
    assert_eq!(Log::new(TempDir::new().unwrap().path(), "main").verify(None).unwrap().broken, None);
}

#[test]
fn a_write_that_was_cut_off_costs_nothing_that_was_acknowledged() {
    let (dir, log) = logged();
    log.append(entry(70)).unwrap();
    let path = dir.path().join("memory/main.audit.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    durable::replace(&path, format!("{text}{{\"seq\":99,\"at\"").as_bytes()).unwrap();
    let verified = whole(&log);
    assert_eq!((verified.entries, verified.torn), (ENTRIES + 1, true));
    log.append(entry(71)).unwrap();
    assert_eq!((whole(&log).entries, whole(&log).torn), (ENTRIES + 2, false));
}
