//! Chat models against a server that speaks their protocols.

pub(crate) mod server;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mindfile_model::Error;
use mindfile_model::chat::{Call, ChatModel, Reply, Request, Tool, Turn, Usage};
use mindfile_model::provider::chat::{ChatEndpoint, ChatProtocol, open};
use mindfile_model::provider::{Pace, Secret, Timeouts};
use serde_json::{Value, json};
use server::{ChatServer, Says};

const BOTH: [ChatProtocol; 2] = [ChatProtocol::OpenAi, ChatProtocol::Anthropic];

/// Waits in no time.
struct Fast;

impl Pace for Fast {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _time: Duration) {}

    fn unix_seconds(&self) -> i64 {
        0
    }

    fn chance(&self) -> f64 {
        0.0
    }
}

fn model(server: &ChatServer, protocol: ChatProtocol, whole: Duration) -> Box<dyn ChatModel> {
    let service = ChatEndpoint {
        protocol,
        base_url: server.url(),
        model: "test-1".to_owned(),
        key: Secret::new("sk-test-4f9a1c7d2e8b6035"),
        headers: Vec::new(),
        window: 8_192,
        timeouts: Timeouts { whole, ..ChatEndpoint::TIMEOUTS },
        ca_file: None,
    };
    open(service, Arc::new(Fast)).unwrap()
}

fn ask(model: &dyn ChatModel, turns: &[Turn]) -> (Result<Reply, Error>, String) {
    let tools = [Tool {
        name: "memory_search".to_owned(),
        description: "Search".to_owned(),
        arguments: json!({"type": "object"}),
    }];
    let request = Request { system: "Be brief.", turns, tools: &tools, max_tokens: 100 };
    let mut shown = String::new();
    let reply = model.answer(&request, &mut |text| shown.push_str(text));
    (reply, shown)
}

fn hello() -> Vec<Turn> {
    vec![Turn::User("hello".to_owned())]
}

/// Answers with each of these, and with the last one for ever.
fn scripted(says: Vec<Says>) -> ChatServer {
    let at = AtomicUsize::new(0);
    ChatServer::start(move |_| says[at.fetch_add(1, Ordering::Relaxed).min(says.len() - 1)].clone())
}

const LONG: Duration = Duration::from_secs(20);

#[test]
fn an_answer_is_streamed_and_counted() {
    for protocol in BOTH {
        let server = scripted(vec![Says::Text("Grüße aus dem Norden, 数据库!".to_owned())]);
        let (reply, shown) = ask(&*model(&server, protocol, LONG), &hello());
        let reply = reply.unwrap();
        assert_eq!(reply.text, "Grüße aus dem Norden, 数据库!");
        assert_eq!(shown, reply.text);
        let usage = Usage { input: 1_000, output: 9, cache_read: 200, cache_write: 0 };
        assert_eq!(reply.usage, Some(usage), "{protocol:?}");
    }
}

#[test]
fn calls_are_put_together_from_their_pieces() {
    for protocol in BOTH {
        let arguments = json!({"query": "VLAN of the \"old\" router", "maxResults": 3});
        let server = scripted(vec![Says::Call { name: "memory_search", arguments: arguments.clone() }]);
        let reply = ask(&*model(&server, protocol, LONG), &hello()).0.unwrap();
        assert_eq!(reply.calls.len(), 1);
        assert_eq!((reply.calls[0].name.as_str(), &reply.calls[0].arguments), ("memory_search", &arguments));
    }
}

#[test]
fn a_conversation_is_sent_as_each_protocol_wants_it() {
    let call =
        Call { id: "c1".to_owned(), name: "memory_search".to_owned(), arguments: json!({"query": "x"}) };
    let turns = [
        Turn::User("look".to_owned()),
        Turn::Assistant {
            text: String::new(),
            calls: vec![call.clone(), Call { id: "c2".to_owned(), ..call }],
        },
        Turn::Tool {
            call: "c1".to_owned(),
            name: "memory_search".to_owned(),
            text: "one".to_owned(),
            failed: false,
        },
        Turn::Tool {
            call: "c2".to_owned(),
            name: "memory_search".to_owned(),
            text: "two".to_owned(),
            failed: true,
        },
    ];
    for protocol in BOTH {
        let server = scripted(vec![Says::Text("ok".to_owned())]);
        ask(&*model(&server, protocol, LONG), &turns).0.unwrap();
        let (path, head, body) = server.seen().remove(0);
        let roles: Vec<&str> =
            body["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        match protocol {
            ChatProtocol::OpenAi => {
                assert_eq!(
                    (path.as_str(), roles),
                    ("/chat/completions", vec!["system", "user", "assistant", "tool", "tool"])
                );
                assert_eq!(
                    body["messages"][2]["tool_calls"][0]["function"]["arguments"],
                    json!("{\"query\":\"x\"}")
                );
                assert!(head.contains(&"authorization: bearer sk-test-4f9a1c7d2e8b6035".to_owned()));
            }
            ChatProtocol::Anthropic => {
                assert_eq!((path.as_str(), roles), ("/v1/messages", vec!["user", "assistant", "user"]));
                assert_eq!(body["messages"][2]["content"][1]["tool_use_id"], json!("c2"));
                assert_eq!(
                    (&body["system"], &body["tools"][0]["input_schema"]),
                    (&json!("Be brief."), &json!({"type": "object"}))
                );
                assert!(head.contains(&"anthropic-version: 2023-06-01".to_owned()));
            }
        }
    }
}

