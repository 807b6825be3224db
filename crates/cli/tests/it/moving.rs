//! `mindfile import`, `export`, `backup` and `restore`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use expect_test::expect;
use serde_json::{Value, json};

use crate::home::{Home, write};

fn import(home: &Home, words: &[&str]) -> Value {
    let own: &[&str] = if words[0] == "openclaw" { &["--trust"] } else { &[] };
    home.json(&[&["import"], words, own].concat())
}

/// Every file below a folder, by its name.
fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.insert(path.strip_prefix(root).unwrap().to_owned(), std::fs::read(&path).unwrap());
            }
        }
    }
    all
}

/// Imports twice: a preview writes nothing, the second run writes nothing, and nothing that was there changed.
fn check(home: &Home, kind: &str, path: &str, new: [usize; 3]) -> Value {
    let before = tree(&home.workspace());
    let counts =
        |told: &Value| ["notes", "turns", "facts"].map(|what| told[what]["new"].as_u64().unwrap() as usize);
    assert_eq!(counts(&import(home, &[kind, path, "--dry-run"])), new, "{kind}");
    assert_eq!(tree(&home.workspace()), before);
    let told = import(home, &[kind, path]);
    assert_eq!(counts(&told), new, "{kind}: {told}");
    let after = tree(&home.workspace());
    for (path, bytes) in &before {
        assert_eq!(after.get(path), Some(bytes), "{} was touched", path.display());
    }
    let again = import(home, &[kind, path]);
    assert_eq!(counts(&again), [0, 0, 0], "{kind}: {again}");
    assert_eq!(tree(&home.workspace()), after, "{kind}");
    told
}

fn put(home: &Home, path: &str, text: &str) {
    write(&home.path().join(path), text.as_bytes());
}

#[test]
fn a_vault_becomes_notes_that_are_found() {
    let home = Home::new();
    put(&home, "vault/Boats/Green boat.md", "# Green boat\n\nThe green boat is called [[Petrel]].\n");
    put(&home, "vault/.obsidian/app.json", "{}");
    put(&home, "vault/.trash/old.md", "gone");
    put(&home, "vault/picture.png", "x");
    check(&home, "obsidian", "vault", [1, 0, 0]);
    assert!(
        home.out(&["search", "what is the green boat called", "--include-untrusted"])
            .contains("memory/import/obsidian/Boats/Green boat.md")
    );
    put(&home, "vault/Boats/Green boat.md", "changed\n");
    let told = import(&home, &["obsidian", "vault"]);
    assert_eq!((&told["notes"]["new"], &told["notes"]["kept"]), (&json!(0), &json!(1)));
    std::fs::remove_file(home.workspace().join("memory/import/obsidian/Boats/Green boat.md")).unwrap();
    put(&home, "vault/Boats/Green boat.md", "# Green boat\n\nThe green boat is called [[Petrel]].\n");
    assert_eq!(
        import(&home, &["obsidian", "vault"])["notes"]["new"],
        json!(0),
        "what was deleted stays away"
    );
}

