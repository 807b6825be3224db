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

    fn ask(&mut self, method: &str, params: Value) -> Value {
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
fn tools_say_what_they_take_and_give_and_do() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in [
        "memory_search", "memory_get", "memory_retain", "memory_recall", "memory_reflect", "memory_forget",
        "memory_status", "memory_context",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], json!("object"), "{tool}");
        assert_eq!(tool["outputSchema"]["type"], json!("object"), "{tool}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
        assert!(!tool.to_string().contains("\"uint"), "{tool}");
        assert!(tool["description"].as_str().unwrap().len() < 400, "{tool}");
    }
    let search = &tools[0]["inputSchema"];
    assert_eq!(search["required"], json!(["query"]));
    assert_eq!(search["properties"]["maxResults"]["type"], json!("integer"));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_search_answers_with_structure_and_with_text() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let answer = client.call("memory_search", json!({"query": "how many requests per minute"}));
    assert_eq!(answer["isError"], json!(false));
    assert_eq!(answer["structuredContent"], home.json(&["search", "how many requests per minute"]));
    let text = answer["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("The rate limit is 100 requests per minute."), "{text}");
    assert!(text.contains("Source: memory/api.md#L"), "{text}");
    let lines = client.call("memory_get", json!({"path": "memory/api.md", "from": 3, "lines": 1}));
    assert_eq!(lines["content"][0]["text"], json!("The rate limit is 100 requests per minute.\n"));
    let nothing = client.call("memory_search", json!({"query": "zeppelin"}));
    let weak = nothing["structuredContent"]["weak"].as_u64().unwrap();
    let told = format!(
        "Nothing relevant in the notes. {weak} weak candidates were left out; minScore 0 shows them."
    );
    assert_eq!(nothing["content"][0]["text"], json!(told));
    let shown = client.call("memory_search", json!({"query": "zeppelin", "minScore": 0}));
    let shown = &shown["structuredContent"];
    assert_eq!(shown["results"].as_array().unwrap().len() as u64, weak);
    assert_eq!(shown["weak"], json!(null), "they are there");
}

#[test]
fn what_is_retained_is_recalled_and_reflected() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let kept =
        client.text("memory_retain", json!({"text": "Sarah leads the platform team", "entities": ["Sarah"]}));
    assert!(kept.starts_with("Retained: W(s="), "{kept}");
    let recalled = client.text("memory_recall", json!({"query": "who leads the platform team"}));
    assert!(recalled.contains("Sarah leads the platform team"), "{recalled}");
    let reflected = client.call("memory_reflect", json!({"dryRun": true}));
    assert_eq!(reflected["structuredContent"]["dryRun"], json!(true));
    let status = client.call("memory_status", json!({}));
    assert_eq!(status["structuredContent"]["agentId"], json!("main"));
    let context = client.text("memory_context", json!({}));
    assert!(context.contains("Pixel") && context.contains("Sarah leads"), "{context}");
}

#[test]
fn what_is_forgotten_is_shown_first_and_does_not_come_back() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let fact = json!({"text": "Ottilie keeps a heron in the attic", "entities": ["Ottilie"]});
    client.call("memory_retain", fact.clone());
    let shown = client.text("memory_forget", json!({"entity": "Ottilie", "dryRun": true}));
    assert!(shown.starts_with("Would be forgotten:") && shown.contains("heron in the attic"), "{shown}");
    let recalled = client.text("memory_recall", json!({"query": "who keeps a heron"}));
    assert!(recalled.contains("Ottilie"), "{recalled}");
    let gone = client.text("memory_forget", json!({"entity": "Ottilie"}));
    assert!(gone.starts_with("Forgotten:"), "{gone}");
    let recalled = client.text("memory_recall", json!({"query": "who keeps a heron"}));
    assert!(!recalled.contains("Ottilie"), "{recalled}");
    let refused = client.call("memory_retain", fact);
    assert_eq!(refused["isError"], json!(true), "{refused}");
}

#[test]
fn mistakes_are_answers_that_a_model_can_read() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let wrong = client.call("memory_get", json!({"path": "../state/server.token"}));
    assert_eq!(wrong["isError"], json!(true));
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("is not a memory file"));
    let wrong = client.call("memory_search", json!({"colour": "red"}));
    assert!(wrong["content"][0]["text"].as_str().unwrap().starts_with("the arguments: "), "{wrong}");
    let wrong = client.text("memory_recall", json!({"query": "x", "k": "3"}));
    assert_eq!(wrong, "the arguments: k is \"3\"; it must be a whole number");
    let unknown = client.ask("tools/call", json!({"name": "memory_sing", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], json!(-32602));
}

