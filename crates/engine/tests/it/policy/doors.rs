//! Every way into the memory and out of it. A value that must not be stored goes in everywhere and comes out nowhere.

use std::ops::ControlFlow;

use mindfile::fault::Explain;
use mindfile::origin::Door;
use mindfile::retain::Request;
use mindfile::session::{About, Message, PromptMode, Role, Start, Trigger};
use mindfile::{Error, Memory, recall, reflect, search};
use mindfile_hosts::import::{self, Mode, Source as Program};
use serde_json::json;

use super::{ACCOUNT, token};
use crate::world::{Asked, World, memory, put};

fn spoken(role: Role, text: &str) -> serde_json::Value {
    Message::new(role, text).entry()
}

/// Files that hold a text, but for the person's own.
fn holding(world: &World, text: &str) -> Vec<String> {
    let own = world.note("");
    let held = world.tree().into_iter().filter(|(path, bytes)| !path.starts_with(&own) && has(bytes, text));
    held.map(|(path, _)| world.tidy(path.to_str().unwrap())).collect()
}

fn refused(came: Result<mindfile::retain::Retained, Error>, value: &str) {
    let error = came.unwrap_err();
    assert_eq!(error.to_string(), "the fact is not stored: the policy's rule \"github-token\" forbids it");
    assert_eq!(error.fault(), mindfile::fault::Fault::Caller);
    assert!(!format!("{error:?} {:?}", error.hint()).contains(value));
}

#[test]
fn retain_refuses_it_in_every_field() {
    let (world, value) = (World::new(&[]), token());
    let memory = world.memory();
    let text = format!("the deploy key is {value}");
    refused(memory.retain(&Request::new(&text)), &value);
    let plain = Request::new("the deploy job runs at night");
    refused(memory.retain(&Request { entities: vec![value.clone()], ..plain.clone() }), &value);
    refused(memory.retain(&Request { key: Some(value.clone()), ..plain.clone() }), &value);
    refused(memory.retain(&Request { source: Some(format!("chat:{value}")), ..plain.clone() }), &value);
    memory.retain(&plain).unwrap();
    assert_eq!(holding(&world, &value), Vec::<String>::new());
    assert!(!world.tree().into_values().any(|bytes| String::from_utf8_lossy(&bytes).contains(&value)));
}

#[test]
fn a_conversation_keeps_its_turns_without_it() {
    let (world, value) = (World::new(&[]), token());
    let memory = world.memory();
    let turns = [
        spoken(
            Role::User,
            &format!("Remember: the deploy token is {value}, we decided to rotate it on Friday"),
        ),
        spoken(Role::Assistant, &format!("Noted, {value}.")),
        spoken(Role::Tool, &format!("{{\"token\": \"{value}\"}}")),
    ];
    memory.say("s1", &turns, &About::default()).unwrap();
    let shown = format!("{:?}", memory.sessions().read("s1").unwrap());
    assert!(shown.contains("[removed: github-token]") && !shown.contains(&value));
    memory.flush("s1", None).unwrap();
    memory.compact("s1", None, Trigger::Overflow).unwrap();
    assert!(!world.tree().into_values().any(|bytes| String::from_utf8_lossy(&bytes).contains(&value)));
}

#[test]
fn a_transcript_of_another_program_is_read_without_it() {
    let (world, value) = (World::new(&[]), token());
    let path = world.at("agents/main/sessions/s2.jsonl");
    let line = format!(
        "{{\"type\":\"message\",\"id\":\"a\",\"message\":{{\"role\":\"user\",\"content\":\"the zeppelin token is {value}\"}}}}\n"
    );
    put(&path, line.as_bytes());
    let memory = world.memory();
    assert!(!format!("{:?}", memory.sessions().read("s2").unwrap()).contains(&value));
    let request = search::Request {
        source: Some(mindfile::Source::Sessions),
        ..search::Request::new("zeppelin token")
    };
    let found = memory.search(&request, None).unwrap();
    assert_eq!(found.answer.hits.len(), 1);
    assert!(!format!("{found:?}").contains(&value));
    assert_eq!(holding(&world, &value), ["~/agents/main/sessions/s2.jsonl"]);
}

