//! Gemini's batch API for embeddings: the requests are part of the order, the answers part of the finished job.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{BatchApi, Documents, JobSink, Progress, parse};
use crate::provider::gemini::{UsageMetadata, Values, name, request};
use crate::provider::remote::Remote;
use crate::provider::transport::HttpCall;
use crate::{Error, Role};

pub(super) const API: BatchApi = BatchApi {
    // Orders of up to 20 MB are taken; the answer of 64 MB that is read at most holds the vectors of so many texts.
    capacity: (1_000, 12 << 20),
    submit,
    look,
    cancel: |job| format!("{job}:cancel"),
    collect,
};

#[derive(Deserialize)]
struct Operation {
    name: String,
    metadata: Option<Metadata>,
    response: Option<JobResult>,
    error: Option<JobError>,
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
    error: Option<JobError>,
}

#[derive(Deserialize)]
struct RequestKey {
    key: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EmbeddedContent {
    embedding: Values,
    usage_metadata: Option<UsageMetadata>,
}

#[derive(Deserialize)]
struct JobError {
    message: Option<String>,
}

fn submit(remote: &Remote, documents: &Documents<'_>) -> Result<String, Error> {
    let ordered = |(key, text): &(String, &str)| {
        let prepared = remote.prepare(Role::Document, text);
        let request = request(&remote.service, Role::Document, &prepared.text);
        json!({ "request": request, "metadata": { "key": key } })
    };
    let requests: Vec<Value> = documents.iter().map(ordered).collect();
    let order = json!({ "batch": {
        "display_name": "mindfile", "input_config": { "requests": { "requests": requests } },
    } });
    let path = format!("{}:asyncBatchEmbedContent", name(&remote.service));
    // Asked once: a second job of the same texts would be paid for twice.
    Ok(remote.transport.once(&HttpCall::json(&path, &order), None, parse::<Operation>)?.name)
}

fn look(remote: &Remote, job: &str) -> Result<Progress, Error> {
    let operation = remote.transport.ask(&HttpCall::get(job), None, parse::<Operation>)?;
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

fn collect(remote: &Remote, job: &str, sink: &mut JobSink<'_>) -> Result<(), Error> {
    let finished = remote.transport.ask(&HttpCall::get(job), None, parse::<Operation>)?.response;
    let inlined = finished.and_then(|finished| finished.inlined_responses);
    let inlined = inlined.ok_or_else(|| remote.job_failed(job, "it has no output"))?;
    for one in inlined.inlined_responses {
        let Some(key) = one.metadata.and_then(|metadata| metadata.key) else {
            return Err(remote.transport.malformed("an embedding without its key"));
        };
        let mut tokens = None;
        let outcome = match one.response {
            Some(content) => {
                tokens = content.usage_metadata.and_then(|usage| usage.prompt_token_count);
                remote.embedded(content.embedding.values)?
            }
            None => remote.refused(one.error.and_then(|error| error.message).as_deref()),
        };
        sink(&key, outcome, tokens);
    }
    Ok(())
}
