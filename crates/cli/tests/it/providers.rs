//! The program with a provider that is on this machine: what it asks for, what it says, and what it does when the
//! provider is away.

#[expect(dead_code, unused_imports, reason = "shared with the tests of other crates, which use the rest")]
#[path = "../../../model/tests/it/server/mod.rs"]
mod server;

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::home::{Came, Home};
use server::{Fault, KEY, Server};

fn home(server: &Server, more: &str) -> Home {
    let home = Home::new();
    configure(&home, server, more);
    home
}

fn configure(home: &Home, server: &Server, more: &str) {
    home.config(&format!(
        "{{memorySearch: {{provider: 'openai', outputDimensionality: 16, remote: {{baseUrl: '{}/v1', apiKey: '{KEY}'}}, {more}}}}}",
        server.url()
    ));
}

fn json(came: &Came) -> Value {
    serde_json::from_str(&came.out).unwrap_or_else(|error| panic!("{error}: {came:?}"))
}

#[test]
fn notes_are_embedded_once_and_the_bill_is_told() {
    let server = Server::start();
    let home = home(&server, "");
    let out = home.out(&["index"]);
    let line = out.lines().nth(1).unwrap();
    assert!(
        line.starts_with("Embedded 3 chunks with openai text-embedding-3-small: 3 new, 0 known; 1 request, "),
        "{out}"
    );
    assert!(line.contains("tokens, $0.0000"), "{out}");
    assert_eq!(server.take_seen().len(), 2, "the text by which the model is known, and the notes");
    let again = home.out(&["index"]);
    assert!(again.starts_with("Up to date: 3 notes") && again.lines().count() == 1, "{again}");
    assert!(server.take_seen().is_empty());
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert_eq!((&found["provider"], &found["mode"]), (&"openai".into(), &"hybrid".into()));
    assert_eq!(found["results"][0]["path"], "memory/api.md");
    assert_eq!(server.take_seen().len(), 1);
}

#[test]
fn every_provider_embeds_and_answers() {
    let server = Server::start();
    for (provider, path) in [
        ("openai", "/v1"),
        ("gemini", "/v1beta"),
        ("voyage", "/v1"),
        ("mistral", "/v1"),
        ("ollama", ""),
        ("lmstudio", "/v1"),
    ] {
        let home = Home::new();
        home.config(&format!(
            "{{memorySearch: {{provider: '{provider}', outputDimensionality: 16, remote: {{baseUrl: '{}{path}', apiKey: '{KEY}'}}}}}}",
            server.url()
        ));
        assert!(home.out(&["index"]).contains(&format!("Embedded 3 chunks with {provider} ")), "{provider}");
        let found = json(&home.run(&["search", "rate limit", "--json"]));
        assert_eq!((&found["provider"], &found["mode"]), (&provider.into(), &"hybrid".into()));
        assert_eq!(found["results"][0]["path"], "memory/api.md", "{provider}");
        assert!(server.take_seen().iter().all(|seen| seen.path.starts_with(path)));
    }
}

#[test]
fn a_dry_run_says_what_it_would_take_and_asks_nobody() {
    let server = Server::start();
    let home = home(&server, "");
    let out = home.out(&["index", "--dry-run"]);
    assert!(
        out.starts_with(
            "openai text-embedding-3-small\n3 notes, 3 chunks without a vector, 0 of them known\n1 request, "
        ),
        "{out}"
    );
    assert!(out.contains("At $0.02 for a million tokens, as of "), "{out}");
    assert!(server.take_seen().is_empty());
    assert!(!home.path().join("state/memory").exists());
    let estimated = json(&home.run(&["index", "--dry-run", "--json"]));
    assert_eq!((&estimated["chunks"], &estimated["requests"]), (&3.into(), &1.into()));
    configure(&home, &server, "model: 'my-own', ");
    assert!(home.out(&["index", "--dry-run"]).contains("The price is not known"));
    assert!(Home::new().out(&["index", "--dry-run"]).contains("Nothing would be asked of anybody"));
}

#[test]
fn a_provider_that_is_away_leaves_words_and_is_made_up_for_later() {
    let server = Server::start();
    server.change(|ways| ways.always = Fault::Status(401, None));
    let home = home(&server, "");
    let came = home.run(&["index"]);
    assert_eq!(came.code, 1);
    assert!(
        came.err.contains("does not accept the key (status 401)") && came.err.contains("check the key"),
        "{came:?}"
    );
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert_eq!((&found["mode"], &found["results"][0]["path"]), (&"keyword".into(), &"memory/api.md".into()));
    assert!(found["degraded"][0].as_str().unwrap().starts_with("meaning: http://127.0.0.1:"), "{found}");
    server.heal();
    assert!(home.out(&["index"]).contains("Embedded 3 chunks"));
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert_eq!((&found["mode"], found["degraded"].as_array().unwrap().len()), (&"hybrid".into(), 0));
}

