//! What is appended is there, whatever happens around it.

use std::fs::{self, OpenOptions};
use std::io::Write;

use mindfile::session::{ChatType, Parent, Role, parse_lines};
use serde_json::{Value, json};

use super::{path, say, texts};
use crate::world::{World, put};

#[test]
fn turns_are_one_chain_after_a_header() {
    let world = World::new(&[]);
    let memory = world.memory();
    for text in ["one", "two", "three"] {
        say(&memory, "s1", Role::User, text);
    }
    let transcript = memory.sessions().read("s1").unwrap();
    assert_eq!(transcript.header().map(|header| (header.id.as_str(), header.version)), Some(("s1", 3)));
    let parents: Vec<bool> = transcript
        .entries
        .windows(2)
        .skip(1)
        .map(|pair| pair[1].entry.parent == Parent::Id(pair[0].entry.id.clone().unwrap()))
        .collect();
    assert_eq!(parents, [true, true]);
    assert_eq!(texts(&memory, "s1"), ["one", "two", "three"]);
}

#[test]
fn a_tail_cut_off_at_any_byte_costs_that_entry_alone() {
    let world = World::new(&[]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "one");
    let before = fs::read(path(&world, "s1")).unwrap();
    say(&memory, "s1", Role::User, "two");
    let whole = fs::read(path(&world, "s1")).unwrap();
    for end in before.len() + 1..whole.len() {
        put(&path(&world, "s1"), &whole[..end]);
        let complete = end == whole.len() - 1;
        let said = say(&memory, "s1", Role::User, "three");
        assert_eq!(said.appended.torn.is_some(), !complete, "{end}");
        let expected: &[&str] = if complete { &["one", "two", "three"] } else { &["one", "three"] };
        assert_eq!(texts(&memory, "s1"), expected, "{end}");
    }
    let torn = fs::read_to_string(path(&world, "s1").with_extension("jsonl.torn")).unwrap();
    assert_eq!(torn.lines().count(), whole.len() - before.len() - 2);
}

#[test]
fn a_header_that_was_cut_off_is_written_again() {
    let world = World::new(&[]);
    let memory = world.memory();
    say(&memory, "s1", Role::User, "one");
    put(&path(&world, "s1"), b"{\"type\":\"ses");
    let said = say(&memory, "s1", Role::User, "two");
    assert_eq!(said.appended.torn.map(|torn| torn.bytes), Some(12));
    assert_eq!(texts(&memory, "s1"), ["two"]);
}

#[test]
fn a_line_that_cannot_be_read_hides_nothing_else() {
    let world = World::new(&[]);
    let memory = world.memory();
    for text in ["one", "two", "three"] {
        say(&memory, "s1", Role::User, text);
    }
    let whole = fs::read_to_string(path(&world, "s1")).unwrap();
    let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    lines[2] = "{\"type\":\"message\",\"id\":\"x\u{0}".to_owned();
    put(&path(&world, "s1"), format!("{}\n", lines.join("\n")).as_bytes());
    assert_eq!(texts(&memory, "s1"), ["one", "three"]);
    let transcript = memory.sessions().read("s1").unwrap();
    assert_eq!(transcript.damage.iter().map(|damage| damage.line).collect::<Vec<_>>(), [3]);
    say(&memory, "s1", Role::User, "four");
    assert_eq!(texts(&memory, "s1"), ["one", "three", "four"]);
}

#[test]
fn two_writers_of_one_session_make_one_chain() {
    let world = World::new(&[]);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let memory = world.memory();
            scope.spawn(move || {
                for turn in 0..10 {
                    say(&memory, "s1", Role::User, &format!("{writer}:{turn}"));
                }
            });
        }
    });
    let transcript = world.memory().sessions().read("s1").unwrap();
    assert_eq!((transcript.entries.len(), transcript.path().len()), (41, 40));
    let record = world.memory().sessions().record("s1").unwrap().unwrap();
    assert_eq!(record.chat, ChatType::Direct);
}

