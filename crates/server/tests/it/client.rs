//! A client of MCP at the other end of a pipe.

use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use mindfile::origin::Door;
use mindfile::session::ChatType;
use mindfile_server::mcp::Offer;
use serde_json::{Value, json};

use crate::home::Home;

pub(crate) struct Client {
    to: UnixStream,
    from: Lines<BufReader<UnixStream>>,
    next: u64,
    /// What came beside the answers.
    pub(crate) heard: Vec<Value>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Client {
    pub(crate) fn new(home: &Home) -> Self {
        Self::in_chat(home, ChatType::Direct)
    }

    pub(crate) fn in_chat(home: &Home, chat: ChatType) -> Self {
        Self::offered(home, chat, Offer { all: true, whole: true })
    }

    pub(crate) fn offered(home: &Home, chat: ChatType, offer: Offer) -> Self {
        let desk = home.desk(Door::Mcp, chat);
        let (to, other) = UnixStream::pair().unwrap();
        let from = BufReader::new(to.try_clone().unwrap()).lines();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            mindfile_server::mcp::over_socket(&desk, offer, other, &stopped).unwrap();
        });
        let mut client = Self { to, from, next: 0, heard: Vec::new(), stop, thread: Some(thread) };
        let hello = client.ask("initialize", hello());
        assert_eq!(hello["result"]["serverInfo"]["name"], json!("mindfile"));
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.to, "{message}").unwrap();
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}));
        loop {
            let line = self.from.next().unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == json!(self.next) {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments)["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A panic of the server has failed the test already.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

pub(crate) fn hello() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}
    })
}
