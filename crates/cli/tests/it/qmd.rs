//! The program under the name of `qmd`, called as OpenClaw up to 2026.7 calls it.

use std::os::unix::process::CommandExt;
use std::process::Command;

use expect_test::expect;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::home::{Came, Home, pretty, shape, write};

/// A home whose workspace is two collections, as OpenClaw makes them.
struct Agent {
    home: Home,
}

impl Agent {
    fn new() -> Self {
        let agent = Self { home: Home::new() };
        let workspace = agent.home.workspace();
        let workspace = workspace.to_str().unwrap();
        agent.out(&["collection", "add", workspace, "--name", "memory-root-main", "--mask", "MEMORY.md"]);
        let notes = format!("{workspace}/memory");
        agent.out(&["collection", "add", &notes, "--name", "memory-dir-main", "--mask", "**/*.md"]);
        agent
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.home.command(words);
        command.arg0("/somewhere/qmd").env("NO_COLOR", "1");
        let agent = self.home.path().join("state/agents/main/qmd");
        command.env("XDG_CONFIG_HOME", agent.join("xdg-config"));
        command.env("QMD_CONFIG_DIR", agent.join("xdg-config/qmd"));
        command.env("XDG_CACHE_HOME", agent.join("xdg-cache"));
        command
    }

    fn run(&self, words: &[&str]) -> Came {
        self.home.came(&self.command(words).output().unwrap())
    }

    fn out(&self, words: &[&str]) -> String {
        let came = self.run(words);
        assert_eq!(came.code, 0, "{words:?}: {came:?}");
        came.out
    }

    fn found(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.out(&[words, &["--json"]].concat())).unwrap()
    }

    fn files(&self, words: &[&str]) -> Vec<String> {
        let found = self.found(words);
        found.as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect()
    }

    fn documents(&self) -> Connection {
        Connection::open(self.home.path().join("state/agents/main/qmd/xdg-cache/qmd/index.sqlite")).unwrap()
    }
}