#[test]
fn unknown_entries_and_fields_are_kept() {
    let world = World::new(&[]);
    let memory = world.memory();
    let entries = parse_lines(
        "{\"type\":\"weather\",\"wind\":7}\n{\"role\":\"user\",\"content\":\"hi\",\"mood\":\"good\"}",
    )
    .unwrap();
    memory.say("s1", &entries, &mindfile::session::About::default()).unwrap();
    let text = fs::read_to_string(path(&world, "s1")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[1]["wind"], &lines[2]["message"]["mood"]), (&json!(7), &json!("good")));
}

#[test]
fn what_is_no_message_is_refused_with_its_line() {
    for (text, expected) in [
        ("{\"role\":\"user\"", "a message needs a role and text: line 1: it is not JSON, from column 14 on"),
        (" \n", "a message needs a role and text: there is none"),
        (
            "{\"role\":\"owl\",\"content\":\"x\"}",
            "a message needs a role and text: line 1: it has no known role",
        ),
        (
            "\n{\"type\":\"session\"}",
            "a message needs a role and text: line 2: a header is written by mindfile",
        ),
    ] {
        let error = parse_lines(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn an_id_that_leads_elsewhere_is_refused() {
    let world = World::new(&[]);
    for id in ["", "../x", ".hidden", "a/b", "a\nb", &"x".repeat(129)] {
        assert!(world.memory().sessions().append(id, &[], jiff::Timestamp::UNIX_EPOCH).is_err(), "{id}");
    }
}

#[test]
fn sessions_json_is_made_again_when_it_is_lost_or_damaged() {
    for damage in [None, Some(&b""[..]), Some(b"{\"agent:main"), Some(b"[]"), Some(b"\0\0\0\0")] {
        let world = World::new(&[]);
        let memory = world.memory();
        say(&memory, "s1", Role::User, "We decided to use REST.");
        memory.flush("s1", None).unwrap();
        let file = memory.sessions().folder().join("sessions.json");
        let before = memory.sessions().record("s1").unwrap().unwrap();
        match damage {
            None => fs::remove_file(&file).unwrap(),
            Some(bytes) => put(&file, bytes),
        }
        let (records, notices) = memory.sessions().records().unwrap();
        assert_eq!(notices.len(), 1, "{damage:?}");
        assert_eq!(records.len(), 1);
        assert_eq!(records[0].flushed_compactions, Some(0));
        let said = say(&memory, "s1", Role::User, "more");
        assert!(!said.notices.is_empty());
        let after = memory.sessions().record("s1").unwrap().unwrap();
        assert_eq!((after.key, after.compactions), (before.key, before.compactions));
        assert_eq!(memory.sessions().records().unwrap().1, Vec::<String>::new());
    }
}

#[test]
fn fields_of_other_programs_stay_in_sessions_json() {
    let world = World::new(&[]);
    let memory = world.memory();
    let folder = memory.sessions().folder().to_owned();
    fs::create_dir_all(&folder).unwrap();
    let text =
        "{\"agent:main:main\":{\"sessionId\":\"s1\",\"skillsSnapshot\":{\"x\":1},\"chatType\":\"group\"}}";
    put(&folder.join("sessions.json"), text.as_bytes());
    say(&memory, "s1", Role::User, "hi");
    let read: Value = serde_json::from_slice(&fs::read(folder.join("sessions.json")).unwrap()).unwrap();
    assert_eq!(read["agent:main:main"]["skillsSnapshot"], json!({"x": 1}));
    assert_eq!(read["agent:main:main"]["chatType"], json!("group"));
}

#[test]
fn a_transcript_that_is_a_link_is_not_written_through() {
    let world = World::new(&[]);
    let memory = world.memory();
    fs::create_dir_all(memory.sessions().folder()).unwrap();
    let target = world.at("target");
    OpenOptions::new().create(true).append(true).open(&target).unwrap().write_all(b"mine\n").unwrap();
    std::os::unix::fs::symlink(&target, path(&world, "s1")).unwrap();
    assert!(memory.say("s1", &[], &mindfile::session::About::default()).is_err());
    assert!(memory.sessions().read("s1").is_err());
    assert_eq!(fs::read(&target).unwrap(), b"mine\n");
}