#[test]
fn an_openclaw_home_keeps_its_names_where_they_are_free() {
    let home = Home::new();
    put(&home, "old/workspace/MEMORY.md", "# Memory\n\nThe boat is green.\n");
    put(&home, "old/workspace/SOUL.md", "# Soul\n");
    put(&home, "old/workspace/memory/2026-01-02.md", "- painted the boat\n");
    put(&home, "old/workspace/notes.md", "no memory file\n");
    let talk = [
        json!({"type": "session", "version": 3, "id": "t1"}),
        json!({"type": "message", "id": "e1", "timestamp": "2026-01-02T10:00:00Z", "message": {"role": "user", "content": "Which colour has the mast?"}}),
        json!({"type": "message", "id": "e2", "message": {"role": "assistant", "content": [{"type": "text", "text": "The mast is red."}]}}),
        json!({"type": "message", "id": "e3", "message": {"role": "toolResult", "content": "tool"}}),
    ];
    let talk: String = talk.iter().map(|line| format!("{line}\n")).collect();
    put(&home, "old/agents/main/sessions/t1.jsonl", &format!("{talk}not json\n"));
    let told = check(&home, "openclaw", "old", [2, 2, 0]);
    assert_eq!((&told["badRows"], &told["bad"][0]["line"]), (&json!(1), &json!(5)));
    assert!(home.out(&["get", "memory/import/openclaw/MEMORY.md"]).contains("The boat is green."));
    assert_eq!(home.out(&["get", "memory/2026-01-02.md"]), "- painted the boat\n");
    let found = home.json(&["search", "mast", "--source", "sessions"]);
    assert_eq!(found["results"][0]["path"], json!("sessions/openclaw-t1.jsonl"));
    home.run(&["import", "openclaw", "state"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: ~/state is this memory itself
        hint: it is used already; nothing has to be taken over
    "#]]);
}

#[test]
fn transcripts_of_coding_agents_become_conversations() {
    let home = Home::new();
    let line = |id: &str, role: &str, text: &str| json!({"type": role, "uuid": id, "timestamp": "2026-01-02T10:00:00Z", "message": {"role": role, "content": text}});
    let text =
        format!("{}\n{}\n", line("u1", "user", "Paint the boat."), line("a1", "assistant", "Painted."));
    put(&home, "claude/-home-app/s1.jsonl", &text);
    put(&home, "claude/-home-app/memory/MEMORY.md", "- The boat is green.\n");
    put(&home, "claude/-home-app/tool-results/x.txt", "x");
    check(&home, "claude-code", "claude", [1, 2, 0]);
    let shown = home.json(&["session", "show", "--session", "claude-code-s1"]);
    assert_eq!(shown["entries"][1]["text"], json!("Painted."));
    let rollout = [
        json!({"timestamp": "2026-01-02T10:00:00Z", "type": "session_meta", "payload": {"id": "c1"}}),
        json!({"timestamp": "2026-01-02T10:00:00Z", "type": "event_msg", "payload": {"type": "user_message", "message": "Which port?"}}),
        json!({"timestamp": "2026-01-02T10:00:00Z", "type": "event_msg", "payload": {"type": "agent_message", "message": "8081."}}),
    ];
    let rollout: String = rollout.iter().map(|line| format!("{line}\n")).collect();
    put(&home, "codex/2026/01/02/rollout-2026-01-02.jsonl", &rollout);
    check(&home, "codex", "codex", [0, 2, 0]);
    assert_eq!(
        home.json(&["session", "show", "--session", "codex-c1"])["entries"][0]["text"],
        json!("Which port?")
    );
}

#[test]
fn a_chatgpt_export_gives_the_path_that_was_taken() {
    let home = Home::new();
    let node = |parent: Value, role: &str, id: &str, text: &str| {
        json!({"parent": parent, "message": {"id": id, "author": {"role": role}, "create_time": 1767348000.5,
               "recipient": "all", "content": {"content_type": "text", "parts": [text]}}})
    };
    let conversation = json!({"conversation_id": "c1", "title": "Boats", "current_node": "n3", "mapping": {
        "n0": {"parent": null, "message": null},
        "n1": node(json!("n0"), "user", "m1", "Which colour?"),
        "n2": node(json!("n1"), "assistant", "m2", "An answer that was thrown away."),
        "n3": node(json!("n1"), "assistant", "m3", "Green."),
    }});
    let looped = json!({"id": "c2", "current_node": "a", "mapping": {
        "a": node(json!("b"), "user", "m1", "Round"), "b": node(json!("a"), "assistant", "m2", "and round")}});
    let export = json!([conversation, {"title": "no conversation"}, looped]);
    put(&home, "export/conversations.json", &export.to_string());
    put(&home, "export/chat.html", "<html>");
    let told = import(&home, &["chatgpt", "export"]);
    assert_eq!(told["bad"][0]["line"], json!(2));
    let shown = home.json(&["session", "show", "--session", "chatgpt-c1"]);
    let texts: Vec<&Value> =
        shown["entries"].as_array().unwrap().iter().map(|entry| &entry["text"]).collect();
    assert_eq!(texts, [&json!("Which colour?"), &json!("Green.")]);
    assert_eq!(import(&home, &["chatgpt", "export"])["turns"]["new"], json!(0));
    put(&home, "cut/conversations.json", &export.to_string()[..900]);
    let cut = import(&home, &["chatgpt", "cut"]);
    assert_eq!(cut["badRows"], json!(2), "{cut}");
}

#[test]
fn memories_of_mem0_become_facts_with_their_source() {
    let home = Home::new();
    let rows = json!({"results": [
        {"id": "a-1", "memory": "Likes to sail in the morning", "user_id": "ann", "created_at": "2026-01-02T10:00:00-08:00", "categories": ["preferences"]},
        {"id": "a-2", "memory": "The boat is called Petrel", "user_id": "ann"},
        {"id": "a-3", "user_id": "ann"},
        {"id": "a-4", "memory": "x".repeat(9_000)},
    ]});
    put(&home, "mem0.json", &rows.to_string());
    let told = check(&home, "mem0", "mem0.json", [0, 0, 2]);
    assert_eq!(told["badRows"], json!(2));
    let note = home.out(&["get", "memory/import/mem0.md"]);
    assert!(
        note.contains("- O(src=import:mem0/a-1,seen=2026-01-02) @ann: Likes to sail in the morning ^m"),
        "{note}"
    );
    assert_eq!(home.json(&["recall", "what is the boat called"])["results"], json!([]));
    let recalled = home.json(&["recall", "what is the boat called", "--include-untrusted"]);
    let text = recalled["results"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("[untrusted ") && text.contains("The boat is called Petrel"), "{text}");
    put(&home, "rows.jsonl", "{\"id\":1,\"memory\":\"The mast is red\"}\n{broken\n");
    let told = import(&home, &["mem0", "rows.jsonl"]);
    assert_eq!((&told["facts"]["new"], &told["bad"][0]["line"]), (&json!(1), &json!(2)));
}

#[test]
fn what_is_exported_can_be_imported_elsewhere() {
    let home = Home::new();
    home.out(&[
        "retain", "Sarah leads the billing team", "--entity", "Sarah", "--salience", "0.9", "--id", "sarah1",
    ]);
    let lines = home.out(&["export", "--jsonl"]);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0], json!({"type": "export", "version": 1, "agent": "main"}));
    let fact = rows.iter().find(|row| row["type"] == "fact").unwrap();
    assert_eq!((&fact["id"], &fact["kind"], &fact["salience"]), (&json!("sarah1"), &json!("W"), &json!(0.9)));
    let told = home.json(&["export", "--jsonl", "--out", "all.jsonl"]);
    assert_eq!((&told["notes"], &told["facts"]), (&json!(4), &json!(1)));
    let other = Home::bare();
    other.out(&["init"]);
    let path = home.path().join("all.jsonl");
    check(&other, "jsonl", path.to_str().unwrap(), [4, 0, 0]);
    assert_eq!(other.json(&["inspect", "sarah1"])["text"], json!("Sarah leads the billing team"));
    let only: String =
        rows.iter().filter(|row| row["type"] == "fact").map(|row| format!("{row}\n")).collect();
    let third = Home::bare();
    third.out(&["init"]);
    put(&third, "facts.jsonl", &only);
    check(&third, "jsonl", "facts.jsonl", [0, 0, 1]);
    assert!(third.out(&["get", "memory/import/jsonl.md"]).contains("src=import:jsonl"));
    let markdown = home.out(&["export", "--markdown"]);
    assert!(
        markdown.contains("### memory/api.md")
            && markdown.contains("Sarah leads the billing team ^sarah1 <!-- memory/")
    );
    assert_eq!(home.run(&["export"]).code, 2);
}

