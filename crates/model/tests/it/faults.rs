//! Providers that fail or lie: what is wrong is never taken, what passes is tried again, and no key is ever told.

use std::time::{Duration, Instant};

use mindfile_model::provider::{Secret, Service};
use mindfile_model::{Error, Outcome, Role};

use crate::asking::{open, outcomes, service, truth};
use crate::server::{Fault, KEY, Server};

const PROVIDERS: [&str; 6] = ["openai", "gemini", "voyage", "mistral", "ollama", "openai-compatible"];

/// How many random histories; the whole proof sets `MINDFILE_CASES`.
#[expect(clippy::disallowed_methods, reason = "the number of cases is the runner's to choose")]
fn cases() -> u64 {
    std::env::var("MINDFILE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

/// One fault that stays: how many requests it takes to give up, and how it ends.
fn check_stays(fault: &Fault, requests: usize, expected: &str) {
    for provider in PROVIDERS {
        let server = Server::start();
        server.change(|ways| ways.always = fault.clone());
        let (embedder, _) = open(service(&server, provider));
        let error = embedder.embed(Role::Document, &["one", "two"], None).unwrap_err();
        assert!(error.to_string().contains(expected), "{provider} {fault:?}: {error}");
        assert_eq!(server.take_seen().len(), requests, "{provider} {fault:?}");
    }
}

/// One fault that passes: the second attempt is taken.
fn check_passes(fault: &Fault, slept: &[u128]) {
    for provider in PROVIDERS {
        let server = Server::start();
        server.next([fault.clone()]);
        let (embedder, still) = open(service(&server, provider));
        let vectors = embedder.embed(Role::Query, &["one"], None).unwrap();
        assert!(vectors[0].is_some());
        assert_eq!(still.slept(), slept, "{provider} {fault:?}");
    }
}

#[test]
fn g1_statuses_are_retried_or_not_by_what_they_mean() {
    let status = |status| Fault::Status(status, None);
    for (code, requests, words) in [
        (400, 1, "refused the request (status 400): status 400"),
        (413, 1, "refused the request (status 413)"),
        (422, 1, "refused the request (status 422)"),
        (401, 1, "does not accept the key (status 401)"),
        (403, 1, "does not accept the key (status 403)"),
        (404, 1, "does not have what was asked for (status 404)"),
        (408, 3, "failed with status 408"),
        (500, 3, "failed with status 500"),
        (502, 3, "failed with status 502"),
        (503, 3, "failed with status 503"),
        (529, 3, "failed with status 529"),
        (429, 5, "wants fewer requests (status 429)"),
    ] {
        check_stays(&status(code), requests, words);
    }
    check_stays(&Fault::Quota, 1, "no quota left: You exceeded your current quota");
    check_stays(&Fault::Status(429, Some("1000000000")), 1, "wants fewer requests");
}

#[test]
fn g1_waits_are_those_that_were_asked_for() {
    check_passes(&Fault::Status(500, None), &[500]);
    check_passes(&Fault::Status(429, None), &[500]);
    check_passes(&Fault::Status(429, Some("7")), &[7_000]);
    check_passes(&Fault::Status(429, Some("0")), &[500]);
    check_passes(&Fault::Status(429, Some("Wed, 21 Oct 2015 07:28:00 GMT")), &[10_000]);
    check_passes(&Fault::Status(503, Some("2")), &[2_000]);
    check_passes(&Fault::Close, &[500]);
    check_passes(&Fault::Truncated, &[500]);
    check_passes(&Fault::Html, &[500]);
}

#[test]
fn g2_hangs_end_at_the_time_that_was_given() {
    for fault in [Fault::Hang(Duration::from_secs(3)), Fault::Drip] {
        let server = Server::start();
        server.change(|ways| ways.always = fault.clone());
        let mut service = service(&server, "openai");
        service.timeouts.whole = Duration::from_millis(400);
        let (embedder, still) = open(service);
        let begun = Instant::now();
        let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
        assert!(matches!(error, Error::TimedOut { .. }), "{fault:?}: {error}");
        assert_eq!(still.slept(), [500, 1_000]);
        assert!(begun.elapsed() < Duration::from_millis(1_800), "{fault:?}: {:?}", begun.elapsed());
    }
}

#[test]
fn g2_a_port_that_nobody_listens_on_is_said() {
    let server = Server::start();
    let mut service = service(&server, "openai");
    service.base_url = "http://127.0.0.1:1/v1".to_owned();
    let (embedder, still) = open(service);
    let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    assert_eq!(still.slept(), [500, 1_000]);
}

#[test]
fn g3_answers_that_are_no_embeddings_are_typed_errors() {
    for fault in [Fault::Truncated, Fault::Html, Fault::Empty, Fault::BrokenGzip, Fault::BrokenChunks] {
        check_stays(&fault, 3, "answered with something else than embeddings");
    }
    check_stays(&Fault::Close, 3, "cannot be reached");
}

#[test]
fn g3_what_is_read_is_bounded_before_and_after_unpacking() {
    for fault in [Fault::Huge, Fault::GzipBomb] {
        let server = Server::start();
        server.change(|ways| ways.always = fault.clone());
        let mut service = service(&server, "openai");
        service.timeouts.whole = Duration::from_secs(30);
        let (embedder, _) = open(service);
        let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
        assert!(error.to_string().ends_with("answered with more than 67108864 bytes"), "{fault:?}: {error}");
        assert_eq!(server.take_seen().len(), 1);
    }
}

#[test]
fn g4_one_wrong_vector_makes_the_whole_answer_wrong() {
    let wrong = [Fault::Fewer, Fault::More, Fault::MixedDims, Fault::Zero];
    let numbers = ["NaN", "1e999", "1e39", "-1e39", "null", "\"0.5\"", "{}"].map(Fault::Number);
    for fault in wrong.into_iter().chain(numbers) {
        check_stays(&fault, 3, "answered with something else than embeddings");
    }
}

#[test]
fn g4_embeddings_are_ordered_by_their_index() {
    let server = Server::start();
    let (embedder, _) = open(service(&server, "openai"));
    server.next([Fault::Permuted]);
    let (all, came) = outcomes(&*embedder, &["one", "two", "three"]);
    came.unwrap();
    assert_eq!(all, [truth("one"), truth("two"), truth("three")]);
    server.change(|ways| ways.always = Fault::Duplicate);
    let error = embedder.embed(Role::Query, &["one", "two"], None).unwrap_err();
    assert!(error.to_string().ends_with("embedding 0 comes twice"), "{error}");
}

#[test]
fn g4_other_dimensions_than_before_are_refused() {
    let server = Server::start();
    let mut service = service(&server, "openai-compatible");
    service.dims = None;
    let (embedder, _) = open(service);
    embedder.embed(Role::Query, &["one"], None).unwrap();
    server.change(|ways| ways.always = Fault::OtherDims);
    let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
    assert!(error.to_string().ends_with("a vector of 17 dimensions instead of 16"), "{error}");
}

#[test]
fn g6_a_service_that_refuses_everything_refuses_no_text_for_good() {
    let server = Server::start();
    server.change(|ways| ways.always = Fault::Status(400, None));
    let (embedder, _) = open(service(&server, "openai"));
    let (all, came) = outcomes(&*embedder, &["one", "two", "three"]);
    assert!(matches!(came, Err(Error::Refused { status: 400, .. })));
    assert_eq!(all, [None, None, None]);
    assert!(server.take_seen().len() < 10);
}

#[test]
fn g8_redirects_lead_nowhere_but_to_the_same_host() {
    let server = Server::start();
    let other = Server::start();
    let to = |to: &str| Fault::Redirect(307, to.to_owned());
    for (fault, why) in [
        (to("http://169.254.169.254/latest/meta-data"), "it is another host"),
        (to("http://localhost:9/v1"), "it is another host"),
        (to(&format!("{}/v1/embeddings", other.url())), "it is another host"),
        (to("https://127.0.0.1/v1"), "it is another host"),
        (to("file:///etc/passwd"), "it cannot be read"),
        (to("//evil.example/x"), "it is not a web address"),
        (Fault::Redirect(302, "/v1/embeddings".to_owned()), "it would not pass on what was asked"),
    ] {
        let (embedder, _) = open(service(&server, "openai"));
        server.next([fault.clone()]);
        let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
        assert!(matches!(error, Error::Redirected { .. }), "{fault:?}: {error}");
        assert!(error.to_string().contains(why), "{fault:?}: {error}");
    }
    assert!(other.take_seen().is_empty());
    let (embedder, _) = open(service(&server, "openai"));
    server.next([to("/v1/embeddings")]);
    embedder.embed(Role::Query, &["one"], None).unwrap();
    server.next(std::iter::repeat_n(to("/v1/embeddings"), 9));
    let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
    assert!(error.to_string().ends_with("there are too many redirects"), "{error}");
}

#[test]
fn g8_a_server_without_tls_is_not_taken_for_one_with_it() {
    let server = Server::start();
    let mut service = service(&server, "openai");
    service.base_url = service.base_url.replace("http:", "https:");
    let (embedder, _) = open(service);
    let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. } | Error::TimedOut { .. }), "{error}");
}

