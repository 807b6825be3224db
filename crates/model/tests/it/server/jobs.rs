//! The asynchronous batch APIs of OpenAI and Gemini.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::http::{Answer, Request};
use super::protocol::vector;
use super::{UNWANTED, Ways};

/// Files and jobs that were handed in. Jobs outlive the connection, as they do in the world.
#[derive(Default)]
pub(super) struct Desk {
    files: HashMap<String, String>,
    /// A job's name, how often it was looked at, and its input.
    jobs: HashMap<String, (usize, Vec<(String, String)>)>,
    cancelled: HashSet<String>,
}

/// None for a request that has nothing to do with jobs.
pub(super) fn answer(request: &Request, ways: &Ways, desk: &mut Desk) -> Option<Answer> {
    let path = request.path.as_str();
    let last = path.rsplit('/').next().unwrap_or_default();
    match (request.method.as_str(), path) {
        ("POST", _) if path.ends_with("/files") => Some(desk.upload(request)),
        ("POST", _) if path.ends_with("/batches") => Some(desk.create(&request.json())),
        ("POST", _) if path.ends_with(":asyncBatchEmbedContent") => Some(desk.create_gemini(&request.json())),
        ("POST", _) if path.ends_with("/cancel") || path.ends_with(":cancel") => {
            Some(desk.cancel(path, ways))
        }
        ("GET", _) if ways.jobs_away && path.contains("/batches/") => {
            Some(Answer::json(503, &json!({ "error": { "message": "not now" } })))
        }
        ("GET", _) if path.ends_with("/content") => Some(desk.download(path)),
        ("GET", _) if last.starts_with("gem-") => Some(desk.look_gemini(last, ways)),
        ("GET", _) if path.contains("/batches/") => Some(desk.look(last, ways)),
        _ => None,
    }
}

impl Desk {
    fn upload(&mut self, request: &Request) -> Answer {
        let text = String::from_utf8_lossy(&request.body).into_owned();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('{')).collect();
        let id = format!("file-{}", self.files.len());
        self.files.insert(id.clone(), lines.join("\n"));
        Answer::json(200, &json!({ "id": id, "object": "file", "purpose": "batch" }))
    }

    fn create(&mut self, order: &Value) -> Answer {
        let input = self.files.get(order["input_file_id"].as_str().unwrap()).unwrap();
        let requests = input.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let text = line["body"]["input"][0].as_str().unwrap().to_owned();
            (line["custom_id"].as_str().unwrap().to_owned(), text)
        });
        let (id, requests) = (format!("batch_{}", self.jobs.len()), requests.collect());
        self.jobs.insert(id.clone(), (0, requests));
        Answer::json(200, &json!({ "id": id, "object": "batch", "status": "validating" }))
    }

    fn create_gemini(&mut self, order: &Value) -> Answer {
        let requests = order["batch"]["input_config"]["requests"]["requests"].as_array().unwrap().iter();
        let requests = requests.map(|one| {
            let text = one["request"]["content"]["parts"][0]["text"].as_str().unwrap().to_owned();
            (one["metadata"]["key"].as_str().unwrap().to_owned(), text)
        });
        let (id, requests) = (format!("gem-{}", self.jobs.len()), requests.collect());
        self.jobs.insert(id.clone(), (0, requests));
        let metadata = json!({ "state": "BATCH_STATE_PENDING" });
        Answer::json(200, &json!({ "name": format!("batches/{id}"), "metadata": metadata }))
    }

    fn cancel(&mut self, path: &str, ways: &Ways) -> Answer {
        if ways.job_stays {
            return Answer::json(503, &json!({ "error": { "message": "not now" } }));
        }
        let last = path.trim_end_matches("/cancel").trim_end_matches(":cancel").rsplit('/').next();
        self.cancelled.extend(last.map(str::to_owned));
        Answer::json(200, &json!({ "id": last, "status": "cancelling" }))
    }

    fn looked(&mut self, id: &str) -> Option<(usize, Vec<(String, String)>)> {
        let job = self.jobs.get_mut(id)?;
        job.0 += 1;
        Some(job.clone())
    }

    fn look(&mut self, id: &str, ways: &Ways) -> Answer {
        let Some((looks, requests)) = self.looked(id) else {
            return Answer::json(404, &json!({ "error": { "message": "No batch found" } }));
        };
        if ways.job_fails {
            let errors = json!({ "data": [{ "message": "the file cannot be processed" }] });
            return Answer::json(200, &json!({ "id": id, "status": "failed", "errors": errors }));
        }
        if self.cancelled.contains(id) {
            return Answer::json(200, &json!({ "id": id, "status": "cancelled" }));
        }
        if looks <= ways.job_looks {
            return Answer::json(200, &json!({ "id": id, "status": "in_progress" }));
        }
        let output: Vec<String> = requests.iter().rev().map(|(key, text)| line(key, text, ways)).collect();
        let file = format!("out-{id}");
        self.files.insert(file.clone(), output.join("\n"));
        Answer::json(200, &json!({ "id": id, "status": "completed", "output_file_id": file }))
    }

    fn look_gemini(&mut self, id: &str, ways: &Ways) -> Answer {
        let Some((looks, requests)) = self.looked(id) else {
            return Answer::json(404, &json!({ "error": { "message": "not found" } }));
        };
        let name = format!("batches/{id}");
        if ways.job_fails {
            let metadata = json!({ "state": "BATCH_STATE_FAILED" });
            let error = json!({ "code": 13, "message": "internal error" });
            return Answer::json(
                200,
                &json!({ "name": name, "metadata": metadata, "done": true, "error": error }),
            );
        }
        if self.cancelled.contains(id) {
            let metadata = json!({ "state": "BATCH_STATE_CANCELLED" });
            return Answer::json(200, &json!({ "name": name, "metadata": metadata, "done": true }));
        }
        if looks <= ways.job_looks {
            let metadata = json!({ "state": "BATCH_STATE_RUNNING" });
            return Answer::json(200, &json!({ "name": name, "metadata": metadata }));
        }
        let each = requests.iter().rev().map(|(key, text)| {
            let values = vector(text, ways.dims, ways.salt);
            json!({ "metadata": { "key": key }, "response": { "embedding": { "values": values } } })
        });
        let responses = json!({ "inlinedResponses": { "inlinedResponses": each.collect::<Vec<_>>() } });
        let metadata = json!({ "state": "BATCH_STATE_SUCCEEDED" });
        Answer::json(200, &json!({ "name": name, "metadata": metadata, "done": true, "response": responses }))
    }

    fn download(&self, path: &str) -> Answer {
        let file = path.rsplit('/').nth(1).unwrap_or_default();
        let headers = vec![("content-type".to_owned(), "application/octet-stream".to_owned())];
        Answer { status: 200, headers, body: self.files.get(file).unwrap().clone().into_bytes() }
    }
}

fn line(key: &str, text: &str, ways: &Ways) -> String {
    if text.contains(UNWANTED) {
        let error = json!({ "message": "an input was rejected by the content filter" });
        let response = json!({ "status_code": 400, "body": { "error": error } });
        return json!({ "custom_id": key, "response": response, "error": null }).to_string();
    }
    let data =
        json!([{ "object": "embedding", "index": 0, "embedding": vector(text, ways.dims, ways.salt) }]);
    let usage = json!({ "prompt_tokens": 3, "total_tokens": 3 });
    let response = json!({ "status_code": 200, "body": { "object": "list", "data": data, "usage": usage } });
    json!({ "custom_id": key, "response": response, "error": null }).to_string()
}