#[test]
fn a_backup_is_the_same_bytes_twice_and_proved_by_restoring() {
    let home = Home::new();
    home.config("{\n  // mine\n  memorySearch: { remote: { apiKey: \"not-to-be-told\" } }\n}\n");
    home.out(&["retain", "Sarah leads the billing team", "--entity", "Sarah"]);
    home.out(&["session", "append", "--session", "s1", "We decided to paint the boat green."]);
    home.out(&["search", "boat"]);
    std::os::unix::fs::symlink("/etc/hostname", home.workspace().join("link.md")).unwrap();
    let made = home.json(&["backup", "one.tar.zst"]);
    assert!(made["leftOut"].to_string().contains("apiKey"), "{made}");
    home.out(&["backup", "two.tar.zst"]);
    home.out(&["backup", "plain.tar"]);
    let read = |name: &str| std::fs::read(home.path().join(name)).unwrap();
    assert_eq!(read("one.tar.zst"), read("two.tar.zst"));
    assert!(read("one.tar.zst").len() < read("plain.tar").len());
    assert!(!read("plain.tar").windows(14).any(|bytes| bytes == b"not-to-be-told"));
    for name in ["one.tar.zst", "plain.tar"] {
        let proved = home.json(&["restore", name, "--verify"]);
        assert_eq!(proved["changedSince"], json!([]), "{proved}");
        assert_eq!(proved["notes"], json!(4));
        assert!(proved["questions"].as_u64().unwrap() >= 3, "{proved}");
    }
    home.out(&["restore", "one.tar.zst", "--into", "copy"]);
    let mut here = tree(&home.workspace());
    here.remove(Path::new("link.md"));
    assert_eq!(tree(&home.path().join("copy/workspace")), here);
    let copied = tree(&home.path().join("copy/state"));
    assert!(
        copied.keys().any(|path| path.ends_with("s1.jsonl"))
            && !copied.keys().any(|path| path.to_string_lossy().contains("sqlite"))
    );
    let found = home.json(&[
        "search", "boat", "--source", "sessions", "--state-dir", "copy/state", "--workspace",
        "copy/workspace",
    ]);
    assert_eq!(found["results"][0]["path"], json!("sessions/s1.jsonl"));
    home.run(&["backup", "one.tar.zst"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: one.tar.zst is there already
        hint: name another file; a backup is never overwritten
    "#]]);
}

#[test]
fn a_restore_overwrites_nothing_that_differs_unless_it_is_told_to() {
    let home = Home::new();
    home.out(&["backup", "b.tar.zst"]);
    assert_eq!(home.json(&["restore", "b.tar.zst"])["written"], json!(0));
    home.note("memory/api.md", "changed since\n");
    std::fs::remove_file(home.workspace().join("memory/trip.md")).unwrap();
    let before = tree(&home.workspace());
    home.run(&["restore", "b.tar.zst"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: 1 files are there already and differ, such as ~/state/workspace/memory/api.md
        hint: nothing was written; --into DIR restores beside them, --force overwrites them
    "#]]);
    assert_eq!(tree(&home.workspace()), before);
    let proved = home.json(&["restore", "b.tar.zst", "--verify"]);
    assert_eq!(proved["changedSince"], json!(["workspace/memory/api.md", "workspace/memory/trip.md"]));
    let done = home.json(&["restore", "b.tar.zst", "--force"]);
    assert_eq!((&done["written"], &done["overwritten"]), (&json!(1), &json!(1)));
    assert!(home.out(&["get", "memory/api.md"]).contains("100 requests"));
}

#[test]
fn a_damaged_or_hostile_archive_writes_nothing() {
    let home = Home::new();
    home.out(&["backup", "good.tar"]);
    home.out(&["backup", "good.tar.zst"]);
    let good = std::fs::read(home.path().join("good.tar")).unwrap();
    let at = good.windows(12).position(|bytes| bytes == b"100 requests").unwrap();
    let mut flipped = good.clone();
    flipped[at] = b'9';
    let packed = std::fs::read(home.path().join("good.tar.zst")).unwrap();
    for (name, bytes) in [
        ("flipped.tar", flipped),
        ("cut.tar", good[..good.len() / 2].to_vec()),
        ("cut.tar.zst", packed[..packed.len() / 2].to_vec()),
        ("noise.tar", b"no archive at all".repeat(100)),
        ("empty.tar", Vec::new()),
    ] {
        write(&home.path().join(name), &bytes);
        for words in [&["restore", name, "--into", "out"][..], &["restore", name, "--verify"]] {
            let came = home.run(words);
            assert!(came.code == 1 || came.code == 2, "{name}: {came:?}");
            assert!(!home.path().join("out").exists(), "{name}");
        }
    }
    for (name, kind) in [
        ("../evil.md", b'0'),
        ("workspace/../../evil.md", b'0'),
        ("/evil.md", b'0'),
        ("workspace/link", b'2'),
        ("state/pipe", b'6'),
        ("elsewhere/x", b'0'),
    ] {
        write(&home.path().join("evil.tar"), &entry(name, kind));
        let came = home.run(&["restore", "evil.tar", "--into", "out"]);
        assert_eq!(came.code, 2, "{name}: {came:?}");
        assert!(came.err.contains("which is refused"), "{name}: {came:?}");
        assert!(!home.path().join("out").exists() && !home.path().join("evil.md").exists(), "{name}");
    }
    std::fs::create_dir_all(home.path().join("out/workspace")).unwrap();
    std::os::unix::fs::symlink(home.path(), home.path().join("out/workspace/memory")).unwrap();
    let came = home.run(&["restore", "good.tar", "--into", "out"]);
    assert!(came.code == 2 && came.err.contains("a link is in its place"), "{came:?}");
}

/// A tar file of one empty entry, byte by byte.
fn entry(name: &str, kind: u8) -> Vec<u8> {
    let mut header = vec![0_u8; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..107].copy_from_slice(b"0000600");
    header[124..135].copy_from_slice(b"00000000000");
    header[136..147].copy_from_slice(b"00000000000");
    header[156] = kind;
    header[157..161].copy_from_slice(b"/etc");
    header[257..263].copy_from_slice(b"ustar\0");
    header[263..265].copy_from_slice(b"00");
    header[148..156].copy_from_slice(b"        ");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header.extend([0; 1024]);
    header
}

/// Stands in all that is forgotten, and in nothing else.
const KEEPER: &str = "lampkeeper0042x";

fn holding(root: &Path) -> Vec<PathBuf> {
    let has = |bytes: &[u8]| bytes.windows(KEEPER.len()).any(|part| part == KEEPER.as_bytes());
    tree(root).into_iter().filter(|(_, bytes)| has(bytes)).map(|(path, _)| path).collect()
}

fn with_something_to_forget() -> Home {
    let home = Home::new();
    home.note(
        "memory/pier.md",
        &format!("# Pier\r\n\r\nA line.\r\nThe amber key of {KEEPER} lies under the seventh stone.\r\n"),
    );
    home.note(
        "memory/2019-03-04.md",
        &format!("# A day with {KEEPER}\n\nThe {KEEPER} came to dinner late.\n"),
    );
    home.out(&["retain", &format!("The {KEEPER} wears a green coat on Sundays"), "--id", "coat"]);
    let said = format!("Please remember that {KEEPER} lives in the north tower.");
    home.out(&["session", "append", "--session", "s1", &said]);
    home
}

#[test]
fn what_was_forgotten_is_taken_out_of_backups_and_not_restored_from_copies() {
    let home = with_something_to_forget();
    home.out(&["backup", "old.tar"]);
    home.out(&["backup", "packed.tar.zst"]);
    std::fs::copy(home.path().join("old.tar"), home.path().join("copy.tar")).unwrap();
    home.out(&["forget", "--query", KEEPER, "--yes"]);
    assert_eq!(holding(home.path()), [Path::new("copy.tar")]);
    for name in ["old.tar", "packed.tar.zst"] {
        assert!(home.json(&["restore", name, "--verify"])["files"].as_u64().unwrap() > 3, "{name}");
    }
    let note = home.workspace().join("memory/pier.md");
    let done = home.json(&["restore", "copy.tar", "--force"]);
    let names: Vec<&str> =
        done["withheld"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert!(names.contains(&"workspace/memory/pier.md"), "{done}");
    assert!(names.contains(&"state/agents/main/sessions/s1.jsonl"), "{done}");
    assert_eq!(std::fs::read_to_string(&note).unwrap(), "# Pier\r\n\r\nA line.\r\n");
    home.out(&["index"]);
    assert_eq!(holding(home.path()), [Path::new("copy.tar")]);
    let told = home.out(&["restore", "copy.tar", "--into", "beside"]);
    assert!(told.contains("forgotten, and not restored: 1 line of workspace/memory/pier.md"), "{told}");
    assert_eq!(holding(&home.path().join("beside")), Vec::<PathBuf>::new());
    let again = format!("The {KEEPER} wears a green coat on Sundays");
    let there = ["--state-dir", "beside/state", "--workspace", "beside/workspace"];
    let refused = home.run(&[&["retain", &again][..], &there].concat());
    assert!(refused.code == 2 && refused.err.contains("was forgotten on request"), "{refused:?}");
}

#[test]
fn the_backup_of_another_memory_does_not_replace_the_key_of_what_was_forgotten() {
    let (home, other) = (with_something_to_forget(), with_something_to_forget());
    other.out(&["backup", "other.tar"]);
    home.out(&["forget", "--query", KEEPER, "--yes"]);
    let file = other.path().join("other.tar");
    let came = home.run(&["restore", file.to_str().unwrap(), "--force"]);
    assert!(came.code == 2 && came.err.contains("has another key than"), "{came:?}");
    assert_eq!(holding(home.path()), Vec::<PathBuf>::new());
    home.out(&["restore", file.to_str().unwrap(), "--into", "beside"]);
    assert_eq!(holding(&home.path().join("beside")), Vec::<PathBuf>::new());
}