/// What a memory says of a note that a person wrote.
fn everything_shown(memory: &Memory, query: &str) -> String {
    let start = Start { chat: None, prompt: PromptMode::Full, tools: true, window: 100_000 };
    let shown = [
        format!("{:?}", memory.search(&search::Request::new(query), None).unwrap()),
        format!("{:?}", memory.recall(&recall::Request::new(query.to_owned()), recall::Touch::Yes).unwrap()),
        String::from_utf8_lossy(&memory.get("MEMORY.md", 1, None).unwrap().bytes).into_owned(),
        String::from_utf8_lossy(&memory.get("MEMORY.md", 5, Some(1)).unwrap().bytes).into_owned(),
        format!("{:?}", memory.context("s3", &start).unwrap()),
        format!("{:?}", memory.inspect("k3f9a2", None).unwrap()),
        format!("{:?}", memory.entity("zeppelin").unwrap()),
        format!("{:?}", memory.reflect(reflect::CoreRequest { dry_run: true, max_tokens: None }).unwrap()),
        format!("{:?}", memory.reflect(reflect::CoreRequest::default()).unwrap()),
    ];
    shown.concat()
}

fn note(value: &str) -> String {
    format!(
        "# Memory\n\nThe zeppelin opens with {value} at noon.\n\n- W(s=0.9) @zeppelin: the zeppelin code is {value} now ^k3f9a2\n"
    )
}

#[test]
fn a_persons_own_note_stays_and_nothing_of_the_value_is_shown_indexed_or_sent() {
    let value = token();
    let world = World::new(&[("MEMORY.md", &note(&value))]);
    let asked = Asked::default();
    let memory = world.memory_asking(&asked);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    let sent = asked.take().concat();
    assert!(sent.contains("zeppelin") && !sent.contains(&value), "{sent}");
    let own = world.memory();
    let shown = everything_shown(&own, "zeppelin code");
    assert!(shown.contains("[removed: github-token]"));
    assert!(!shown.contains(&value));
    drop((memory, own));
    assert!(std::fs::read_to_string(world.note("MEMORY.md")).unwrap().contains(&value));
    // What reflect keeps for `--undo` is the person's own text.
    let held = holding(&world, &value);
    assert!(held.iter().all(|path| path.contains("main.reflect/")), "{held:?}");
}

#[test]
fn a_masked_value_is_found_by_who_knows_it_and_shown_to_nobody() {
    let world = World::new(&[
        ("MEMORY.md", &note(ACCOUNT)),
        ("memory/other.md", "# Other\n\nThe balloon opens at one.\n"),
    ]);
    let memory = world.memory();
    let shown = everything_shown(&memory, "zeppelin code");
    assert!(shown.contains("[masked: iban ") && !shown.contains("1234 5698"), "{shown}");
    let exact = search::Request {
        mode: Some(search::Mode::Keyword),
        ..search::Request::new("GB82WEST12345698765432")
    };
    let hits = memory.search(&exact, None).unwrap().answer.hits;
    let paths: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
    assert!(paths.contains(&"MEMORY.md") && !paths.contains(&"memory/other.md"), "{paths:?}");
    let other = search::Request::new("GB29 NWBK 6016 1331 9268 19");
    assert!(
        memory.search(&search::Request { mode: exact.mode, ..other }, None).unwrap().answer.hits.is_empty()
    );
    let kept = memory.retain(&Request::new(&format!("the rent of the hangar goes to {ACCOUNT}"))).unwrap();
    assert!(kept.fact.text.contains("[masked: iban "), "{}", kept.fact.text);
    assert!(std::fs::read_to_string(world.note("memory/2050-07-14.md")).unwrap().contains(ACCOUNT));
    drop(memory);
    assert!(holding(&world, ACCOUNT).iter().all(|path| path.contains("main.reflect/")));
}

#[test]
fn a_masked_fact_without_an_id_is_edited_in_its_place() {
    let note = format!("# Rent\r\n\r\n- W @rent: the rent goes to {ACCOUNT} monthly\r\nlast");
    let world = World::new(&[("memory/rent.md", &note)]);
    let memory = world.memory().through(Door::Terminal);
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    let id = memory.facts().unwrap()[0].1.id.clone();
    let edited = memory.edit(&id, "the rent is paid in cash").unwrap();
    assert!(edited.before.contains("[masked: iban ") && edited.fact.version == 2, "{edited:?}");
    assert_eq!(
        std::fs::read_to_string(world.note("memory/rent.md")).unwrap(),
        format!("# Rent\r\n\r\n- W(v=2) @rent: the rent is paid in cash ^{id}\r\nlast")
    );
}

