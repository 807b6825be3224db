//! The agent's loop around a model that does what it is told, and sometimes not.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use mindfile::chat::{Call, ChatModel, Reply, Request as Asked, Turn, Usage, stoppable};
use mindfile::config::{ClosedTo, SwitchedOff};
use mindfile::search::Request;
use mindfile::session::{
    self, About, Added, AgentEvent, Assistant, Body, ChatType, EmptyToolbox, Host, Kit, Message, Role,
    Toolbox,
};
use mindfile::{Memory, Source};
use mindfile_model::Error as ModelError;
use mindfile_operations::AgentTools;
use mindfile_operations::sessions::FlushReport;
use serde_json::json;

use crate::world::World;

/// Answers by a script; what it was asked is written down.
struct Scripted<F> {
    window: u64,
    asked: Mutex<usize>,
    script: F,
}

impl<F: Fn(usize, &Asked<'_>) -> Result<Reply, ModelError> + Send + Sync> ChatModel for Scripted<F> {
    fn name(&self) -> &str {
        "scripted"
    }

    fn window(&self) -> u64 {
        self.window
    }

    fn answer(&self, request: &Asked<'_>, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        let mut asked = self.asked.lock().unwrap();
        *asked += 1;
        let reply = (self.script)(*asked, request)?;
        on_text(&reply.text);
        Ok(reply)
    }
}

fn scripted<F>(window: u64, script: F) -> Scripted<F>
where
    F: Fn(usize, &Asked<'_>) -> Result<Reply, ModelError> + Send + Sync,
{
    Scripted { window, asked: Mutex::new(0), script }
}

fn text(text: &str) -> Reply {
    Reply { text: text.to_owned(), ..Reply::default() }
}

fn call(name: &str, arguments: serde_json::Value) -> Reply {
    let call = Call { id: format!("c-{name}"), name: name.to_owned(), arguments };
    Reply { calls: vec![call], ..Reply::default() }
}

fn converse(memory: &Memory, model: &dyn ChatModel, words: &str) -> Result<Option<String>, mindfile::Error> {
    let mut on_event = |_: AgentEvent<'_>| {};
    session::converse(
        memory,
        "s1",
        words,
        &mut Host { model, tools: &AgentTools { memory }, persona: "", on_event: &mut on_event },
    )
}

fn last(request: &Asked<'_>) -> String {
    match request.turns.last() {
        Some(Turn::User(text)) => text.clone(),
        Some(Turn::Assistant { .. } | Turn::Tool { .. }) | None => String::new(),
    }
}

#[test]
fn a_model_calls_tools_and_everything_is_written_down() {
    let world = World::new(&[("memory/a.md", "The garage code is 4411.")]);
    let memory = world.memory();
    let model = scripted(100_000, |_, request| {
        Ok(match request.turns.last() {
            Some(Turn::Tool { text: found, .. }) => text(&format!("Found: {}", found.contains("4411"))),
            Some(Turn::User(_) | Turn::Assistant { .. }) | None => {
                call("memory_search", json!({"query": "garage code"}))
            }
        })
    });
    assert_eq!(converse(&memory, &model, "the code?").unwrap().as_deref(), Some("Found: true"));
    let transcript = memory.sessions().read("s1").unwrap();
    let roles: Vec<Role> = transcript.messages().map(|(_, message)| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Assistant]);
}

#[test]
fn a_call_that_is_wrong_or_huge_is_answered_and_the_conversation_goes_on() {
    let world = World::new(&[("memory/a.md", "x")]);
    let memory = world.memory();
    let model = scripted(100_000, |asked, _| {
        Ok(match asked {
            1 => call("memory_retain", json!({"text": "x".repeat(2 << 20)})),
            2 => call("rm", json!("-rf")),
            3 => call("memory_get", json!({"path": "../../etc/passwd"})),
            _ => text("done"),
        })
    });
    assert_eq!(converse(&memory, &model, "go").unwrap().as_deref(), Some("done"));
    let transcript = memory.sessions().read("s1").unwrap();
    let failed = transcript.messages().filter(|(_, message)| message.failed).count();
    assert_eq!(failed, 3);
    assert!(std::fs::metadata(memory.sessions().path("s1")).unwrap().len() < 1 << 20);
}

