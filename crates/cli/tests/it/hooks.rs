//! `mindfile hook`: what hosts hand over, and what they get back.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::home::{Came, Home, write};

fn call(home: &Home, words: &[&str], input: &str) -> Came {
    let mut command = home.command(&[&["hook"], words].concat());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A hook that gives up does not read what it is given.
    match child.stdin.take().unwrap().write_all(input.as_bytes()) {
        Ok(()) | Err(_) => {}
    }
    home.came(&child.wait_with_output().unwrap())
}

/// What a hook answers; it has time enough on a busy machine.
pub(crate) fn hook(home: &Home, host: &str, event: &str, input: &Value) -> Value {
    let came = call(home, &[event, "--host", host, "--time-limit", "60000"], &input.to_string());
    assert_eq!((came.code, came.err.as_str()), (0, ""), "{came:?}");
    // At a compaction nothing is printed: Claude Code would tell it to the model that summarises.
    assert_eq!(came.out.is_empty(), event.ends_with("compact") && host != "cursor", "{came:?}");
    if came.out.is_empty() { json!({}) } else { serde_json::from_str(&came.out).unwrap() }
}

fn log(home: &Home) -> String {
    std::fs::read_to_string(home.path().join("state/memory/hooks.log")).unwrap()
}

fn turns(home: &Home, session: &str) -> Vec<(String, String)> {
    let shown = home.json(&["session", "show", "--session", session]);
    let field = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    shown["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (field(entry, "role"), field(entry, "text")))
        .collect()
}

fn lines(path: &Path, values: &[Value]) {
    let text: String = values.iter().map(|value| format!("{value}\n")).collect();
    write(path, text.as_bytes());
}

fn claude(uuid: &str, role: &str, content: &Value) -> Value {
    json!({"type": role, "uuid": uuid, "sessionId": "s1", "timestamp": "2026-11-01T10:00:00.000Z",
           "isSidechain": false, "message": {"role": role, "content": content}})
}

#[test]
fn a_conversation_begins_with_what_is_known() {
    let home = Home::new();
    let input = json!({"session_id": "s1", "transcript_path": "/nowhere.jsonl", "cwd": "/", "source": "startup",
                       "hook_event_name": "SessionStart"});
    for host in ["claude-code", "codex", "vscode", "gemini-cli"] {
        let answer = hook(&home, host, "session-start", &input);
        let output = &answer["hookSpecificOutput"];
        assert_eq!(output["hookEventName"], json!("SessionStart"));
        let text = output["additionalContext"].as_str().unwrap();
        assert!(text.contains("The dog is called Pixel") && text.len() < 10_000, "{text}");
    }
    let cursor = hook(&home, "cursor", "session-start", &json!({"conversation_id": "c"}));
    assert!(cursor["additional_context"].as_str().unwrap().contains("Pixel"));
    let resumed = json!({"session_id": "s1", "source": "resume"});
    assert_eq!(hook(&home, "claude-code", "session-start", &resumed), json!({}));
}

#[test]
fn a_host_that_does_not_say_who_it_is_is_answered_too() {
    let home = Home::new();
    let input = json!({"session_id": "s1", "source": "startup"}).to_string();
    let came = call(&home, &["session-start", "--time-limit", "60000"], &input);
    assert_eq!((came.code, came.out.contains("Pixel")), (0, true), "{came:?}");
}

#[test]
fn a_long_memory_is_cut_to_what_a_host_takes() {
    let home = Home::new();
    home.note(
        "MEMORY.md",
        &format!("# Memory\n\n{}", "One more thing that must not be forgotten.\n".repeat(2_000)),
    );
    let answer = hook(&home, "claude-code", "session-start", &json!({"session_id": "s1"}));
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(text.len() <= 9_500 && text.contains("are left out here"), "{}", text.len());
}

#[test]
fn a_message_is_answered_with_what_bears_on_it() {
    let home = Home::new();
    home.out(&["retain", "Sarah leads the billing team", "--entity", "Sarah"]);
    let ask = |prompt: &str| {
        let input = json!({"session_id": "s1", "prompt": prompt, "hook_event_name": "UserPromptSubmit"});
        hook(&home, "claude-code", "prompt-submit", &input)
    };
    let output = ask("who leads the billing team?")["hookSpecificOutput"].clone();
    assert_eq!(output["hookEventName"], json!("UserPromptSubmit"));
    let text = output["additionalContext"].as_str().unwrap();
    assert!(text.contains("Sarah leads the billing team [memory/"), "{text}");
    let limit = ask("what is the rate limit of the api");
    assert!(limit.to_string().contains("100 requests per minute"), "{limit}");
    assert_eq!(ask("ok"), json!({}));
    assert_eq!(ask("zygomorphic quokka xylophones"), json!({}));
    let cursor = json!({"conversation_id": "c", "generation_id": "g", "prompt": "go on"});
    assert_eq!(hook(&home, "cursor", "prompt-submit", &cursor), json!({"continue": true}));
}

#[test]
fn a_transcript_is_written_down_once_however_often_the_hook_is_called() {
    let home = Home::new();
    let path = home.path().join("s1.jsonl");
    let mut said = vec![
        json!({"type": "summary", "summary": "x"}),
        claude("u1", "user", &json!("We decided to paint the boat green.")),
        claude(
            "a1",
            "assistant",
            &json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Green it is."}]),
        ),
        claude("a2", "assistant", &json!([{"type": "tool_use", "id": "t", "name": "Bash", "input": {}}])),
        claude(
            "u2",
            "user",
            &json!([{"type": "tool_result", "tool_use_id": "t", "content": "the tool's output"}]),
        ),
        claude("u3", "user", &json!("<command-name>/clear</command-name>")),
    ];
    lines(&path, &said);
    let input = json!({"session_id": "s1", "transcript_path": path, "stop_hook_active": false});
    for _ in 0..3 {
        assert_eq!(hook(&home, "claude-code", "stop", &input), json!({}));
    }
    let first = [
        ("user".to_owned(), "We decided to paint the boat green.".to_owned()),
        ("assistant".to_owned(), "Green it is.".to_owned()),
    ];
    assert_eq!(turns(&home, "claude-code-s1"), first);
    said.push(claude(
        "u4",
        "user",
        &json!([{"type": "text", "text": "And the mast red.<system-reminder>no</system-reminder>"}]),
    ));
    lines(&path, &said);
    hook(&home, "claude-code", "pre-compact", &input);
    let all = turns(&home, "claude-code-s1");
    assert_eq!(all[2], ("user".to_owned(), "And the mast red.".to_owned()));
    assert_eq!(all.len(), 3);
    let found = home.json(&["search", "boat", "--source", "sessions"]);
    assert_eq!(found["results"][0]["citation"], json!("sessions/claude-code-s1.jsonl#L2-L4"));
    let shown = home.json(&["session", "show", "--session", "claude-code-s1"]);
    assert_eq!(shown["entries"][0]["timestamp"], json!("2026-11-01T10:00:00.000Z"));
    let today = std::fs::read_dir(home.workspace().join("memory")).unwrap();
    let saved = today.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    assert!(
        saved.into_iter().any(|text| text.contains("We decided to paint the boat green.")),
        "it was flushed"
    );
}

#[test]
fn a_transcript_that_was_made_anew_repeats_nothing() {
    let home = Home::new();
    let path = home.path().join("s1.jsonl");
    let old =
        claude("u1", "user", &json!("The first thing that was said, long enough to be far into the file."));
    lines(&path, &[old.clone(), claude("u2", "user", &json!("The second thing."))]);
    let input = json!({"session_id": "s1", "transcript_path": path});
    hook(&home, "claude-code", "stop", &input);
    lines(&path, &[old, claude("u9", "user", &json!("New."))]);
    hook(&home, "claude-code", "stop", &input);
    assert_eq!(turns(&home, "claude-code-s1").len(), 3);
}

#[test]
fn a_line_that_is_being_written_waits_for_the_next_call() {
    let home = Home::new();
    let path = home.path().join("s1.jsonl");
    let line = claude("u1", "user", &json!("Half of a line is no line.")).to_string();
    write(&path, &line.as_bytes()[..40]);
    let input = json!({"session_id": "s1", "transcript_path": path});
    hook(&home, "claude-code", "stop", &input);
    assert_eq!(home.run(&["session", "show", "--session", "claude-code-s1"]).code, 2);
    write(&path, format!("{line}\n").as_bytes());
    hook(&home, "claude-code", "stop", &input);
    assert_eq!(turns(&home, "claude-code-s1").len(), 1);
}

#[test]
fn what_came_too_late_before_a_compaction_is_saved_after_it() {
    let home = Home::new();
    let path = home.path().join("s1.jsonl");
    let late = claude("u1", "user", &json!("We decided to paint the boat green."));
    let mut after = claude("u2", "user", &json!("This conversation was about a boat, and a tool said 42."));
    after["isCompactSummary"] = true.into();
    lines(&path, &[late, after]);
    let input = json!({"session_id": "s1", "transcript_path": path, "trigger": "auto", "compact_summary": "A boat; 42."});
    assert_eq!(hook(&home, "claude-code", "post-compact", &input), json!({}));
    assert_eq!(
        turns(&home, "claude-code-s1"),
        [("user".to_owned(), "We decided to paint the boat green.".to_owned())]
    );
    let saved = home.json(&["search", "which colour was decided for the boat"]);
    assert!(saved["results"][0]["path"].as_str().unwrap().starts_with("memory/2"), "it was flushed: {saved}");
}

#[test]
fn what_the_tools_of_a_sub_agent_said_is_no_agents_word() {
    let home = Home::bare();
    home.out(&["init"]);
    let said = "the night fee of the old harbour is nine crowns from June on";
    let kept = json!({"command": "create", "path": "/memories/fee.md", "file_text": format!("- W @harbour: {said}\n")});
    let mut tool = home.command(&["memory-tool"]);
    let mut child = tool.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(kept.to_string().as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    let origin = || {
        home.json(&["recall", "night fee of the harbour", "--include-untrusted"])["results"][0]["origin"]
            .clone()
    };
    assert_eq!(origin(), json!("agent"));
    let path = home.path().join("s1/subagents/agent-a7.jsonl");
    let read = json!([{"type": "tool_result", "tool_use_id": "t", "content": said}]);
    lines(&path, &[claude("u1", "user", &json!("Look the fee up.")), claude("u2", "user", &read)]);
    let input = json!({"session_id": "s1", "transcript_path": home.path().join("s1.jsonl"), "agent_id": "a7",
        "agent_type": "Explore", "agent_transcript_path": path, "last_assistant_message": "Nine crowns."});
    assert_eq!(hook(&home, "claude-code", "subagent-stop", &input), json!({}));
    assert_eq!(origin(), json!("untrusted"));
    assert_eq!(
        home.run(&["session", "show", "--session", "claude-code-s1"]).code,
        2,
        "its work is not written down"
    );
}

#[test]
fn codex_tells_what_was_shown_and_older_versions_what_was_sent() {
    let home = Home::new();
    let path = home.path().join("rollout.jsonl");
    let at = "2026-11-01T10:00:00Z";
    let shown = |kind: &str, text: &str| json!({"timestamp": at, "type": "event_msg", "payload": {"type": kind, "message": text}});
    let sent = |role: &str, text: &str| {
        json!({"timestamp": at, "type": "response_item", "payload":
        {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}})
    };
    lines(
        &path,
        &[
            json!({"timestamp": at, "type": "session_meta", "payload": {"id": "s1"}}),
            sent("user", "<environment_context>x</environment_context>"),
            sent("user", "Which port?"),
            shown("user_message", "Which port?"),
            shown("agent_message", "Port 8080."),
            sent("assistant", "Port 8080."),
        ],
    );
    let input =
        json!({"session_id": "s1", "transcript_path": path, "turn_id": "t1", "hook_event_name": "Stop"});
    hook(&home, "codex", "stop", &input);
    hook(&home, "codex", "stop", &input);
    let expected =
        [("user".to_owned(), "Which port?".to_owned()), ("assistant".to_owned(), "Port 8080.".to_owned())];
    assert_eq!(turns(&home, "codex-s1"), expected);
    lines(
        &path,
        &[
            sent("user", "<environment_context>x</environment_context>"),
            sent("user", "Which port?"),
            sent("assistant", "Port 8080."),
        ],
    );
    hook(&home, "codex", "stop", &json!({"session_id": "old", "transcript_path": path}));
    assert_eq!(turns(&home, "codex-old"), expected);
    let told = json!({"session_id": "s2", "transcript_path": null, "turn_id": "t1", "last_assistant_message": "Done."});
    hook(&home, "codex", "stop", &told);
    hook(&home, "codex", "stop", &told);
    assert_eq!(turns(&home, "codex-s2"), [("assistant".to_owned(), "Done.".to_owned())]);
}

#[test]
fn hosts_that_tell_a_turn_in_the_call_are_heard() {
    let home = Home::new();
    let prompt = json!({"conversation_id": "c1", "generation_id": "g1", "prompt": "Paint the boat.", "hook_event_name": "beforeSubmitPrompt"});
    let answer = json!({"conversation_id": "c1", "generation_id": "g1", "text": "Painted.", "hook_event_name": "afterAgentResponse"});
    for _ in 0..2 {
        hook(&home, "cursor", "prompt-submit", &prompt);
        hook(&home, "cursor", "stop", &answer);
    }
    let expected =
        [("user".to_owned(), "Paint the boat.".to_owned()), ("assistant".to_owned(), "Painted.".to_owned())];
    assert_eq!(turns(&home, "cursor-c1"), expected);
    let gemini = json!({"session_id": "g", "timestamp": "2026-11-01T10:00:00Z", "prompt": "Paint the boat.", "prompt_response": "Painted."});
    for _ in 0..2 {
        hook(&home, "gemini-cli", "stop", &gemini);
    }
    assert_eq!(turns(&home, "gemini-cli-g"), expected);
    let windsurf = |info: Value| json!({"trajectory_id": "w", "execution_id": "e", "tool_info": info});
    let goose = |field: &str, text: &str| json!({"session_id": "g", "event": "x", field: text});
    for _ in 0..2 {
        let asked = windsurf(json!({"user_prompt": "Paint the boat."}));
        assert_eq!(hook(&home, "windsurf", "prompt-submit", &asked), json!({}));
        hook(&home, "windsurf", "stop", &windsurf(json!({"response": "Painted."})));
        hook(&home, "goose", "prompt-submit", &goose("message", "Paint the boat."));
        hook(&home, "goose", "stop", &goose("last_assistant_message", "Painted."));
    }
    assert_eq!(turns(&home, "windsurf-w"), expected);
    assert_eq!(turns(&home, "goose-g"), expected);
    let path = home.path().join("events.jsonl");
    lines(
        &path,
        &[
            json!({"type": "session.start", "data": {}, "id": "0"}),
            json!({"type": "user.message", "data": {"content": "Paint the boat."}, "id": "1", "timestamp": "2026-11-01T10:00:00Z"}),
            json!({"type": "assistant.message", "data": {"content": "Painted.", "toolRequests": []}, "id": "2"}),
        ],
    );
    hook(&home, "vscode", "stop", &json!({"sessionId": "v", "transcript_path": path}));
    assert_eq!(turns(&home, "vscode-v"), expected);
}

#[test]
fn whatever_goes_wrong_the_answer_is_valid_and_the_reason_is_in_the_log() {
    let home = Home::bare();
    let came = call(&home, &["stop", "--host", "claude-code"], "not json");
    assert_eq!((came.code, came.out.as_str(), came.err.as_str()), (0, "{}\n", ""));
    assert!(log(&home).contains("must be a JSON object"), "{}", log(&home));
    home.config("{\"agents\": {\"defaults\": {\"workspace\": \"~/elsewhere\"}}}");
    let came = call(&home, &["session-start", "--host", "cursor"], "{}");
    assert_eq!((came.code, came.out.as_str(), came.err.as_str()), (0, "{}\n", ""));
    assert!(log(&home).contains("does not exist"), "{}", log(&home));
    home.config("{ broken");
    let came = call(&home, &["prompt-submit", "--host", "cursor"], "{\"prompt\":\"who leads the team\"}");
    assert_eq!((came.code, came.out.as_str(), came.err.as_str()), (0, "{\"continue\":true}\n", ""));
    assert_eq!(log(&home).lines().count(), 3);
}

#[test]
fn a_host_that_hands_nothing_over_is_not_kept_waiting() {
    let home = Home::new();
    let mut command = home.command(&["hook", "stop", "--host", "codex", "--time-limit", "50"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let open = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(open);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"{}\n"[..]));
    assert!(log(&home).contains("no answer within 50 ms"), "{}", log(&home));
}

#[test]
fn a_mistyped_hook_does_not_tell_the_host_to_block() {
    let home = Home::bare();
    let came = call(&home, &["stopp", "--host", "claude-code"], "{}");
    assert_eq!(came.code, 1, "2 would throw the person's message away: {came:?}");
}

#[test]
fn the_log_does_not_grow_without_end() {
    let home = Home::bare();
    let path = home.path().join("state/memory/hooks.log");
    write(&path, "x".repeat(300 << 10).as_bytes());
    call(&home, &["stop", "--host", "codex"], "{}");
    assert!(log(&home).lines().count() == 1 && path.with_extension("log.1").exists());
}

/// A workspace as `init` leaves it, and a conversation in which something was asked to be remembered.
fn remembering(wish: &str) -> (Home, String) {
    let home = Home::bare();
    home.out(&["init"]);
    let path = home.path().join("s1.jsonl");
    lines(&path, &[claude("u1", "user", &json!(wish)), claude("a1", "assistant", &json!("Noted."))]);
    for event in ["stop", "session-end"] {
        hook(&home, "claude-code", event, &json!({"session_id": "s1", "transcript_path": path}));
    }
    let fact = home.json(&["inspect", home.json(&["recall", wish])["results"][0]["id"].as_str().unwrap()]);
    let (path, line) = (fact["path"].as_str().unwrap(), &fact["line"]);
    assert_eq!((&fact["origin"], &fact["kind"]), (&json!("agent"), &json!("O")));
    (home, format!("{path}#L{line}"))
}

fn given_by_hook(home: &Home, event: &str, input: &Value) -> String {
    let answer = hook(home, "claude-code", event, input);
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_next_conversation_is_given_what_was_asked_to_be_remembered_and_nothing_else() {
    let (home, place) = remembering("Remember: I prefer tabs over spaces");
    let opening = given_by_hook(&home, "session-start", &json!({"session_id": "s2", "source": "startup"}));
    let (rules, notes) = opening.split_once("\n\n## ").unwrap();
    assert!(rules.ends_with("name its source as path#line."), "{rules}");
    let day = place.split_once('#').unwrap().0;
    assert_eq!(notes, format!("{day}\n- @user: I prefer tabs over spaces"));
    let asked = json!({"session_id": "s2", "prompt": "Do I prefer tabs or spaces?"});
    let told = given_by_hook(&home, "prompt-submit", &asked);
    let (_, told) = told.split_once('\n').unwrap();
    assert_eq!(told, format!("- @user: I prefer tabs over spaces [{place}]"));
}

#[test]
fn what_a_model_was_given_is_told_by_place_and_tokens_until_it_is_forgotten() {
    let (home, place) = remembering("Remember: I prefer tabs over spaces");
    given_by_hook(&home, "session-start", &json!({"session_id": "s2"}));
    let session = ["given", "--session", "claude-code-s2"];
    assert_eq!(home.json(&session)["given"][0]["places"][0]["used"], json!(false));
    let asked = json!({"session_id": "s2", "prompt": "Do I prefer tabs or spaces?"});
    given_by_hook(&home, "prompt-submit", &asked);
    let told = home.json(&session);
    let once = |given: &Value| {
        let place = &given["places"][0];
        (given["by"].clone(), given["door"].clone(), place["citation"].clone(), place["tokens"].clone())
    };
    let given: Vec<_> = told["given"].as_array().unwrap().iter().map(once).collect();
    let expected = [("session-start", 9), ("prompt-submit", 16)]
        .map(|(by, tokens)| (json!(by), json!("hook"), json!(place), json!(tokens)));
    assert_eq!((given, &told["tokens"]), (expected.to_vec(), &json!(25)));
    let before = home.json(&[&session[..], &["--offset", "1", "--limit", "1"]].concat());
    assert_eq!((&told["total"], &before["total"]), (&json!(2), &json!(2)));
    assert_eq!(before["given"], json!([told["given"][0]]));
    // The prompt was about it.
    assert_eq!(told["given"][0]["places"][0]["used"], json!(true));
    assert!(home.out(&session).contains("  used since\n"));
    let journal = home.path().join("state/memory/main.access.jsonl");
    let kept = std::fs::read_to_string(&journal).unwrap();
    assert!(kept.contains("claude-code-s2") && !kept.contains("tabs"), "{kept}");
    home.out(&["forget", "--query", "prefer tabs over spaces", "--yes"]);
    assert_eq!(home.json(&session), json!({"given": [], "tokens": 0, "total": 0}));
    assert!(!std::fs::read_to_string(&journal).unwrap().contains(&place));
}

#[test]
fn a_page_that_nobody_wrote_on_answers_nothing() {
    let home = Home::bare();
    home.out(&["init"]);
    let found = home.json(&["search", "what should never be forgotten", "--min-score", "0"]);
    assert_eq!(found["results"], json!([]));
    let opening = given_by_hook(&home, "session-start", &json!({"session_id": "s1"}));
    assert!(opening.starts_with("Before you answer") && !opening.contains("##"), "{opening}");
    let context = home.json(&["session", "context", "--session", "s1"]);
    let parts: Vec<&Value> = context["system"].as_array().unwrap().iter().map(|part| &part["name"]).collect();
    assert_eq!(parts, [&json!("Memory")]);
    let page = std::fs::read_to_string(home.workspace().join("MEMORY.md")).unwrap();
    home.note("MEMORY.md", &format!("{page}\nThe quokka lives in the shed.\n"));
    let found = home.json(&["search", "where does the quokka live"]);
    assert_eq!(found["results"][0]["snippet"], json!("# Memory\n\nThe quokka lives in the shed."));
}
