//! `batchEmbedContents` of the Gemini API: one sub-request for each text, answers in their order.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Service;
use super::answer::{Answer, in_order};
use crate::Role;

pub(super) fn path(service: &Service) -> String {
    format!("{}:batchEmbedContents", name(service))
}

/// The model's name with the collection that the API wants before it.
pub(super) fn name(service: &Service) -> String {
    let model = &service.model;
    if model.starts_with("models/") { model.clone() } else { format!("models/{model}") }
}

pub(super) fn body(service: &Service, role: Role, texts: &[&str]) -> Value {
    let requests: Vec<Value> = texts.iter().map(|text| request(service, role, text)).collect();
    json!({ "requests": requests })
}

pub(super) fn request(service: &Service, role: Role, text: &str) -> Value {
    let mut request = Map::new();
    request.insert("model".to_owned(), json!(name(service)));
    request.insert("content".to_owned(), json!({ "parts": [{ "text": text }] }));
    request.insert("taskType".to_owned(), json!(task(service, role)));
    if let Some(dims) = service.dims {
        request.insert("outputDimensionality".to_owned(), json!(dims));
    }
    Value::Object(request)
}

fn task(service: &Service, role: Role) -> &str {
    match role {
        Role::Query => service.query_input_type.as_deref().unwrap_or("RETRIEVAL_QUERY"),
        Role::Document => service.document_input_type.as_deref().unwrap_or("RETRIEVAL_DOCUMENT"),
    }
}

#[derive(Deserialize)]
struct BatchEmbeddings {
    embeddings: Vec<Values>,
    #[serde(rename = "usageMetadata")]
    usage: Option<UsageMetadata>,
}

#[derive(Deserialize)]
pub(super) struct Values {
    pub(super) values: Vec<f32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UsageMetadata {
    pub(super) prompt_token_count: Option<u64>,
}

pub(super) fn read(bytes: &[u8], count: usize) -> Result<Answer, String> {
    let listed: BatchEmbeddings = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let tokens = listed.usage.and_then(|usage| usage.prompt_token_count);
    let numbered = listed.embeddings.into_iter().map(|one| one.values).enumerate();
    Ok(Answer { vectors: in_order(numbered, count)?, tokens })
}