/// Every source that can be taken over, with the value in a note, a turn or a fact.
#[test]
fn an_import_leaves_it_where_it_was() {
    let (world, elsewhere, value) = (World::new(&[]), tempfile::tempdir().unwrap(), token());
    let memory = world.memory().through(Door::Import);
    let text = format!("the zeppelin token is {value}, we decided");
    let claude = json!({"type": "user", "uuid": "u1", "message": {"role": "user", "content": text}});
    let codex = json!({"type": "event_msg", "payload": {"type": "user_message", "message": text}});
    let claw = json!({"type": "message", "id": "e1", "message": {"role": "user", "content": text}});
    let node = json!({"parent": null, "message": {"id": "m1", "author": {"role": "user"}, "recipient": "all",
                      "content": {"content_type": "text", "parts": [text]}}});
    let chatgpt =
        json!([{"conversation_id": "c1", "title": text, "current_node": "a", "mapping": {"a": node}}]);
    let mem0 = json!({"id": "r1", "memory": text, "user_id": "ann"});
    let fact = json!({"type": "fact", "id": "j1", "kind": "W", "text": text, "line": format!("- W: {text}")});
    for (kind, name, bytes) in [
        ("openclaw", "claw/agents/main/sessions/t1.jsonl", format!("{claw}\n")),
        ("openclaw", "claw/workspace/MEMORY.md", format!("# M\n\n{text}\n")),
        ("claude-code", "claude/p/s1.jsonl", format!("{claude}\n")),
        ("claude-code", "claude/p/memory/MEMORY.md", format!("{text}\n")),
        ("codex", "codex/rollout.jsonl", format!("{codex}\n")),
        ("chatgpt", "chatgpt/conversations.json", chatgpt.to_string()),
        ("mem0", "mem0/rows.jsonl", format!("{mem0}\n")),
        ("obsidian", "vault/n.md", format!("{text}\n")),
        ("jsonl", "jsonl/rows.jsonl", format!("{fact}\n")),
    ] {
        put(&elsewhere.path().join(name), bytes.as_bytes());
        let root = elsewhere.path().join(name.split('/').next().unwrap());
        let root = if ["mem0", "jsonl"].contains(&kind) { elsewhere.path().join(name) } else { root };
        let report = import::run(&memory, Program::named(kind).unwrap(), &root, Mode::Write).unwrap();
        assert!(!format!("{report:?}").contains(&value), "{kind:?}: {report:?}");
        let held: Vec<_> = world.tree().into_iter().filter(|(_, bytes)| has(bytes, &value)).collect();
        assert!(held.is_empty(), "{kind:?}: {:?}", held.iter().map(|(path, _)| path).collect::<Vec<_>>());
    }
    let said = format!("{:?}", memory.sessions().read("claude-code-s1").unwrap());
    assert!(said.contains("[removed: github-token]"), "what was said is there without it: {said}");
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn a_masked_value_of_a_key_is_known_again() {
    let world = World::new(&[]);
    let memory = world.memory();
    let request = Request { key: Some("bank.account".to_owned()), ..Request::new(ACCOUNT) };
    memory.retain(&request).unwrap();
    assert_eq!(memory.retain(&request).unwrap().outcome, mindfile::retain::Outcome::Confirmed);
}

#[test]
fn a_new_rule_makes_the_index_be_derived_again() {
    let mut world = World::new(&[("memory/a.md", "# A\n\nThe project heron-42 begins on Monday.\n")]);
    assert!(
        world.memory().search(&search::Request::new("heron-42"), None).unwrap().answer.hits[0]
            .snippet
            .contains("heron-42")
    );
    let rule = serde_json::json!([{"name": "project", "class": "never-store", "pattern": "heron-[0-9]+"}]);
    put(
        &world.at("mindfile.json"),
        serde_json::json!({"memory": {"policy": {"rules": rule}}}).to_string().as_bytes(),
    );
    world.settings = crate::world::settings(world.dir.path());
    let memory = memory(world.settings.clone());
    let found = memory.search(&search::Request::new("project begins Monday"), None).unwrap();
    assert!(found.answer.hits[0].snippet.contains("[removed: project]"), "{found:?}");
    drop(memory);
    let texts: Vec<String> = world.chunks().into_iter().map(|chunk| chunk.text).collect();
    assert!(texts.iter().all(|text| !text.contains("heron-42")), "{texts:?}");
}
