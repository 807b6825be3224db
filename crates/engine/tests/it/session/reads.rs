//! Transcripts as others write them.

use mindfile::session::{Block, Body, Role, TranscriptStore, read};

use crate::world::World;

const V3: &str = r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-15T07:34:30.289Z","cwd":"/w"}
{"type":"model_change","id":"e1","parentId":null,"timestamp":"2026-11-15T07:34:30.302Z","provider":"p","modelId":"m"}
{"type":"message","id":"b5","parentId":"e1","timestamp":"2026-11-15T07:34:30.324Z","message":{"role":"user","content":[{"type":"text","text":"[Sun 2026-11-15 07:34 UTC] hello there"}],"timestamp":1794728070314}}
{"type":"message","id":"29","parentId":"b5","timestamp":"2026-11-15T07:35:18.234Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"call_8","name":"memory_search","arguments":{"query":"VLAN"}}],"usage":{"input":9000,"output":20,"cacheRead":5,"cacheWrite":0},"stopReason":"toolUse"}}
{"type":"message","id":"59","parentId":"29","timestamp":"2026-11-15T07:35:18.425Z","message":{"role":"toolResult","toolCallId":"call_8","toolName":"memory_search","content":[{"type":"text","text":"{}"}],"isError":false}}
{"type":"compaction","id":"c1","parentId":"59","summary":"short","firstKeptEntryId":"59","tokensBefore":48020}
{"type":"custom_message","id":"m1","parentId":"c1","customType":"x","content":"secret","display":false}
"#;

const SEED: &str = r#"{"type":"session","id":"s","cwd":"/w","timestamp":"2026-02-18T12:00:00Z"}
{"id":"e1","parentId":null,"type":"message","role":"user","content":"first","timestamp":"2026-02-18T12:00:00Z"}
{"id":"e2","parentId":"e1","type":"message","role":"assistant","content":"second","timestamp":"2026-02-18T12:00:01Z"}
{"id":"c1","type":"compaction","firstKeptEntryId":"e2","tokensBefore":180000,"summary":"S","timestamp":"2026-02-18T12:00:02Z"}
{"id":"x1","type":"custom_message","content":"system information","hidden":true}
"#;

#[test]
fn openclaws_transcripts_are_read() {
    let transcript = read("s", V3.as_bytes());
    assert_eq!((transcript.entries.len(), transcript.damage.len()), (7, 0));
    let roles: Vec<Role> = transcript.messages().map(|(_, message)| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool]);
    let (_, assistant) = transcript.messages().nth(1).unwrap();
    assert!(matches!(&assistant.blocks[0], Block::ToolCall(call) if call.name == "memory_search"));
    assert_eq!(assistant.usage.map(|usage| usage.prompt()), Some(9005));
    assert_eq!(transcript.compactions(), 1);
    assert!(matches!(transcript.entries[6].entry.body, Body::Injected { hidden: true, .. }));
}

#[test]
fn the_plain_spelling_is_read() {
    let transcript = read("s", SEED.as_bytes());
    let texts: Vec<String> = transcript.messages().map(|(_, message)| message.text()).collect();
    assert_eq!(texts, ["first", "second"]);
    let window = mindfile::session::window::Window::of(&transcript);
    assert_eq!(window.summary.map(|summary| summary.text).as_deref(), Some("S"));
    assert_eq!(window.turns.iter().map(|turn| turn.line).collect::<Vec<_>>(), [3, 5]);
}

#[test]
fn entries_without_ids_follow_each_other() {
    let text = "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n\
                {\"type\":\"message\",\"message\":{\"role\":\"assistant\",\"content\":\"b\"}}\n";
    assert_eq!(read("s", text.as_bytes()).messages().count(), 2);
}

#[test]
fn a_branch_that_was_left_is_not_the_conversation() {
    let text = "{\"type\":\"message\",\"id\":\"1\",\"parentId\":null,\"role\":\"user\",\"content\":\"a\"}\n\
                {\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\",\"role\":\"assistant\",\"content\":\"left\"}\n\
                {\"type\":\"message\",\"id\":\"3\",\"parentId\":\"1\",\"role\":\"assistant\",\"content\":\"taken\"}\n";
    let transcript = read("s", text.as_bytes());
    let texts: Vec<String> = transcript.messages().map(|(_, message)| message.text()).collect();
    assert_eq!(texts, ["a", "taken"]);
}

#[test]
fn transcripts_in_openclaws_database_are_read_and_not_written() {
    let world = World::new(&[]);
    let folder = world.at("agents/main/agent");
    std::fs::create_dir_all(&folder).unwrap();
    let db = rusqlite::Connection::open(folder.join("openclaw-agent.sqlite")).unwrap();
    db.execute_batch(
        "CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT,
           created_at INTEGER NOT NULL, event_zstd BLOB, PRIMARY KEY (session_id, seq));",
    )
    .unwrap();
    for (seq, line) in V3.lines().enumerate() {
        let packed = seq == 2;
        let row = (seq as i64, (!packed).then_some(line), 1_794_728_070_314_i64, packed.then(|| pack(line)));
        db.execute("INSERT INTO transcript_events VALUES ('db1', ?1, ?2, ?3, ?4)", row).unwrap();
    }
    let memory = world.memory();
    let found = memory.sessions().list().unwrap();
    assert_eq!(
        found.iter().map(|found| (found.session.as_str(), found.kept)).collect::<Vec<_>>(),
        [("db1", TranscriptStore::Database)]
    );
    let transcript = memory.sessions().read("db1").unwrap();
    assert_eq!(transcript, read("db1", V3.as_bytes()));
    let error = memory.say("db1", &[], &mindfile::session::About::default()).unwrap_err();
    assert_eq!(error.to_string(), "session \"db1\" is in OpenClaw's database, which is only read");
}

/// A frame of one raw block, as zstd has it: magic, header with a one-byte size, block header, bytes.
fn pack(text: &str) -> Vec<u8> {
    let size = u8::try_from(text.len()).unwrap();
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, size];
    let header = (u32::try_from(text.len()).unwrap() << 3) | 1;
    frame.extend(&header.to_le_bytes()[..3]);
    frame.extend(text.as_bytes());
    frame
}
