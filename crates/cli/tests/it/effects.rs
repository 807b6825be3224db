//! Settings that switch something off have the effect that they name, at every door.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::home::{Home, write};
use crate::hooks::hook;
use crate::mcp::Client;

/// How long a busy machine may take.
const PATIENCE: Duration = Duration::from_secs(120);

const QUESTION: &str = "how many requests per minute";

/// What a person and a model read of the same hit and the same fact, in such a chat.
fn texts(home: &Home, chat: &str) -> Vec<String> {
    let mut client = Client::new(home, &[]);
    let mut told = |tool: &str, query: &str| client.text(tool, json!({"query": query, "chatType": chat}));
    vec![
        told("memory_search", QUESTION),
        told("memory_recall", "where is the harbour"),
        home.out(&["search", QUESTION, "--chat-type", chat]),
        home.out(&["recall", "where is the harbour", "--chat-type", chat, "--no-touch"]),
    ]
}

#[test]
fn one_rule_says_at_every_door_whether_places_are_told() {
    let home = Home::new();
    home.note("memory/facts.md", "- W @harbour: The harbour is north of the old mill ^f1\n");
    for (citations, chat, is_told) in [
        ("on", "group", true),
        ("auto", "direct", true),
        ("auto", "group", false),
        ("auto", "channel", false),
        ("auto", "room", false),
        ("off", "direct", false),
    ] {
        home.config(&format!("{{ memory: {{ citations: '{citations}' }} }}"));
        for text in texts(&home, chat) {
            assert_eq!(text.contains(".md#L"), is_told, "{citations} in a {chat} chat: {text}");
            assert!(text.contains("100 requests") || text.contains("old mill"), "{text}");
        }
        let found = &home.json(&["search", QUESTION, "--chat-type", chat])["results"][0];
        assert_eq!(found["citation"].is_string(), is_told);
        assert_eq!((&found["path"], &found["startLine"].is_u64()), (&json!("memory/api.md"), &true));
    }
    let asked = json!({"session_id": "s1", "prompt": QUESTION, "hook_event_name": "UserPromptSubmit"});
    let given = hook(&home, "claude-code", "prompt-submit", &asked).to_string();
    assert!(given.contains("100 requests") && !given.contains(".md#L"), "{given}");
    let mut client = Client::new(&home, &[]);
    let prompt = client.ask("prompts/get", json!({"name": "recall", "arguments": {"about": "harbour"}}));
    assert!(!prompt.to_string().contains("path#line"), "{prompt}");
}

fn check_off(home: &Home, why: &str) {
    let mut client = Client::new(home, &[]);
    for (method, field) in
        [("tools/list", "tools"), ("resources/list", "resources"), ("prompts/list", "prompts")]
    {
        assert_eq!(client.ask(method, json!({}))["result"][field], json!([]), "{method}");
    }
    for (tool, arguments) in [
        ("memory_search", json!({"query": QUESTION})),
        ("memory_get", json!({"path": "MEMORY.md"})),
        ("memory_recall", json!({"query": QUESTION})),
        ("memory_retain", json!({"text": "The mill is old."})),
        ("memory_context", json!({})),
        ("memory_status", json!({})),
    ] {
        let answer = client.call(tool, arguments);
        assert_eq!(answer["isError"], json!(true), "{tool}: {answer}");
        assert!(answer.to_string().contains("memory is switched off"), "{tool}: {answer}");
    }
    let resource = client.ask("resources/read", json!({"uri": "memory://notes/MEMORY.md"}));
    assert!(resource["error"]["message"].as_str().unwrap().contains("switched off"), "{resource}");
    let context = home.json(&["session", "context", "--session", "s1"]);
    let parts: Vec<&Value> = context["system"].as_array().unwrap().iter().map(|part| &part["name"]).collect();
    assert_eq!(parts, [&json!("MEMORY.md")], "no section speaks of the tools");
    let begun = json!({"session_id": "s1", "source": "startup", "hook_event_name": "SessionStart"});
    assert!(!hook(home, "claude-code", "session-start", &begun).to_string().contains("Pixel"));
    let status = home.out(&["status"]);
    assert!(status.contains(&format!("Memory: switched off, {why}")), "{status}");
    assert_eq!(home.json(&["status"])[0]["mindfile"]["off"], json!(why));
    let refused = home.run(&["search", QUESTION]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains(why), "{refused:?}");
    assert_eq!(home.run(&["watch"]).code, 2, "there is nothing to watch for");
}