#[test]
fn a_fallback_answers_in_its_own_space_and_gives_way_by_itself() {
    let server = Server::start();
    let home = home(&server, "fallback: 'embedded', ");
    home.out(&["index"]);
    server.change(|ways| ways.always = Fault::Status(403, None));
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert_eq!((&found["provider"], &found["mode"]), (&"embedded".into(), &"hybrid".into()));
    let fallback = &found["fallback"];
    assert_eq!((&fallback["from"], &fallback["to"]), (&"openai".into(), &"embedded".into()));
    assert!(
        fallback["reason"].as_str().unwrap().contains("status 403") && fallback["at"].is_string(),
        "{found}"
    );
    let status = home.out(&["status"]);
    assert!(status.contains("Provider: embedded (requested: openai)"), "{status}");
    assert!(status.contains("Fallback: embedded in place of openai, which failed at "), "{status}");
    server.heal();
    home.out(&["index"]);
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert_eq!((&found["provider"], &found["fallback"]), (&"openai".into(), &Value::Null));
    assert!(!home.out(&["status"]).contains("Fallback"));
}

#[test]
fn no_output_and_no_file_holds_the_key() {
    let server = Server::start();
    let home = home(&server, "");
    let mut all = String::new();
    for words in [
        &["config", "show", "--origin"][..],
        &["config", "get", "remote"],
        &["index"],
        &["status", "--deep"],
        &["doctor"],
        &["search", "dog", "--json", "--explain"],
    ] {
        let came = home.run(words);
        all.push_str(&format!("{came:?}"));
    }
    home.config(&format!(
        "{{memorySearch: {{provider: 'openai', remote: {{baseUrl: '{}/v1', apiKey: 'sk-wrong-{KEY}'}}}}}}",
        server.url()
    ));
    home.note("memory/new.md", "Something new.\n");
    all.push_str(&format!("{:?}", home.run(&["index"])));
    assert!(all.contains("Incorrect API key provided: (key)"), "{all}");
    assert!(!all.contains(&KEY[3..]), "{all}");
    for file in ["main.sqlite", "main.sqlite-wal"] {
        let bytes = std::fs::read(home.path().join("state/memory").join(file)).unwrap_or_default();
        assert!(!bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()), "{file}");
    }
}