#[test]
fn a_conversation_that_is_too_long_is_known_as_such() {
    for message in [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size. try increasing the context size",
    ] {
        for protocol in BOTH {
            let server = scripted(vec![Says::Error { status: 400, kind: "invalid_request_error", message }]);
            let error = ask(&*model(&server, protocol, LONG), &hello()).0.unwrap_err();
            assert!(matches!(error, Error::Overflow { .. }), "{error:?}");
            assert_eq!(server.seen().len(), 1);
        }
    }
}

#[test]
fn what_passes_is_tried_again_and_what_does_not_is_not() {
    for protocol in BOTH {
        let busy = Says::Error { status: 529, kind: "overloaded_error", message: "Overloaded" };
        let inside = Says::FailsInside { kind: "overloaded_error", message: "Overloaded" };
        let server = scripted(vec![busy, inside, Says::Text("at last".to_owned())]);
        assert_eq!(ask(&*model(&server, protocol, LONG), &hello()).0.unwrap().text, "at last");
        let server = scripted(vec![Says::Error {
            status: 401,
            kind: "authentication_error",
            message: "invalid x-api-key sk-test-4f9a1c7d2e8b6035",
        }]);
        let error = ask(&*model(&server, protocol, LONG), &hello()).0.unwrap_err();
        assert!(matches!(error, Error::Denied { .. }), "{error:?}");
        assert!(!error.to_string().contains("4f9a1c7d"), "{error}");
        assert_eq!(server.seen().len(), 1);
    }
}

#[test]
fn an_answer_that_breaks_off_is_no_answer_and_is_not_shown_twice() {
    for protocol in BOTH {
        let server = scripted(vec![Says::BreaksOff]);
        let (reply, shown) = ask(&*model(&server, protocol, LONG), &hello());
        let error = reply.unwrap_err();
        assert!(matches!(error, Error::Broken { .. }), "{protocol:?}: {error:?}");
        assert!("half of it".starts_with(&shown) && server.seen().len() <= 3, "{shown:?}");
    }
}

#[test]
fn a_model_that_never_answers_is_given_up() {
    let server = scripted(vec![Says::Hangs(Duration::from_secs(3))]);
    let began = Instant::now();
    let error =
        ask(&*model(&server, ChatProtocol::OpenAi, Duration::from_millis(200)), &hello()).0.unwrap_err();
    assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[test]
fn arguments_that_are_no_json_are_passed_on_as_text() {
    let server =
        scripted(vec![Says::Call { name: "memory_search", arguments: Value::from("not an object") }]);
    let reply = ask(&*model(&server, ChatProtocol::OpenAi, LONG), &hello()).0.unwrap();
    assert_eq!(reply.calls[0].arguments, json!("not an object"));
}

#[test]
fn a_call_of_two_megabytes_comes_through() {
    let arguments = json!({"query": "x".repeat(2 << 20)});
    let server = scripted(vec![Says::Call { name: "memory_search", arguments: arguments.clone() }]);
    let reply = ask(&*model(&server, ChatProtocol::Anthropic, LONG), &hello()).0.unwrap();
    assert_eq!(reply.calls[0].arguments, arguments);
}

#[test]
fn the_newer_name_of_the_longest_answer_is_used_where_it_is_wanted() {
    let seen = Arc::new(Mutex::new(0));
    let count = Arc::clone(&seen);
    let server = ChatServer::start(move |body| {
        *count.lock().unwrap() += 1;
        if body["max_completion_tokens"].is_null() {
            let message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
            return Says::Error { status: 400, kind: "invalid_request_error", message };
        }
        Says::Text("ok".to_owned())
    });
    assert_eq!(ask(&*model(&server, ChatProtocol::OpenAi, LONG), &hello()).0.unwrap().text, "ok");
    assert_eq!(*seen.lock().unwrap(), 2);
}