#[test]
fn a_model_that_fails_loses_no_turn() {
    let world = World::new(&[("memory/a.md", "x")]);
    let memory = world.memory();
    let model = scripted(100_000, |asked, _| match asked {
        1 => Err(ModelError::Deadline),
        _ => Ok(text("here again")),
    });
    assert!(converse(&memory, &model, "first").is_err());
    assert_eq!(converse(&memory, &model, "second").unwrap().as_deref(), Some("here again"));
    assert_eq!(super::texts(&memory, "s1"), ["first", "second", "here again"]);
}

/// Says nothing, but for one line that it adds in a flush.
fn adds_a_line(asked: usize) -> Reply {
    match asked {
        1 => call("memory_append", json!({"text": "The garage code is 4411."})),
        _ => text("NO_REPLY"),
    }
}

#[test]
fn what_a_model_adds_in_a_flush_is_told() {
    let world = World::new(&[("memory/a.md", "x")]);
    let memory = world.memory();
    super::say(&memory, "s1", Role::User, "Nice weather.");
    let model = scripted(100_000, |asked, _| Ok(adds_a_line(asked)));
    let tools = &AgentTools { memory: &memory };
    let flushed = memory.flush("s1", Some(Assistant { model: &model, tools })).unwrap();
    let note = format!("memory/{}.md", mindfile::clock::today(memory.clock()));
    assert_eq!(flushed.written, [Added { note: note.clone(), lines: 1 }]);
    let report = FlushReport::new(&flushed);
    assert_eq!(report.text(), format!("✓ The model added 1 line to {note}\n"));
    let model = scripted(100_000, |asked, _| Ok(adds_a_line(asked)));
    super::say(&memory, "s1", Role::User, "Still nice.");
    let again = memory.flush("s1", Some(Assistant { model: &model, tools })).unwrap();
    assert_eq!(FlushReport::new(&again).text(), "✓ Nothing new to save\n", "the line is there already");
}

#[test]
fn the_tools_of_a_conversation_tell_places_only_where_its_readers_are_told_them() {
    let world =
        World::new(&[("memory/a.md", "The garage code is 4411."), ("MEMORY.md", "The safe is blue.")]);
    let memory = world.memory();
    let answer = |session: &str, chat: ChatType, query: &str| {
        let entry = Message::new(Role::User, "Hello.").entry();
        memory.say(session, &[entry], &About { chat: Some(chat), window: None }).unwrap();
        let call =
            Call { id: "1".to_owned(), name: "memory_search".to_owned(), arguments: json!({"query": query}) };
        AgentTools { memory: &memory }.call(Kit::Conversation, session, &call).unwrap()
    };
    let found = answer("alone", ChatType::Direct, "garage code");
    assert!(found.contains("4411") && found.contains("memory/a.md#L1"), "{found}");
    let found = answer("together", ChatType::Room, "garage code");
    assert!(found.contains("4411") && !found.contains("memory/a.md"), "{found}");
    assert!(answer("alone", ChatType::Direct, "which colour is the safe").contains("blue"));
    assert!(!answer("together", ChatType::Room, "which colour is the safe").contains("blue"));
}

#[test]
fn a_memory_that_is_off_gives_a_model_no_tools_and_no_section_about_them() {
    let mut world = World::new(&[("memory/a.md", "x")]);
    world.settings.off =
        Some(SwitchedOff { on: ("enabled", "true"), why: "memorySearch.enabled is false".to_owned() });
    let memory = world.memory();
    let model = scripted(100_000, |_, request| {
        assert!(request.tools.is_empty() && !request.system.contains("memory_search"), "{}", request.system);
        Ok(text("hello"))
    });
    assert_eq!(converse(&memory, &model, "hi").unwrap().as_deref(), Some("hello"));
}

