use expect_test::expect_file;
use serde_json::Value;

use crate::home::{Home, pretty, shape};

#[test]
fn the_json_of_status_keeps_its_shape() {
    let home = Home::new();
    home.out(&["index"]);
    let mut status = home.json(&["status"]);
    status[0]["mindfile"]["sqlite"] = "<version>".into();
    let text = pretty(&shape(&status)).replace(home.path().to_str().unwrap(), "~");
    expect_file!["snapshots/status.json"].assert_eq(&text);
}

#[test]
fn status_follows_the_order_of_lines_that_openclaw_has() {
    let home = Home::new();
    home.out(&["index"]);
    home.note("memory/new.md", "Not indexed yet.\n");
    let out = home.out(&["status"]);
    let labels: Vec<&str> = out.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    let expected = [
        "Provider", "Model", "Sources", "Indexed", "Dirty", "Store", "Workspace", "By source", "Vector",
        "Vector dims", "Vector engine", "Vectors", "FTS", "Embedding cache", "Index", "Issues",
    ];
    assert_eq!(labels[..expected.len().min(labels.len())], expected, "{out}");
    for line in [
        "Memory Search (main)",
        "Provider: embedded (requested: auto)",
        "Indexed: 3/4 files · 3 chunks",
        "Dirty: yes (1 new)",
        "Store: ~/state/memory/main.sqlite",
        "Workspace: ~/state/workspace",
        "  memory · 3/4 files · 3 chunks",
    ] {
        assert!(out.lines().any(|found| found == line), "{line} is not in {out}");
    }
}

#[test]
fn status_of_nothing_is_a_status_and_makes_nothing() {
    let home = Home::bare();
    let out = home.out(&["status"]);
    assert!(out.contains("Workspace: ~/state/workspace (does not exist)"), "{out}");
    assert!(out.contains("Index: not made yet"), "{out}");
    assert!(!home.path().join("state").exists());
}

#[test]
fn every_agent_has_its_status() {
    let home = Home::new();
    home.config("{ agents: { list: [{ id: \"main\", default: true }, { id: \"work\" }] } }");
    let ids = |words: &[&str]| -> Vec<Value> {
        home.json(words).as_array().unwrap().iter().map(|one| one["agentId"].clone()).collect()
    };
    assert_eq!(ids(&["status"]), ["main", "work"]);
    assert_eq!(ids(&["status", "--agent", "work"]), ["work"]);
}

#[test]
fn a_deep_status_checks_everything() {
    let home = Home::new();
    home.out(&["index"]);
    let status = home.json(&["status", "--deep"]);
    assert_eq!(status[0]["embeddingProbe"], serde_json::json!({ "ok": true }));
    let results: Vec<&Value> =
        status[0]["mindfile"]["deep"].as_array().unwrap().iter().map(|c| &c["result"]).collect();
    assert_eq!(results, ["passed", "passed", "passed", "passed"]);
    assert!(home.out(&["status", "--deep"]).contains("Checked:\n  index · "));
}

#[test]
fn the_doctor_exits_with_1_while_a_problem_remains() {
    let home = Home::new();
    home.out(&["index"]);
    let came = home.run(&["doctor"]);
    assert_eq!(came.code, 0, "{came:?}");
    std::fs::rename(home.workspace(), home.path().join("away")).unwrap();
    let came = home.run(&["doctor"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(
        came.out.contains("problem  the workspace ~/state/workspace does not exist\n         effect: "),
        "{came:?}"
    );
    assert!(came.out.contains("         fix:    mindfile init ~/state/workspace\n"), "{came:?}");
    let came = home.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&came.out).unwrap();
    assert_eq!((came.code, &report["ok"]), (1, &Value::Bool(false)));
    assert_eq!(report["findings"][0]["severity"], "problem");
}
