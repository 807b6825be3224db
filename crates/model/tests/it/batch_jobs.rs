//! The asynchronous batch APIs: a job is handed in, looked at, and collected, also by another process.

use mindfile_model::{Error, JobProgress, Outcome};

use crate::asking::{open, service, truth};
use crate::server::{Server, UNWANTED};

#[test]
fn a_job_gives_every_document_its_vector_under_its_name() {
    for provider in ["openai", "gemini"] {
        let server = Server::start();
        let (embedder, _) = open(service(&server, provider));
        let jobs = embedder.jobs().unwrap();
        let documents: Vec<(String, &str)> = vec![
            ("a".to_owned(), "one note"),
            ("b".to_owned(), "another note"),
            ("c".to_owned(), "the third"),
        ];
        let job = jobs.submit(&documents).unwrap();
        // Whoever knows the name goes on with it.
        let (other, _) = open(service(&server, provider));
        let jobs = other.jobs().unwrap();
        let looks: Vec<JobProgress> = (0..3).map(|_| jobs.look(&job).unwrap()).collect();
        assert_eq!(looks, [JobProgress::Waiting, JobProgress::Waiting, JobProgress::Done]);
        let mut all = Vec::new();
        jobs.collect(&job, &mut |name, outcome, tokens| {
            assert!(tokens.is_none_or(|tokens| tokens > 0), "{provider} {name}");
            all.push((name.to_owned(), Some(outcome)));
        })
        .unwrap();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let expected: Vec<(String, Option<Outcome>)> =
            documents.iter().map(|(name, text)| (name.clone(), truth(text))).collect();
        assert_eq!(all, expected, "{provider}");
    }
}

#[test]
fn a_job_that_fails_says_why() {
    for (provider, why) in
        [("openai", "failed the file cannot be processed"), ("gemini", "BATCH_STATE_FAILED internal error")]
    {
        let server = Server::start();
        let (embedder, _) = open(service(&server, provider));
        let jobs = embedder.jobs().unwrap();
        let job = jobs.submit(&[("a".to_owned(), "one")]).unwrap();
        server.change(|ways| ways.job_fails = true);
        assert_eq!(jobs.look(&job).unwrap(), JobProgress::Failed(why.to_owned()));
    }
}

#[test]
fn a_job_that_is_cancelled_is_ended_at_the_provider() {
    for (provider, path) in
        [("openai", "/v1/batches/batch_0/cancel"), ("gemini", "/v1beta/batches/gem-0:cancel")]
    {
        let server = Server::start();
        let (embedder, _) = open(service(&server, provider));
        let jobs = embedder.jobs().unwrap();
        let job = jobs.submit(&[("a".to_owned(), "one")]).unwrap();
        server.take_seen();
        jobs.cancel(&job).unwrap();
        assert_eq!(server.take_seen()[0].path, path);
        assert!(
            matches!(jobs.look(&job).unwrap(), JobProgress::Failed(why) if why.contains("ancelled") || why.contains("CANCELLED"))
        );
    }
}

#[test]
fn a_document_that_a_job_refuses_is_named() {
    let server = Server::start();
    let (embedder, _) = open(service(&server, "openai"));
    let jobs = embedder.jobs().unwrap();
    let job = jobs.submit(&[("a".to_owned(), "one"), ("b".to_owned(), UNWANTED)]).unwrap();
    let mut refused = Vec::new();
    while jobs.look(&job).unwrap() == JobProgress::Waiting {}
    let mut sink = |name: &str, outcome, _: Option<u64>| {
        if let Outcome::Refused(why) = outcome {
            refused.push((name.to_owned(), why));
        }
    };
    jobs.collect(&job, &mut sink).unwrap();
    assert_eq!(refused, [("b".to_owned(), "an input was rejected by the content filter".to_owned())]);
}

#[test]
fn a_job_that_nobody_knows_is_an_error() {
    for provider in ["openai", "gemini"] {
        let server = Server::start();
        let (embedder, _) = open(service(&server, provider));
        let name = if provider == "gemini" { "batches/gem-77" } else { "batch_77" };
        let error = embedder.jobs().unwrap().look(name).unwrap_err();
        assert!(matches!(error, Error::NotThere { .. }), "{error}");
    }
}

#[test]
fn other_providers_have_no_jobs() {
    let server = Server::start();
    for provider in ["voyage", "mistral", "ollama", "openai-compatible"] {
        assert!(open(service(&server, provider)).0.jobs().is_none(), "{provider}");
    }
}
