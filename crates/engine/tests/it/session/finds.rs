//! What was said is found, by those who may.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use mindfile::Source;
use mindfile::config::AgentId;
use mindfile::ingest::{self, Budget, NewTurns, Scope};
use mindfile::search::{Hit, Mode, Request};
use mindfile::session::{About, Message, Role};

use super::say;
use crate::world::{Asked, World, memory};

fn ask(memory: &mindfile::Memory, query: &str, source: Option<Source>) -> Vec<Hit> {
    let request = Request { source, mode: Some(Mode::Keyword), min_score: Some(0.0), ..Request::new(query) };
    memory.search(&request, None).unwrap().answer.hits
}

#[test]
fn a_turn_is_cited_by_its_line_with_who_said_it() {
    let world = World::new(&[("memory/a.md", "The garage code is unknown.")]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "The wifi password for the cabin is bluebird77.");
    say(&memory, "s1", Role::Assistant, "Noted.");
    let hits = ask(&memory, "bluebird77", Some(Source::Sessions));
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].citation(), "sessions/s1.jsonl#L2-L3");
    let roles: Vec<Role> = hits[0].spoken.iter().map(|spoken| spoken.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant]);
    assert!(hits[0].spoken[0].at.is_some());
}

#[test]
fn notes_alone_are_searched_unless_transcripts_are_asked_for() {
    let world = World::new(&[("memory/a.md", "The garage code is 4411.")]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "My garage has a red door.");
    let paths = |source| ask(&memory, "garage", source).into_iter().map(|hit| hit.path).collect::<Vec<_>>();
    assert_eq!(paths(None), ["memory/a.md"]);
    assert_eq!(paths(Some(Source::Memory)), ["memory/a.md"]);
    assert_eq!(paths(Some(Source::Sessions)), ["sessions/s1.jsonl"]);
    let mut settings = world.settings;
    settings.sources = vec![Source::Memory, Source::Sessions];
    let both = crate::world::memory(settings);
    assert_eq!(ask(&both, "garage", None).len(), 2);
}

#[test]
fn tools_and_hidden_messages_are_found_only_where_that_is_asked_for() {
    let world = World::new(&[]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "start zebra");
    say(&memory, "s1", Role::Tool, "output quagga");
    let hidden = Message { hidden: true, ..Message::new(Role::User, "whisper okapi") };
    memory.say("s1", &[hidden.entry()], &About::default()).unwrap();
    let found =
        |memory: &mindfile::Memory, query: &str| !ask(memory, query, Some(Source::Sessions)).is_empty();
    assert_eq!(["zebra", "quagga", "okapi"].map(|word| found(&memory, word)), [true, false, false]);
    let mut settings = world.settings;
    settings.sessions.tool_output = true;
    settings.sessions.hidden = true;
    let open = crate::world::memory(settings);
    assert_eq!(["zebra", "quagga", "okapi"].map(|word| found(&open, word)), [true, false, true]);
    let (source, mode) = (Some(Source::Sessions), Some(Mode::Keyword));
    let asked = Request { untrusted: true, source, mode, min_score: Some(0.0), ..Request::new("quagga") };
    assert_eq!(open.search(&asked, None).unwrap().answer.hits.len(), 1);
}

#[test]
fn one_agent_never_sees_anothers_conversations() {
    let world = World::new(&[]);
    say(&world.memory(), "s1", Role::User, "The secret animal is the axolotl.");
    let mut other = world.settings.clone();
    other.agent = AgentId::parse("other").unwrap();
    // Even if both keep their index in one file.
    let other = memory(other);
    assert_eq!(ask(&other, "axolotl", Some(Source::Sessions)), []);
    assert_eq!(ask(&other, "axolotl", None), []);
    assert_eq!(ask(&world.memory(), "axolotl", Some(Source::Sessions)).len(), 1);
}

#[test]
fn a_session_that_is_gone_is_not_found() {
    let world = World::new(&[]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "a walrus");
    say(&memory, "s2", Role::User, "a narwhal");
    std::fs::remove_file(memory.sessions().path("s1")).unwrap();
    assert_eq!(ask(&memory, "walrus", Some(Source::Sessions)), []);
    assert_eq!(ask(&memory, "narwhal", Some(Source::Sessions)).len(), 1);
}

