//! `POST /embeddings`: OpenAI's protocol, which Mistral, Voyage and most servers for one's own models speak too, with
//! another word for the length of the vectors.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answer::{Answer, in_order};
use super::{Service, Wording};
use crate::Role;

pub(super) const PATH: &str = "embeddings";

pub(super) fn body(service: &Service, role: Role, texts: &[&str]) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(service.model));
    body.insert("input".to_owned(), json!(texts));
    if let Some(dims) = service.dims {
        body.insert(dims_name(service.wording()).to_owned(), json!(dims));
    }
    if let Some(input_type) = input_type(service, role) {
        body.insert("input_type".to_owned(), json!(input_type));
    }
    Value::Object(body)
}

fn dims_name(wording: Wording) -> &'static str {
    match wording {
        Wording::Voyage | Wording::Mistral => "output_dimension",
        Wording::Plain => "dimensions",
    }
}

fn input_type(service: &Service, role: Role) -> Option<&str> {
    let (configured, word) = match role {
        Role::Query => (&service.query_input_type, "query"),
        Role::Document => (&service.document_input_type, "document"),
    };
    match service.wording() {
        Wording::Voyage => Some(configured.as_deref().unwrap_or(word)),
        Wording::Plain | Wording::Mistral => configured.as_deref(),
    }
}

#[derive(Deserialize)]
struct Listed {
    data: Vec<One>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct One {
    embedding: Vec<f32>,
    index: usize,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
    prompt_tokens: Option<u64>,
}

pub(super) fn read(bytes: &[u8], count: usize) -> Result<Answer, String> {
    let listed: Listed = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let tokens = listed.usage.and_then(|usage| usage.total_tokens.or(usage.prompt_tokens));
    let numbered = listed.data.into_iter().map(|one| (one.index, one.embedding));
    Ok(Answer { vectors: in_order(numbered, count)?, tokens })
}
