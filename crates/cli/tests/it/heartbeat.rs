//! `heartbeat`

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::home::Home;

const NOTE: &str = "- W(due=2026-01-05) @tax: File the return ^tax\n- W @api: The limit is 100 ^api\n";

#[test]
fn a_pass_is_one_line_and_what_is_due_below_it() {
    let home = Home::bare();
    home.note("memory/tax.md", NOTE);
    let out = home.out(&["heartbeat"]);
    let (line, rest) = out.split_once('\n').unwrap();
    assert!(line.ends_with("  2 facts: 1 reminder overdue"), "{line}");
    assert_eq!(rest, "  Overdue:\n    - File the return ^tax memory/tax.md#L1 (due 2026-01-05)\n");
    let log = std::fs::read_to_string(home.path().join("state/memory/main.heartbeat.log")).unwrap();
    assert!(log.ends_with("Z 2 facts: 1 reminder overdue\n"), "{log}");
}

#[test]
fn json_has_every_list() {
    let home = Home::bare();
    home.note("memory/tax.md", NOTE);
    let beat = home.json(&["heartbeat", "--dry-run"]);
    assert_eq!((beat["overdue"][0]["id"].as_str(), beat["dryRun"].as_bool()), (Some("tax"), Some(true)));
    let lists = ["faded", "unconfirmed", "clusters", "contradictions", "settled", "notices"];
    assert!(lists.iter().all(|list| beat[list].as_array().is_some_and(Vec::is_empty)), "{beat}");
    assert_eq!(beat["asked"], serde_json::json!({ "questions": 0, "tokens": 0, "budget": 2000, "left": 0 }));
    assert_eq!(beat["swept"], serde_json::json!({ "leftovers": 0, "files": [], "uses": 0 }));
}

#[test]
fn it_goes_on_until_ctrl_c() {
    let home = Home::bare();
    home.note("memory/tax.md", NOTE);
    let mut child =
        home.command(&["heartbeat", "--every", "1s", "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    let lines: Vec<String> =
        BufReader::new(child.stdout.take().unwrap()).lines().take(2).map(|line| line.unwrap()).collect();
    assert!(lines.iter().all(|line| line.contains("\"line\":\"2 facts: 1 reminder overdue\"")), "{lines:?}");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