#[test]
fn without_compaction_an_overflow_is_the_persons_to_mend() {
    let mut world = World::new(&[("memory/a.md", "x")]);
    world.settings.compaction.enabled = false;
    let memory = world.memory();
    for turn in 0..40 {
        super::say(&memory, "s1", Role::User, &format!("We decided to use part-{turn}z, as said."));
    }
    let model = scripted(100_000, |_, _| {
        Err(ModelError::Overflow { at: "test".to_owned(), message: "too long".to_owned() })
    });
    let error = converse(&memory, &model, "go on").unwrap_err();
    assert!(matches!(error, mindfile::Error::Model(ModelError::Overflow { .. })), "{error}");
    assert_eq!(memory.sessions().read("s1").unwrap().compactions(), 0);
}

#[test]
fn a_sandboxed_model_writes_nothing_to_the_workspace() {
    let mut world = World::new(&[("memory/a.md", "x")]);
    world.settings.closed_to = ClosedTo::NotMain { why: "sandbox.mode is \"non-main\"".to_owned() };
    let memory = world.memory();
    let model = scripted(100_000, |asked, request| {
        Ok(match (asked, request.turns.last()) {
            (1, _) => call("memory_retain", json!({"text": "The mill is north of the harbour."})),
            (_, Some(Turn::Tool { text: told, failed: true, .. })) => text(told),
            _ => text("it was kept"),
        })
    });
    let told = converse(&memory, &model, "keep it").unwrap().unwrap();
    assert!(told.contains("session s1 is sandboxed and may not write to the workspace"), "{told}");
    let asked_in_vain = scripted(100_000, |_, _| panic!("a flush of a sandboxed session asks no model"));
    let tools = &AgentTools { memory: &memory };
    let flushed = memory.flush("s1", Some(Assistant { model: &asked_in_vain, tools })).unwrap();
    assert!(!flushed.asked);
    assert_eq!(std::fs::read_dir(world.note("memory")).unwrap().count(), 1, "only the note that was there");
}

#[test]
fn an_overflow_is_flushed_and_compacted_before_it_is_tried_again() {
    let world = World::new(&[("memory/a.md", "x")]);
    let memory = world.memory();
    for turn in 0..40 {
        super::say(
            &memory,
            "s1",
            Role::User,
            &format!("We decided to use part-{turn}z for the engine, as said."),
        );
    }
    let model = scripted(100_000, |_, request| {
        if request.tools.len() == 4 && request.turns.len() > 20 {
            return Err(ModelError::Overflow { at: "test".to_owned(), message: "too long".to_owned() });
        }
        Ok(text("NO_REPLY"))
    });
    assert_eq!(converse(&memory, &model, "go on").unwrap(), None);
    let transcript = memory.sessions().read("s1").unwrap();
    assert!(transcript.compactions() >= 1);
    assert_saved_before_each_compaction(&memory);
    let day = mindfile::clock::today(memory.clock());
    let note = std::fs::read_to_string(world.note(&format!("memory/{day}.md"))).unwrap();
    assert_eq!(note.matches("- candidate (decision").count(), 40);
}

/// Before every compaction stands the mark of a flush in the same cycle.
fn assert_saved_before_each_compaction(memory: &Memory) {
    let transcript = memory.sessions().read("s1").unwrap();
    let (mut compactions, mut flushed) = (0, None);
    for placed in transcript.path() {
        match &placed.entry.body {
            Body::Flush(mark) => flushed = Some(mark.compactions),
            Body::Compaction(_) => {
                assert_eq!(flushed, Some(compactions), "line {}", placed.line);
                compactions += 1;
            }
            Body::Header(_)
            | Body::Message(_)
            | Body::Injected { .. }
            | Body::BranchSummary { .. }
            | Body::Other(_) => {}
        }
    }
}

/// A made-up word for a number, so that no two facts share one.
fn word(number: usize) -> String {
    const PARTS: [&str; 10] = ["ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su"];
    let digits = format!("{:04}", (number * 7919 + 1013) % 10_000);
    digits.chars().map(|c| PARTS[c.to_digit(10).unwrap() as usize]).collect()
}

