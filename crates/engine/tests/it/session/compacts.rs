//! Flush, compaction and what a model is given.

use std::fs;

use mindfile::origin::{Door, Origin};
use mindfile::session::decide::{Reason, Run};
use mindfile::session::window::Window;
use mindfile::session::{
    About, Block, By, ChatType, Check, Message, PromptMode, Role, Start, ToolCall, Trigger, Usage,
};
use serde_json::json;

use super::{path, say, texts};
use crate::world::{World, memory, put};

const START: Start = Start { chat: None, prompt: PromptMode::Full, tools: true, window: 200_000 };

/// A session of many turns, of about 100 tokens each.
fn long(world: &World, turns: usize) -> mindfile::Memory {
    let memory = world.memory();
    let filler = "and the weather was as it always is in the north of the country, ".repeat(6);
    let entries: Vec<_> = (0..turns)
        .map(|turn| {
            Message::new(Role::User, format!("Turn {turn}: {filler}We decided to use tool-{turn}x.")).entry()
        })
        .collect();
    memory.say("s1", &entries, &About::default()).unwrap();
    memory
}

fn note(world: &World) -> String {
    let day = mindfile::clock::today(world.memory().clock());
    fs::read_to_string(world.note(&format!("memory/{day}.md"))).unwrap_or_default()
}

#[test]
fn candidates_go_to_the_days_note_once_and_are_no_facts() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "Note that the key is under the mat. Nice weather.");
    let first = memory.flush("s1", None).unwrap();
    assert_eq!(first.saved.candidates, 1);
    let expected = "## Session s1\n\n- candidate (remember, user): Note that the key is under the mat. [sessions/s1.jsonl#L2]\n";
    assert!(note(&world).ends_with(expected), "{}", note(&world));
    let before = note(&world);
    memory.flush("s1", None).unwrap();
    assert_eq!(note(&world), before);
    say(&memory, "s1", Role::User, "I prefer tea.");
    memory.flush("s1", None).unwrap();
    assert_eq!(note(&world).matches("- candidate").count(), 2);
    assert_eq!(memory.entities().unwrap().len(), 0);
}

/// What a program put in is no person's word, and so no summary of it is.
#[test]
fn a_hidden_message_lowers_the_origin_of_the_summary_that_has_it() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = world.memory().through(Door::Terminal);
    let origin = |session: &str, hidden: bool| {
        let said = Message { hidden, ..Message::new(Role::User, "The build is green.") };
        memory.say(session, &[said.entry()], &About::default()).unwrap();
        for turn in 0..6 {
            say(&memory, session, Role::User, &format!("Turn {turn}."));
        }
        memory.compact(session, None, Trigger::Overflow).unwrap();
        Window::of(&memory.sessions().read(session).unwrap()).summary.unwrap().origin
    };
    assert_eq!((origin("seen", false), origin("hidden", true)), (Origin::Owner, Origin::Agent));
}

#[test]
fn a_flush_that_was_interrupted_is_done_again_without_repeats() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "I prefer tea.");
    let before = fs::read(path(&world, "s1")).unwrap();
    memory.flush("s1", None).unwrap();
    let saved = note(&world);
    // The mark is lost, as after a kill between the note and the transcript.
    put(&path(&world, "s1"), &before);
    memory.flush("s1", None).unwrap();
    assert_eq!(note(&world), saved);
}

#[test]
fn the_decision_follows_the_transcript() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = long(&world, 100);
    let tokens = Window::of(&memory.sessions().read("s1").unwrap()).tokens();
    let check = Check::new(tokens + 24_000);
    let decision = memory.flush_check("s1", &check).unwrap();
    assert_eq!(
        (decision.reason, decision.tokens, decision.threshold),
        (Reason::ThresholdReached, tokens, tokens)
    );
    let larger = Check::new(tokens + 24_001);
    assert_eq!(memory.flush_check("s1", &larger).unwrap().reason, Reason::BelowThreshold);
    let pending = Check { pending: Some("one more"), ..larger.clone() };
    assert_eq!(memory.flush_check("s1", &pending).unwrap().reason, Reason::ThresholdReached);
    let reported = Check { tokens: Some(tokens + 9), ..larger.clone() };
    assert_eq!(memory.flush_check("s1", &reported).unwrap().reason, Reason::ThresholdReached);
    let heartbeat = Check { run: Run::Heartbeat, ..check.clone() };
    assert_eq!(memory.flush_check("s1", &heartbeat).unwrap().reason, Reason::Heartbeat);
    memory.flush("s1", None).unwrap();
    assert_eq!(memory.flush_check("s1", &check).unwrap().reason, Reason::AlreadyFlushed);
}

#[test]
fn one_large_tool_result_counts_before_it_is_sent() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = world.memory();
    let answer = Message {
        usage: Some(Usage { input: 1_000, output: 10, ..Usage::default() }),
        ..Message::new(Role::Assistant, "looking")
    };
    memory.say("s1", &[answer.entry()], &About::default()).unwrap();
    say(&memory, "s1", Role::Tool, &"line of a log file ".repeat(10_000));
    assert!(memory.flush_check("s1", &Check::new(64_000)).unwrap().flush);
}