#[test]
fn an_index_made_again_has_the_same_conversations() {
    let world = World::new(&[("memory/a.md", "note")]);
    let memory = world.memory();
    for turn in 0..50 {
        say(&memory, "s1", Role::User, &format!("turn {turn} is about the topic number {turn}"));
    }
    memory.sync(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    let before = strip(world.chunks());
    memory.rebuild(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(strip(world.chunks()), before);
}

fn strip(chunks: Vec<mindfile_index::StoredChunk>) -> BTreeSet<(String, u32, u32, String)> {
    chunks.into_iter().map(|chunk| (chunk.path, chunk.start_line, chunk.end_line, chunk.text)).collect()
}

/// In place: it is the same file afterwards.
fn put(path: &Path, text: &str) {
    std::fs::File::create(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// What else happens to a transcript between two turns.
fn disturb(memory: &mindfile::Memory, turn: usize) {
    let path = memory.sessions().path("s1");
    match turn % 7 {
        2 => {
            let entry = Message::new(Role::Assistant, format!("written {turn} without the index")).entry();
            memory.sessions().append("s1", &[entry], memory.clock().now()).unwrap();
        }
        3 => {
            let text = std::fs::read_to_string(&path).unwrap();
            let (old, new) = if text.contains("zebra") { ("zebra", "tiger") } else { ("tiger", "zebra") };
            put(&path, &text.replacen(old, new, 1));
        }
        4 => {
            let mut file = std::fs::File::options().append(true).open(&path).unwrap();
            file.write_all(b"{\"type\":\"message\",\"mess").unwrap();
        }
        5 => {
            let mut text = std::fs::read_to_string(&path).unwrap();
            text.pop();
            put(&path, &text);
        }
        6 => ingest::run(memory, Scope::Session(&NewTurns::of("s1")), Budget::Unlimited).map(drop).unwrap(),
        _ => {}
    }
}

#[test]
fn whatever_happens_between_turns_the_index_is_that_of_a_rebuild_and_lines_are_right() {
    let world = World::new(&[]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "a zebra came to the harbour");
    for turn in 0..60 {
        disturb(&memory, turn);
        let text = format!("turn {turn} {}", "and so on ".repeat(turn % 5 * 60));
        let turns = [Message::new(Role::User, text).entry(), Message::new(Role::Assistant, "aha").entry()];
        let said = memory.say("s1", &turns[..1 + turn % 2], &About::default()).unwrap();
        let file = std::fs::read_to_string(memory.sessions().path("s1")).unwrap();
        for (id, line) in &said.appended.entries {
            let found = file.lines().nth(*line as usize - 1).unwrap();
            assert!(found.contains(&format!("\"id\":\"{id}\"")), "turn {turn}, line {line}: {found}");
        }
        let followed = strip(world.chunks());
        if turn % 10 == 9 {
            memory.rebuild(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
            assert_eq!(strip(world.chunks()), followed, "turn {turn}");
        }
    }
}

#[test]
fn each_of_many_hits_in_one_transcript_says_who_spoke() {
    let world = World::new(&[]);
    let memory = world.memory();
    for turn in 0..12 {
        say(&memory, "s1", Role::User, &format!("heron {turn} {}", "by the water ".repeat(100)));
    }
    let hits = ask(&memory, "heron", Some(Source::Sessions));
    assert!(hits.len() > 3, "{}", hits.len());
    for hit in hits {
        let lines: Vec<u32> = hit.spoken.iter().map(|spoken| spoken.line).collect();
        assert_eq!(lines, (hit.start_line..=hit.end_line).collect::<Vec<_>>());
        assert!(hit.spoken[0].text.starts_with("heron "), "{}", hit.spoken[0].text);
    }
}

#[test]
fn a_turn_of_a_long_session_is_findable_soon() {
    let world = World::new(&[]);
    let memory = world.memory();
    let turns: Vec<_> = (0..400)
        .map(|turn| {
            Message::new(Role::User, format!("{turn} {}", "the meeting went on about budgets. ".repeat(10)))
                .entry()
        })
        .collect();
    memory.say("s1", &turns, &About::default()).unwrap();
    let began = Instant::now();
    say(&memory, "s1", Role::User, "the pangolin arrives");
    let took = began.elapsed();
    assert_eq!(ask(&memory, "pangolin", Some(Source::Sessions)).len(), 1);
    eprintln!("append and index in a session of 150 kB: {took:?}");
}

#[test]
fn a_provider_is_asked_only_when_enough_is_new() {
    for (messages, expected) in [(50, 0), (1, 1)] {
        let mut world = World::new(&[("memory/a.md", "note")]);
        world.settings.sessions.delta_messages = messages;
        let asked = Asked::default();
        let memory = world.memory_asking(&asked);
        say(&memory, "s1", Role::User, "a turn about the quokka");
        // An hour before the clock of the tests.
        let file = std::fs::File::options().append(true).open(memory.sessions().path("s1")).unwrap();
        let hour_ago = memory.clock().now() - jiff::SignedDuration::from_hours(1);
        file.set_modified(hour_ago.into()).unwrap();
        ingest::run(&memory, Scope::Session(&NewTurns::of("s1")), Budget::Unlimited).unwrap();
        memory.sync(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        let texts = asked.take();
        assert_eq!(texts.iter().filter(|text| text.contains("quokka")).count(), expected, "{texts:?}");
        assert_eq!(ask(&memory, "quokka", Some(Source::Sessions)).len(), 1);
    }
}
