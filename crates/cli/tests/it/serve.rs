//! `mindfile serve` by real sockets.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::exchange::{Answer, exchange};
use crate::home::Home;

/// A server of its own for a test; it ends with it.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

impl Served {
    pub(crate) fn new(home: &Home, more: &[&str]) -> Self {
        let (child, told) = Self::started(home, &[&["--port", "0"], more].concat());
        let token = std::fs::read_to_string(told["tokenFile"].as_str().unwrap()).unwrap();
        let (_, address) = told["url"].as_str().unwrap().split_once("://").unwrap();
        let address = address.trim_end_matches('/').to_owned();
        Self { child, address, token: token.trim().to_owned() }
    }

    /// At a socket in the file system.
    pub(crate) fn at_socket(home: &Home, path: &Path) -> Self {
        let (child, _) = Self::started(home, &["--socket", path.to_str().unwrap()]);
        Self { child, address: String::new(), token: String::new() }
    }

    fn started(home: &Home, more: &[&str]) -> (Child, Value) {
        let words = [&["serve", "--json"], more].concat();
        let mut child = home.command(&words).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        (child, serde_json::from_str(&line).unwrap())
    }

    /// As anybody can ask.
    pub(crate) fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let host = [("Host", self.address.as_str())];
        let host: &[_] = if headers.iter().any(|(name, _)| *name == "Host") { &[] } else { &host };
        let headers: Vec<_> = host.iter().chain(headers).collect();
        exchange(TcpStream::connect(&self.address).unwrap(), method, path, &headers, body)
    }

    /// As one asks who has the token.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        self.raw(method, path, &[("Authorization", bearer.as_str())], body)
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let answer = self.ask("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask("POST", path, &body.to_string());
        assert!((200..300).contains(&answer.status), "{path}: {}", answer.body);
        answer.json()
    }

    /// As Ctrl-C does; gives the exit code.
    fn interrupt(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn the_token_is_its_owners_alone_and_stays_the_same() {
    let home = Home::new();
    let first = Served::new(&home, &[]).token.clone();
    let file = home.path().join("state/server.token");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(first.len(), 64);
    assert_eq!(Served::new(&home, &[]).token, first);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let came = home.run(&["serve", "--port", "0"]);
    assert_eq!(came.code, 1);
    assert!(came.err.contains("can be read by others (mode 644)"), "{}", came.err);
}

#[test]
fn answers_are_those_of_the_command_line() {
    let home = Home::new();
    home.note("memory/facts.md", "- W(s=0.9) @Sarah @api: Sarah owns the rate limiter ^k3f9a2\n");
    home.run(&["index"]);
    let served = Served::new(&home, &[]);
    assert_eq!(served.get("/v1/search?query=rate%20limit"), home.json(&["search", "rate limit"]));
    assert_eq!(
        served.get("/v1/search?query=rate+limit&explain=true&maxResults=1"),
        home.json(&["search", "rate limit", "--explain", "--max-results", "1"])
    );
    assert_eq!(
        served.get("/v1/notes/memory/api.md?from=3&lines=1"),
        home.json(&["get", "memory/api.md", "--from", "3", "--lines", "1"])
    );
    assert_eq!(
        served.get("/v1/recall?query=who%20owns%20the%20rate%20limiter&noTouch=true"),
        home.json(&["recall", "who owns the rate limiter", "--no-touch"])
    );
    assert_eq!(served.get("/v1/facts/k3f9a2"), home.json(&["inspect", "k3f9a2"]));
    assert_eq!(served.get("/v1/entities"), home.json(&["entities"]));
    assert_eq!(served.get("/v1/entities/Sarah"), home.json(&["entities", "Sarah"]));
    assert_eq!(served.get("/v1/sessions"), json!([]));
    let listed = served.get("/v1/facts?entity=sarah&kind=W&order=salience&state=current");
    assert_eq!((&listed["total"], &listed["facts"][0]["id"]), (&json!(1), &json!("k3f9a2")));
    assert_eq!(served.get("/v1/status")[0]["agentId"], json!("main"));
    assert_eq!(served.get("/v1/doctor")["ok"], json!(true));
    assert_eq!(served.get("/v1/notes?prefix=memory/")["total"], json!(3));
}

#[test]
fn a_change_of_a_note_is_told_to_those_who_listen_and_ctrl_c_ends_it() {
    let home = Home::new();
    home.config("{ memorySearch: { sync: { watchDebounceMs: 20 } } }");
    home.run(&["index"]);
    let served = Served::new(&home, &[]);
    let mut stream = TcpStream::connect(&served.address).unwrap();
    let request = format!(
        "GET /v1/events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        served.address, served.token
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(|line| line.unwrap());
    assert!(lines.find(|line| line.starts_with("content-type")).unwrap().contains("text/event-stream"));
    assert!(lines.any(|line| line.is_empty()));
    home.note("memory/new.md", "A zeppelin.\n");
    assert!(lines.any(|line| line == "event: indexed"));
    let data = lines.find(|line| line.starts_with("data: ")).unwrap();
    let told: Value = serde_json::from_str(&data[6..]).unwrap();
    assert_eq!((&told["event"], &told["added"]), (&json!("indexed"), &json!(1)));
    assert_eq!(served.get("/v1/search?query=zeppelin")["results"][0]["path"], json!("memory/new.md"));
    assert_eq!(served.interrupt(), Some(0));
}

#[test]
fn a_socket_answers_its_owner_without_a_token() {
    let home = Home::new();
    let path = home.path().join("mindfile.sock");
    let served = Served::at_socket(&home, &path);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let ask = |target: &str| {
        exchange(UnixStream::connect(&path).unwrap(), "GET", target, &[&("Host", "localhost")], "")
    };
    assert_eq!(ask("/v1/search?query=dog").json()["results"][0]["path"], json!("MEMORY.md"));
    assert_eq!(home.run(&["serve", "--socket", path.to_str().unwrap()]).code, 1);
    assert_eq!(served.interrupt(), Some(0));
    assert!(!path.exists());
}

#[test]
fn an_attached_server_ends_with_the_program_that_started_it() {
    let home = Home::new();
    let mut command = home.command(&["serve", "--json", "--port", "0", "--attached"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("\"ok\":true") && child.try_wait().unwrap().is_none(), "{line}");
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn other_machines_are_not_let_in_by_accident() {
    let home = Home::new();
    let came = home.run(&["serve", "--host", "0.0.0.0", "--port", "0"]);
    assert_eq!(came.code, 2);
    assert!(came.err.contains("can be reached from other machines"), "{}", came.err);
    assert!(came.err.contains("--insecure-http"), "{}", came.err);
    home.config("{ memory: { server: { tls: { cert: 'cert.pem' } } } }");
    let came = home.run(&["serve", "--port", "0"]);
    assert_eq!(came.code, 2);
    assert!(came.err.contains("only memory.server.tls.cert is set"), "{}", came.err);
}
