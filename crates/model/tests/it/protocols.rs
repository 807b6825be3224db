//! Each provider's protocol, as the server sees it: paths, keys, roles, prefixes, limits.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use mindfile_model::provider::{Secret, Service};
use mindfile_model::{Error, Outcome, Role, Spending};
use serde_json::Value;

use crate::asking::{open, outcomes, service, truth};
use crate::server::{KEY, Seen, Server, UNWANTED};

fn shown(seen: &Seen) -> String {
    let key = ["authorization", "x-goog-api-key", "x-team"];
    let headers = key.iter().filter_map(|name| Some(format!("{name}: {}", seen.header(name)?)));
    let headers: Vec<String> = headers.collect();
    format!("{} [{}] {}\n", seen.path, headers.join(", "), seen.body)
}

fn check(provider: &str, change: impl FnOnce(&mut Service), expected: Expect) {
    let server = Server::start();
    let mut service = service(&server, provider);
    change(&mut service);
    let (embedder, _) = open(service);
    embedder.embed(Role::Document, &["a note", "another"], None).unwrap();
    embedder.embed(Role::Query, &["a question"], None).unwrap();
    let seen: String = server.take_seen().iter().map(shown).collect();
    expected.assert_eq(&seen.replace(KEY, "KEY"));
}

#[test]
fn openai_is_asked_by_its_protocol() {
    check(
        "openai",
        |_| (),
        expect![[r#"
            /v1/embeddings [authorization: Bearer KEY] {"model":"text-embedding-3-small","input":["a note","another"],"dimensions":16}
            /v1/embeddings [authorization: Bearer KEY] {"model":"text-embedding-3-small","input":["a question"],"dimensions":16}
        "#]],
    );
}

#[test]
fn gemini_is_asked_by_its_protocol_with_task_types() {
    check(
        "gemini",
        |_| (),
        expect![[r#"
            /v1beta/models/gemini-embedding-001:batchEmbedContents [x-goog-api-key: KEY] {"requests":[{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a note"}]},"taskType":"RETRIEVAL_DOCUMENT","outputDimensionality":16},{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"another"}]},"taskType":"RETRIEVAL_DOCUMENT","outputDimensionality":16}]}
            /v1beta/models/gemini-embedding-001:batchEmbedContents [x-goog-api-key: KEY] {"requests":[{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a question"}]},"taskType":"RETRIEVAL_QUERY","outputDimensionality":16}]}
        "#]],
    );
}

#[test]
fn voyage_is_told_what_a_text_is_for() {
    check(
        "voyage",
        |_| (),
        expect![[r#"
            /v1/embeddings [authorization: Bearer KEY] {"model":"voyage-4-large","input":["a note","another"],"output_dimension":16,"input_type":"document"}
            /v1/embeddings [authorization: Bearer KEY] {"model":"voyage-4-large","input":["a question"],"output_dimension":16,"input_type":"query"}
        "#]],
    );
}

#[test]
fn mistral_is_asked_by_its_protocol() {
    check(
        "mistral",
        |service| service.dims = None,
        expect![[r#"
            /v1/embeddings [authorization: Bearer KEY] {"model":"mistral-embed","input":["a note","another"]}
            /v1/embeddings [authorization: Bearer KEY] {"model":"mistral-embed","input":["a question"]}
        "#]],
    );
}

#[test]
fn ollama_is_asked_by_its_protocol_with_the_prompts_of_the_models_family() {
    check(
        "ollama",
        |_| (),
        expect![[r#"
            /api/embed [] {"model":"nomic-embed-text","input":["search_document: a note","search_document: another"],"truncate":false,"dimensions":16}
            /api/embed [] {"model":"nomic-embed-text","input":["search_query: a question"],"truncate":false,"dimensions":16}
        "#]],
    );
}

#[test]
fn any_server_of_the_openai_protocol_is_asked_with_headers_and_input_types_of_ones_own() {
    check(
        "openai-compatible",
        |service| {
            service.model = "Qwen/Qwen3-Embedding-0.6B".to_owned();
            service.headers = vec![("X-Team".to_owned(), Secret::new("notes").unwrap())];
            service.query_input_type = Some("search_query".to_owned());
        },
        expect![[r#"
            /v1/embeddings [authorization: Bearer KEY, x-team: notes] {"model":"Qwen/Qwen3-Embedding-0.6B","input":["a note","another"],"dimensions":16}
            /v1/embeddings [authorization: Bearer KEY, x-team: notes] {"model":"Qwen/Qwen3-Embedding-0.6B","input":["Instruct: Given a question, retrieve notes that answer it\nQuery: a question"],"dimensions":16,"input_type":"search_query"}
        "#]],
    );
}

#[test]
fn a_header_of_ones_own_wins_over_the_key() {
    let server = Server::start();
    let mut service = service(&server, "openai");
    service.key = Secret::new("other");
    service.headers = vec![("Authorization".to_owned(), Secret::new(&format!("Bearer {KEY}")).unwrap())];
    let (embedder, _) = open(service);
    embedder.embed(Role::Query, &["a question"], None).unwrap();
}

#[test]
fn a_thousand_small_notes_cost_at_most_forty_requests() {
    let server = Server::start();
    let notes: Vec<String> =
        (0..1_000).map(|n| format!("Note {n}. {}", "Some words of a small note. ".repeat(30))).collect();
    let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
    let (embedder, _) = open(service(&server, "openai"));
    let (all, came) = outcomes(&*embedder, &texts);
    came.unwrap();
    assert!(all.iter().zip(&texts).all(|(outcome, text)| *outcome == truth(text)));
    let seen = server.take_seen();
    assert!(seen.len() <= 40, "{} requests", seen.len());
    assert_eq!(seen.iter().map(|seen| seen.texts).sum::<usize>(), 1_000);
    assert_eq!(embedder.estimate(&texts).requests, seen.len() as u64);
    let Spending { requests, texts, tokens } = embedder.spent();
    assert_eq!((requests, texts), (seen.len() as u64, 1_000));
    assert!(tokens > 100_000);
}

#[test]
fn a_refused_text_is_named_and_the_others_go_on() {
    let server = Server::start();
    let notes: Vec<String> =
        (0..100).map(|n| format!("note {n}{}", if n == 37 { UNWANTED } else { "" })).collect();
    let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
    for provider in ["openai", "gemini", "ollama", "voyage", "mistral", "openai-compatible"] {
        let (embedder, still) = open(service(&server, provider));
        let (all, came) = outcomes(&*embedder, &texts);
        came.unwrap();
        let refused = Outcome::Refused("an input was rejected by the content filter".to_owned());
        assert_eq!(all[37], Some(refused), "{provider}");
        let others = all.iter().enumerate().filter(|(at, _)| *at != 37);
        assert!(others.into_iter().all(|(_, outcome)| matches!(outcome, Some(Outcome::Vector(_)))));
        assert_eq!(still.slept(), Vec::<u128>::new());
        assert!(server.take_seen().len() < 20);
    }
}

#[test]
fn a_service_that_takes_fewer_texts_at_once_is_asked_for_fewer() {
    for most_items in [1, 10, 16] {
        let server = Server::start();
        server.change(|ways| ways.most_items = most_items);
        let notes: Vec<String> = (0..200).map(|n| format!("note {n}")).collect();
        let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
        let mut service = service(&server, "openai-compatible");
        service.concurrency = 1;
        let (embedder, _) = open(service);
        let (all, came) = outcomes(&*embedder, &texts);
        came.unwrap();
        assert!(all.iter().zip(&texts).all(|(outcome, text)| *outcome == truth(text)));
        server.take_seen();
        outcomes(&*embedder, &texts).1.unwrap();
        let most = server.take_seen().iter().map(|seen| seen.texts).max().unwrap();
        assert!(most <= most_items, "{most} of {most_items}");
    }
}

#[test]
fn a_text_that_is_too_long_is_cut_and_said_to_be() {
    let server = Server::start();
    let long = "word ".repeat(4_000);
    server.change(|ways| ways.longest_text = 3_000);
    let (embedder, _) = open(service(&server, "openai-compatible"));
    let (all, came) = outcomes(&*embedder, &["short", &long]);
    came.unwrap();
    assert_eq!(all[0], truth("short"));
    let Some(Outcome::Cut { kept, .. }) = &all[1] else { panic!("{:?}", all[1]) };
    assert!((1_000..=3_000).contains(kept), "{kept}");
    server.heal();
    // Gemini's limit is known, so that nothing has to be refused first.
    let (embedder, _) = open(service(&server, "gemini"));
    let (all, came) = outcomes(&*embedder, &[&long]);
    came.unwrap();
    assert!(matches!(all[0], Some(Outcome::Cut { kept: 8_192, .. })), "{:?}", all[0]);
}

#[test]
fn vectors_are_of_the_length_that_the_first_answer_has() {
    let server = Server::start();
    let mut service = service(&server, "openai-compatible");
    service.dims = None;
    let (embedder, _) = open(service);
    assert_eq!(embedder.space().dims, 0);
    embedder.embed(Role::Query, &["one"], None).unwrap();
    server.change(|ways| ways.dims = 24);
    let error = embedder.embed(Role::Query, &["two"], None).unwrap_err();
    assert!(error.to_string().ends_with("a vector of 24 dimensions instead of 16"), "{error}");
}

#[test]
fn without_a_key_nothing_is_sent() {
    let server = Server::start();
    for provider in ["openai", "gemini", "voyage", "mistral"] {
        let mut service = service(&server, provider);
        service.key = None;
        let (embedder, _) = open(service);
        let error = embedder.embed(Role::Query, &["a question"], None).unwrap_err();
        assert_eq!(error.to_string(), format!("there is no key for {provider}"));
        assert_eq!(
            error.hint().as_deref(),
            Some("set remote.apiKey: keys for other addresses are not sent to this one")
        );
    }
    assert!(server.take_seen().is_empty());
}

#[test]
fn a_question_has_a_deadline() {
    let server = Server::start();
    server.change(|ways| ways.delay = Duration::from_millis(500));
    let (embedder, _) = open(service(&server, "openai"));
    let begun = Instant::now();
    let until = begun + Duration::from_millis(150);
    let error = embedder.embed(Role::Query, &["a question"], Some(until)).unwrap_err();
    assert!(matches!(error, Error::TimedOut { .. } | Error::Deadline), "{error}");
    assert!(begun.elapsed() < Duration::from_millis(400), "{:?}", begun.elapsed());
    let over = embedder.embed(Role::Query, &["a question"], Some(begun)).unwrap_err();
    assert_eq!(over, Error::Deadline);
}

#[test]
fn no_request_is_begun_that_would_not_be_answered_in_time() {
    let server = Server::start();
    server.change(|ways| ways.delay = Duration::from_millis(300));
    let notes: Vec<String> = (0..40).map(|n| format!("note {n}")).collect();
    let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
    let mut service = service(&server, "openai");
    (service.request_tokens, service.concurrency) = (20, 1);
    let (embedder, _) = open(service);
    let mut answered = 0;
    let until = Instant::now() + Duration::from_millis(800);
    let came = embedder.embed_each(&texts, Some(until), &mut |answers| {
        answered += answers.len();
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(came, Err(Error::Deadline));
    let asked: usize = server.take_seen().iter().map(|seen| seen.texts).sum();
    assert!(answered > 0 && answered == asked, "{answered} of {asked}");
}

#[test]
fn whoever_has_enough_stops_the_work() {
    let server = Server::start();
    let notes: Vec<String> = (0..400).map(|n| format!("note {n} {}", "word ".repeat(200))).collect();
    let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
    let (embedder, _) = open(service(&server, "openai"));
    let stopped = embedder.embed_each(&texts, None, &mut |_| std::ops::ControlFlow::Break(()));
    assert_eq!(stopped, Err(Error::Stopped));
    assert!(server.take_seen().len() <= 8);
}

#[test]
fn bodies_hold_nothing_but_the_protocol() {
    let server = Server::start();
    let (embedder, _) = open(service(&server, "openai"));
    embedder.embed(Role::Query, &["a question"], None).unwrap();
    let seen = server.take_seen();
    let Value::Object(body) = &seen[0].body else { panic!() };
    assert_eq!(body.keys().collect::<Vec<_>>(), ["model", "input", "dimensions"]);
    assert_eq!(seen[0].header("user-agent"), Some(concat!("mindfile/", env!("CARGO_PKG_VERSION"))));
}
