//! MCP as a client speaks it: over a pipe, and over HTTP.

use mindfile::session::ChatType;
use mindfile_server::mcp::Offer;
use serde_json::{Value, json};

use crate::client::{Client, hello};
use crate::home::Home;
use crate::served::Served;

#[test]
fn tools_say_what_they_take_and_give_and_do() {
    let home = Home::new();
    let mut client = Client::new(&home);
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in [
        "memory_search", "memory_get", "memory_retain", "memory_recall", "memory_reflect", "memory_forget",
        "memory_status", "memory_context",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], json!("object"), "{tool}");
        assert_eq!(tool["outputSchema"]["type"], json!("object"), "{tool}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{tool}");
        assert!(!tool.to_string().contains("\"uint"), "{tool}");
        assert!(tool["description"].as_str().unwrap().len() < 400, "{tool}");
    }
    let search = &tools[0]["inputSchema"];
    assert_eq!(search["required"], json!(["query"]));
    assert_eq!(search["properties"]["maxResults"]["type"], json!("integer"));
}

/// Four characters are about a token: the list costs a model about 950 of them, and an answer 600.
#[test]
fn a_model_is_shown_four_tools_in_few_words_and_answers_are_short() {
    let home = Home::new();
    for number in 0..40 {
        let line = format!(
            "The harbour master keeps boat {number} at the north pier, berth {number}, until May.\n\n"
        );
        home.note(&format!("memory/boats-{number}.md"), &format!("# Boat {number}\n\n{}", line.repeat(12)));
    }
    home.note("memory/facts.md", "- W @harbour: The harbour master is called Ines ^ines01\n");
    let mut client = Client::offered(&home, ChatType::Direct, Offer::default());
    let listed = client.ask("tools/list", json!({}));
    let tools = &listed["result"]["tools"];
    let names: Vec<&str> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["memory_search", "memory_get", "memory_retain", "memory_forget"]);
    assert!(tools.to_string().len() <= 3800, "{} characters: {tools}", tools.to_string().len());
    assert!(listed["result"]["ttlMs"].as_u64().is_some_and(|ttl| ttl > 0), "{}", listed["result"]["ttlMs"]);
    let found = client.call("memory_search", json!({"query": "who is the harbour master of the north pier"}));
    let (text, lean) =
        (found["content"][0]["text"].as_str().unwrap(), found["structuredContent"].to_string());
    assert!(text.contains("Ines") && text.contains("(memory/boats-"), "{text}");
    assert!(text.len() <= 2400, "{}", text.len());
    assert!(lean.len() <= 2800 && !lean.contains("provider"), "{lean}");
    let kept = client.call("memory_retain", json!({"text": "Ines is on leave in May", "entities": ["Ines"]}));
    assert_eq!(kept["structuredContent"]["outcome"], json!("written"));
    let same = client.text("memory_retain", json!({"text": "Ines is on leave in May", "entities": ["Ines"]}));
    assert!(same.contains("force") && !same.contains("--"), "{same}");
}

#[test]
fn a_fact_and_the_lines_of_its_note_are_one_hit() {
    let home = Home::new();
    home.note("memory/facts.md", "- W @harbour: The harbour master is called Ines ^ines01\n");
    let mut client = Client::offered(&home, ChatType::Direct, Offer::default());
    let found = client.call("memory_search", json!({"query": "who is the harbour master"}));
    let hits = found["structuredContent"]["hits"].as_array().unwrap();
    let said = hits.iter().filter(|hit| hit["says"].as_str().unwrap().contains("Ines"));
    assert_eq!(said.count(), 1, "{found}");
}

#[test]
fn what_is_retained_is_recalled_and_reflected() {
    let home = Home::new();
    let mut client = Client::new(&home);
    let kept =
        client.text("memory_retain", json!({"text": "Sarah leads the platform team", "entities": ["Sarah"]}));
    assert!(kept.starts_with("Retained: W(s="), "{kept}");
    let recalled = client.text("memory_recall", json!({"query": "who leads the platform team"}));
    assert!(recalled.contains("Sarah leads the platform team"), "{recalled}");
    let reflected = client.call("memory_reflect", json!({"dryRun": true}));
    assert_eq!(reflected["structuredContent"]["dryRun"], json!(true));
    let status = client.call("memory_status", json!({}));
    assert_eq!(status["structuredContent"]["agentId"], json!("main"));
    let context = client.text("memory_context", json!({}));
    assert!(context.contains("Pixel") && context.contains("Sarah leads"), "{context}");
}

#[test]
fn what_is_forgotten_is_shown_first_and_does_not_come_back() {
    let home = Home::new();
    let mut client = Client::new(&home);
    let fact = json!({"text": "Ottilie keeps a heron in the attic", "entities": ["Ottilie"]});
    client.call("memory_retain", fact.clone());
    let shown = client.text("memory_forget", json!({"entity": "Ottilie", "dryRun": true}));
    assert!(shown.starts_with("Would be forgotten:") && shown.contains("heron in the attic"), "{shown}");
    let recalled = client.text("memory_recall", json!({"query": "who keeps a heron"}));
    assert!(recalled.contains("Ottilie"), "{recalled}");
    let gone = client.text("memory_forget", json!({"entity": "Ottilie"}));
    assert!(gone.starts_with("Forgotten:"), "{gone}");
    let recalled = client.text("memory_recall", json!({"query": "who keeps a heron"}));
    assert!(!recalled.contains("Ottilie"), "{recalled}");
    let refused = client.call("memory_retain", fact);
    assert_eq!(refused["isError"], json!(true), "{refused}");
}