/// The turn of each of so many facts: some turns have several, some none; the same in every run.
fn at_random(facts: usize, turns: usize) -> Vec<usize> {
    let mut state = 0x5eed_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    (0..facts).map(|_| next() % turns).collect()
}

#[test]
fn every_fact_of_a_conversation_that_crosses_the_window_can_be_found_afterwards() {
    const TURNS: usize = 280;
    const PLANTED: usize = 210;
    let world = World::new(&[("MEMORY.md", "# Memory\n")]);
    let memory = world.memory();
    let model = scripted(12_000, |asked, request| {
        let asked_for = last(request);
        if asked_for.starts_with("Pre-compaction memory flush") {
            return match asked % 3 {
                0 => Ok(text("NO_REPLY")),
                1 => Err(ModelError::Deadline),
                _ => Ok(call("memory_append", json!({"text": "the model was here"}))),
            };
        }
        let usage = Usage { input: 100, output: 5, ..Usage::default() };
        Ok(Reply { usage: Some(usage), ..text("I see, and I will think about that for a while.") })
    });
    let filler =
        "we talked at length about the harbour, the ferries and the fog that came in late; ".repeat(3);
    let planted = at_random(PLANTED, TURNS);
    for turn in 0..TURNS {
        let facts: Vec<String> = (0..PLANTED)
            .filter(|fact| planted[*fact] == turn)
            .map(|n| format!("By the way, the locker of {} has the number {}.", word(n), 70_000 + n * 37))
            .collect();
        converse(&memory, &model, &format!("{filler} {} {filler}", facts.join(" "))).unwrap();
    }
    let transcript = memory.sessions().read("s1").unwrap();
    assert!(transcript.compactions() >= 3, "{}", transcript.compactions());
    assert_saved_before_each_compaction(&memory);
    let texts = super::texts(&memory, "s1");
    assert_eq!(texts.len(), 2 * TURNS);
    let mut missing = Vec::new();
    for fact in 0..PLANTED {
        let query =
            Request { source: Some(Source::Sessions), ..Request::new(format!("locker of {}", word(fact))) };
        let number = (70_000 + fact * 37).to_string();
        let hits = memory.search(&query, None).unwrap().answer.hits;
        if !hits.iter().any(|hit| hit.snippet.contains(&number)) {
            missing.push(fact);
        }
    }
    assert_eq!(missing, Vec::<usize>::new());
}

/// Says something, and then nothing any more.
struct Silent(&'static AtomicBool);

impl ChatModel for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn window(&self) -> u64 {
        32_000
    }

    fn answer(&self, _: &Asked<'_>, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        on_text("The first step is");
        self.0.store(true, Ordering::Relaxed);
        std::thread::park();
        Ok(Reply::default())
    }
}

#[test]
fn an_answer_that_is_stopped_is_written_down_as_far_as_it_was_heard() {
    static STOP: AtomicBool = AtomicBool::new(false);
    static SPOKEN: AtomicBool = AtomicBool::new(false);
    let world = World::new(&[]);
    let memory = world.memory();
    let model = stoppable(Box::new(Silent(&SPOKEN)), &STOP);
    let mut heard = String::new();
    let mut on_event = |event: AgentEvent<'_>| {
        if let AgentEvent::Text(text) = event {
            heard.push_str(text);
            STOP.store(true, Ordering::Relaxed);
        }
    };
    let mut host = Host { model: &*model, tools: &EmptyToolbox, persona: "", on_event: &mut on_event };
    let stopped = session::converse(&memory, "s1", "How do I begin?", &mut host).unwrap_err();
    assert!(matches!(stopped, mindfile::Error::Interrupted));
    assert_eq!(heard, "The first step is");
    STOP.store(false, Ordering::Relaxed);
    converse(&memory, &scripted(32_000, |_, _| Ok(text("Go on."))), "And then?").unwrap();
    let transcript = memory.sessions().read("s1").unwrap();
    let said: Vec<String> = transcript.messages().map(|(_, message)| message.text()).collect();
    assert_eq!(said, ["How do I begin?", "The first step is [stopped here]", "And then?", "Go on."]);
}
