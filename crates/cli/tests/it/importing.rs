//! Imports of files that other programs wrote: what they say is found, is nobody's word yet, and comes once.

use serde_json::{Value, json};

use crate::home::{Home, write};

/// Written by `@modelcontextprotocol/server-memory` 2026.8.31.
const MEMORY_JSON: &str = r#"{"type":"entity","name":"Ada Lovelace","entityType":"person","observations":["Prefers tea over coffee","Lives in Turku","Keeps a heron"]}
{"type":"entity","name":"Harbour project","entityType":"project","observations":["Ends in May 2027"]}
{"type":"relation","from":"Ada Lovelace","to":"Harbour project","relationType":"leads"}"#;

/// Written by `basic-memory` 0.24.1, `tool write-note`.
const BASIC_MEMORY: &str = include_str!("basic-memory.md.txt");

/// Imports a file, or a folder, and the same again.
fn import(home: &Home, from: &str, path: &str) -> Value {
    let path = home.path().join(path);
    let path = path.to_str().unwrap();
    let preview = home.json(&["import", from, path, "--dry-run"]);
    let done = home.json(&["import", from, path]);
    for part in ["notes", "facts", "turns"] {
        assert_eq!(preview[part]["new"], done[part]["new"], "{from}: a preview says what is done");
    }
    let again = home.json(&["import", from, path]);
    for part in ["notes", "facts", "turns"] {
        assert_eq!(again[part]["new"], json!(0), "{from}: {again}");
    }
    assert_eq!(done["bad"], json!([]), "{from}");
    done
}

fn recalled(home: &Home, question: &str) -> String {
    home.out(&["recall", question, "--include-untrusted", "--no-touch"])
}

#[test]
fn a_knowledge_graph_becomes_facts_about_its_entities() {
    let home = Home::new();
    write(&home.path().join("memory.json"), MEMORY_JSON.as_bytes());
    assert_eq!(import(&home, "memory-json", "memory.json")["facts"]["new"], json!(7));
    let told = recalled(&home, "what does Ada Lovelace prefer to drink");
    assert!(told.contains("@Ada-Lovelace: ") && told.contains("Prefers tea over coffee"), "{told}");
    assert!(recalled(&home, "who leads the Harbour project").contains("Ada Lovelace leads Harbour project"));
    let unasked = home.out(&["recall", "what does Ada Lovelace prefer to drink", "--no-touch"]);
    assert!(!unasked.contains("tea"), "what is imported is trusted by nobody yet: {unasked}");
}

#[test]
fn a_note_of_basic_memory_stays_a_note_and_its_observations_are_facts() {
    let home = Home::new();
    write(&home.path().join("bm/people/Ada Lovelace.md"), BASIC_MEMORY.as_bytes());
    let done = import(&home, "basic-memory", "bm");
    assert_eq!((&done["notes"]["new"], &done["facts"]["new"]), (&json!(1), &json!(4)), "{done}");
    let told = recalled(&home, "what does Ada Lovelace prefer to drink");
    assert!(
        told.contains("@Ada-Lovelace @drinks: ")
            && told.contains("Prefers tea over coffee (said at breakfast)"),
        "{told}"
    );
    let kept = home.workspace().join("memory/import/basic-memory/people/Ada Lovelace.md");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), BASIC_MEMORY);
}

#[test]
fn conversations_and_documents_of_claude_ai_are_found() {
    let home = Home::new();
    home.config("{memorySearch: {sources: [\"memory\", \"sessions\"], experimental: {sessionMemory: true}}}");
    let message = |id: &str, sender: &str, text: &str| {
        json!({"uuid": id, "sender": sender, "text": text, "content": [{"type": "text", "text": text}],
            "created_at": "2026-05-01T10:00:00.000000Z", "attachments": [{"file_name": "plan.pdf"}]})
    };
    let talk = json!([{"uuid": "5f0c", "name": "Boats", "created_at": "2026-05-01T10:00:00Z", "chat_messages": [
        message("a1", "human", "The zeppelin lands in Turku at noon"), message("a2", "assistant", "Noted.")]}]);
    let projects = json!([{"uuid": "77aa", "name": "Harbour", "prompt_template": "", "docs": [
        {"uuid": "d1", "filename": "berths.md", "content": "# Berths\n\nBerth nine belongs to Ines.\n"}]}]);
    write(&home.path().join("export/conversations.json"), talk.to_string().as_bytes());
    write(&home.path().join("export/projects.json"), projects.to_string().as_bytes());
    let done = import(&home, "claude-ai", "export");
    assert_eq!((&done["turns"]["new"], &done["notes"]["new"]), (&json!(2), &json!(1)), "{done}");
    let found = home.json(&["search", "when does the zeppelin land", "--include-untrusted"]);
    assert!(found["results"][0]["snippet"].as_str().unwrap().contains("Turku at noon"), "{found}");
    let found = home.json(&["search", "whose is berth nine", "--include-untrusted"]);
    assert_eq!(found["results"][0]["path"], json!("memory/import/claude-ai/projects/Harbour/berths.md"));
}

#[test]
fn an_agent_file_of_letta_gives_its_blocks_and_its_conversation() {
    let home = Home::new();
    let wrapped =
        json!({"type": "user_message", "message": "My heron is called Otto", "time": "now"}).to_string();
    let file = json!({
        "agents": [{"id": "agent-1", "name": "ada", "messages": [
            {"id": "m0", "role": "system", "content": [{"type": "text", "text": "You are …"}]},
            {"id": "m1", "role": "user", "content": [{"type": "text", "text": wrapped}], "created_at": "2026-05-01T10:00:00Z"},
            {"id": "m2", "role": "assistant", "content": [{"type": "text", "text": "Otto it is."}]}]}],
        "blocks": [{"id": "b1", "label": "human", "value": "Ada prefers tea over coffee."}, {"label": "persona", "value": ""}],
    });
    write(&home.path().join("ada.af"), file.to_string().as_bytes());
    let done = import(&home, "letta", "ada.af");
    assert_eq!((&done["turns"]["new"], &done["notes"]["new"]), (&json!(2), &json!(1)), "{done}");
    let found = home.json(&["search", "what does Ada prefer", "--include-untrusted"]);
    assert_eq!(found["results"][0]["path"], json!("memory/import/letta/ada/human.md"), "{found}");
}
