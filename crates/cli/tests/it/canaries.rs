//! Nothing of a private note is on the disk in clear, whatever is done with it: after every command each byte below the
//! home directory is looked at, temporary files with it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::home::{Came, Home, write};

/// Words that stand nowhere else; a stemmer may take their ends, not their beginnings.
const CANARIES: [&str; 12] = [
    "zqxvkalpha", "zqxvkbeta", "zqxvkgamma", "zqxvkdelta", "zqxvketa", "zqxvktheta", "zqxvkiota",
    "zqxvkkappa", "zqxvklambda", "zqxvksigma", "zqxvkomega", "zqxvkrho",
];
/// What every one of them begins with; shorter, it would come up by chance among encrypted bytes.
const MARK: &[u8] = b"zqxvk";

/// Runs a command whose temporary files are below the home directory, too.
fn run(home: &Home, words: &[&str]) -> Came {
    let folder = home.path().join("tmp");
    fs::create_dir_all(&folder).unwrap();
    let came = home.came(&home.command(words).env("TMPDIR", folder).output().unwrap());
    assert_eq!(came.code, 0, "{words:?}: {came:?}");
    came
}

/// The files that hold a mark as it is, in any case, or in UTF-16.
fn in_clear(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            in_clear(&path, found);
            continue;
        }
        let narrow: Vec<u8> = fs::read(&path).unwrap();
        let wide: Vec<u8> = narrow.iter().copied().filter(|byte| *byte != 0).collect();
        let holds = |bytes: &[u8]| bytes.windows(MARK.len()).any(|part| part.eq_ignore_ascii_case(MARK));
        let named = path.file_name().is_some_and(|name| name.to_string_lossy().contains("zqxvk"));
        if named || holds(&narrow) || holds(&wide) {
            found.push(path);
        }
    }
}

fn check(home: &Home, when: &[&str]) {
    let mut found = Vec::new();
    in_clear(home.path(), &mut found);
    assert_eq!(found, Vec::<PathBuf>::new(), "after {when:?}");
}

/// Twelve canaries, in through every door that writes private notes.
fn planted() -> Home {
    let home = Home::new();
    home.note(
        "memory/medical.md",
        "---\ntags: [zqxvktheta]\n---\n# Zqxvkalpha\n\nThe zqxvkbeta is mild.\n\n- W @zqxvkgamma: zqxvkdelta is taken daily ^m1\n",
    );
    home.note("memory/private/diary.md", "# Diary\n\nA day with zqxvketa.\n");
    run(&home, &["search", "zqxvkbeta"]);
    run(&home, &["recall", "zqxvkdelta"]);
    let mut found = Vec::new();
    in_clear(home.path(), &mut found);
    assert!(found.len() >= 3, "the scan sees what is in clear: {found:?}");
    run(&home, &["encrypt", "memory/medical.md"]);
    run(&home, &["encrypt", "--all"]);
    check(&home, &["encrypt"]);
    run(
        &home,
        &[
            "retain",
            "The zqxvkiota opens the vault",
            "--sensitivity",
            "high",
            "--entity",
            "zqxvkkappa",
            "--key",
            "zqxvklambda.code",
            "--source",
            "chat:zqxvksigma",
        ],
    );
    run(&home, &["retain", "The word is not said yet", "--sensitivity", "high", "--id", "w1"]);
    run(&home, &["edit", "w1", "--text", "The word is zqxvkomega"]);
    let line =
        "{\"type\":\"fact\",\"id\":\"q1\",\"line\":\"- W(sens=high) @vault: zqxvkrho turns it ^q1\"}\n";
    let export = home.path().join("export.jsonl");
    write(&export, format!("{{\"type\":\"export\",\"version\":1,\"agent\":\"main\"}}\n{line}").as_bytes());
    run(&home, &["import", "jsonl", export.to_str().unwrap(), "--trust"]);
    fs::remove_file(export).unwrap();
    check(&home, &["retain, edit, import"]);
    home
}

#[test]
fn nothing_of_a_private_note_is_on_the_disk_in_clear() {
    let home = planted();
    let commands: [&[&str]; 25] = [
        &["search", "zqxvkalpha zqxvkiota", "--explain"],
        &["search", "zqxvkbeta", "--why-not", "memory/private/medical.md#L6"],
        &["recall", "zqxvkdelta", "--debug"],
        &["recall", "zqxvkomega", "--explain"],
        &["inspect", "w1"],
        &["inspect", "zqxvklambda.code"],
        &["entities"],
        &["entities", "zqxvkkappa"],
        &["retain", "The vault is green", "--entity", "zqxvkkappa", "--sensitivity", "high"],
        &["reflect"],
        &["index", "--force"],
        &["heartbeat"],
        &["status", "--deep"],
        &["doctor", "--fix"],
        &["policy", "apply", "--yes"],
        &["session", "append", "--session", "s1", "--role", "user", "I prefer tea"],
        &["session", "context", "--session", "s1"],
        &["session", "flush", "--session", "s1"],
        &["export", "--jsonl", "--out", "all.jsonl"],
        &["backup", "all.tar.zst"],
        &["restore", "all.tar.zst", "--verify"],
        &["restore", "all.tar.zst", "--into", "restored"],
        &["rekey"],
        &["forget", "--query", "zqxvketa", "--yes"],
        &["audit", "show"],
    ];
    for words in commands {
        run(&home, words);
        check(&home, words);
    }
    for canary in CANARIES.into_iter().filter(|canary| *canary != "zqxvketa") {
        let found = home.json(&["search", canary, "--max-results", "1"]);
        let path = found["results"][0]["path"].as_str().unwrap_or_default().to_owned();
        assert!(path.starts_with("memory/private/"), "{canary} is there for its owner: {found}");
    }
    check(&home, &["search"]);
}