#[test]
fn mistakes_are_answers_that_a_model_can_read() {
    let home = Home::new();
    let mut client = Client::new(&home);
    let wrong = client.call("memory_get", json!({"path": "../state/server.token"}));
    assert_eq!(wrong["isError"], json!(true));
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("is not a memory file"));
    let wrong = client.call("memory_search", json!({"colour": "red"}));
    assert!(wrong["content"][0]["text"].as_str().unwrap().starts_with("the arguments: "), "{wrong}");
    let wrong = client.text("memory_recall", json!({"query": "x", "k": "3"}));
    assert_eq!(wrong, "the arguments: k is \"3\"; it must be a whole number");
    let unknown = client.ask("tools/call", json!({"name": "memory_sing", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], json!(-32602));
}

#[test]
fn notes_are_resources_and_prompts_are_there() {
    let home = Home::new();
    home.note("memory/größe & maß.md", "Der Schrank ist 2 m hoch.\n");
    let mut client = Client::new(&home);
    let listed = client.ask("resources/list", json!({}));
    let resources = listed["result"]["resources"].as_array().unwrap();
    assert_eq!(resources.len(), 4);
    let odd = resources.iter().find(|one| one["name"] == json!("memory/größe & maß.md")).unwrap();
    let read = client.ask("resources/read", json!({"uri": odd["uri"]}));
    assert_eq!(read["result"]["contents"][0]["text"], json!("Der Schrank ist 2 m hoch.\n"));
    assert_eq!(read["result"]["contents"][0]["mimeType"], json!("text/markdown"));
    let outside = client.ask("resources/read", json!({"uri": "memory://notes/../server.token"}));
    assert!(outside["error"]["message"].as_str().unwrap().contains("is not a memory file"), "{outside}");
    let templates = client.ask("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], json!("memory://notes/{+path}"));
    let prompts = client.ask("prompts/list", json!({}));
    assert_eq!(prompts["result"]["prompts"].as_array().unwrap().len(), 2);
    let recall = client.ask("prompts/get", json!({"name": "recall", "arguments": {"about": "the closet"}}));
    assert!(recall["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("the closet"));
    let flush = client.ask("prompts/get", json!({"name": "flush"}));
    assert!(flush["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("memory_retain"));
}

#[test]
fn progress_is_told_to_who_asks_for_it() {
    let home = Home::new();
    let mut client = Client::new(&home);
    let asked =
        json!({"name": "memory_reflect", "arguments": {"dryRun": true}, "_meta": {"progressToken": "p1"}});
    let answer = client.ask("tools/call", asked);
    assert!(answer["error"].is_null(), "{answer}");
    let told: Vec<&Value> =
        client.heard.iter().filter(|message| message["method"] == json!("notifications/progress")).collect();
    assert!(!told.is_empty());
    let steps: Vec<f64> = told.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    assert!(told.iter().all(|one| one["params"]["progressToken"] == json!("p1")));
}

#[test]
fn a_group_never_gets_long_term_memory_by_any_tool() {
    let home = Home::new();
    for (arguments, chat) in [(json!({"chatType": "group"}), ChatType::Direct), (json!({}), ChatType::Group)]
    {
        let mut client = Client::in_chat(&home, chat);
        let mut with = |tool: &str, more: Value| {
            let mut all = arguments.clone();
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            client.call(tool, all).to_string()
        };
        assert!(!with("memory_search", json!({"query": "the dog Pixel"})).contains("sweeper"));
        assert!(!with("memory_get", json!({"path": "MEMORY.md"})).contains("sweeper"));
        assert!(!with("memory_context", json!({})).contains("sweeper"));
        assert!(!with("memory_recall", json!({"query": "the dog Pixel"})).contains("sweeper"));
        if chat == ChatType::Group {
            assert!(!client.ask("resources/list", json!({})).to_string().contains("MEMORY.md"));
            let read = client.ask("resources/read", json!({"uri": "memory://notes/MEMORY.md"}));
            assert!(read["error"].is_object(), "{read}");
        }
    }
}

#[test]
fn the_same_is_spoken_over_http() {
    let home = Home::new();
    let served = Served::new(&home);
    let bearer = format!("Bearer {}", served.token);
    let post = |session: Option<&str>, origin: Option<&str>, message: &Value| {
        let mut headers = vec![
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        headers.extend(session.map(|id| ("Mcp-Session-Id", id)));
        headers.extend(origin.map(|origin| ("Origin", origin)));
        served.raw("POST", "/mcp", &headers, &message.to_string())
    };
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello()});
    assert_eq!(post(None, Some("https://evil.example"), &hello).status, 403);
    assert_eq!(served.raw("POST", "/mcp", &[("Accept", "application/json")], &hello.to_string()).status, 401);
    let begun = post(None, None, &hello);
    assert!(begun.body.contains("\"name\":\"mindfile\""), "{}", begun.body);
    let session = begun.header("mcp-session-id");
    post(session, None, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "memory_search", "arguments": {"query": "rate limit"}}});
    let answer = post(session, None, &call);
    assert!(answer.body.contains("memory/api.md#L"), "{}", answer.body);
}