#[test]
fn g9_no_error_tells_a_key() {
    let server = Server::start();
    let wrong = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2";
    for provider in ["openai", "gemini", "voyage", "mistral"] {
        let service = Service { key: Secret::new(wrong), ..service(&server, provider) };
        assert!(!format!("{service:?}").contains(wrong));
        let (embedder, _) = open(service);
        let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
        assert!(error.to_string().contains("Incorrect API key provided: (key)"), "{error}");
        assert!(!format!("{error:?} {error}").contains("Zm9v"));
    }
}

#[test]
fn g9_a_key_in_a_header_of_ones_own_is_not_told_either() {
    let server = Server::start();
    let secret = "Zm9vYmFyYmF6cXV4";
    let mut service = service(&server, "openai");
    service.headers = vec![("authorization".to_owned(), Secret::new(&format!("Bearer {secret}")).unwrap())];
    let (embedder, _) = open(service);
    let error = embedder.embed(Role::Query, &["one"], None).unwrap_err();
    assert!(!format!("{error:?}").contains("Zm9vYm"), "{error:?}");
    assert!(!KEY.is_empty());
}

#[test]
fn g10_whatever_happens_nothing_wrong_is_answered_and_all_is_well_afterwards() {
    let faults = Fault::every();
    let notes: Vec<String> = (0..40).map(|n| format!("note number {n} about topic {}", n * 7)).collect();
    let texts: Vec<&str> = notes.iter().map(String::as_str).collect();
    for case in 0..cases() {
        let mut random = case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut draw = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random as usize % below
        };
        let server = Server::start();
        let mut service = service(&server, PROVIDERS[draw(PROVIDERS.len())]);
        service.request_tokens = 100;
        let plain = service.provider != "ollama";
        let (embedder, _) = open(service);
        for _ in 0..3 {
            let length = draw(12);
            server.next((0..length).map(|_| faults[draw(faults.len())].clone()).collect::<Vec<_>>());
            let (all, came) = outcomes(&*embedder, &texts);
            let right = |(outcome, text): (&Option<Outcome>, &&str)| match outcome {
                None => came.is_err(),
                Some(Outcome::Refused(_)) => true,
                Some(outcome) if plain => Some(outcome.clone()) == truth(text),
                Some(outcome) => Some(outcome.clone()) == truth(&format!("search_document: {text}")),
            };
            assert!(all.iter().zip(&texts).all(right), "case {case}: {came:?} {all:?}");
        }
        server.heal();
        let (all, came) = outcomes(&*embedder, &texts);
        came.unwrap();
        assert!(all.iter().all(|outcome| matches!(outcome, Some(Outcome::Vector(_)))), "case {case}");
    }
}
