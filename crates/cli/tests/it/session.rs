//! `mindfile session`

use std::io::Write;
use std::process::Stdio;

use expect_test::expect;
use serde_json::json;

use crate::home::{Home, write};

fn say(home: &Home, role: &str, text: &str) -> serde_json::Value {
    home.json(&["session", "append", "--session", "s1", "--role", role, text])
}

#[test]
fn what_is_appended_is_shown_found_and_cited() {
    let home = Home::new();
    say(&home, "user", "We decided to paint the boat green.");
    say(&home, "assistant", "Green it is.");
    let shown = home.json(&["session", "show", "--session", "s1"]);
    assert_eq!(shown["entries"][0]["text"], json!("We decided to paint the boat green."));
    let found = home.json(&["search", "boat", "--source", "sessions"]);
    let hit = &found["results"][0];
    assert_eq!(hit["citation"], json!("sessions/s1.jsonl#L2-L3"));
    assert_eq!(hit["source"], json!("sessions"));
    assert_eq!(hit["messages"][0]["role"], json!("user"));
    assert!(hit["messages"][0]["date"].is_string());
    assert_eq!(home.json(&["search", "boat", "--mode", "keyword"])["results"], json!([]));
}

#[test]
fn nothing_is_not_a_turn_and_a_window_has_room() {
    let home = Home::new();
    let check = |words: &[&str], expected: &str| {
        let came = home.run(words);
        assert_eq!(came.code, 2, "{words:?}");
        assert!(came.err.contains(expected), "{words:?}: {}", came.err);
    };
    let append = ["session", "append", "--session", "s1"];
    check(&[&append[..], &[" "]].concat(), "a message needs a role and text: the text is empty");
    check(&append, "a message needs a role and text: there is none");
    check(&["session", "flush-check", "--session", "s1", "--context-window", "0"], "0 is not in 1..");
    assert!(home.run(&["session", "show", "--session", "s1"]).err.contains("there is no session"));
}

#[test]
fn a_host_that_asks_for_quiet_hears_nothing_when_all_is_well() {
    let home = Home::new();
    for words in [
        &["session", "append", "--session", "s1", "--quiet", "I prefer tea."][..],
        &["session", "flush", "--session", "s1", "--quiet"],
        &["session", "compact", "--session", "s1", "--quiet"],
    ] {
        assert_eq!(home.out(words), "", "{words:?}");
    }
}

#[test]
fn what_is_said_does_not_change_what_the_notes_answer() {
    let home = Home::new();
    for query in ["boat", "what does the dog fear", "rate limit"] {
        let before = home.json(&["search", query]);
        say(&home, "user", &format!("The boat is green, the dog fears nothing, the limit is off: {query}"));
        assert_eq!(home.json(&["search", query])["results"], before["results"], "{query}");
    }
}

#[test]
fn an_append_says_where_it_is_and_what_it_found() {
    let home = Home::new();
    let came = home.run(&["session", "append", "--session", "s1", "I prefer tea."]);
    came.check(&expect![[r#"
        exit 0
        --- stdout
        ✓ 1 turn written sessions/s1.jsonl#L2
          preference (sessions/s1.jsonl#L2): I prefer tea.
        --- stderr
    "#]]);
}

#[test]
fn messages_come_from_standard_input() {
    let home = Home::new();
    let mut command = home.command(&["session", "append", "--session", "s1", "--json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = "{\"role\":\"user\",\"content\":\"one\"}\n{\"role\":\"assistant\",\"content\":\"two\"}\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let shown = home.json(&["session", "show", "--session", "s1"]);
    assert_eq!(shown["entries"].as_array().unwrap().len(), 2);
}

#[test]
fn the_flush_check_has_the_documented_shape() {
    let home = Home::new();
    say(&home, "user", "hello");
    let words = ["session", "flush-check", "--session", "s1", "--context-window", "200000"];
    assert_eq!(
        home.json(&words),
        json!({"flush": false, "reason": "below-threshold", "threshold": 176000, "tokens": 5, "compact": false})
    );
    let full = home.json(&[&words[..], &["--tokens", "176000"]].concat());
    assert_eq!((&full["flush"], &full["reason"]), (&json!(true), &json!("threshold-reached")));
    let heartbeat = home.json(&[&words[..], &["--tokens", "176000", "--heartbeat"]].concat());
    assert_eq!((&heartbeat["flush"], &heartbeat["reason"]), (&json!(false), &json!("heartbeat")));
}

#[test]
fn a_session_that_is_not_there_is_the_callers_mistake() {
    let home = Home::new();
    home.run(&["session", "show", "--session", "nope"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: there is no session "nope"
        hint: `mindfile session list` shows those that are there
    "#]]);
}

#[test]
fn a_flush_and_a_compaction_are_told() {
    let home = Home::new();
    for turn in 0..30 {
        say(&home, "user", &format!("We decided to use part {turn}. {}", "And so on it went. ".repeat(20)));
    }
    let flushed = home.json(&["session", "flush", "--session", "s1"]);
    assert_eq!(flushed["candidates"], json!(30));
    let compacted = home.json(&["session", "compact", "--session", "s1", "--overflow"]);
    assert_eq!(compacted["by"], json!("extract"));
    let context = home.json(&["session", "context", "--session", "s1"]);
    assert!(context["summary"]["text"].as_str().unwrap().starts_with("Extract of "));
    let names: Vec<&str> =
        context["system"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("MEMORY.md", "Memory"));
    let group = home.json(&["session", "context", "--session", "s1", "--chat-type", "group"]);
    assert_eq!(group["withheld"], json!(["MEMORY.md: this is a group conversation"]));
    let listed = home.json(&["session", "list"]);
    assert_eq!(
        (&listed[0]["compactionCount"], &listed[0]["memoryFlushCompactionCount"]),
        (&json!(1), &json!(0))
    );
}

#[test]
fn a_flush_that_cannot_save_says_so_and_the_next_one_does() {
    let home = Home::new();
    say(&home, "user", "We decided that the boat key hangs behind the door.");
    let (notes, aside) = (home.workspace().join("memory"), home.path().join("aside"));
    let away = std::fs::rename(&notes, &aside).is_ok();
    write(&notes, b"no folder");
    let failed = home.run(&["session", "flush", "--session", "s1"]);
    assert_eq!(failed.code, 1, "{}", failed.err);
    assert!(failed.out.starts_with("Nothing was saved"), "{}", failed.out);
    std::fs::remove_file(&notes).unwrap();
    if away {
        std::fs::rename(&aside, &notes).unwrap();
    }
    let saved = home.run(&["session", "flush", "--session", "s1"]);
    assert_eq!((saved.code, saved.out.starts_with("✓ Saved 1 candidate")), (0, true), "{}", saved.out);
}
