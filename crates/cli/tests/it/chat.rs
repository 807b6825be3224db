//! The chat model of the settings, asked by every command that can make use of one; it answers from the loopback.

#[path = "../../../model/tests/it/chat/server.rs"]
#[expect(dead_code, reason = "it is shared with the tests of the models, which use all of it")]
mod server;

use serde_json::Value;
use server::{ChatServer, Says};

use crate::home::Home;

/// A home whose settings name the server, with a key that goes nowhere else.
fn home(server: &ChatServer, more: &str) -> Home {
    let home = Home::bare();
    home.note("MEMORY.md", "# Memory\n");
    home.config(&format!(
        "{{ agents: {{ defaults: {{ chat: {{ model: 'm', baseUrl: '{}', apiKey: 'k-{}' {more} }} }} }} }}",
        server.url(),
        "synthetic"
    ));
    home
}

fn asked(body: &Value) -> String {
    body["messages"].to_string()
}

#[test]
fn a_chat_model_of_the_settings_says_how_much_a_fact_matters() {
    let server = ChatServer::start(|body| {
        Says::Text(if asked(body).contains("ferry") { "0.83" } else { "rather important" }.to_owned())
    });
    let home = home(&server, "");
    let kept = home.json(&["retain", "The ferry was sold", "--entity", "ferry"]);
    assert_eq!(kept["salience"], 0.83);
    assert!(server.seen()[0].1.contains(&"authorization: bearer k-synthetic".to_owned()));
    let kept = home.run(&["retain", "The dog sleeps", "--entity", "dog", "--salience", "auto"]);
    assert_eq!(kept.code, 0);
    assert!(kept.err.contains("salience is an estimate: the model gave no number"), "{}", kept.err);
    assert_eq!(server.seen().len(), 3);
    let kept = home.json(&["retain", "The cat sleeps", "--entity", "cat", "--salience", "0.2"]);
    assert_eq!((kept["salience"].as_f64(), server.seen().len()), (Some(0.2), 3));
}

#[test]
fn a_chat_model_words_the_core_and_what_cites_nothing_is_dropped() {
    let server = ChatServer::start(|body| {
        let ids: Vec<String> = ["leaves", "schema"]
            .into_iter()
            .filter(|id| asked(body).contains(&format!("^{id}")))
            .map(str::to_owned)
            .collect();
        Says::Text(match ids.as_slice() {
            [a, b] => format!(
                "- Sarah made the schema and is about to leave (^{a}, ^{b})\n- Sarah is sad (^nowhere)\n"
            ),
            _ => "0.5".to_owned(),
        })
    });
    let home = home(&server, "");
    home.note(
        "memory/team.md",
        "- B(s=0.95) @Sarah: Sarah is leaving next month ^leaves\n- W(s=0.9) @Sarah: Sarah designed the schema ^schema\n",
    );
    let came = home.run(&["reflect"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.err.contains("1 lines of the model cite nothing known and were dropped"), "{}", came.err);
    let core = std::fs::read_to_string(home.workspace().join("MEMORY.md")).unwrap();
    assert!(core.contains("- Sarah made the schema and is about to leave (^leaves, ^schema)\n"), "{core}");
    assert!(!core.contains("sad"), "{core}");
}

#[test]
fn a_model_that_is_of_no_use_leaves_the_core_to_the_rules() {
    let server = ChatServer::start(|_| Says::Text("I would rather not.".to_owned()));
    let home = home(&server, "");
    home.note("memory/team.md", "- B(s=0.95) @Sarah: Sarah is leaving next month ^leaves\n");
    let came = home.run(&["reflect"]);
    assert!(
        came.err.contains("the model's wording was not taken: no line of the reply cites a known fact"),
        "{came:?}"
    );
    let core = std::fs::read_to_string(home.workspace().join("MEMORY.md")).unwrap();
    assert!(core.contains("- Sarah is leaving next month (^leaves)\n"), "{core}");
}

#[test]
fn conversations_are_compacted_by_the_same_model() {
    let server = ChatServer::start(|body| {
        let flush = asked(body).contains("Pre-compaction memory flush");
        Says::Text(if flush { "NO_REPLY" } else { "They talked about the boat." }.to_owned())
    });
    let home = home(&server, ", contextWindow: 4096");
    for turn in 0..8 {
        let words = format!("{} Turn {turn}.", "We talk about the boat and the harbour. ".repeat(20));
        home.out(&["session", "append", "--session", "s1", "--role", "user", &words]);
    }
    let compacted = home.json(&["session", "compact", "--session", "s1", "--overflow"]);
    assert_eq!(compacted["by"], "model", "{compacted}");
    assert!(compacted["summary"].as_str().unwrap().starts_with("They talked about the boat."));
}

#[test]
fn flags_and_variables_win_and_take_no_key_elsewhere() {
    let (server, other) = (
        ChatServer::start(|_| Says::Text("0.1".to_owned())),
        ChatServer::start(|_| Says::Text("0.9".to_owned())),
    );
    let home = home(&server, "");
    let (url, retain) = (other.url(), ["retain", "A fact", "--entity", "x", "--json"]);
    let flagged = home.json(&["retain", "One fact", "--entity", "a", "--base-url", &url]);
    let mut command = home.command(&retain);
    let named = home.came(&command.env("MINDFILE_CHAT_BASE_URL", &url).output().unwrap());
    let named: Value = serde_json::from_str(&named.out).unwrap();
    assert_eq!((flagged["salience"].as_f64(), named["salience"].as_f64()), (Some(0.9), Some(0.9)));
    assert_eq!(server.seen().len(), 0);
    for (_, head, _) in other.seen() {
        assert!(!head.iter().any(|line| line.contains("synthetic")), "{head:?}");
    }
}

#[test]
fn a_workspace_cannot_name_a_chat_model() {
    let home = Home::new();
    home.note(".mindfile.json", "{ chat: { baseUrl: 'http://127.0.0.1:9' } }");
    let came = home.run(&["status"]);
    let refused = came.code == 2 || came.err.contains("chat");
    assert!(refused, "{came:?}");
}
