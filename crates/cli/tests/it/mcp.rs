//! `mindfile mcp` as a client meets it: JSON-RPC over stdin and stdout, and over HTTP.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::home::Home;
use crate::serve::Served;

pub(crate) struct Client {
    child: Child,
    to: Option<ChildStdin>,
    from: Lines<BufReader<ChildStdout>>,
    next: u64,
    /// What came beside the answers.
    heard: Vec<Value>,
}

impl Client {
    pub(crate) fn new(home: &Home, more: &[&str]) -> Self {
        let words = [&["mcp"], more].concat();
        let mut child = home.command(&words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()).lines());
        let mut client = Self { child, to, from, next: 0, heard: Vec::new() };
        let hello = client.ask("initialize", hello());
        assert_eq!(hello["result"]["serverInfo"]["name"], json!("mindfile"));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Asks, and does not wait.
    fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        self.next
    }

    /// Listens until a message is the one.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.from.next().unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if is_it(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.until(|message| message["id"] == json!(id))
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments)["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes the input, as clients do; gives the exit code.
    pub(crate) fn end(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().unwrap().code()
    }
}

fn hello() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}
    })
}

#[test]
fn a_search_answers_with_structure_and_with_text() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let answer = client.call("memory_search", json!({"query": "how many requests per minute"}));
    assert_eq!(answer["isError"], json!(false));
    let hit = &answer["structuredContent"]["hits"][0];
    assert!(hit["at"].as_str().unwrap().starts_with("memory/api.md#L"), "{hit}");
    assert!(hit["says"].as_str().unwrap().contains("100 requests"), "{hit}");
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("The rate limit is 100 requests per minute."), "{text}");
    assert!(text.contains("(memory/api.md#L"), "{text}");
    let lines = client.call("memory_get", json!({"path": "memory/api.md", "from": 3, "lines": 1}));
    assert_eq!(lines["content"][0]["text"], json!("The rate limit is 100 requests per minute.\n"));
    let nothing = client.call("memory_search", json!({"query": "zeppelin"}));
    let weak = nothing["structuredContent"]["hits"].as_array().unwrap();
    assert!(!weak.is_empty() && weak.iter().all(|hit| hit["sure"] == json!("weak")), "{weak:?}");
    let told = nothing["content"][0]["text"].as_str().unwrap();
    assert!(told.starts_with("Nothing in memory answers this. Nearest:"), "{told}");
    assert!(told.contains(weak[0]["at"].as_str().unwrap()), "{told}");
    let mut client = Client::new(&home, &["--output-schema"]);
    let whole = client.call("memory_get", json!({"path": "memory/api.md", "from": 3, "lines": 1}));
    assert_eq!(
        whole["structuredContent"],
        home.json(&["get", "memory/api.md", "--from", "3", "--lines", "1"])
    );
}

/// A call that has to index many notes first is cancelled on the way: the server answers others, and what was begun is not
/// gone on with, so that most of the notes are in no index afterwards.
fn check_cancelled(meta: &Value, begun: impl Fn(&mut Client)) {
    let home = Home::new();
    // Else the watcher indexes beside it.
    home.out(&["config", "set", "sync.watch", "false"]);
    let text = "The harbour master keeps a list of boats, moorings and unpaid fees.\n\n".repeat(40);
    for number in 0..1500 {
        home.note(&format!("memory/note-{number}.md"), &format!("# Note {number}\n\n{text}"));
    }
    let mut client = Client::new(&home, &[]);
    let asked = json!({"name": "memory_search", "arguments": {"query": "boats"}, "_meta": meta});
    let call = client.begin("tools/call", asked);
    begun(&mut client);
    let params = json!({"requestId": call, "reason": "not needed any more"});
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    assert!(client.text("memory_get", json!({"path": "MEMORY.md"})).contains("Pixel"));
    assert_eq!(client.end(), Some(0));
    let indexed = home.json(&["status"])[0]["status"]["files"].as_u64().unwrap();
    assert!(indexed < 1400, "{indexed} notes were indexed");
}

#[test]
fn a_call_that_is_cancelled_stops_and_the_server_goes_on() {
    check_cancelled(&json!({"progressToken": "p1"}), |client| {
        client.until(|message| message["method"] == json!("notifications/progress"));
    });
    check_cancelled(&json!({}), |_| {});
}

#[test]
fn four_clients_at_once_lose_nothing() {
    const EACH: usize = 12;
    let home = Home::new();
    std::thread::scope(|scope| {
        for who in 0..4 {
            let home = &home;
            scope.spawn(move || {
                let mut client = Client::new(home, &[]);
                for number in 0..EACH {
                    let text = format!("Client {who} saw comet number {number} over the harbour");
                    let kept = client.text("memory_retain", json!({"text": text, "force": true}));
                    assert!(kept.starts_with("Retained: "), "{kept}");
                }
                assert_eq!(client.end(), Some(0));
            });
        }
    });
    let served = Served::new(&home, &[]);
    let listed = served.get("/v1/facts?text=over%20the%20harbour&limit=1000");
    let mut texts: Vec<String> = listed["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| fact["text"].as_str().unwrap().to_owned())
        .collect();
    texts.sort();
    texts.dedup();
    assert_eq!((texts.len(), &listed["total"]), (4 * EACH, &json!(4 * EACH)));
}