#[test]
fn a_result_has_all_that_a_host_reads() {
    let agent = Agent::new();
    let found =
        agent.found(&["search", "rate limit", "-n", "1", "-c", "memory-root-main", "-c", "memory-dir-main"]);
    let docid = found[0]["docid"].as_str().unwrap().to_owned();
    expect![[r##"
        [
          {
            "docid": "#6bc5ed2bc619",
            "score": "<number>",
            "file": "qmd://memory-dir-main/api.md",
            "collection": "memory-dir-main",
            "title": "api",
            "line": "<number>",
            "start_line": "<number>",
            "end_line": "<number>",
            "snippet": "@@ -1,5 @@\n# API\n\nThe rate limit is 100 requests per minute.\n\nTimeouts are 30 seconds."
          }
        ]"##]]
    .assert_eq(&pretty(&shape(&found)));
    let sql = "SELECT collection, path FROM documents WHERE hash LIKE ? AND active = 1";
    let like = format!("{}%", docid.trim_start_matches('#'));
    let place = agent
        .documents()
        .query_row(sql, [like], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    assert_eq!(place.unwrap(), ("memory-dir-main".to_owned(), "api.md".to_owned()));
}

#[test]
fn every_mode_answers_a_question_and_nothing_known_is_an_empty_list() {
    let agent = Agent::new();
    for mode in ["search", "vsearch", "query"] {
        let files = agent.files(&[mode, "what is the dog called?", "--no-rerank", "-n", "1"]);
        assert_eq!(files, ["qmd://memory-root-main/MEMORY.md"], "{mode}");
    }
    assert_eq!(agent.found(&["search", "zirconium welding torch"]), json!([]));
    assert_eq!(agent.out(&["search", "zirconium welding torch"]), "No results found.\n");
}

#[test]
fn only_the_collections_that_are_named_are_searched() {
    let agent = Agent::new();
    let question = "what is the dog called?";
    assert_eq!(agent.files(&["search", question, "-c", "memory-dir-main", "--min-score", "0.9"]), [""; 0]);
    let files = agent.files(&["search", question, "-c", "memory-root-main"]);
    assert_eq!(files, ["qmd://memory-root-main/MEMORY.md"]);
    let missing = agent.run(&["search", question, "--json", "-c", "sessions-main"]);
    assert_eq!((missing.code, missing.out.as_str()), (1, ""));
    assert!(missing.err.contains("Collection not found: sessions-main"), "{missing:?}");
}

#[test]
fn a_small_collection_is_found_among_many_notes_of_another() {
    let agent = Agent::new();
    for n in 0..150 {
        agent
            .home
            .note(&format!("memory/filler-{n}.md"), &format!("The dog number {n} is called Rex {n}.\n"));
    }
    let files = agent.files(&["search", "what is the dog called?", "-n", "4", "-c", "memory-root-main"]);
    assert_eq!(files, ["qmd://memory-root-main/MEMORY.md"]);
}

#[test]
fn collections_are_listed_as_they_were_added() {
    let agent = Agent::new();
    let listed = agent.found(&["collection", "list"]);
    assert_eq!(
        listed,
        json!([
            { "name": "memory-dir-main", "path": "~/state/workspace/memory", "pattern": "**/*.md" },
            { "name": "memory-root-main", "path": "~/state/workspace", "pattern": "MEMORY.md" },
        ])
    );
    expect![[r"
        Collection: memory-root-main
          Path:     ~/state/workspace
          Pattern:  MEMORY.md
          Include:  yes (default)
    "]]
    .assert_eq(&agent.out(&["collection", "show", "memory-root-main"]));
}

#[test]
fn conflicts_are_said_in_the_words_that_hosts_look_for() {
    let agent = Agent::new();
    let workspace = agent.home.workspace();
    let workspace = workspace.to_str().unwrap();
    let refused = |words: &[&str]| {
        let came = agent.run(words);
        assert_eq!((came.code, came.out.as_str()), (1, ""), "{came:?}");
        came.err
    };
    let again = refused(&["collection", "add", workspace, "--name", "memory-root-main", "--mask", "x.md"]);
    assert!(again.contains("Collection 'memory-root-main' already exists."), "{again}");
    let same = refused(&["collection", "add", workspace, "--name", "other", "--glob", "MEMORY.md"]);
    assert!(same.contains("A collection already exists for this path and pattern:\n  Name: memory-root-main (qmd://memory-root-main/)\n"), "{same}");
    assert!(refused(&["collection", "remove", "nobody"]).contains("Collection not found: nobody"));
    assert!(refused(&["collection", "add", "/nowhere/at/all"]).contains("path does not exist"));
    assert!(refused(&["collection", "add", workspace, "--name", "../x"]).contains("cannot be a name"));
    assert!(refused(&["bogus"]).contains("Unknown command: bogus"));
}

#[test]
fn a_collection_that_is_removed_is_not_searched_or_listed_any_more() {
    let agent = Agent::new();
    let count = |sql: &str| agent.documents().query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM documents WHERE active = 1"), 3);
    agent.out(&["collection", "remove", "memory-dir-main"]);
    assert_eq!(count("SELECT count(*) FROM documents"), 1);
    assert_eq!(agent.files(&["search", "rate limit", "--min-score", "0.6"]), [""; 0]);
}

#[test]
fn update_embed_and_status_say_what_qmd_says() {
    let agent = Agent::new();
    agent.home.note("memory/rent.md", "Rent is due on the 3rd.\n");
    expect![[r"
        Indexed: 1 new, 0 updated, 3 unchanged, 0 removed

        ✓ All collections updated.
    "]]
    .assert_eq(&agent.out(&["update"]));
    agent.home.note("memory/api.md", "# API\n\nThe rate limit is 200 requests per minute.\n");
    expect![[r"
        Indexed: 0 new, 1 updated, 3 unchanged, 0 removed

        ✓ All collections updated.
    "]]
    .assert_eq(&agent.out(&["update"]));
    agent.out(&["embed"]);
    let status = agent.out(&["status"]);
    for line in
        ["  Total:    4 files indexed\n", "  Vectors:  4 embedded\n", "  Pending:  0 need embedding\n"]
    {
        assert!(status.contains(line), "{status}");
    }
}

#[test]
fn a_program_that_is_only_looked_for_does_no_harm() {
    let agent = Agent { home: Home::bare() };
    assert_eq!(agent.run(&[]).code, 1);
    assert!(agent.out(&["--version"]).starts_with("qmd 2."));
    assert!(agent.out(&["--help"]).contains("one or more collections"));
    assert_eq!(agent.found(&["collection", "list"]), json!([]));
    assert_eq!(agent.found(&["search", "anything"]), json!([]));
    assert!(agent.out(&["status"]).contains("Vectors:  0"));
    agent.out(&["update"]);
    assert_eq!(std::fs::read_dir(agent.home.path()).unwrap().count(), 0);
}

#[test]
fn a_linked_workspace_and_odd_names_are_found_under_the_path_as_given() {
    let agent = Agent { home: Home::new() };
    agent.home.note("memory/100% #1?.md", "The espresso machine is descaled on Sundays.\n");
    let link = agent.home.path().join("linked");
    std::os::unix::fs::symlink(agent.home.workspace(), &link).unwrap();
    let notes = link.join("memory");
    agent.out(&["collection", "add", notes.to_str().unwrap(), "--name", "notes"]);
    assert_eq!(agent.found(&["collection", "list"])[0]["path"], "~/linked/memory");
    let files = agent.files(&["search", "when is the espresso machine descaled", "-n", "1"]);
    assert_eq!(files, ["qmd://notes/100%25%20%231%3F.md"]);
}

#[test]
fn a_database_of_qmd_itself_is_left_alone_and_results_have_no_docid() {
    let agent = Agent { home: Home::new() };
    let file = agent.home.path().join("state/agents/main/qmd/xdg-cache/qmd/index.sqlite");
    write(&file, b"");
    let sql =
        "CREATE TABLE documents (id INTEGER PRIMARY KEY, collection TEXT, path TEXT, title TEXT NOT NULL)";
    agent.documents().execute_batch(sql).unwrap();
    let before = std::fs::read(&file).unwrap();
    let notes = agent.home.workspace().join("memory");
    agent.out(&["collection", "add", notes.to_str().unwrap(), "--name", "notes"]);
    let update = agent.run(&["update"]);
    assert!(update.err.contains("made by QMD itself and is left alone"), "{update:?}");
    let found = agent.found(&["search", "rate limit", "-n", "1"]);
    assert_eq!((&found[0]["file"], found[0].get("docid")), (&json!("qmd://notes/api.md"), None));
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn on_a_machine_whose_engine_is_qmd_it_does_not_ask_itself() {
    let agent = Agent::new();
    let file = agent.home.path().join("state/mindfile.json");
    write(&file, br#"{ "memory": { "backend": "qmd", "qmd": { "command": "/nowhere/qmd" } } }"#);
    let came = agent.run(&["search", "rate limit", "--json", "-c", "memory-dir-main"]);
    assert_eq!((came.code, came.err.as_str()), (0, ""));
    assert!(came.out.contains("qmd://memory-dir-main/api.md"), "{came:?}");
}