#[test]
fn a_search_does_not_wait_longer_than_it_may() {
    let server = Server::start();
    let home = home(&server, "query: {embedDeadlineMs: 300}, ");
    home.out(&["index"]);
    server.change(|ways| ways.delay = Duration::from_secs(4));
    let begun = Instant::now();
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert_eq!((&found["mode"], &found["results"][0]["path"]), (&"keyword".into(), &"memory/api.md".into()));
    assert!(found["degraded"][0].as_str().unwrap().contains("did not answer within"), "{found}");
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_was() {
    let server = Server::start();
    let home = home(&server, "");
    configure(&home, &server, "chunking: {tokens: 64, overlap: 8}, ");
    for n in 0..200 {
        home.note(
            &format!("memory/n{n}.md"),
            &format!(
                "# Note {n}\n\nParcel {n} is at place {}. {}\n",
                n * 3,
                "More words follow. ".repeat(40)
            ),
        );
    }
    server.change(|ways| ways.delay = Duration::from_millis(800));
    let mut child = home.command(&["index"]).spawn().unwrap();
    // The text by which the model is known, four requests at once, and the first of those that follow.
    let mut seen = 0;
    while seen < 6 {
        std::thread::sleep(Duration::from_millis(20));
        seen += server.take_seen().len();
    }
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    server.take_seen();
    server.change(|ways| ways.delay = Duration::ZERO);
    let chunks = json(&home.run(&["status", "--json"]))[0]["status"]["chunks"].as_u64().unwrap();
    let done = json(&home.run(&["status", "--json"]))[0]["mindfile"]["embedded"].as_u64().unwrap();
    assert!(done > 0 && done < chunks, "{done} of {chunks}");
    home.out(&["index"]);
    // What was embedded before the kill is not asked for again.
    assert!(texts(&server) <= chunks - done + 1);
    assert_eq!(json(&home.run(&["status", "--json"]))[0]["mindfile"]["pending"], 0);
}

fn texts(server: &Server) -> u64 {
    server.take_seen().iter().map(|seen| seen.texts as u64).sum()
}

#[test]
fn without_a_key_words_work_and_it_is_said_how_to_get_meaning() {
    let home = Home::new();
    home.config("{memorySearch: {provider: 'voyage'}}");
    let came = home.run(&["index"]);
    assert_eq!(came.code, 2);
    assert!(came.err.contains("there is no key for voyage"), "{came:?}");
    assert!(
        came.err.contains("set VOYAGE_API_KEY in the environment, or remote.apiKey in mindfile.json"),
        "{came:?}"
    );
    let found = json(&home.run(&["search", "rate limit", "--json"]));
    assert_eq!(found["degraded"][0], "meaning: there is no key for voyage");
    assert_eq!(found["results"][0]["path"], "memory/api.md");
}

#[test]
fn a_model_file_says_what_is_missing() {
    let home = Home::new();
    home.config("{memorySearch: {provider: 'local', local: {modelPath: '~/no.gguf'}}}");
    let came = home.run(&["index"]);
    let words = if cfg!(feature = "gguf") {
        "there is no model file"
    } else {
        "this build of mindfile cannot run GGUF models"
    };
    assert!(came.err.contains(words), "{came:?}");
}

#[cfg(feature = "gguf")]
#[test]
fn a_model_file_that_went_away_is_missed_also_when_no_note_changed() {
    let home = Home::new();
    let model = home.path().join("tiny-bert.gguf");
    let made = concat!(env!("CARGO_MANIFEST_DIR"), "/../model/tests/gguf/tiny-bert.gguf");
    std::fs::copy(made, &model).unwrap();
    home.config(&format!(
        "{{memorySearch: {{provider: 'local', local: {{modelPath: '{}'}}}}}}",
        model.display()
    ));
    assert!(
        home.out(&["index", "--dry-run"]).contains("Vectors are made on this machine, and cost nothing.")
    );
    assert!(home.out(&["index"]).contains("Embedded 3 chunks with local tiny-bert.gguf"));
    std::fs::remove_file(&model).unwrap();
    let came = home.run(&["index"]);
    assert!(came.err.starts_with("error: there is no model file "), "{came:?}");
}

#[test]
fn a_provider_that_never_answers_keeps_no_question_about_a_changed_note_waiting() {
    let server = Server::start();
    let home = home(&server, "query: {embedDeadlineMs: 500}, ");
    home.out(&["index"]);
    server.change(|ways| ways.always = Fault::Hang(Duration::from_secs(60)));
    home.note("memory/ferry.md", "The ferry runs on Sundays.\n\n- W @ferry: The ferry is green ^ferry1\n");
    server.take_seen();
    let found = json(&home.run(&["search", "ferry", "--mode", "keyword", "--json"]));
    assert_eq!((&found["results"][0]["path"], server.take_seen().len()), (&"memory/ferry.md".into(), 0));
    let begun = Instant::now();
    let found = json(&home.run(&["search", "ferry", "--json"]));
    assert_eq!(
        (&found["mode"], &found["results"][0]["path"]),
        (&"keyword".into(), &"memory/ferry.md".into())
    );
    home.note("memory/boat.md", "- W @boat: The boat is blue ^boat11\n");
    assert!(home.out(&["recall", "boat"]).contains("The boat is blue"));
    let mut client = crate::mcp::Client::new(&home, &[]);
    home.note("memory/pier.md", "The pier is closed.\n");
    let asked = serde_json::json!({"name": "memory_search", "arguments": {"query": "pier"}});
    let told = client.ask("tools/call", asked).to_string();
    assert!(told.contains("The pier is closed."), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn the_bill_names_who_made_the_vectors() {
    let server = Server::start();
    let home = Home::new();
    home.config(&format!(
        "{{memorySearch: {{provider: 'openai', fallback: 'gemini', remote: {{baseUrl: 'http://127.0.0.1:1/v1', apiKey: '{KEY}'}}}},
          models: {{providers: {{gemini: {{baseUrl: '{}/v1beta', apiKey: '{KEY}'}}}}}}}}",
        server.url()
    ));
    let out = home.out(&["index"]);
    assert!(out.contains("Embedded 3 chunks with gemini gemini-embedding-001: 3 new, 0 known; "), "{out}");
    let line = out.lines().nth(1).unwrap();
    assert!(line.contains("tokens, $0.0"), "{out}");
}

#[test]
fn a_fallback_of_a_model_file_is_at_the_address_that_the_settings_name() {
    let server = Server::start();
    let home = Home::new();
    home.config(&format!(
        "{{memorySearch: {{provider: 'local', local: {{modelPath: '~/no.gguf'}}, fallback: 'openai', remote: {{baseUrl: '{}/v1', apiKey: '{KEY}'}}}}}}",
        server.url()
    ));
    let out = home.out(&["index"]);
    assert!(out.contains("Embedded 3 chunks with openai text-embedding-3-small: "), "{out}");
    let seen = server.take_seen();
    assert!(seen.iter().all(|seen| seen.header("authorization") == Some(&format!("Bearer {KEY}"))));
}
