//! Whole notes over HTTP: what was read is what is changed, or nothing is.

use serde_json::{Value, json};

use crate::home::Home;
use crate::serve::Served;

const OSAKA: &str = "/v1/notes/memory/trips/osaka.md";

struct Editor<'a>(&'a Served);

impl Editor<'_> {
    fn hash(&self, path: &str) -> String {
        self.0.get(path)["hash"].as_str().unwrap().to_owned()
    }

    fn ask(&self, method: &str, path: &str, body: &Value, status: u16) -> Value {
        let answer = self.0.ask(method, path, &body.to_string());
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.body);
        answer.json()
    }

    fn put(&self, path: &str, text: &str, seen: Option<&str>, status: u16) -> Value {
        let mut body = json!({ "text": text });
        if let Some(seen) = seen {
            body["ifMatch"] = json!(seen);
        }
        self.ask("PUT", path, &body, status)
    }
}

#[test]
fn a_note_is_written_by_whoever_read_what_it_said_and_the_next_question_finds_it() {
    let home = Home::new();
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let made = editor.put(OSAKA, "# Osaka\n\nThe inn is called Kuromon.\n", None, 200);
    assert_eq!((&made["created"], &made["hash"]), (&json!(true), &json!(editor.hash(OSAKA))));
    let text = "# Osaka\n\nThe inn is called Kuromon.\n\nBreakfast is at seven.\n";
    let put = editor.put(OSAKA, text, made["hash"].as_str(), 200);
    assert_eq!((&put["created"], &served.get(OSAKA)["text"]), (&json!(false), &json!(text)));
    let found = served.get("/v1/search?query=when+is+breakfast");
    assert_eq!(found["results"][0]["path"], json!("memory/trips/osaka.md"));
    let written = home.json(&["audit", "show"]);
    let acts: Vec<&Value> = written.as_array().unwrap().iter().map(|one| &one["act"]).collect();
    assert_eq!(acts, [&json!("write"), &json!("write")]);
}

#[test]
fn a_change_of_what_somebody_else_changed_is_refused_with_what_stands_there() {
    let home = Home::new();
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let path = "/v1/notes/memory/api.md";
    let seen = editor.hash(path);
    home.note("memory/api.md", "# API\n\nAnother hand was faster.\n");
    let now = json!({"hash": editor.hash(path), "text": "# API\n\nAnother hand was faster.\n"});
    let refused = editor.put(path, "# API\n\nLost?\n", Some(&seen), 409);
    assert_eq!((&refused["error"]["type"], &refused["error"]["now"]), (&json!("changed"), &now));
    assert_eq!(editor.put(path, "# API\n", None, 409)["error"]["now"], now);
    assert_eq!(
        editor.ask("DELETE", &format!("{path}?ifMatch={seen}"), &json!(null), 409)["error"]["now"],
        now
    );
    let to = json!({"to": "memory/other.md", "ifMatch": seen});
    assert_eq!(editor.ask("PATCH", path, &to, 409)["error"]["now"], now);
    let onto = json!({"to": "memory/trip.md", "ifMatch": now["hash"]});
    let standing = &editor.ask("PATCH", path, &onto, 409)["error"]["now"];
    assert_eq!(standing["hash"], json!(editor.hash("/v1/notes/memory/trip.md")));
    assert_eq!(editor.put("/v1/notes/memory/none.md", "x", Some(&seen), 409)["error"]["now"], json!({}));
    assert_eq!(
        std::fs::read_to_string(home.workspace().join("memory/api.md")).unwrap(),
        "# API\n\nAnother hand was faster.\n"
    );
}

#[test]
fn the_header_if_match_says_what_the_field_says() {
    let home = Home::new();
    let served = Served::new(&home, &[]);
    let path = "/v1/notes/memory/api.md";
    let bearer = format!("Bearer {}", served.token);
    let delete = |hash: &str| {
        let headers = [("Authorization", bearer.as_str()), ("If-Match", hash)];
        served.raw("DELETE", path, &headers, "")
    };
    assert_eq!(delete("*").status, 400);
    assert_eq!(delete("\"other\"").status, 409);
    assert_eq!(delete(&format!("\"{}\"", Editor(&served).hash(path))).status, 200);
    assert!(!home.workspace().join("memory/api.md").exists());
    assert_eq!(served.ask("GET", path, "").status, 404);
    let found = served.get("/v1/search?query=rate+limit&minScore=0");
    assert!(!found.to_string().contains("memory/api.md"), "{found}");
}

