//! `POST /embeddings`: OpenAI's protocol, which Mistral, Voyage and most servers for one's own models speak too, with
//! another word for the length of the vectors.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Service;
use super::answer::{Answer, in_order};
use crate::Role;

pub(super) const PATH: &str = "embeddings";

pub(super) fn body(service: &Service, role: Role, texts: &[&str]) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(service.model));
    body.insert("input".to_owned(), json!(texts));
    if let Some(dims) = service.dims {
        body.insert(service.spec.dialect.dims.to_owned(), json!(dims));
    }
    if let Some(input_type) = input_type(service, role) {
        body.insert("input_type".to_owned(), json!(input_type));
    }
    Value::Object(body)
}

fn input_type(service: &Service, role: Role) -> Option<&str> {
    let usual = service.spec.dialect.input_types;
    match role {
        Role::Query => service.query_input_type.as_deref().or(usual.map(|(query, _)| query)),
        Role::Document => service.document_input_type.as_deref().or(usual.map(|(_, document)| document)),
    }
}

#[derive(Deserialize)]
struct EmbeddingList {
    data: Vec<IndexedEmbedding>,
    usage: Option<TokenUsage>,
}

#[derive(Deserialize)]
struct IndexedEmbedding {
    embedding: Vec<f32>,
    index: usize,
}

#[derive(Deserialize)]
struct TokenUsage {
    total_tokens: Option<u64>,
    prompt_tokens: Option<u64>,
}

pub(super) fn read(bytes: &[u8], count: usize) -> Result<Answer, String> {
    let listed: EmbeddingList = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let tokens = listed.usage.and_then(|usage| usage.total_tokens.or(usage.prompt_tokens));
    let numbered = listed.data.into_iter().map(|one| (one.index, one.embedding));
    Ok(Answer { vectors: in_order(numbered, count)?, tokens })
}
