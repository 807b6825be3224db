//! `POST /api/embed` of Ollama. The request forbids it to cut texts: mindfile cuts them and reports it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Service;
use super::answer::{Answer, in_order};

pub(super) const PATH: &str = "api/embed";

pub(super) fn body(service: &Service, texts: &[&str]) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(service.model));
    body.insert("input".to_owned(), json!(texts));
    body.insert("truncate".to_owned(), json!(false));
    if let Some(dims) = service.dims {
        body.insert("dimensions".to_owned(), json!(dims));
    }
    Value::Object(body)
}

#[derive(Deserialize)]
struct EmbedResponse {
    embeddings: Vec<Vec<f32>>,
    prompt_eval_count: Option<u64>,
}

pub(super) fn read(bytes: &[u8], count: usize) -> Result<Answer, String> {
    let listed: EmbedResponse = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let numbered = listed.embeddings.into_iter().enumerate();
    Ok(Answer { vectors: in_order(numbered, count)?, tokens: listed.prompt_eval_count })
}