#[test]
fn a_compaction_keeps_the_last_turns_and_the_file() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = long(&world, 400);
    let before = fs::read(path(&world, "s1")).unwrap();
    let compacted = memory.compact("s1", None, Trigger::Threshold).unwrap();
    assert_eq!(compacted.by, By::Extract);
    assert!(compacted.tokens_before > 30_000 && compacted.tokens_after < 24_000, "{compacted:?}");
    assert!(compacted.summary.starts_with("Extract of "));
    let after = fs::read(path(&world, "s1")).unwrap();
    assert!(after.starts_with(&before));
    assert_eq!(texts(&memory, "s1").len(), 400);
    let window = Window::of(&memory.sessions().read("s1").unwrap());
    assert_eq!(window.turns.first().and_then(|turn| turn.id.clone()), compacted.first_kept);
    assert_eq!(window.turns.len() + compacted.messages, 400);
    assert_eq!(note(&world).matches("- candidate (decision").count(), 400);
    let record = memory.sessions().record("s1").unwrap().unwrap();
    assert_eq!((record.compactions, record.flushed_compactions), (1, Some(0)));
}

#[test]
fn nothing_is_compacted_before_it_is_saved_and_what_cannot_be_saved_is_said() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = long(&world, 400);
    let day = mindfile::clock::today(memory.clock());
    // The day's note is a folder: nothing can be added to it.
    fs::create_dir_all(world.note(&format!("memory/{day}.md"))).unwrap();
    let compacted = memory.compact("s1", None, Trigger::Threshold).unwrap();
    assert!(compacted.entry.is_some());
    assert!(
        compacted.notices[0].starts_with("400 candidates are not in the day's note yet"),
        "{:?}",
        compacted.notices
    );
    fs::remove_dir(world.note(&format!("memory/{day}.md"))).unwrap();
    assert_eq!(memory.flush("s1", None).unwrap().saved.candidates, 400);
}

#[test]
fn an_overflow_keeps_less() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = long(&world, 100);
    assert_eq!(memory.compact("s1", None, Trigger::Threshold).unwrap().entry, None);
    let compacted = memory.compact("s1", None, Trigger::Overflow).unwrap();
    assert!(compacted.tokens_after < compacted.tokens_before * 2 / 3, "{compacted:?}");
}

#[test]
fn a_call_and_its_result_are_kept_together() {
    let world = World::new(&[("MEMORY.md", "x")]);
    let memory = long(&world, 10);
    let call = ToolCall { id: "c1".to_owned(), name: "bash".to_owned(), arguments: json!({"cmd": "ls"}) };
    let asks = Message::of_blocks(Role::Assistant, vec![Block::ToolCall(call)]);
    let result =
        Message { call_id: Some("c1".to_owned()), ..Message::new(Role::Tool, "a file name ".repeat(8_000)) };
    memory.say("s1", &[asks.entry(), result.entry()], &About::default()).unwrap();
    memory.compact("s1", None, Trigger::Overflow).unwrap();
    let window = Window::of(&memory.sessions().read("s1").unwrap());
    let roles: Vec<Role> = window.turns.iter().map(|turn| turn.message.role).collect();
    assert!(roles.ends_with(&[Role::Assistant, Role::Tool]), "{roles:?}");
}

#[test]
fn private_memory_is_given_in_private_only() {
    let world =
        World::new(&[("MEMORY.md", "The dog is Pixel."), ("USER.md", "Likes tea."), ("SOUL.md", "Be kind.")]);
    let memory = world.memory();
    let names = |chat| {
        let context = memory.context("s1", &Start { chat: Some(chat), ..START }).unwrap();
        context.parts.into_iter().map(|part| part.name).collect::<Vec<_>>()
    };
    assert_eq!(names(ChatType::Direct), ["SOUL.md", "USER.md", "MEMORY.md", "Memory"]);
    assert_eq!(names(ChatType::Group), ["SOUL.md", "USER.md", "Memory"]);
    assert_eq!(names(ChatType::Channel), ["SOUL.md", "USER.md", "Memory"]);
    let minimal = memory.context("s1", &Start { prompt: PromptMode::Minimal, ..START }).unwrap();
    assert!(minimal.parts.iter().all(|part| part.name != "Memory"));
}

#[test]
fn what_does_not_fit_is_left_out_and_said() {
    let world = World::new(&[("MEMORY.md", &"a line of memory that is of some length\n".repeat(1_000))]);
    let mut settings = world.settings;
    settings.bootstrap.max_chars = 400;
    let context = memory(settings).context("s1", &START).unwrap();
    let part = &context.parts[0];
    assert!(part.tokens < 130 && part.left_out > 5_000, "{part:?}");
    assert!(part.text.contains("tokens of MEMORY.md are left out here"));
}