#[test]
fn a_written_line_is_the_word_of_the_door_and_the_others_stay_whose_they_were() {
    let home = Home::new();
    home.note(
        "memory/facts.md",
        "# Facts\n\n- W @Ada: Ada lives in Turku ^aaaaaa\n- W @Bo: Bo sails ^bbbbbb\n",
    );
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let path = "/v1/notes/memory/facts.md";
    let text = "# Facts\n\n- W @Bo: Bo sails ^bbbbbb\n- W @Ada: Ada moved to Espoo ^aaaaaa\n";
    let put = editor.put(path, text, Some(&editor.hash(path)), 200);
    let origin = |id: &str| served.get(&format!("/v1/facts/{id}"))["origin"].clone();
    assert_eq!((origin("aaaaaa"), origin("bbbbbb")), (json!("agent"), json!("owner")));
    // A rename carries that along.
    let moved = json!({"to": "memory/people/facts.md", "ifMatch": put["hash"]});
    editor.ask("PATCH", path, &moved, 200);
    assert_eq!((origin("aaaaaa"), origin("bbbbbb")), (json!("agent"), json!("owner")));
    assert_eq!(served.get("/v1/facts/aaaaaa")["path"], json!("memory/people/facts.md"));
}

#[test]
fn no_rename_makes_a_note_trusted_that_nobody_trusts() {
    let home = Home::new();
    home.note("memory/untrusted/page.md", "# Page\n\n- W @Ada: Ada owes the page money ^cccccc\n");
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let path = "/v1/notes/memory/untrusted/page.md";
    editor.ask("PATCH", path, &json!({"to": "memory/page.md", "ifMatch": editor.hash(path)}), 200);
    assert_eq!(served.get("/v1/facts/cccccc")["origin"], json!("untrusted"));
    let note = served.get("/v1/notes/memory/page.md");
    assert!(note["text"].as_str().unwrap().contains("[untrusted "), "{note}");
    let raw = served.get("/v1/notes/memory/page.md?raw=true");
    assert_eq!(raw["text"], json!("# Page\n\n- W @Ada: Ada owes the page money ^cccccc\n"));
}

#[test]
fn links_follow_a_renamed_note() {
    let home = Home::new();
    home.note("memory/plan.md", "See [[trip]] and [the trip](trip.md#day-1), not `[[trip]]`.\n");
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let path = "/v1/notes/memory/trip.md";
    let moved = json!({"to": "memory/travel/osaka.md", "ifMatch": editor.hash(path)});
    let answer = editor.ask("PATCH", path, &moved, 200);
    assert_eq!(answer["relinked"], json!(["memory/plan.md"]));
    assert_eq!(
        std::fs::read_to_string(home.workspace().join("memory/plan.md")).unwrap(),
        "See [[osaka]] and [the trip](travel/osaka.md#day-1), not `[[trip]]`.\n"
    );
    let found = served.get("/v1/search?query=train+tickets");
    assert_eq!(found["results"][0]["path"], json!("memory/travel/osaka.md"));
}

#[test]
fn what_is_forbidden_forgotten_or_private_is_not_written() {
    let home = Home::new();
    home.out(&["retain", "The gate code is swordfish", "--id", "gate01"]);
    home.out(&["forget", "--query", "swordfish", "--yes"]);
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let path = "/v1/notes/memory/new.md";
    let refused = editor.put(path, "# New\n\nThe gate code is swordfish\n", None, 403);
    assert!(refused["error"]["message"].as_str().unwrap().contains("was forgotten"), "{refused}");
    let secret = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq\n-----END RSA PRIVATE KEY-----\n";
    let refused = editor.put(path, secret, None, 400);
    assert!(refused["error"]["message"].as_str().unwrap().contains("forbids"), "{refused}");
    for outside in ["memory/private/new.md", "SOUL.md", "notes.txt", "memory/../../up.md", ".git/config.md"] {
        let answer = served.ask("PUT", &format!("/v1/notes/{outside}"), "{\"text\":\"x\"}");
        assert!((400..500).contains(&answer.status), "{outside}: {}", answer.body);
    }
    assert!(!home.workspace().join("memory/new.md").exists());
    let group = Served::new(&home, &["--chat-type", "group"]);
    assert_eq!(Editor(&group).put(path, "x\n", None, 403)["error"]["type"], json!("forbidden"));
}

#[test]
fn a_masked_value_survives_an_edit_of_another_line() {
    let home = Home::new();
    let secret = "api_key = \"sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH\"";
    home.note("memory/keys.md", &format!("# Keys\r\n\r\n{secret}\r\n\r\nRotate it.\r\n"));
    let served = Served::new(&home, &[]);
    let editor = Editor(&served);
    let path = "/v1/notes/memory/keys.md";
    let shown = served.get(path)["text"].as_str().unwrap().replace("\r\n", "\n");
    assert!(!shown.contains("abcdefghijklmnop"), "{shown}");
    let hash = editor.hash(path);
    let put = editor.put(path, &shown.replace("Rotate it.", "Rotate it in May."), Some(&hash), 200);
    assert_eq!(
        std::fs::read_to_string(home.workspace().join("memory/keys.md")).unwrap(),
        format!("# Keys\r\n\r\n{secret}\r\n\r\nRotate it in May.\r\n")
    );
    let lost = shown.replace("api_key", "the_key");
    let refused = editor.put(path, &lost, put["hash"].as_str(), 400);
    assert!(refused["error"]["message"].as_str().unwrap().contains("masked"), "{refused}");
}