#[test]
fn a_memory_that_is_switched_off_offers_no_tool_and_answers_none() {
    let home = Home::new();
    home.config("{ memorySearch: { enabled: false } }");
    check_off(&home, &format!("memorySearch.enabled in {} is false", state(&home, "mindfile.json")));
    let home = Home::new();
    write(&home.path().join("state/openclaw.json"), b"{ plugins: { slots: { memory: 'none' } } }");
    check_off(&home, &format!("plugins.slots.memory in {} is \"none\"", state(&home, "openclaw.json")));
}

/// As a call prints it.
fn state(_: &Home, file: &str) -> String {
    format!("~/state/{file}")
}

/// Asks until the answer has these words.
fn until(words: &str, mut ask: impl FnMut() -> String) {
    let began = Instant::now();
    loop {
        let answer = ask();
        if answer.contains(words) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{words} is not in {answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn notes_are_watched_where_that_is_wanted_and_nowhere_else() {
    let home = Home::new();
    home.config("{ memorySearch: { sync: { watch: false } } }");
    let came = home.run(&["watch"]);
    assert_eq!(
        (came.code, came.err.as_str()),
        (
            2,
            "error: the notes are not to be watched: sync.watch is false, and sync.intervalMinutes is 0\n\
             hint: mindfile config set sync.watch true\n"
        )
    );
    home.config("{ memorySearch: { sync: { onSearch: false, watchDebounceMs: 20 } } }");
    let mut client = Client::new(&home, &[]);
    until("100 requests", || client.text("memory_search", json!({"query": QUESTION})));
    home.note("memory/zeppelin.md", "The zeppelin lands at noon.\n");
    until("at noon", || client.text("memory_search", json!({"query": "when does the zeppelin land"})));
}

#[test]
fn a_session_that_starts_brings_the_index_up_to_date_if_that_is_wanted() {
    for (is_wanted, files) in [(true, 3), (false, 0)] {
        let home = Home::new();
        home.config(&format!(
            "{{ memorySearch: {{ sync: {{ onSearch: false, onSessionStart: {is_wanted} }} }} }}"
        ));
        home.out(&["session", "context", "--session", "new"]);
        assert_eq!(home.json(&["status"])[0]["status"]["files"], json!(files), "{is_wanted}");
    }
    let home = Home::new();
    home.config("{ memorySearch: { sync: { onSearch: false, watch: false } } }");
    let mut client = Client::new(&home, &[]);
    until("100 requests", || client.text("memory_search", json!({"query": QUESTION})));
}

#[test]
fn a_conversation_that_is_not_to_be_compacted_is_flushed_and_left_whole() {
    let home = Home::new();
    home.out(&["session", "append", "--session", "s1", "We decided to paint the mill."]);
    let check =
        ["session", "flush-check", "--session", "s1", "--context-window", "200000", "--tokens", "199000"];
    let decided = |home: &Home| {
        let decided = home.json(&check);
        (decided["flush"].clone(), decided["compact"].clone(), decided["reason"].clone())
    };
    assert_eq!(decided(&home), (json!(true), json!(true), json!("threshold-reached")));
    home.config("{ agents: { defaults: { compaction: { enabled: false } } } }");
    assert_eq!(decided(&home), (json!(true), json!(false), json!("threshold-reached")));
    write(
        &home.path().join("state/openclaw.json"),
        b"{ agents: { defaults: { sandbox: { mode: 'non-main', workspaceAccess: 'ro' } } } }",
    );
    assert_eq!(decided(&home), (json!(false), json!(false), json!("workspace-not-writable")));
    let came = home.run(&["session", "flush", "--session", "s1"]);
    assert_eq!(came.code, 1);
    assert!(came.out.starts_with("Nothing was saved; what was said is in the transcript"), "{came:?}");
    assert!(came.err.contains("session s1 is sandboxed and may not write to the workspace"), "{came:?}");
    let asked =
        home.run(&["session", "append", "--session", "s1", "Remember that the key is under the mat."]);
    assert!(asked.err.contains("no fact: session s1 is sandboxed"), "{asked:?}");
    home.out(&["session", "append", "--session", "main", "We decided to mend the roof."]);
    assert!(home.out(&["session", "flush", "--session", "main"]).contains("Saved 1 candidate"));
}

/// A conversation of a room is read along by others, as one of a group is.
#[test]
fn a_room_is_a_kind_of_conversation() {
    let home = Home::new();
    home.out(&["session", "append", "--session", "s1", "--chat-type", "room", "Good morning."]);
    assert_eq!(home.json(&["session", "list"])[0]["chatType"], json!("room"));
    let context = home.json(&["session", "context", "--session", "s1"]);
    assert_eq!(context["chatType"], json!("room"));
    assert_eq!(context["withheld"], json!(["MEMORY.md: this is a room conversation"]));
    let key = ["search", "Pixel", "--session-key", "agent:main:matrix:room:7", "--min-score", "0.35"];
    assert_eq!(home.json(&key)["results"], json!([]));
}

#[test]
fn an_agent_without_a_workspace_has_nothing_to_reflect() {
    let home = Home::new();
    let came = home.run(&["reflect", "--agent-id", "test-agent", "--debug"]);
    assert_eq!(came.code, 0, "{came:?}");
    assert!(came.out.ends_with("Nothing to reflect: there are no facts\n"), "{came:?}");
    let missing = "there is no workspace yet: ~/state/workspace-test-agent does not exist";
    assert!(came.err.contains(missing), "{came:?}");
    assert_eq!(home.json(&["reflect", "--agent-id", "test-agent"])["total"], json!(0));
    assert!(!home.path().join("state/memory/test-agent.sqlite").exists(), "looking makes nothing");
    let named = home.run(&["reflect", "--workspace", "nowhere"]);
    assert_eq!(named.code, 2, "a place that somebody names has to be there: {named:?}");
}

/// OpenClaw shows no `custom_message` whose `display` is false.
#[test]
fn a_hidden_message_is_written_as_openclaw_writes_it() {
    let home = Home::new();
    home.out(&["session", "append", "--session", "s1", "--hidden", "The build is green."]);
    let path = home.path().join("state/agents/main/sessions/s1.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let entry: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&entry["type"], &entry["customType"], &entry["display"], &entry["content"]),
        (
            &json!("custom_message"),
            &json!("mindfile.hidden"),
            &json!(false),
            &json!([{"type": "text", "text": "The build is green."}])
        )
    );
    let turns = &home.json(&["session", "context", "--session", "s1"])["turns"];
    assert_eq!((&turns[0]["text"], turns.as_array().unwrap().len()), (&json!("The build is green."), 1));
    assert_eq!(home.out(&["session", "show", "--session", "s1"]), "Nothing was said.\n");
}

#[test]
fn doctor_names_what_status_names_of_the_facts() {
    let home = Home::new();
    home.note("memory/a.md", "- W @mill: The mill is north of the harbour ^one\n");
    home.note("memory/b.md", "- W @mill: the mill is north of the harbour. ^two\n");
    home.out(&["index"]);
    let said =
        "EDUPFACTS: 1 fact says what another says, such as ^one in memory/a.md:1 and ^two in memory/b.md:1";
    let remedy = "keep one of such lines and take the others out of the notes, in an editor";
    assert!(home.out(&["status"]).contains(&format!("{said} ({remedy})")), "{}", home.out(&["status"]));
    let doctor = home.out(&["doctor"]);
    assert!(doctor.contains(said) && doctor.contains(&format!("fix:    {remedy}")), "{doctor}");
    home.note("memory/b.md", "The mill is old.\n");
    home.out(&["index"]);
    assert!(!home.out(&["doctor", "--fix"]).contains("EDUPFACTS"), "the remedy helps");
}
