//! Whatever is kept outside the workspace is its owner's alone.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::home::Home;

/// Every file and folder below that others can get at, the workspace left out.
fn open_to_others(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stat = path.symlink_metadata().unwrap();
        if path.ends_with("state/workspace") {
            continue;
        }
        if stat.mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        if stat.is_dir() {
            open_to_others(&path, found);
        }
    }
}

/// A home in which every command that keeps something was run.
fn used() -> Home {
    let home = Home::new();
    std::fs::set_permissions(home.path().join("state"), std::fs::Permissions::from_mode(0o700)).unwrap();
    home.note("memory/2026-01-02.md", "- W(s=0.9) @zep: the zeppelin lands ^z2\n");
    let runs: [&[&str]; 10] = [
        &["index"],
        &["search", "zeppelin"],
        &["retain", "a fact", "--entity", "zep"],
        &["retain", "a secret", "--sensitivity", "high"],
        &["recall", "zeppelin"],
        &["reflect"],
        &["heartbeat"],
        &["config", "set", "query.maxResults", "7"],
        &["session", "append", "--session", "s1", "--role", "user", "I prefer tea"],
        &["session", "compact", "--session", "s1"],
    ];
    for words in runs {
        assert_eq!(home.run(words).code, 0, "{words:?}");
    }
    home
}

#[test]
fn files_are_made_for_their_owner_alone() {
    let home = used();
    let mut found = Vec::new();
    open_to_others(&home.path().join("state"), &mut found);
    assert_eq!(found, Vec::<PathBuf>::new());
}

#[test]
fn looser_ones_are_named_by_doctor_and_closed_by_fix() {
    let home = used();
    let mut all = Vec::new();
    collect(&home.path().join("state"), &mut all);
    assert!(all.len() > 8, "{all:?}");
    for path in &all {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    let came = home.run(&["doctor"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(came.out.contains("other users of this machine can get at"), "{}", came.out);
    home.run(&["doctor", "--fix"]);
    let mut found = Vec::new();
    open_to_others(&home.path().join("state"), &mut found);
    found.retain(|path| path.extension().is_none_or(|end| end != "lock"));
    // The folder above the agents' own holds nothing but their names.
    found.retain(|path| !path.ends_with("agents") && !path.ends_with("agents/main"));
    assert_eq!(found, Vec::<PathBuf>::new());
}

fn collect(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("state/workspace") {
            continue;
        }
        if path.is_dir() {
            collect(&path, all);
        }
        all.push(path);
    }
}
