//! OpenAI's batch API: a file of requests goes up, a job is made of it, a file of answers comes down.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{BatchApi, Documents, JobSink, Progress, parse};
use crate::provider::openai::{self, body};
use crate::provider::remote::Remote;
use crate::provider::transport::HttpCall;
use crate::{Error, Role};

pub(super) const API: BatchApi = BatchApi {
    // Below what the API allows, so that a job's file fits into memory while it is sent.
    capacity: (20_000, 32 << 20),
    submit,
    look,
    cancel: |job| format!("batches/{job}/cancel"),
    collect,
};
/// Between the parts of an upload. Lines of JSON hold no line like it.
const BORDER: &str = "mindfile-7e3f0c5a9b";

#[derive(Deserialize)]
struct Batch {
    status: String,
    output_file_id: Option<String>,
    error_file_id: Option<String>,
    errors: Option<Value>,
}

#[derive(Deserialize)]
struct ObjectId {
    id: String,
}

#[derive(Deserialize)]
struct AnswerLine {
    custom_id: String,
    response: Option<Response>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Response {
    status_code: u16,
    body: Value,
}

fn submit(remote: &Remote, documents: &Documents<'_>) -> Result<String, Error> {
    let form = form(&requests(remote, documents));
    let kind = format!("multipart/form-data; boundary={BORDER}");
    let file = remote.transport.once(&HttpCall::post("files", &form, &kind), None, parse::<ObjectId>)?;
    let order = json!({
        "input_file_id": file.id, "endpoint": format!("/v1/{}", openai::PATH), "completion_window": "24h",
    });
    // Asked once: a second job of the same file would be paid for twice.
    Ok(remote.transport.once(&HttpCall::json("batches", &order), None, parse::<ObjectId>)?.id)
}

fn requests(remote: &Remote, documents: &Documents<'_>) -> Vec<u8> {
    let mut lines = Vec::new();
    for (name, text) in documents {
        let prepared = remote.prepare(Role::Document, text);
        let request = json!({
            "custom_id": name, "method": "POST", "url": format!("/v1/{}", openai::PATH),
            "body": body(&remote.service, Role::Document, &[&prepared.text]),
        });
        lines.extend_from_slice(request.to_string().as_bytes());
        lines.push(b'\n');
    }
    lines
}

fn form(lines: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BORDER}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--{BORDER}\r\n\
         Content-Disposition: form-data; name=\"file\"; filename=\"notes.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n"
    );
    [head.as_bytes(), lines, format!("\r\n--{BORDER}--\r\n").as_bytes()].concat()
}

fn look(remote: &Remote, job: &str) -> Result<Progress, Error> {
    let batch = batch(remote, job)?;
    Ok(match batch.status.as_str() {
        "completed" => Progress::Done,
        "failed" | "expired" | "cancelled" | "cancelling" => {
            let why = batch.errors.as_ref().and_then(first_message).unwrap_or_default();
            Progress::Failed(remote.transport.clean(&format!("{} {why}", batch.status)))
        }
        _ => Progress::Waiting,
    })
}

fn batch(remote: &Remote, job: &str) -> Result<Batch, Error> {
    remote.transport.ask(&HttpCall::get(&format!("batches/{job}")), None, parse::<Batch>)
}

fn collect(remote: &Remote, job: &str, sink: &mut JobSink<'_>) -> Result<(), Error> {
    let batch = batch(remote, job)?;
    let files = [batch.output_file_id, batch.error_file_id];
    if files.iter().all(Option::is_none) {
        return Err(remote.job_failed(job, "it has no output"));
    }
    for file in files.iter().flatten() {
        let content = format!("files/{file}/content");
        remote.transport.lines(&HttpCall::get(&content), |line| take(remote, line, sink))?;
    }
    Ok(())
}

fn take(remote: &Remote, line: &[u8], sink: &mut JobSink<'_>) -> Result<(), Error> {
    if line.trim_ascii().is_empty() {
        return Ok(());
    }
    let line: AnswerLine = parse(line).map_err(|what| remote.transport.malformed(&what))?;
    let mut tokens = None;
    let outcome = match (line.response, line.error) {
        (Some(response), None | Some(Value::Null)) if response.status_code == 200 => {
            let answer = openai::read(response.body.to_string().as_bytes(), 1);
            let values = answer.and_then(|mut answer| {
                tokens = answer.tokens;
                answer.vectors.pop().ok_or_else(String::new)
            });
            let values = values.map_err(|what| remote.transport.malformed(&what))?;
            remote.embedded(values)?
        }
        (response, error) => {
            let told = response.map(|response| response.body).or(error).unwrap_or_default();
            remote.refused(first_message(&told))
        }
    };
    sink(&line.custom_id, outcome, tokens);
    Ok(())
}

fn first_message(value: &Value) -> Option<&str> {
    ["/data/0/message", "/error/message", "/message"].iter().find_map(|at| value.pointer(at)?.as_str())
}