#[test]
fn notes_are_resources_and_prompts_are_there() {
    let home = Home::new();
    home.note("memory/größe & maß.md", "Der Schrank ist 2 m hoch.\n");
    let mut client = Client::new(&home, &[]);
    let listed = client.ask("resources/list", json!({}));
    let resources = listed["result"]["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 4);
    let odd = resources.iter().find(|one| one["name"] == json!("memory/größe & maß.md")).unwrap();
    let read = client.ask("resources/read", json!({"uri": odd["uri"]}));
    assert_eq!(read["result"]["contents"][0]["text"], json!("Der Schrank ist 2 m hoch.\n"));
    assert_eq!(read["result"]["contents"][0]["mimeType"], json!("text/markdown"));
    let outside = client.ask("resources/read", json!({"uri": "memory://notes/../server.token"}));
    assert!(outside["error"]["message"].as_str().unwrap().contains("is not a memory file"), "{outside}");
    let templates = client.ask("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], json!("memory://notes/{+path}"));
    let prompts = client.ask("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"].as_array().unwrap().len(), 2);
    let recall = client.ask("prompts/get", json!({"name": "recall", "arguments": {"about": "the closet"}}));
    assert!(recall["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("the closet"));
    let flush = client.ask("prompts/get", json!({"name": "flush"}));
    assert!(flush["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("memory_retain"));
}

#[test]
fn progress_is_told_to_who_asks_for_it() {
    let home = Home::new();
    let mut client = Client::new(&home, &[]);
    let asked =
        json!({"name": "memory_reflect", "arguments": {"dryRun": true}, "_meta": {"progressToken": "p1"}});
    let answer = client.ask("tools/call", asked);
    assert!(answer["error"].is_null(), "{answer}");
    let told: Vec<&Value> =
        client.heard.iter().filter(|message| message["method"] == json!("notifications/progress")).collect();
    assert!(!told.is_empty());
    let steps: Vec<f64> = told.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    assert!(told.iter().all(|one| one["params"]["progressToken"] == json!("p1")));
}

/// A call that has to index many notes first is cancelled on the way: the server answers others, and what was begun is not
/// gone on with, so that most of the notes are in no index afterwards.
fn check_cancelled(meta: &Value, begun: impl Fn(&mut Client)) {
    let home = Home::new();
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
fn a_group_never_gets_long_term_memory_by_any_tool() {
    let home = Home::new();
    for (arguments, flags) in
        [(json!({"chatType": "group"}), &[][..]), (json!({}), &["--chat-type", "group"])]
    {
        let mut client = Client::new(&home, flags);
        let mut with = |tool: &str, more: Value| {
            let mut all = arguments.clone();
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            client.call(tool, all).to_string()
        };
        assert!(!with("memory_search", json!({"query": "the dog Pixel"})).contains("sweeper"));
        assert!(!with("memory_get", json!({"path": "MEMORY.md"})).contains("sweeper"));
        assert!(!with("memory_context", json!({})).contains("sweeper"));
        assert!(!with("memory_recall", json!({"query": "the dog Pixel"})).contains("sweeper"));
        if !flags.is_empty() {
            assert!(!client.ask("resources/list", json!({})).to_string().contains("MEMORY.md"));
            let read = client.ask("resources/read", json!({"uri": "memory://notes/MEMORY.md"}));
            assert!(read["error"].is_object(), "{read}");
        }
    }
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

#[test]
fn the_same_is_spoken_over_http() {
    let home = Home::new();
    let served = Served::new(&home, &[]);
    let bearer = format!("Bearer {}", served.token);
    let post = |session: Option<&str>, origin: Option<&str>, message: &Value| {
        let mut headers = vec![
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        headers.extend(session.map(|id| ("Mcp-Session-Id", id)));
        headers.extend(origin.map(|origin| ("Origin", origin)));
        served.raw("POST", "/mcp", &headers, &message.to_string())
    };
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()});
    assert_eq!(post(None, Some("https://evil.example"), &hello).status, 403);
    assert_eq!(served.raw("POST", "/mcp", &[("Accept", "application/json")], &hello.to_string()).status, 401);
    let begun = post(None, None, &hello);
    assert!(begun.body.contains("\"name\":\"mindfile\""), "{}", begun.body);
    let session = begun.header("mcp-session-id");
    post(session, None, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "memory_search", "arguments": {"query": "rate limit"}}});
    let answer = post(session, None, &call);
    assert!(answer.body.contains("memory/api.md#L"), "{}", answer.body);
}
