//! Gemini's batch API for embeddings: the requests are part of the order, the answers part of the finished job.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Progress;
use crate::provider::answer::vector;
use crate::provider::gemini::{Values, name, request};
use crate::provider::remote::Remote;
use crate::provider::transport::HttpCall;
use crate::{Error, Outcome, Role};

/// Orders of up to 20 MB are taken; the answer of 64 MB that is read at most holds the vectors of so many texts.
pub(super) const CAPACITY: (usize, usize) = (1_000, 12 << 20);

#[derive(Deserialize)]
struct Operation {
    name: String,
    metadata: Option<Metadata>,
    response: Option<JobResult>,
    error: Option<Status>,
}

#[derive(Deserialize)]
struct Metadata {
    state: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JobResult {
    inlined_responses: Option<InlinedResponses>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InlinedResponses {
    inlined_responses: Vec<InlinedResponse>,
}

#[derive(Deserialize)]
struct InlinedResponse {
    metadata: Option<RequestKey>,
    response: Option<EmbeddedContent>,
    error: Option<Status>,
}

#[derive(Deserialize)]
struct RequestKey {
    key: Option<String>,
}

#[derive(Deserialize)]
struct EmbeddedContent {
    embedding: Values,
}

#[derive(Deserialize)]
struct Status {
    message: Option<String>,
}

pub(super) fn submit(remote: &Remote, documents: &[(String, &str)]) -> Result<String, Error> {
    let requests: Vec<Value> = documents
        .iter()
        .map(|(key, text)| {
            let prepared = remote.prepare(Role::Document, text);
            let request = request(&remote.service, Role::Document, prepared.text());
            json!({ "request": request, "metadata": { "key": key } })
        })
        .collect();
    let order = json!({ "batch": {
        "display_name": "mindfile", "input_config": { "requests": { "requests": requests } },
    } });
    let order = order.to_string().into_bytes();
    let path = format!("{}:asyncBatchEmbedContent", name(&remote.service));
    // Asked once: a second job of the same texts would be paid for twice.
    let create = HttpCall { path: &path, body: Some((&order, "application/json")) };
    Ok(remote.transport.once(&create, None, parse)?.name)
}

pub(super) fn look(remote: &Remote, job: &str) -> Result<Progress, Error> {
    let operation = remote.transport.get(job, None, parse)?;
    let state = operation.metadata.and_then(|metadata| metadata.state).unwrap_or_default();
    let ended = |word: &str| state.ends_with(word);
    Ok(if ended("SUCCEEDED") {
        Progress::Done
    } else if ["FAILED", "CANCELLED", "EXPIRED"].iter().any(|word| ended(word)) || operation.error.is_some() {
        let why = operation.error.and_then(|error| error.message).unwrap_or_default();
        Progress::Failed(remote.transport.clean(&format!("{state} {why}")))
    } else {
        Progress::Waiting
    })
}

pub(super) fn collect(remote: &Remote, job: &str, sink: &mut dyn FnMut(&str, Outcome)) -> Result<(), Error> {
    let finished = remote.transport.get(job, None, parse)?.response;
    let inlined = finished.and_then(|finished| finished.inlined_responses);
    let inlined = inlined.ok_or_else(|| remote.job_failed(job, "it has no output"))?;
    for one in inlined.inlined_responses {
        let Some(key) = one.metadata.as_ref().and_then(|metadata| metadata.key.clone()) else {
            return Err(remote.transport.malformed("an embedding without its key"));
        };
        sink(&key, outcome(remote, one)?);
    }
    Ok(())
}

fn outcome(remote: &Remote, one: InlinedResponse) -> Result<Outcome, Error> {
    let Some(embedded) = one.response else {
        let why = one.error.and_then(|error| error.message).unwrap_or_else(|| "no reason given".to_owned());
        return Ok(Outcome::Refused(remote.transport.clean(&why)));
    };
    let values = embedded.embedding.values;
    let dims = if remote.dims() > 0 { remote.dims() } else { values.len() };
    vector(values, dims).map(Outcome::Vector).map_err(|what| remote.transport.malformed(&what))
}

fn parse(bytes: &[u8]) -> Result<Operation, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}
