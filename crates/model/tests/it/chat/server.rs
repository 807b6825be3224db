//! A server on the loopback that speaks chat completions and Anthropic's messages as they are documented, streams
//! included, and answers as a script says. It is shared by the tests of several crates.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// What the model of the server says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Says {
    Text(String),
    Call {
        name: &'static str,
        arguments: Value,
    },
    /// An HTTP error with the provider's own words.
    Error {
        status: u16,
        kind: &'static str,
        message: &'static str,
    },
    /// The stream breaks off after its first words.
    BreaksOff,
    /// An error in the middle of the stream, before any word.
    FailsInside {
        kind: &'static str,
        message: &'static str,
    },
    /// Nothing, for this long.
    Hangs(Duration),
}

/// Path, head and body of a request.
pub(crate) type Seen = (String, Vec<String>, Value);

type Script = dyn Fn(&Value) -> Says + Send + Sync;

pub(crate) struct ChatServer {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    closed: Arc<AtomicBool>,
}

impl ChatServer {
    pub(crate) fn start(script: impl Fn(&Value) -> Says + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, closed) = (Arc::default(), Arc::new(AtomicBool::new(false)));
        let server = Self { address, seen: Arc::clone(&seen), closed: Arc::clone(&closed) };
        let script: Arc<Script> = Arc::new(script);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if closed.load(Ordering::Relaxed) {
                    return;
                }
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                std::thread::spawn(move || while serve(&stream, &*script, &seen).is_some() {});
            }
        });
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Path, headers and body of each request so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for ChatServer {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.address));
    }
}

/// One request. None when the connection is done.
fn serve(mut stream: &TcpStream, script: &Script, seen: &Mutex<Vec<Seen>>) -> Option<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_lowercase());
    }
    let length =
        head.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let path = head[0].split(' ').nth(1)?.to_owned();
    let says = script(&body);
    seen.lock().ok()?.push((path.clone(), head, body));
    let anthropic = path.ends_with("/messages");
    match says {
        Says::Error { status, kind, message } => {
            let error = if anthropic {
                json!({"type": "error", "error": {"type": kind, "message": message}})
            } else {
                json!({"error": {"message": message, "type": kind, "code": kind}})
            };
            send(stream, status, "application/json", &error.to_string())
        }
        Says::Hangs(time) => {
            std::thread::sleep(time);
            None
        }
        Says::BreaksOff => {
            let whole = events(&Says::Text("half of it".to_owned()), anthropic);
            let part: String = whole.iter().take(whole.len() / 2).cloned().collect();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
            stream.write_all(format!("{head}{part}").as_bytes()).ok()?;
            stream.shutdown(std::net::Shutdown::Both).ok();
            None
        }
        says @ (Says::Text(_) | Says::Call { .. } | Says::FailsInside { .. }) => {
            send(stream, 200, "text/event-stream", &events(&says, anthropic).concat())
        }
    }
}

fn send(mut stream: &TcpStream, status: u16, kind: &str, body: &str) -> Option<()> {
    let head =
        format!("HTTP/1.1 {status} Test\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).ok()
}

fn events(says: &Says, anthropic: bool) -> Vec<String> {
    if anthropic { messages(says) } else { completions(says) }
}

/// A text in pieces that do not end where words do.
fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(7.max(chars.len() / 500)).map(|piece| piece.iter().collect()).collect()
}

fn completions(says: &Says) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice], "usage": null})
    };
    let mut all = vec![chunk(json!({"role": "assistant", "content": ""}), Value::Null)];
    match says {
        Says::Text(text) => {
            all.extend(pieces(text).into_iter().map(|piece| chunk(json!({"content": piece}), Value::Null)));
            all.push(chunk(json!({}), json!("stop")));
        }
        Says::Call { name, arguments } => {
            let start = json!({"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": ""}});
            all.push(chunk(json!({"tool_calls": [start]}), Value::Null));
            for piece in pieces(&arguments.to_string()) {
                let part = json!({"index": 0, "function": {"arguments": piece}});
                all.push(chunk(json!({"tool_calls": [part]}), Value::Null));
            }
            all.push(chunk(json!({}), json!("tool_calls")));
        }
        Says::FailsInside { kind, message } => {
            all = vec![json!({"error": {"type": kind, "message": message}})];
        }
        Says::Error { .. } | Says::BreaksOff | Says::Hangs(_) => {}
    }
    let usage = json!({"prompt_tokens": 1200, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": 200}});
    all.push(json!({"id": "chatcmpl-1", "choices": [], "usage": usage}));
    let mut lines: Vec<String> = all.into_iter().map(|event| format!("data: {event}\n\n")).collect();
    lines.push("data: [DONE]\n\n".to_owned());
    lines
}

fn messages(says: &Says) -> Vec<String> {
    let usage = json!({"input_tokens": 1000, "cache_read_input_tokens": 200, "cache_creation_input_tokens": 0, "output_tokens": 1});
    let mut all = vec![
        json!({"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": usage}}),
        json!({"type": "ping"}),
    ];
    let mut block = |start: Value, deltas: Vec<Value>| {
        all.push(json!({"type": "content_block_start", "index": 0, "content_block": start}));
        let delta = |delta| json!({"type": "content_block_delta", "index": 0, "delta": delta});
        all.extend(deltas.into_iter().map(delta));
        all.push(json!({"type": "content_block_stop", "index": 0}));
    };
    let mut reason = "end_turn";
    match says {
        Says::Text(text) => {
            let deltas =
                pieces(text).into_iter().map(|text| json!({"type": "text_delta", "text": text})).collect();
            block(json!({"type": "text", "text": ""}), deltas);
        }
        Says::Call { name, arguments } => {
            let pieces = pieces(&arguments.to_string()).into_iter();
            let deltas =
                pieces.map(|json| json!({"type": "input_json_delta", "partial_json": json})).collect();
            block(json!({"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}), deltas);
            reason = "tool_use";
        }
        Says::FailsInside { kind, message } => {
            let event = json!({"type": "error", "error": {"type": kind, "message": message}});
            return vec![format!("event: error\ndata: {event}\n\n")];
        }
        Says::Error { .. } | Says::BreaksOff | Says::Hangs(_) => {}
    }
    all.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 9}}),
    );
    all.push(json!({"type": "message_stop"}));
    all.into_iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect()
}
