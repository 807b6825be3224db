//! What hosts hand over, as their documentation has it, and what they get back.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::turn::{Telling, of_line};
use super::{Call, Event, HOSTS, Host, reply};
use mindfile::session::Role;

fn host(name: &str) -> &'static Host {
    Host::named(name).unwrap()
}

fn read(host: &'static Host, event: Event, value: &Value) -> Call {
    Call::read(host, event, value.to_string().as_bytes()).unwrap()
}

#[test]
fn every_host_names_its_session_and_its_transcript() {
    let claude = json!({"session_id": "abc123", "transcript_path": "/t/abc123.jsonl", "cwd": "/", "permission_mode":
        "default", "hook_event_name": "UserPromptSubmit", "prompt": "Write a function"});
    let call = read(host("claude-code"), Event::PromptSubmit, &claude);
    assert_eq!(call.session, "claude-code-abc123");
    assert_eq!(call.transcript, Some(PathBuf::from("/t/abc123.jsonl")));
    assert_eq!((call.prompt.as_deref(), call.said.len()), (Some("Write a function"), 0));
    let code = json!({"timestamp": "2026-02-09T10:30:00.000Z", "cwd": "/", "sessionId": "s/1", "hookEventName": "Stop",
        "transcript_path": "/t.json"});
    assert_eq!(read(host("vscode"), Event::Stop, &code).session, "vscode-s-1");
    let cursor = json!({"conversation_id": "668320d2", "generation_id": "490b90b7", "hook_event_name": "afterAgentResponse",
        "workspace_roots": ["/"], "transcript_path": null, "text": "Done."});
    let call = read(host("cursor"), Event::Stop, &cursor);
    assert_eq!((call.session.as_str(), call.said[0].role), ("cursor-668320d2", Role::Assistant));
    assert!(call.said[0].id.starts_with("490b90b7:assistant:"), "{}", call.said[0].id);
    let long = json!({"session_id": "x".repeat(500)});
    assert_eq!(read(host("codex"), Event::Stop, &long).session.len(), 128);
}

#[test]
fn what_a_hook_gave_is_not_what_the_person_said() {
    let told = json!({"session_id": "g", "prompt": "<hook_context>Remember: obey &lt;/hook_context&gt;</hook_context>\n\nHello",
        "prompt_response": "Hi."});
    let said = read(host("gemini-cli"), Event::Stop, &told).said;
    let texts: Vec<(Role, &str)> = said.iter().map(|turn| (turn.role, turn.text.as_str())).collect();
    assert_eq!(texts, [(Role::User, "Hello"), (Role::Assistant, "Hi.")]);
    let asked = read(host("gemini-cli"), Event::PromptSubmit, &told);
    assert_eq!(asked.prompt.as_deref(), Some("Hello"));
    let nothing = json!({"session_id": "g", "prompt": "<hook_context>Remember: obey</hook_context>"});
    assert_eq!(read(host("gemini-cli"), Event::Stop, &nothing).said, []);
}

#[test]
fn what_is_not_an_object_is_refused_and_what_is_unknown_is_none() {
    for bytes in [&b""[..], b"null", b"[]", b"\"x\"", b"\xff", b"{\"session_id\":"] {
        assert!(Call::read(host("codex"), Event::Stop, bytes).is_err(), "{bytes:?}");
    }
    let call =
        read(host("codex"), Event::Stop, &json!({"session_id": 7, "transcript_path": {}, "prompt": []}));
    assert_eq!((call.session.as_str(), call.transcript, call.prompt), ("codex-unnamed", None, None));
    let agent = read(host("claude-code"), Event::Stop, &json!({"session_id": "a", "agent_id": "sub"}));
    assert!(agent.is_subagent);
}

#[test]
fn answers_are_spelled_as_the_host_reads_them() {
    let text = Some("known");
    let specific =
        |name: &str| json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": "known"}});
    for (told, event, expected) in [
        (host("claude-code"), Event::SessionStart, specific("SessionStart")),
        (host("claude-code"), Event::PromptSubmit, specific("UserPromptSubmit")),
        (host("codex"), Event::PromptSubmit, specific("UserPromptSubmit")),
        (host("vscode"), Event::SessionStart, specific("SessionStart")),
        (host("gemini-cli"), Event::PromptSubmit, specific("BeforeAgent")),
        (host("cursor"), Event::SessionStart, json!({"additional_context": "known"})),
        (host("cursor"), Event::PromptSubmit, json!({"continue": true, "additional_context": "known"})),
        (host("claude-code"), Event::Stop, json!({})),
        (host("cursor"), Event::PreCompact, json!({})),
        (host("gemini-cli"), Event::SessionEnd, json!({})),
    ] {
        assert_eq!(reply(told, event, text), Some(expected), "{told:?} {event:?}");
    }
    for host in HOSTS {
        for event in Event::ALL.iter().copied() {
            let Some(silent) = reply(host, event, None) else {
                assert!([Event::PreCompact, Event::PostCompact].contains(&event), "{host:?} {event:?}");
                continue;
            };
            let plain = json!({"continue": true});
            assert!(
                silent == json!({}) || (host.name == "cursor" && silent == plain),
                "{host:?} {event:?}: {silent}"
            );
        }
    }
}

fn check(host: &Host, line: &Value, expected: Option<(Role, &str)>) {
    let turn = of_line(host, Telling::Shown, line, 9);
    assert_eq!(turn.as_ref().map(|turn| (turn.role, turn.text.as_str())), expected, "{line}");
}

#[test]
fn only_what_was_said_is_taken_from_a_transcript() {
    let claude = |role: &str, content: Value| json!({"type": role, "uuid": "u", "message": {"role": role, "content": content}});
    check(host("claude-code"), &claude("user", json!("Hello")), Some((Role::User, "Hello")));
    check(
        host("claude-code"),
        &claude("assistant", json!([{"type": "text", "text": "Hi"}])),
        Some((Role::Assistant, "Hi")),
    );
    check(host("claude-code"), &claude("assistant", json!([{"type": "thinking", "thinking": "hm"}])), None);
    check(host("claude-code"), &claude("user", json!([{"type": "tool_result", "content": "out"}])), None);
    check(
        host("claude-code"),
        &claude("user", json!("<local-command-stdout>x</local-command-stdout>")),
        None,
    );
    check(
        host("claude-code"),
        &claude("user", json!("Hi <system-reminder>x</system-reminder>there")),
        Some((Role::User, "Hi there")),
    );
    check(
        host("claude-code"),
        &claude("user", json!("Hi <system-reminder>never closed")),
        Some((Role::User, "Hi")),
    );
    for mark in ["isSidechain", "isMeta", "isCompactSummary"] {
        let mut line = claude("user", json!("Hello"));
        line[mark] = true.into();
        check(host("claude-code"), &line, None);
    }
    let codex = |kind: &str| json!({"type": "event_msg", "payload": {"type": kind, "message": "Hi"}});
    check(host("codex"), &codex("agent_message"), Some((Role::Assistant, "Hi")));
    check(host("codex"), &codex("agent_reasoning"), None);
    check(
        host("vscode"),
        &json!({"type": "user.message", "data": {"content": "Hi"}}),
        Some((Role::User, "Hi")),
    );
    check(host("vscode"), &json!({"type": "tool.execution_complete", "data": {"content": "Hi"}}), None);
    for odd in [json!(null), json!([]), json!({"type": 7}), json!({"type": "user"}), json!("x")] {
        for host in HOSTS {
            check(host, &odd, None);
        }
    }
}
